"""Imports point one way; what must stand alone imports nothing of ours."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

#: Lower layers first; a module imports only from layers before its own.
LAYERS = [
    {"grader", "grader.errors", "grader.model", "grader.mutants", "grader.explain"},
    {
        "grader.sandbox",
        "grader.sandbox.affinity",
        "grader.sandbox.wire",
        "grader.sandbox.linux",
        "grader.sandbox.policy",
        "grader.sandbox.scratch",
        "grader.sandbox.shape",
        "grader.sandbox.system",
    },
    {"grader.sandbox.posix", "grader.sandbox.windows"},
    {"grader.sandbox.macos", "grader.sandbox.procfs"},
    {"grader.catalog", "grader.expect", "grader.findings", "grader.sandbox.process"},
    {"grader.sandbox.pipes", "grader.sandbox.sockets"},
    {"grader.sandbox.launch"},
    {"grader.library", "grader.download", "grader.unpack"},
    {"grader.submission", "grader.sandbox.host", "grader.solution", "grader.corpus"},
    {"grader.fingerprint", "grader.gradebook", "grader.gitread", "grader.revive"},
    {"grader.slots"},
    {"grader.training"},
    {"grader.plugin", "grader.diagnose", "grader.workloads", "grader.workspace"},
    {"grader.marks", "grader.redaction", "grader.similar", "grader.sources"},
    {"grader.appendlog"},
    {"grader.journal", "grader.counterexample", "grader.fetching", "grader.corpus_stats"},
    {"grader.record"},
    {"grader.pairs"},
    {"grader.growth", "grader.stages"},
    {"grader.bench"},
    {"grader.peers", "grader.proof"},
    {"grader.contest", "grader.peerchild"},
    {"grader.order", "grader.costs"},
    {"grader.judge"},
    {"grader.standby", "grader.terminal", "grader.watcher"},
    {"grader.devcheck", "grader.strength", "grader.skeleton"},
    {"grader.worker", "grader.pool", "grader.batch"},
    {"grader.doctor", "grader.desk", "grader.guide"},
    {"grader.benching"},
    {"grader.isolation"},
    {
        "grader.interview",
        "grader.interview.questions",
        "grader.interview.inputs",
        "grader.interview.clock",
        "grader.interview.facts",
    },
    {"grader.interview.checks", "grader.interview.plan"},
    {"grader.interview.ladder", "grader.interview.session"},
    {"grader.interview.ledger", "grader.interview.judging"},
    {"grader.interview.room"},
    {"grader.interview.waiting", "grader.interview.guard"},
    {"grader.pytest_katas"},
    {"grader.cluster"},
    {"grader.grading"},
    {"grader.appeal", "grader.autograder"},
    {"grader.practice", "grader.replay"},
    {"grader.tracer"},
    {"grader.byhand"},
    {"grader.debugger", "grader.repro", "grader.trace"},
    {"grader.drills", "grader.drills.exercise"},
    {
        "grader.drills.answers",
        "grader.drills.loops",
        "grader.drills.merging",
        "grader.drills.texts",
    },
    {"grader.drills.kinds"},
    {"grader.drill"},
    {"grader.reviews"},
    {"grader.learning"},
    {"grader.watch"},
    {"grader.tokenizer", "grader.train_child"},
    {"grader.exports", "grader.published", "grader.sanity", "grader.trainer"},
    {"grader.published_check"},
    {"grader.shelf", "grader.train_desk"},
    {"grader.interview.sitting"},
    {"grader.interview.talking"},
    {"grader.interview.standing", "grader.interview.dialogue"},
    {"grader.interview.rubric", "grader.interview.live"},
    {"grader.interview.report"},
    {"grader.interview.afterwards"},
    {"grader.interview.desk"},
    {"grader.cliparts", "grader.manual"},
    {
        "grader.practice_cli",
        "grader.bench_cli",
        "grader.corpus_cli",
        "grader.dev_cli",
        "grader.drill_cli",
        "grader.grade_cli",
        "grader.interview_cli",
    },
    {"grader.cli"},
    {"grader.__main__"},
]
#: What puts views on a screen.
SHOWS = {
    "grader.benching",
    "grader.cli",
    "grader.cliparts",
    "grader.debugger",
    "grader.desk",
    "grader.doctor",
    "grader.drill",
    "grader.guide",
    "grader.interview.afterwards",
    "grader.interview.desk",
    "grader.interview.dialogue",
    "grader.interview.live",
    "grader.interview.report",
    "grader.interview.rubric",
    "grader.interview.standing",
    "grader.interview.waiting",
    "grader.learning",
    "grader.practice",
    "grader.practice_cli",
    "grader.record",
    "grader.shelf",
    "grader.trace",
    "grader.train_desk",
    "grader.watch",
}
#: Views may read the model and what they need of each other, nothing else.
RENDER_MAY = {
    "grader",
    "grader.model",
    "grader.errors",
    "grader.gradebook",
    "grader.interview.facts",
}
#: Modules that put views together with what they show.
WRITERS = {
    f"grader.{name}" for name in ("appeal", "cli", "desk", "doctor", "guide", "grading", "worker")
}
#: What the child loads: the standard library (regex by the folder it is given).
CHILD = {
    f"grader.sandbox.{name}" for name in ("canary", "channel", "child", "shape", "wire", "linux")
}


def modules() -> list[tuple[str, Path]]:
    found = []
    for path in sorted((ROOT / "grader").rglob("*.py")):
        if "_suites" not in path.parts:
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append((".".join(p for p in parts if p != "__init__"), path))
    return found


def imported(path: Path, name: str = "") -> set[str]:
    """Every module a file imports, wherever in the file."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                names.add(whole if whole in MODULE_NAMES else node.module)
    return names


