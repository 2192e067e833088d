"""`kata bench` from outside: what it shows, in each format, and how it fails."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import grader
from grader import contest, peers
from grader.corpus import open_corpus
from grader.model import Contest, Runner
from grader.render import bench_json
from grader.render.bench import BenchView, ContestView, timing_markdown
from grader.render.console import console, show
from tests.reports import TIMING_WITH_SIDES

ROOT = Path(grader.__file__).resolve().parent.parent
#: A trainer in the form of a package that is no package, of which `best` is the rule.
TRAINER = """
from collections import Counter
from itertools import pairwise
import regex

class RegexTokenizer:
    def __init__(self, pattern):
        self.pattern = pattern

    def train(self, text, vocab_size):
        words = [list(w.encode()) for w in regex.findall(self.pattern, text)]
        self.vocab, self.merges = {i: bytes([i]) for i in range(256)}, {}
        for new in range(256, vocab_size):
            totals = Counter(pair for word in words for pair in pairwise(word))
            if not totals:
                break
            pair = {BEST}
            self.merges[pair] = new
            self.vocab[new] = self.vocab[pair[0]] + self.vocab[pair[1]]
            words = [self.merged(word, pair, new) for word in words]

    def merged(self, word, pair, new):
        out = []
        for symbol in word:
            if out and (out[-1], symbol) == pair and out[-1] != new:
                out[-1] = new
            else:
                out.append(symbol)
        return out
"""
LOWEST = "min(totals, key=lambda p: (-totals[p], p))"
RAREST = "min(totals, key=lambda p: (totals[p], p))"
TEXT = "the cat then hat cat the" + "<|endoftext|>" + "that tea eats at the cat " * 20


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return path


def kata(cwd: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run `kata bench`; a package called minbpe may lie beside the checkout."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "grader.cli", "bench", *args],
        cwd=cwd,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": f"{ROOT}{os.pathsep}{cwd / 'packages'}",
            "LC_ALL": "C.UTF-8",
        },
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def minbpe(folder: Path, best: str) -> None:
    """Put a trainer with that rule where `kata` finds it."""
    (folder / "packages").mkdir()
    source = TRAINER.replace("{BEST}", best)
    (folder / "packages" / "minbpe.py").write_text(source)


def checked(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(text)
    Draft202012Validator(bench_json.schema()).validate(data)
    return data


# --- a kata ---------------------------------------------------------------------------


def test_a_kata_is_timed_with_everything(tmp_path: Path) -> None:
    """Three sides with times, growth of each, within about the budget; valid by the schema."""
    done = kata(
        tmp_path, "pair_counts", "--solution", "reference", "--budget", "1", "--format=json"
    )
    assert (done.returncode, done.stderr) == (0, "")
    (timed,) = checked(done.stdout)["timings"]
    assert [side["name"] for side in timed["timing"]["sides"]] == ["yours", "reference", "naive"]
    assert all(len(side["growths"]) == 1 for side in timed["timing"]["sides"][:2])
    assert timed["timing"]["budget_s"] == 1


def shown(view: Any, width: int, encoding: str = "utf-8") -> list[str]:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    show(console(file, width=width), view)
    file.seek(0)
    return file.read().splitlines()


@pytest.mark.parametrize("width", [40, 60, 100])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_a_timing_on_a_screen(width: int, encoding: str) -> None:
    """Times, growth and stages of each side, within any width; what is missing has a reason."""
    lines = shown(BenchView("encode_bpe", TIMING_WITH_SIDES), width, encoding)
    assert max(map(len, lines)) <= width
    text = " ".join(" ".join(lines).split())
    for fact in ("4.2", "17.3", "n^1.02", "read", "10 ms", "3.00 ms"):
        assert fact in text
    assert "yours, merges to learn: only 1 size in the time (20 took 1.5 s)" in text


def test_a_timing_on_a_page() -> None:
    """The same as tables of markdown."""
    page = timing_markdown("encode_bpe", TIMING_WITH_SIDES)
    assert "| naive | 1.7 s | 17.3× | 40 ms | 40 ms | 18 MiB |" in page
    assert "| words in the table | n^1.02 ± 0.03 | n^1.02 ± 0.03 |" in page


def test_wrong_answers_and_a_stub_are_not_passed(tmp_path: Path) -> None:
    """Exit code 1, and why."""
    wrong = tmp_path / "merge_pair.py"
    wrong.write_text("def merge_pair(symbols, pair):\n    return symbols\n")
    done = kata(tmp_path, "merge_pair", "--solution", str(wrong), "--budget", "1")
    assert done.returncode == 1
    assert "Your answers differ from the reference's on this text." in done.stdout
    stub = ROOT / "katas" / "merge_pair.py"
    done = kata(tmp_path, "merge_pair", "--solution", str(stub))
    assert (done.returncode, done.stdout) == (1, "")
    assert "is still the stub; write it first." in done.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "Name a kata, or give --against; the katas are"),
        (("merge_par",), "did you mean 'merge_pair'?"),
        (("merge_pair", "--budget", "0"), "--budget"),
        (("merge_pair", "--solution", "reference", "--corpus", "no.txt"), "no corpus 'no.txt'"),
        (("merge_pair", "--output", "no/where.md"), "--output no/where.md"),
        (("--against", "tokenisers"), "did you mean 'tokenizers'?"),
        (("--against", "minbpe"), "put its checkout on PYTHONPATH"),
        (("encode_bpe", "--against", "reference"), "None of these does that"),
        (("merge_pair", "--against", "rustbpe"), "There is nothing to compare merge_pair with"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(
    args: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    """Exit code 2, nothing on stdout, no traceback."""
    done = kata(tmp_path, *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


# --- against others -------------------------------------------------------------------


def test_a_trainer_with_another_rule_is_called_right(tmp_path: Path, text: Path) -> None:
    """Its merges are replayed: other merges than the reference's, and right by its own rule."""
    minbpe(tmp_path, LOWEST)
    args = ("--against", "minbpe", "--corpus", str(text), "--vocab-size", "280")
    done = kata(tmp_path, *args, "--budget", "1", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    (found,) = checked(done.stdout)["contests"]
    ours, record, theirs = found["runners"]
    assert (ours["name"], ours["ratio"], record["name"]) == ("reference", 1, "record")
    assert theirs["equal"] < theirs["of"]
    assert theirs["proof"]["wrong_at"] is None
    assert theirs["proof"]["rule"] == ["the lowest ids", theirs["proof"]["ties"]]


def test_a_wrong_trainer_is_called_wrong(tmp_path: Path, text: Path) -> None:
    """At the merge that another pair outnumbers; the file has the tables."""
    minbpe(tmp_path, RAREST)
    args = ("train_byte_bpe", "--against", "minbpe", "--corpus", str(text), "--vocab-size", "270")
    done = kata(tmp_path, *args, "--budget", "1", "--format", "md", "--output", "out.md")
    assert (done.returncode, done.stdout) == (0, "")
    page = (tmp_path / "out.md").read_text(encoding="utf-8")
    assert "| minbpe |" in page
    assert "minbpe: merge 0 joins a pair that another outnumbers." in page


def test_a_contest_on_a_screen(tmp_path: Path, text: Path) -> None:
    """A package that fails has a reason in place of a time; nothing is wider than the screen."""
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "minbpe.py").write_text("raise RuntimeError('not today')\n")
    args = ("--against", "minbpe", "--corpus", str(text), "--vocab-size", "270")
    done = kata(tmp_path, *args, "--budget", "1", "--width", "60")
    assert (done.returncode, done.stderr) == (0, "")
    assert "RuntimeError: not today" in " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 60


