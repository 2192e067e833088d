"""Exercises on paper: one right answer each, by the references, and a session that is kind."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from heapq import heappush
from math import log2
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from grader import catalog, cli, drill, drill_cli
from grader.byhand import Unread
from grader.drills import answers, kinds, loops
from grader.drills.exercise import LEVELS, Exercise
from grader.interview.questions import pick

NUMBERS = range(25)


def reference(name: str) -> Callable[..., Any]:
    return getattr(catalog.reference_module(catalog.find(name)), name)  # type: ignore[no-any-return]


def exercises(*names: str) -> Iterator[Exercise]:
    for kind in names:
        for level in LEVELS:
            for number in NUMBERS:
                yield kinds.exercise(kind, 11, number, level)


def table_of(exercise: Exercise) -> dict[tuple[str, ...], int]:
    """The words of an exercise as they are shown."""
    rows = [row.split(" × ") for row in exercise.given]
    return {tuple(word.split()): int(count) for word, count in rows}


def pair_of(text: str) -> tuple[str, str]:
    left, right = text.strip("()").split(", ")
    return left, right


# --- one right answer, by the references ----------------------------------------------


def test_the_next_merge_is_the_references() -> None:
    """Highest count, then the smallest pair; a tie only at the last level."""
    for exercise in exercises("merge"):
        counts = reference("pair_counts")(table_of(exercise))
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        assert exercise.answer == (best, counts[best])
        tied = list(counts.values()).count(counts[best])
        assert tied == 1 or exercise.level == 3


def test_a_tie_goes_to_one_end_of_the_order() -> None:
    """The smallest or the greatest tuple of those that are shown, as the text says."""
    greatest = 0
    for exercise in exercises("tie"):
        pairs = sorted(map(pair_of, exercise.given))
        assert len(set(pairs)) >= 2
        turned = "greatest pair goes first" in exercise.ask
        greatest += turned
        assert exercise.answer == pairs[-1 if turned else 0]
    assert 0 < greatest < len(NUMBERS) * 2


def test_a_word_is_cut_as_the_encoder_cuts_it() -> None:
    """By rank; from the second level on the longest match from the left is a trap."""
    for exercise in exercises("segment"):
        merges = [pair_of(row.split("  ")[1]) for row in exercise.given]
        assert list(exercise.answer) == reference("encode_bpe")(exercise.spells, merges)


def test_tokens_are_counted_as_trainer_and_encoder_make_them() -> None:
    """The merges of `train_bpe`, applied to each word, times its count."""
    for exercise in exercises("tokens"):
        table = {"".join(word): count for word, count in table_of(exercise).items()}
        wanted = int(re.search(r"after (\d+) merge", exercise.ask)[1])  # type: ignore[index]
        merges = reference("train_bpe")(table, wanted)
        encode = reference("encode_bpe")
        assert len(merges) == wanted
        total = sum(len(encode(word, merges)) * count for word, count in table.items())
        assert exercise.answer == total


def test_a_vocabulary_is_as_large_as_the_byte_trainer_makes_it(tmp_path: Path) -> None:
    """Sums for the first two levels, a training for the last."""
    path = tmp_path / "text"
    for exercise in exercises("vocab"):
        numbers = [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", exercise.ask)]
        if exercise.level == 1:
            assert exercise.answer == 256 + sum(numbers)
        elif exercise.level == 2:
            assert numbers[0] == exercise.answer + 256 + numbers[1]
        else:
            path.write_text(re.search(r"whole text is (\w+)", exercise.ask)[1])  # type: ignore[index]
            specials = [f"<{n}>" for n in range(numbers[1])]
            vocab, _ = reference("train_byte_bpe")(str(path), numbers[0], specials)
            assert exercise.answer == len(vocab)


def test_bytes_and_pre_tokens_are_pythons_and_the_patterns() -> None:
    """A character's own encoding; the pattern of the capstone's reference."""
    pattern = catalog.reference_module(catalog.find("train_byte_bpe")).PRETOKEN
    for exercise in exercises("bytes"):
        assert exercise.answer == exercise.given[0][0].encode()
        assert exercise.given[0][0].isprintable()
    for exercise in exercises("pretokens"):
        text = exercise.given[0].replace("␣", " ")
        assert list(exercise.answer) == pattern.findall(text)
        assert exercise.spells == text


class Costly(list[int]):
    """A list that adds up what its operations cost."""

    cost = 0.0

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        if not isinstance(key, slice):
            return found
        Costly.cost += len(found)
        return Costly(found)

    def __contains__(self, item: object) -> bool:
        Costly.cost += len(self)  # it is never there
        return False

    def pop(self, index: Any = -1) -> int:
        Costly.cost += len(self) if index == 0 else 1
        return super().pop(index)


def cost(loop: loops.Loop, n: int, m: int) -> float:
    """Steps, and what lists, sorting and a heap do on the way."""

    def step() -> None:
        Costly.cost += 1

    def sort(row: list[int]) -> list[int]:
        Costly.cost += len(row) * log2(len(row))
        return sorted(row)

    def push(heap: list[int], item: int) -> None:
        heappush(heap, item)
        Costly.cost += log2(len(heap)) + 1

    Costly.cost = 0.0
    names = {
        "word": Costly(range(n)), "merges": Costly(range(m)), "ranks": {},
        "step": step, "sorted": sort, "heappush": push,
    }  # fmt: skip
    exec(loops.written(loop, "word", "step", 7), names)
    return Costly.cost


#: What twice as long a word costs, as a factor: from, to.
TWICE = {
    "1": (1.0, 1.0),
    "logn": (1.05, 1.3),
    "n": (1.9, 2.05),
    "nlogn": (2.1, 2.6),
    "n*m": (1.9, 2.1),
    "n^2": (3.5, 4.2),
    "n^3": (7.0, 8.4),
}


@pytest.mark.parametrize("loop", loops.LOOPS, ids=lambda loop: loop.code.splitlines()[0][:40])
def test_a_loop_costs_what_is_said(loop: loops.Loop) -> None:
    """Counted, not argued: twice the length, and where there are merges, twice as many."""
    n = 24 if loop.order == "n^3" else 128
    low, high = TWICE[loop.order]
    assert low <= cost(loop, 2 * n, 64) / cost(loop, n, 64) <= high
    if "merges" in loop.code:
        assert 1.8 <= cost(loop, n, 128) / cost(loop, n, 64) <= 2.1


# --- answers --------------------------------------------------------------------------


def others(exercise: Exercise) -> list[str]:
    """Answers that can be read and are wrong."""
    answer = exercise.answer
    match exercise.form:
        case "number":
            return [str(answer + 1), str(answer * 2)]
        case "pair":
            return [f"{answer[0]}z {answer[1]}"]
        case "counted pair":
            (left, right), count = answer
            return [f"{left} {right} {count + 1}", f"{left}z {right} {count}"]
        case "symbols" | "pieces":
            mark = " " if exercise.form == "symbols" else "|"
            parts = [part.replace(" ", "␣") for part in answer]
            joined = [parts[0] + parts[1], *parts[2:]] if len(parts) > 1 else list(parts[0])
            return [mark.join(joined)] if len(joined) != len(parts) else []
        case "bytes":
            return [bytes([answer[0] ^ 1, *answer[1:]]).hex(" "), f"{answer.hex()}00"]
    return [shown for order, shown in loops.SHOWN.items() if order != answer and "(" not in shown]


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_the_own_answer_is_right_and_another_is_not(kind: str) -> None:
    """As it is shown it is accepted; what differs is not."""
    for exercise in exercises(kind):
        assert answers.is_right(exercise, exercise.shown.removesuffix(" (constant)"))
        for other in others(exercise):
            assert not answers.is_right(exercise, other), (exercise, other)


SAMPLES = {
    "number": ("number", 1258, ""),
    "pair": ("pair", ("ea", "t"), ""),
    "counted pair": ("counted pair", (("ea", "t"), 20), ""),
    "symbols": ("symbols", ("s", "t", "eat"), "steat"),
    "bytes": ("bytes", b"\xc3\xa9", ""),
    "pieces": ("pieces", ("it", "'s", " ", " OK"), "it's  OK"),
    "nlogn": ("order", "nlogn", ""),
    "n^2": ("order", "n^2", ""),
    "n*m": ("order", "n*m", ""),
    "1": ("order", "1", ""),
}


def sample(name: str) -> Exercise:
    form, answer, spells = SAMPLES[name]
    return Exercise("any", 1, "?", (), answer, form, "", (), spells)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("number", ["1258", " 1,258 ", "1 258", "= 1258 ids", "1'258", "it is 1258."]),
        ("pair", ["ea t", "('ea', 't')", "ea,t", "(EA, T)", "ea + t"]),
        ("counted pair", ["ea t 20", "(ea, t) 20", "('ea', 't'): 20", "ea t ×20", "ea t 20 times"]),
        ("symbols", ["s t eat", "s|t|eat", "['s', 't', 'eat']", "s, t, eat", "s - t - eat"]),
        ("bytes", ["c3 a9", "C3A9", "0xc3 0xa9", r"\xc3\xa9", r"b'\xc3\xa9'", "c3, a9", "0xC3a9"]),
        ("pieces", ["it|'s|␣|␣OK", "it|'s| | OK", "it | 's | ␣ | ␣OK", "it|'s|_|_OK"]),
        ("nlogn", ["n log n", "O(n log n)", "nlogn", "n*log(n)", "N LOG N", "n log2 n"]),
        ("n^2", ["n^2", "n**2", "O(n²)", "quadratic", "n*n", "n ^ 2"]),
        ("n*m", ["n m", "nm", "m*n", "O(n·m)", "n × m"]),
        ("1", ["1", "O(1)", "constant"]),
    ],
)  # fmt: skip
def test_answers_are_read_forgivingly(name: str, lines: list[str]) -> None:
    """Commas, brackets, quotes, capitals and the usual ways to write a thing."""
    for line in lines:
        assert answers.is_right(sample(name), line), line


@pytest.mark.parametrize("name", SAMPLES)
def test_what_cannot_be_read_costs_nothing(name: str) -> None:
    """It is answered with how to write one, whatever it is."""
    for line in ("", "  ", "x" * 5000, "\x1b[2J", "?!", "b'", "9" * 400, "[[[["):
        with pytest.raises(Unread) as caught:
            answers.is_right(sample(name), line)
        assert str(caught.value).endswith(".")


# --- a session ------------------------------------------------------------------------


def played(lines: str, **request: Any) -> str:
    out = io.StringIO()
    assert drill.drill(drill.Request(**request), io.StringIO(lines), out) == 0
    return out.getvalue()


def right(kind: str, seed: int, *levels: int) -> str:
    """The right answers to the first exercises of a kind."""
    made = [kinds.exercise(kind, seed, n, level) for n, level in enumerate(levels, start=1)]
    return "".join(f"{exercise.shown}\n" for exercise in made)


def levels_of(text: str) -> list[int]:
    return [int(level) for level in re.findall(r"· level (\d)", text)]


def test_difficulty_follows_the_answers() -> None:
    """Two right in a row make it harder, a wrong one easier, and it stays within its bounds."""
    up = played(right("vocab", 4, 1, 1, 2, 2, 3), kind="vocab", seed=4)
    assert levels_of(up) == [1, 1, 2, 2, 3, 3]
    assert "5 of 5 right." in up
    down = played("1\n1\n1\n", kind="vocab", seed=4, level=3)
    assert levels_of(down) == [3, 2, 1, 1]
    assert "0 of 3 right." in down


def test_a_wrong_answer_is_explained() -> None:
    """The right one and the way to it."""
    text = played("1\n", kind="vocab", seed=4, count=1)
    made = kinds.exercise("vocab", 4, 1, 1)
    assert f"✗ No, it is {made.shown}" in text
    assert made.why[0] in text


def test_a_question_mark_shows_it_and_q_ends() -> None:
    """Neither is an answer; the exercise that q left does not count."""
    text = played("?\nq\n1\n", kind="vocab", seed=4)
    assert f"It is {kinds.exercise('vocab', 4, 1, 1).shown}" in text
    assert text.endswith("0 of 1 right.\n")
    assert "No exercise was answered." in played("", seed=4)


def test_what_is_no_answer_is_asked_for_again() -> None:
    """It does not count as wrong."""
    text = played("hm\n" + right("vocab", 4, 1), kind="vocab", seed=4)
    assert text.count("Write one number.") == 2
    assert "1 of 1 right." in text


class Gone(io.StringIO):
    """A pipe whose reader leaves after a while."""

    writes = 0

    def write(self, text: str) -> int:
        self.writes += 1
        if self.writes > 5:
            raise BrokenPipeError
        return super().write(text)


class Endless(io.StringIO):
    """`yes '?'`, up to a limit that says that nobody stopped."""

    lines = 0

    def readline(self, size: int | None = -1, /) -> str:
        self.lines += 1
        assert self.lines < 100
        return "?\n"


def test_a_drill_ends_when_its_reader_has_gone() -> None:
    """Even if answers go on coming."""
    assert drill.drill(drill.Request(seed=1), Endless(), Gone()) == 0


def test_a_seed_gives_the_same_drill_and_mixes_all_kinds() -> None:
    """Each kind once before any comes twice; another seed is another drill."""
    text = played("?\n" * 16, seed=9, count=16)
    assert text == played("?\n" * 16, seed=9, count=16)
    assert text != played("?\n" * 16, seed=10, count=16)
    asked = re.findall(r"^\d+ · (\w+)", text, flags=re.MULTILINE)
    assert sorted(asked[:8]) == sorted(asked[8:]) == sorted(kinds.KINDS)
    assert "0 of 16 right. Not right: " in text
    assert "tie 2" in text


@pytest.mark.parametrize("width", [40, 60, 100])
def test_only_what_is_copied_is_wider_than_asked(width: int) -> None:
    """Prose wraps; code and words stay whole."""
    text = played("?\n" * 24, seed=3, count=24, level=3, width=width)
    lines = [line for line in text.splitlines() if not line.startswith("      ")]
    assert max(map(cell_len, lines)) <= width


def test_questions_to_talk_about_are_ticked_off() -> None:
    """The points after the answer, and how many you made; a number that cannot be is refused."""
    first, second = pick(6, 2)
    text = played(f"it merges pairs\n99\n1\n\n{len(second.points)}\n", kind="talk", seed=6, count=2)
    for question in (first, second):
        assert question.points[0].split()[0] in text
    assert f"Write a number from 0 to {len(first.points)}" in text
    total = len(first.points) + len(second.points)
    assert f"You made {1 + len(second.points)} of {total} points." in text
    assert "No question was answered." in played("q\n", kind="talk", seed=6)
    deep = played("q\n", kind="talk", seed=6, level=3)
    assert "· deep" in deep


def run(*words: str, given: str = "") -> Any:
    return CliRunner().invoke(cli.kata, ["drill", *words], input=given)


def test_the_command_takes_its_answers_from_a_pipe() -> None:
    """One a line; it shows what was answered, and hostile lines are made visible."""
    result = run("bytes", "--seed", "2", "--count", "2", given="\x1b[31mred\n?\n?\n")
    assert result.exit_code == 0
    assert "\x1b" not in result.output
    assert r"> \x1b[31mred" in result.output
    assert "Seed 2." in result.output
    assert "0 of 2 right." in result.output


@pytest.mark.parametrize(
    "words", [("nope",), ("--level", "4"), ("--count", "0"), ("--seed", "-1"), ("tie", "more")]
)
def test_what_cannot_be_drilled_is_refused(words: tuple[str, ...]) -> None:
    """An unknown kind, a level or a count that is none."""
    assert run(*words).exit_code == 2


def test_the_command_knows_every_kind() -> None:
    """What it offers is what there is, and its help explains each."""
    assert drill_cli.KINDS == drill.NAMES
    text = " ".join((drill_cli.drill.help or "").split())
    assert all(f"{kind} (" in text for kind in drill.NAMES)
