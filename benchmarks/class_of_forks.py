"""A class of forks with known truth: graded, killed and resumed, on a cluster, beside pytest.

    python benchmarks/class_of_forks.py [--students 200] [--jobs 2] [--out FOLDER]

Makes bare repositories (right in several ways, known mistakes, hostile, missing, links,
pointers, huge, late, empty, broken), grades them with `kata grade`, and checks:

* no mark differs from the truth;
* a batch that was killed with SIGKILL and started again ends with the same verdicts;
* so does a Dask cluster of two workers, one of them killed half-way (with `distributed`);
* how long a fork takes, what the parent needs in memory, and how that compares with
  pytest in a fresh process per fork, measured in the same run;
* every format, written to FOLDER.

Exit code 1 if a mark is wrong or verdicts differ.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader import catalog  # noqa: E402
from grader.render.json import verdicts  # noqa: E402
from tests import forks  # noqa: E402

KATAS = ("merge_pair", "encode_bpe")
KATA = (sys.executable, "-P", "-c", "import sys; from grader.cli import main; sys.exit(main())")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
DEADLINE = "2025-03-02T00:00:00Z"
ON_TIME, LATE = "2025-03-01T12:00:00Z", "2025-03-03T12:00:00Z"
SEED = 518452
#: Whatever a hostile file does, its mark is not a pass.
NOT_PASSED = "not PASS"

Blob = tuple[str, bytes]
Files = dict[str, Blob]


@dataclass(frozen=True, slots=True)
class Student:
    """How a fork is made, and what its marks must be, in the order of KATAS."""

    kind: str
    make: Callable[[Path], None]
    truth: tuple[str, ...]


# --- the class ------------------------------------------------------------------------


def students() -> Iterator[Student]:
    """One after another, every kind in turn, without an end."""
    makers = [right, mistaken, right, mistaken, hostile, right, mistaken, strange, late, mistaken]
    counts = {maker: itertools.count() for maker in makers}
    while True:
        for maker in makers:
            yield maker(next(counts[maker]))


def solutions(folder: str, kata: str) -> list[tuple[str, bytes]]:
    """The public functions of a module of solutions, each as a file of its own, with its name."""
    path = ROOT / folder / f"{kata}.py"
    source = path.read_text(encoding="utf-8")
    names = [
        node.name
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]
    return [(name, f"{source}\n\n{kata} = {name}\n".encode()) for name in names]


def committed(files: Files, later: Files | None = None) -> Callable[[Path], None]:
    def make(repository: Path) -> None:
        first = forks.commit(forks.bare(repository), files, date=ON_TIME)
        if later is not None:
            forks.commit(repository, later, date=LATE, parent=first)

    return make


def all_of(number: int, folder: str) -> tuple[Files, list[str]]:
    files, names = {}, []
    for kata in KATAS:
        found = solutions(folder, kata)
        name, source = found[number % len(found)]
        files[path_of(kata)] = ("100644", source)
        names.append(name)
    return files, names


def path_of(kata: str) -> str:
    return f"katas/{kata}.py"


def right(number: int) -> Student:
    files, _ = all_of(number, "tests/right")
    return Student("right", committed(files), ("PASS",) * len(KATAS))


def mistaken(number: int) -> Student:
    files, names = all_of(number, "reference/mistakes")
    truth = []
    for kata, name in zip(KATAS, names, strict=True):
        known = {mistake.id: mistake.outcome for mistake in catalog.mistakes(catalog.find(kata))}
        truth.append(known[name].replace("stretch", "PASS"))
    return Student("mistaken", committed(files), tuple(truth))


def hostile(number: int) -> Student:
    attacks = sorted((ROOT / "tests" / "redteam" / "attacks" / KATAS[1]).glob("*.py"))
    source = attacks[number % len(attacks)].read_bytes()
    files: Files = {
        path_of(KATAS[0]): ("100644", b"import os\nos._exit(0)\n"),
        path_of(KATAS[1]): ("100644", source),
    }
    return Student("hostile", committed(files), ("CRASH", NOT_PASSED))


def strange(number: int) -> Student:
    """What is no solution at all; the other kata stays right, where there is one."""
    first, second = map(path_of, KATAS)
    good: Blob = ("100644", forks.reference(KATAS[1]))
    lfs = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n"
    stub = catalog.find(KATAS[0]).stub.encode()
    kinds: list[tuple[str, Files, tuple[str, str]]] = [
        ("missing", {second: good}, ("MISSING", "PASS")),
        ("huge", {first: ("100644", b"#" * 3_000_000), second: good}, ("UNREADABLE", "PASS")),
        ("link", {first: ("120000", b"/etc/passwd"), second: good}, ("SYMLINK", "PASS")),
        ("folder link", {"katas": ("120000", b"/etc")}, ("SYMLINK", "SYMLINK")),
        ("submodule", {"katas": ("160000", b"")}, ("SUBMODULE", "SUBMODULE")),
        ("pointer", {first: ("100644", lfs), second: good}, ("LFS_POINTER", "PASS")),
        ("binary", {first: ("100755", b"\0\1"), second: good}, ("UNREADABLE", "PASS")),
        ("stub", {first: ("100644", stub), second: good}, ("UNWRITTEN", "PASS")),
    ]
    if number % 10 == 8:
        return Student("empty", lambda path: void(forks.bare(path)), ("NO_COMMIT", "NO_COMMIT"))
    if number % 10 == 9:
        return Student("broken", broken, ("NO_COMMIT", "NO_COMMIT"))
    kind, files, truth = kinds[number % 10]
    return Student(kind, committed(files), truth)


def late(number: int) -> Student:
    """Right after the deadline; before it wrong, or nothing at all."""
    files = {path_of(kata): ("100644", forks.reference(kata)) for kata in KATAS}
    if number % 2:
        return Student("late", only_late(files), ("NO_COMMIT",) * len(KATAS))
    wrong, _ = all_of(0, "reference/mistakes")
    return Student("late", committed(wrong, files), mistaken(0).truth)


def only_late(files: Files) -> Callable[[Path], None]:
    def make(repository: Path) -> None:
        forks.commit(forks.bare(repository), files, date=LATE)

    return make


def broken(repository: Path) -> None:
    """A repository whose commit has gone."""
    forks.bare(repository)
    (repository / "refs" / "heads" / "main").write_text("1" * 40 + "\n")


def void(_: object) -> None:
    return None


def make_class(folder: Path, count: int) -> list[Student]:
    made = list(itertools.islice(students(), count))
    for number, student in enumerate(made):
        student.make(folder / f"s{number:03}.git")
    return made


# --- what is measured -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Run:
    """One `kata grade` from start to end."""

    document: dict[str, Any]
    seconds: float
    parent_mib: float


def command(course: Path, results: Path, *more: str) -> list[str]:
    return [
        *KATA, "grade", str(course), "--katas", ",".join(KATAS), "--seed", str(SEED),
        "--deadline", DEADLINE, "--results", str(results), "--format", "json", *more,
    ]  # fmt: skip


def graded(course: Path, results: Path, *more: str, stop_after: int | None = None) -> Run | None:
    """Run it, watching the parent's memory; None when it was killed after some results."""
    out = results.with_suffix(".json")
    started = time.monotonic()
    process = subprocess.Popen(
        command(course, results, *more, "--output", str(out)),
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    peak = 0.0
    for lines, _ in enumerate(process.stderr, 1):
        peak = max(peak, memory_mib(process.pid))
        if stop_after is not None and lines >= stop_after:
            process.send_signal(signal.SIGKILL)
            process.wait()
            return None
    if process.wait() != 0:
        raise SystemExit(f"kata grade ended with {process.returncode}")
    return Run(json.loads(out.read_text()), time.monotonic() - started, peak)


def memory_mib(pid: int) -> float:
    """The largest resident set so far."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    line = next((row for row in status.splitlines() if row.startswith("VmHWM")), "VmHWM: 0")
    return int(line.split()[1]) / 1024


def wrong_marks(made: Sequence[Student], document: dict[str, Any]) -> list[str]:
    found = []
    for student, entry in zip(made, document["students"], strict=True):
        for due, mark in zip(student.truth, entry["katas"], strict=True):
            result = mark["result"]
            if (due != result) if due != NOT_PASSED else (result in ("PASS", "BROKEN")):
                found.append(f"{entry['student']} ({student.kind}) {mark['kata']}: {result}, {due}")
    return found


def references(folder: Path, count: int) -> list[Path]:
    """Forks for the comparison with plain pytest: right, and quick in every case.

    Some right solutions meet a deadline in a stretch case, which plain pytest does not have.
    """
    files = {path_of(kata): ("100644", forks.reference(kata)) for kata in KATAS}
    made = [folder / f"r{number:03}.git" for number in range(count)]
    for path in made:
        committed(files)(path)
    return made


def pytest_seconds(sample: Sequence[Path], folder: Path) -> float:
    """Seconds a fork with plain pytest, in-process, one fresh process for each fork."""
    suites = [str(ROOT / "tests" / "hidden" / f"test_{kata}.py") for kata in KATAS]
    words = [
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *suites, "--solution",
        str(folder), "--engine", "in-process", "--kata-profile", "grade",
    ]  # fmt: skip
    started = time.monotonic()
    for repository in sample:
        for kata in KATAS:
            source = forks.git(repository, "cat-file", "blob", f"main:{path_of(kata)}")
            (folder / f"{kata}.py").write_text(source + "\n")
        subprocess.run(words, cwd=ROOT, env=ENVIRONMENT, check=True, capture_output=True)
    return (time.monotonic() - started) / len(sample)


def kata_seconds(sample: Sequence[Path], results: Path) -> float:
    """Seconds a fork with `kata grade --jobs 1` on the same forks, start included."""
    words = command(sample[0].parent, results, "--jobs", "1")
    started = time.monotonic()
    subprocess.run(words, env=ENVIRONMENT, check=True, capture_output=True)
    return (time.monotonic() - started) / len(sample)


def on_dask(course: Path, folder: Path, count: int) -> Run | None:
    """The class on a scheduler and two workers, one killed after `count` results."""
    told = folder / "scheduler.json"
    dask = [sys.executable, "-P", "-m", "dask"]
    log = (folder / "dask.log").open("wb")
    options: dict[str, Any] = {"env": ENVIRONMENT, "cwd": folder, "stdout": log, "stderr": log}
    place = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told)]
    started = [subprocess.Popen([*dask, "scheduler", *place], **options)]
    worker = ["--scheduler-file", str(told), "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    try:
        started += [subprocess.Popen([*dask, "worker", *worker], **options) for _ in range(2)]
        from distributed import Client

        connect: Any = Client
        with connect(scheduler_file=str(told), timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            address = client.scheduler.address
        watcher = subprocess.Popen(
            [sys.executable, "-c", _KILLER, str(folder / "dask"), str(started[1].pid), str(count)]
        )
        run = graded(course, folder / "dask", "--dask", address)
        watcher.wait()
        return run
    finally:
        for process in started:
            process.kill()
            process.wait()
        log.close()


#: Kills a worker once some results are there.
_KILLER = """
import os, signal, sys, time
from pathlib import Path
while len(list(Path(sys.argv[1]).glob("s*-*.json"))) < int(sys.argv[3]):
    time.sleep(0.05)
os.kill(int(sys.argv[2]), signal.SIGKILL)
"""


def same(one: Run, other: Run) -> bool:
    """Whether all verdicts are equal; says which are not."""
    pairs = zip(one.document["students"], other.document["students"], strict=True)
    differing = [
        f"{a['student']} {m['kata']}: {first_difference(verdicts(m), verdicts(n))}"
        for a, b in pairs
        for m, n in zip(a["katas"], b["katas"], strict=True)
        if verdicts(m) != verdicts(n)
    ]
    print(*differing, sep="\n", end="\n" if differing else "")
    return json.dumps(verdicts(one.document)) == json.dumps(verdicts(other.document))


def first_difference(one: Any, other: Any) -> str:
    """Where two pieces of plain data differ first, and how."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one:
            if one[key] != other.get(key):
                return f".{key}{first_difference(one[key], other.get(key))}"
    if isinstance(one, list) and isinstance(other, list):
        for number, (a, b) in enumerate(zip(one, other, strict=False)):
            if a != b:
                return f"[{number}]{first_difference(a, b)}"
    return f" {str(one)[:200]} / {str(other)[:200]}"


def write_formats(course: Path, results: Path, out: Path) -> None:
    """Each format as a file, from the results that are there."""
    out.mkdir(parents=True, exist_ok=True)
    endings = {"text": "txt", "json": "json", "junit": "xml", "csv": "csv", "html": "html"}
    for kind, ending in {**endings, "github": "md"}.items():
        words = command(course, results, "--output", str(out / f"class.{ending}"))
        words[words.index("json")] = kind
        subprocess.run(words, env=ENVIRONMENT, check=True, capture_output=True)
    for kind, ending in {"gradescope": "json", "classroom": "txt"}.items():
        words = command(course / "s001.git", out / "one", "--output", str(out / f"{kind}.{ending}"))
        words[words.index("json")] = kind
        subprocess.run(words, env=ENVIRONMENT, check=False, capture_output=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sample", type=int, default=12, help="forks for the comparison")
    parser.add_argument("--out", type=Path, help="where to write a file of each format")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return measure(given, folder, folder / "forks")


def measure(given: argparse.Namespace, folder: Path, course: Path) -> int:
    made = make_class(course, given.students)
    kinds = sorted({student.kind for student in made})
    print(f"{len(made)} forks ({', '.join(kinds)}), katas {', '.join(KATAS)}")
    jobs = ("--jobs", str(given.jobs))
    whole = graded(course, folder / "whole", *jobs)
    assert whole is not None
    wrong = wrong_marks(made, whole.document)
    print(f"wrong marks: {len(wrong)}", *wrong, sep="\n  ")
    each = whole.seconds / len(made)
    print(f"{whole.seconds:.1f} s with {given.jobs} jobs, {each * 1000:.0f} ms a fork")
    print(f"peak memory of the parent: {whole.parent_mib:.0f} MiB")
    graded(course, folder / "killed", *jobs, stop_after=len(made) // 3)
    resumed = graded(course, folder / "killed", *jobs)
    assert resumed is not None
    equal = same(whole, resumed)
    print(f"killed after {len(made) // 3} and resumed: {'the same' if equal else 'DIFFERENT'}")
    if importlib.util.find_spec("distributed"):
        spread = on_dask(course, folder, len(made) // 3)
        assert spread is not None
        alike = same(whole, spread)
        equal = equal and alike
        print(f"on Dask, a worker killed: {'the same' if alike else 'DIFFERENT'}")
    sample = references(folder / "sample", given.sample)
    plain = pytest_seconds(sample, folder)
    ours = kata_seconds(sample, folder / "ours")
    print(
        f"{len(sample)} right forks: kata grade --jobs 1 {ours:.2f} s a fork, "
        f"plain pytest {plain:.2f} s, ratio {ours / plain:.2f}"
    )
    if given.out:
        write_formats(course, folder / "whole", given.out)
    return 1 if wrong or not equal else 0


if __name__ == "__main__":
    sys.exit(main())