RUNNERS = tuple(
    Runner(name, "1.2", seconds, seconds, 40.0, seconds, 0.02, 700, 1_743, None, None)
    for name, seconds in (("reference", 1.0), ("tokenizers", 10.0), ("rustbpe", 0.1))
)


@pytest.mark.parametrize("width", [40, 60, 100])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_the_chart_is_logarithmic(width: int, encoding: str) -> None:
    """Equal factors are equally far apart, at any width and without Unicode."""
    contest = Contest("train", "embedded", "1.0 MB", 10**6, 2_000, 3, RUNNERS)
    lines = shown(ContestView(contest), width, encoding)
    assert max(map(len, lines)) <= width
    sign = "●" if encoding == "utf-8" else "*"
    one, ten, tenth = (line.index(sign) for line in lines if sign in line)
    assert abs((ten - one) - (one - tenth)) <= 1
    assert ten - one >= 9


def test_a_run_that_takes_too_long_is_stopped(text: Path) -> None:
    """It has a reason, and nothing is left running."""
    plan = contest.Plan(open_corpus(text), 270, budget_s=0.01)
    with pytest.raises(contest.NoRun, match=r"stopped after 0\.01 s"):
        contest._train(peers.PEERS["reference"], str(text), plan)


def packaged() -> list[str]:
    """The packages of the extra that are installed here, and the record."""
    names = ("record", "tokenizers", "tiktoken", "rustbpe")
    return [name for name in names if peers.PEERS[name].is_there()]


@pytest.mark.skipif(not packaged(), reason="none of bpe-kata[peers] is installed")
def test_packages_train_right_and_encode_alike(text: Path) -> None:
    """Each trainer is right by one rule; the encoders give the same tokens."""
    plan = contest.Plan(open_corpus(text), 290, budget_s=60.0, most_rounds=1)
    found = contest.training(contest.chosen(packaged()), plan)
    for runner in found.runners:
        assert runner.proof is not None, runner
        assert runner.proof.wrong_at is None
        assert runner.proof.rule[1] == runner.proof.ties
    found = contest.encoding(contest.chosen(packaged()), plan)
    assert all(runner.equal == runner.of for runner in found.runners)
