"""Right solutions built in other ways pass: a suite must not punish how a thing is done."""

from __future__ import annotations

import ast
import hashlib

import pytest

from grader import catalog
from grader.judge import Options, judge
from grader.model import Outcome, Submission

RIGHT = catalog.places().suites / "right"

if not RIGHT.is_dir():
    pytest.skip("not a checkout", allow_module_level=True)


def solutions() -> list[tuple[str, str]]:
    """Every public function of `tests/right/<kata>.py`, with the kata's name."""
    found = []
    for path in sorted(RIGHT.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            public = isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
            if public and ast.get_docstring(node):
                found.append((path.stem, node.name))
    return found


@pytest.mark.parametrize(("name", "function"), solutions())
def test_a_right_solution_passes(name: str, function: str) -> None:
    """Whatever its design, with a seed of its own."""
    source = (RIGHT / f"{name}.py").read_bytes()
    found = Submission(f"right/{name}.py", source, hashlib.sha256(source).hexdigest(), function)
    seed = int.from_bytes(hashlib.sha256(function.encode()).digest()[:3], "big")
    options = Options(seed=seed, timing=False, name_mistakes=False, stretch=False)
    report = judge(catalog.find(name), found, options)
    failed = [(v.id, v.counterexample) for v in report.verdicts if v.outcome is not Outcome.PASS]
    assert report.passed, (report.outcome, report.problem, failed)


@pytest.mark.parametrize("name", catalog.names())
def test_every_kata_has_right_solutions_of_several_designs(name: str) -> None:
    """At least five differently built right solutions a kata."""
    assert len([kata for kata, _ in solutions() if kata == name]) >= 5
