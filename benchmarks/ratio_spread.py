"""How far the reported ratio wanders from run to run, quiet and beside busy loops.

    python benchmarks/ratio_spread.py [--runs 20] [--budget 3] [--busy 0,2] [KATA ...]

Times the reference beside itself as `kata run` does, so every ratio should be 1, and prints
for each number of busy loops where the ratios lay, and the exponents of growth. The load of
the machine is printed with them: what else runs counts as a busy loop.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median

from grader import bench, catalog, submission


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("katas", nargs="*", metavar="KATA", default=["train_bpe", "encode_bpe"])
    arguments.add_argument("--runs", type=int, default=20)
    arguments.add_argument("--budget", type=float, default=bench.BUDGET_S)
    arguments.add_argument("--busy", default="0,2")
    given = arguments.parse_args()
    print(f"{given.runs} runs of {given.budget:g} s each, {os.cpu_count()} cores")
    for name in given.katas:
        for loops in map(int, given.busy.split(",")):
            with busy(loops):
                measured(name, loops, given.runs, given.budget)


def measured(name: str, loops: int, runs: int, budget_s: float) -> None:
    """Print the ratios and the exponents of one kata."""
    kata = catalog.find(name)
    reference = submission.load(kata, "reference")
    ratios, exponents, told = [], [], 0
    load = [os.getloadavg()[0]]
    for run in range(runs):
        timing = bench.time_kata(kata, reference, seed=run, budget_s=budget_s)
        assert timing is not None
        assert timing.ratio is not None, timing.note
        ratios.append(timing.ratio)
        told += timing.note is not None
        if timing.growth is not None:
            exponents.append(timing.growth)
        load.append(os.getloadavg()[0])
    print(f"{name}, {loops} busy loops, load {min(load):.1f} to {max(load):.1f}")
    print(f"  ratio   {where(ratios)}; {told} runs were called rough")
    if exponents:
        print(f"  growth  {where(exponents)}; {len(exponents)} of {runs} runs", flush=True)


def where(values: Sequence[float]) -> str:
    """`1.002 (0.97 to 1.04)`: the median and all of them."""
    return f"{median(values):.3f} ({min(values):.3f} to {max(values):.3f})"


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """That many processes that do nothing but compute."""
    started = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(loops)]
    for process in started:
        process.start()
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.join()


def _spin() -> None:
    while True:
        sum(range(10_000))


if __name__ == "__main__":
    main()
