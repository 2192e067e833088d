"""Reports made by hand, for the tests of what is shown and written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.model import (
    Counterexample,
    Diagnosis,
    Growth,
    Isolation,
    Kata,
    Limits,
    Outcome,
    Parameter,
    Report,
    Side,
    Signature,
    Stage,
    Submission,
    Tier,
    Timing,
    Verdict,
)

STATEMENT = """Split a word into symbols.

Start from the characters and apply the merge of the lowest rank until none is left.

- An unknown character stays single.
- An empty word gives an empty list, whatever is in the table of merges that comes with it.

>>> encode_bpe("east", [("e", "a")])
['ea', 's', 't']
"""

SIGNATURE = Signature(
    "encode_bpe",
    (Parameter("word", "str"), Parameter("merges", "list[tuple[str, str]]")),
    "list[str]",
)


def make_kata(name: str = "encode_bpe", **changes: Any) -> Kata:
    """A kata that exists nowhere on disk."""
    made = Kata(
        name=name,
        title="Encode a word",
        level="interview",
        order=4,
        minutes=20,
        policy="pure",
        examples=50,
        limits=Limits(),
        hints=("one", "two", "three"),
        follow_ups=(),
        signature=SIGNATURE,
        statement=STATEMENT,
        stub="def encode_bpe(word, merges):\n    raise NotImplementedError\n",
        reference=Path(f"reference/{name}.py"),
        suite=Path(f"tests/hidden/test_{name}.py"),
        mistakes=Path(f"reference/mistakes/{name}.py"),
    )
    return replace(made, **changes)


FOUND = Counterexample(
    call="encode_bpe('teat', [('e', 'a'), ('ea', 't'), ('t', 'ea')])",
    yours="['tea', 't']",
    expected="['t', 'eat']",
    note=None,
    prints="",
)

TIMING = Timing(
    corpus="embedded",
    workload="4.9 MB, 58,589 distinct pre-tokens",
    yours_s=0.412,
    reference_s=0.098,
    ratio=4.2,
    spread=0.02,
    growth=None,
    peak_mib=None,
    pairs=15,
)

GROWTHS = (
    Growth(
        "words in the table", 1.02, 0.03, (500, 1_000, 2_000, 4_000), (0.001, 0.002, 0.004, 0.008)
    ),
    Growth("merges to learn", None, None, (20,), (1.5,)),
)
#: With all that is measured beside the ratio.
TIMING_WITH_SIDES = replace(
    TIMING,
    growth=1.02,
    budget_s=3.0,
    sides=(
        Side("yours", 0.412, 4.2, 0.02, 0.003, 0.002, 18.0, GROWTHS, (Stage("read", 0.01),)),
        Side("reference", 0.098, 1.0, 0.0, None, None, 18.0, GROWTHS),
        Side("naive", 1.7, 17.3, None, 0.04, 0.04, 18.0),
    ),
)

DIAGNOSIS = Diagnosis(
    id="leftmost_first",
    title="You merge the leftmost pair you know.",
    text="Look for the lowest rank in the whole sequence, then merge there.",
    agrees=(38, 38),
)

LAW = "The pair learned first is merged first, wherever it stands."


def make_verdict(
    id: str = "law",
    outcome: Outcome | None = Outcome.PASS,
    tier: Tier = Tier.LAW,
    title: str = "The joined result is the word.",
    inputs: int = 200,
    found: Counterexample | None = None,
) -> Verdict:
    return Verdict(id, title, tier, outcome, inputs, found, seconds=0.0123456789)


def passing() -> tuple[Verdict, ...]:
    """The cases of a run in which everything held."""
    examples = tuple(make_verdict(f"examples[{n}]", tier=Tier.EXAMPLE, inputs=1) for n in range(4))
    laws = tuple(make_verdict(f"law_{n}") for n in range(7))
    return (*examples, *laws, make_verdict("long", tier=Tier.STRETCH, inputs=2))


def failing(
    found: Counterexample = FOUND, outcome: Outcome = Outcome.WRONG, title: str = LAW
) -> tuple[Verdict, ...]:
    """The cases of a run in which one law failed, so the stretch case was not run."""
    verdicts = list(passing())
    verdicts[5] = make_verdict("lowest_rank_first", outcome, title=title, inputs=12, found=found)
    verdicts[-1] = make_verdict("long", None, tier=Tier.STRETCH, inputs=0)
    return tuple(verdicts)


def make_report(outcome: Outcome = Outcome.PASS, **changes: Any) -> Report:
    """A report of `encode_bpe`; keyword arguments replace its fields."""
    made = Report(
        kata=make_kata(),
        submission=Submission("katas/encode_bpe.py", b"", "0" * 64),
        outcome=outcome,
        verdicts=passing() if outcome is Outcome.PASS else failing(outcome=outcome),
        seed=518452,
        isolation=Isolation("full", "pure", {"read": False}),
        versions={"bpe-kata": "0.1.0", "python": "3.11.9"},
        seconds=0.6123456789,
    )
    return replace(made, **changes)
