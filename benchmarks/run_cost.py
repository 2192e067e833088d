"""What a run costs, as ratios within one run of this script.

    python benchmarks/run_cost.py [--pairs 9] [KATA ...]

Compares `kata run NAME --no-timing` on the reference with importing what every run imports,
and the tests of each suite through the sandbox with the same tests in-process. Both sides of
a pair run right after one another and take turns to begin. A ratio is the median over the
pairs; the times are medians too and belong to the machine and the moment. Wall-clock ratios
mean nothing on a busy machine.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
IMPORTS = "import pytest, hypothesis, regex, rich"
RUN = "import sys; from grader.cli import main; sys.exit(main())"
#: Runs one suite and prints the seconds of its tests alone: no start, no collection.
TESTS = """
import sys, pytest

class Clock:
    seconds = 0.0
    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            Clock.seconds += report.duration

code = pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]], plugins=[Clock()])
print(f"seconds {Clock.seconds}")
sys.exit(code)
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("katas", nargs="*", metavar="KATA")
    arguments.add_argument("--pairs", type=int, default=9)
    given = arguments.parse_args()
    names = given.katas or sorted(path.stem for path in (ROOT / "reference").glob("*.toml"))
    print(f"python {sys.version.split()[0]}, medians of {given.pairs} pairs")
    for measure in ("wall", "CPU"):
        clock = Clock(measure)
        head = f"kata run --no-timing / its imports, {measure}"
        table(head, names, given.pairs, clock.whole_run, clock.imports)
    table("tests: sandboxed / in-process, wall", names, given.pairs, sandboxed, in_process)


Measure = Callable[[str], float]


def table(head: str, names: Sequence[str], pairs: int, one: Measure, other: Measure) -> None:
    """Measure and print one line a kata."""
    print(f"\n{head}")
    for name in names:
        times = interleaved(partial(one, name), partial(other, name), pairs)
        ratios = sorted(a / b for a, b in times)
        a, b = (median(side) for side in zip(*times, strict=True))
        print(
            f"  {name:<18}{a:>8.3f} s /{b:>8.3f} s ={median(ratios):>6.2f}"
            f"   ({ratios[0]:.2f} to {ratios[-1]:.2f})",
            flush=True,
        )


def interleaved(
    one: Callable[[], float], other: Callable[[], float], pairs: int
) -> list[tuple[float, float]]:
    """Seconds of both sides, pair by pair (A B, B A), after one of each to warm up."""
    one()
    other()
    times = []
    for turn in range(pairs):
        if turn % 2:
            b = other()
            times.append((one(), b))
        else:
            a = one()
            times.append((a, other()))
    return times


class Clock:
    """Times whole processes: by the wall, or by the CPU of all they started."""

    def __init__(self, measure: str) -> None:
        self._now = time.perf_counter if measure == "wall" else cpu_of_children

    def whole_run(self, name: str) -> float:
        run = ("run", name, "--solution", "reference", "--no-timing", "--seed", "0")
        return self._spent("-c", RUN, *run)

    def imports(self, name: str) -> float:
        return self._spent("-c", IMPORTS)

    def _spent(self, *arguments: str) -> float:
        start = self._now()
        python(*arguments)
        return self._now() - start


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sandboxed(name: str) -> float:
    return tests(name, "sandbox")


def in_process(name: str) -> float:
    return tests(name, "in-process")


def tests(name: str, engine: str) -> float:
    """Seconds the tests of one suite take through an engine."""
    suite = ROOT / "tests" / "hidden" / f"test_{name}.py"
    out = python("-c", TESTS, str(suite), "--engine", engine, "--kata-profile", "grade")
    return float(out.rpartition("seconds ")[2])


def python(*arguments: str) -> str:
    """Run this Python in the checkout; its output, or an end that shows it."""
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
