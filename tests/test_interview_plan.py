"""Plans: what ships can be read, what is copied and mistyped is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import UsageError
from grader.interview import plan

GOOD = """\
title = "Mine"
minutes = 30
[[stages]]
kind = "code"
title = "Write"
share = 2
katas = ["encode_bpe"]
[[stages]]
kind = "ladder"
title = "Further"
share = 1
rungs = 1
"""


@pytest.mark.parametrize(("name", "minutes", "functions"), [("screen", 45, 1), ("onsite", 90, 2)])
def test_the_plans_that_ship(name: str, minutes: int, functions: int) -> None:
    """Their minutes and shares are whole numbers of each other, and a seed settles them."""
    found = plan.load(name)
    shares = sum(stage.share for stage in found.stages)
    assert (found.minutes, shares, found.strict) == (minutes, minutes, False)
    settled = plan.settled(found, 5)
    assert len(set(settled.katas)) == len(settled.katas) == functions


@given(st.integers(0, 10**6), st.sampled_from(["screen", "onsite"]))
def test_a_settled_plan_is_drawn_from_its_lists_and_survives_being_written(
    seed: int, name: str
) -> None:
    """The same seed draws the same; what is handed out reads back equal."""
    found = plan.load(name)
    settled = plan.settled(found, seed)
    assert settled == plan.settled(found, seed)
    for before, after in zip(found.stages, settled.stages, strict=True):
        assert set(after.katas) <= set(before.katas)
    assert plan.parse(plan.written(settled), "written") == settled
    assert plan.from_dict(plan.to_dict(settled), "journal") == settled


def test_what_is_about_to_be_written_is_what_the_ladder_climbs() -> None:
    """A ladder belongs to the code before it, a talk to nothing."""
    settled = plan.settled(plan.load("onsite"), 1, ["train_bpe", "pair_counts"])
    about = [settled.kata_of(number) for number in range(len(settled.stages))]
    assert about == [None, "train_bpe", "train_bpe", "pair_counts", "pair_counts", None]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("minutes = 30", "minuets = 30", r"unknown key 'minuets'; did you mean 'minutes'\?"),
        ("minutes = 30", "minutes = 0", "'minutes' must be a whole number from 1 to 600"),
        ("minutes = 30", 'minutes = "x"', "'minutes' must be a whole number"),
        (
            'kind = "code"',
            'kind = "coding"',
            r"'stages\[1\].kind' is 'coding'; did you mean 'code'",
        ),
        ("rungs = 1", "rung = 1", r"unknown key 'stages\[2\].rung'; did you mean 'rungs'\?"),
        ('["encode_bpe"]', '["encode_bp"]', r"'stages\[1\].katas' names 'encode_bp'; did you mean"),
        ('["encode_bpe"]', "[]", "names none; the katas are"),
        ('title = "Mine"', "title = 3", 'must be a text; write `title = "…"`'),
        ("share = 2", "share = true", "must be a whole number"),
        ("minutes = 30", "minutes = 30\nstrict = 1", "'strict' must be true or false"),
        ("share = 2", "share = = 2", "is not valid TOML"),
    ],
)
def test_a_typo_is_named_with_file_key_and_remedy(old: str, new: str, told: str) -> None:
    """One sentence, which begins with the file."""
    assert old in GOOD
    with pytest.raises(plan.PlanError, match=rf"^mine.toml[: ].*{told}"):
        plan.parse(GOOD.replace(old, new, 1), "mine.toml")


def test_a_ladder_needs_something_to_stand_on() -> None:
    """And a plan something to write."""
    ladder = GOOD[: GOOD.index("[[stages]]")] + GOOD[GOOD.rindex("[[stages]]") :]
    with pytest.raises(plan.PlanError, match="put a code stage before it"):
        plan.parse(ladder, "mine.toml")
    with pytest.raises(plan.PlanError, match="add a table"):
        plan.parse('title = "x"\nminutes = 3\n', "mine.toml")


@pytest.mark.parametrize(
    ("katas", "told"),
    [(["encode_bpe", "train_bpe"], "has 1 kata to write"), (["encode"], "no kata 'encode'")],
)
def test_katas_that_do_not_fit(katas: list[str], told: str) -> None:
    """Too many, or unknown."""
    with pytest.raises(UsageError, match=told):
        plan.settled(plan.parse(GOOD, "mine.toml"), 1, katas)


def test_an_unknown_plan_offers_the_nearest() -> None:
    """A name or a file."""
    with pytest.raises(plan.PlanError, match="did you mean 'screen'"):
        plan.load("scren")
