"""Exercises on complexity: a short loop over a word, and how its cost grows."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from grader.drills.exercise import Exercise


@dataclass(frozen=True, slots=True)
class Loop:
    """A piece of code; `WORD`, `K` and `STEP` are filled in."""

    level: int
    code: str
    order: str  # as `answers` reads it
    why: str


LOOPS = (
    Loop(
        1,
        "for left, right in zip(WORD, WORD[1:]):\n    STEP()",
        "n",
        "One step for each of the n - 1 pairs. The slice is one copy, n more.",
    ),
    Loop(
        1,
        "for left in WORD:\n    for right in WORD:\n        STEP()",
        "n^2",
        "n steps for each of n symbols.",
    ),
    Loop(
        1,
        "for i in range(len(WORD)):\n    for j in range(i):\n        STEP()",
        "n^2",
        "0 + 1 + … + (n - 1) = n (n - 1) / 2; a constant factor does not count.",
    ),
    Loop(1, "for symbol in WORD[:K]:\n    STEP()", "1", "K steps at most, however long it is."),
    Loop(
        1,
        "i = len(WORD)\nwhile i > 1:\n    STEP()\n    i //= 2",
        "logn",
        "n can be halved about log n times.",
    ),
    Loop(
        1,
        "for symbol in WORD:\n    for i in range(K):\n        STEP()",
        "n",
        "K n steps, and K is a constant.",
    ),
    Loop(
        2,
        "for pair in merges:\n    for symbol in WORD:\n        STEP()",
        "n*m",
        "The whole word is walked through for each of the m merges: the replay of the list.",
    ),
    Loop(
        2,
        "rest = WORD\nwhile rest:\n    STEP()\n    rest = rest[1:]",
        "n^2",
        "Each slice copies what is left: (n - 1) + (n - 2) + … + 0.",
    ),
    Loop(
        2,
        "while WORD:\n    WORD.pop(0)\n    STEP()",
        "n^2",
        "pop(0) moves all that is behind; only the end of a list is cheap. A deque has both.",
    ),
    Loop(
        2,
        "for symbol in sorted(WORD):\n    STEP()",
        "nlogn",
        "Sorting takes n log n, which is more than the n steps.",
    ),
    Loop(
        2,
        "for symbol in WORD:\n    if symbol not in merges:  # a list, and it never is\n"
        "        STEP()",
        "n*m",
        "`in` walks through the list: m comparisons for each of n symbols. A dict of ranks is n.",
    ),
    Loop(
        2,
        "for symbol in WORD:\n    ranks.get(symbol)  # a dict of m entries\n    STEP()",
        "n",
        "Looking into a dict does not depend on its size.",
    ),
    Loop(
        2,
        "i = 1\nwhile i < len(WORD):\n    for symbol in WORD:\n        STEP()\n    i *= 2",
        "nlogn",
        "i is doubled log n times, and each time the whole word is walked through.",
    ),
    Loop(
        3,
        "row = WORD\nwhile len(row) > 1:\n    for symbol in row:\n        STEP()\n"
        "    row = row[: len(row) // 2]",
        "n",
        "n + n/2 + n/4 + … is below 2 n: what merging all places of a run at once costs.",
    ),
    Loop(
        3,
        "while len(WORD) > 1:\n    for symbol in WORD:\n        STEP()\n    WORD.pop()",
        "n^2",
        "Each round only makes the word shorter by one: a scan per merge.",
    ),
    Loop(
        3,
        "heap = []\nfor i in range(len(WORD)):\n    heappush(heap, -i)\n    STEP()",
        "nlogn",
        "Each new entry is the smallest, so it rises through all log n levels.",
    ),
    Loop(
        3,
        "for i in range(len(WORD)):\n    while i > 0:\n        STEP()\n        i //= 2",
        "nlogn",
        "The inner loop halves i: log i steps for each of n starts.",
    ),
    Loop(
        3,
        "for size in range(1, len(WORD)):\n    for i in range(len(WORD) - size):\n"
        "        WORD[i : i + size]\n        STEP()",
        "n^3",
        "About n²/2 slices, and a slice copies n/3 symbols on average.",
    ),
    Loop(
        3,
        "i = 0\nwhile i < len(WORD):\n    for symbol in WORD[i : i + K]:\n        STEP()\n"
        "    i += K",
        "n",
        "n / K rounds of K steps each: every symbol is met once.",
    ),
    Loop(
        3,
        "j = 0\nfor i in range(len(WORD)):\n    while j < i:\n        STEP()\n        j += 1",
        "n",
        "j only grows, to n - 1 at most: the inner loop has n steps in all, not for each i.",
    ),
)

_WORDS = ("word", "symbols", "tokens", "row_of_ids")
_STEPS = ("step", "visit", "look", "count")


def complexity(chance: Random, level: int) -> Exercise:
    """The order of growth of a loop."""
    loop = chance.choice([loop for loop in LOOPS if loop.level == level])
    word, step = chance.choice(_WORDS), chance.choice(_STEPS)
    code = written(loop, word, step, constant := chance.randint(5, 40))
    also = ", m that of merges" if "merges" in code else ""
    return Exercise(
        kind="complexity",
        level=level,
        ask=f"How does the cost of this grow? n is the length of the list {word}{also}; "
        f"{step}() costs 1. Slices, pop and the like cost what they cost.",
        given=tuple(code.splitlines()),
        answer=loop.order,
        form="order",
        shown=SHOWN[loop.order],
        why=(loop.why.replace("K", str(constant)),),
    )


def written(loop: Loop, word: str, step: str, constant: int) -> str:
    """The code with its names and its constant."""
    return loop.code.replace("WORD", word).replace("STEP", step).replace("K", str(constant))


SHOWN = {
    "1": "1 (constant)",
    "logn": "log n",
    "n": "n",
    "nlogn": "n log n",
    "n^2": "n^2",
    "n^3": "n^3",
    "n*m": "n m",
}