MODULE_NAMES = {name for name, _ in modules()}


@pytest.mark.parametrize(("name", "path"), modules(), ids=lambda value: str(value))
def test_imports_point_down(name: str, path: Path) -> None:
    """No module imports from its own layer's users; every module has a layer."""
    ours = {m for m in imported(path) if m.split(".")[0] == "grader"}
    if name in CHILD:
        outside = {m.split(".")[0] for m in imported(path)} - set(sys.stdlib_module_names)
        assert outside <= {"canary", "channel", "wire", "linux", "regex"}
        return
    if name.startswith("grader.render"):
        assert {m for m in ours if not m.startswith("grader.render")} <= RENDER_MAY
        return
    depth = next((i for i, layer in enumerate(LAYERS) if name in layer), None)
    assert depth is not None, f"{name} has no layer; give it one in {Path(__file__).name}"
    allowed = set().union(*LAYERS[: depth + 1])
    if name in SHOWS | WRITERS:
        allowed |= {m for m in MODULE_NAMES if m.startswith("grader.render")}
    assert ours <= allowed, sorted(ours - allowed)


@pytest.mark.parametrize(
    "path",
    [
        *sorted((ROOT / "katas").glob("*.py")),
        *sorted((ROOT / "reference").rglob("*.py")),
        *sorted((ROOT / "tests" / "right").glob("*.py")),
    ],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_solutions_stand_alone(path: Path) -> None:
    """Stubs, references and known mistakes import the standard library and regex only."""
    roots = {name.split(".")[0] for name in imported(path)}
    if (path.parent / "record") in path.parents or path.parent.name == "record":
        roots.discard("reference")
    assert roots <= set(sys.stdlib_module_names) | {"regex"}


def test_the_model_is_plain_data() -> None:
    """`model` and `errors` need nothing but the standard library."""
    for name in ("model", "errors"):
        roots = {m.split(".")[0] for m in imported(ROOT / "grader" / f"{name}.py")}
        assert roots <= set(sys.stdlib_module_names)
