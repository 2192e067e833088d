"""When a kata is due again: its history replayed as reviews of a card, scheduled by FSRS."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from fsrs import Card, Rating, Scheduler

from grader.journal import Event
from grader.model import Outcome

#: A pass of another version that comes this long after the last review is a review, too.
_LATER = timedelta(hours=12)


class Ease(StrEnum):
    """How a kata went, from its first run to its pass."""

    AGAIN = "with the solution"
    HARD = "with hints"
    GOOD = "after a failure"
    EASY = "at the first run"


_RATINGS = {
    Ease.AGAIN: Rating.Again,
    Ease.HARD: Rating.Hard,
    Ease.GOOD: Rating.Good,
    Ease.EASY: Rating.Easy,
}


@dataclass(frozen=True, slots=True)
class Review:
    """A kata was written and passed."""

    at: datetime
    ease: Ease


@dataclass(frozen=True, slots=True)
class Due:
    """When a kata should be written again, and how it went last."""

    at: datetime
    last: Review
    times: int  # how often it was written


def reviews(events: Iterable[Event]) -> list[Review]:
    """The reviews in the history of one kata, oldest first.

    Its first pass is one; after that a pass of a version that was written again: after a
    reset, or on another day with another text.
    """
    found: list[Review] = []
    passed: set[object] = set()
    fails, hints, looked, again = 0, 0, False, True
    for event in events:
        if event.kind == "hint":
            hints += 1
        elif event.kind == "solution":
            looked = looked or bool(event.data.get("early"))
        elif event.kind == "reset":
            fails, hints, again = 0, 0, True  # what was looked at stays looked at
        elif event.kind == "graded" and event.data.get("outcome") != Outcome.PASS:
            fails += 1
        elif event.kind == "graded":
            version = event.data.get("sha256")
            later = bool(found) and event.at - found[-1].at >= _LATER and version not in passed
            passed.add(version)
            if again or later:
                found.append(Review(event.at, _ease(fails, hints, looked)))
                fails, hints, looked, again = 0, 0, False, False
    return found


def due(events: Iterable[Event]) -> Due | None:
    """When a kata is due, from its history; None before its first pass."""
    found = reviews(events)
    if not found:
        return None
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card = Card(card_id=1)
    for review in found:
        card, _ = scheduler.review_card(card, _RATINGS[review.ease], review_datetime=review.at)
    return Due(card.due, found[-1], len(found))


def _ease(fails: int, hints: int, looked: bool) -> Ease:
    if looked:
        return Ease.AGAIN
    if hints:
        return Ease.HARD
    return Ease.GOOD if fails else Ease.EASY
