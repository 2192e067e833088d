"""Every type that crosses a module border: frozen data, no behaviour, stdlib only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any


class Outcome(StrEnum):
    """What became of a case or of a whole kata; only BROKEN is our fault."""

    PASS = "PASS"
    UNWRITTEN = "UNWRITTEN"
    WRONG = "WRONG"
    RAISED = "RAISED"
    TIMEOUT = "TIMEOUT"
    MEMORY = "MEMORY"
    FORBIDDEN = "FORBIDDEN"
    CRASH = "CRASH"
    BROKEN = "BROKEN"


class Tier(StrEnum):
    """How a case counts. A stretch case never fails a kata."""

    EXAMPLE = "example"
    LAW = "law"
    LIMIT = "limit"
    STRETCH = "stretch"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one submission may use; seconds are wall-clock, sizes binary."""

    import_s: float = 5.0
    call_s: float = 5.0
    kata_s: float = 60.0
    memory_mib: int = 512  # per process
    output_kib: int = 64  # of prints kept per call
    scratch_mib: int = 256


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a kata's function.

    `type` is the annotation as the wire reads it. `mutable`: the contract lets the
    function change it. `file`: the suite passes bytes, the function gets the path of a
    file that holds them. `budget`: the value stays in the parent and only the indices
    in `budget` (written `table[key]`, both parameters) may be read or assigned.
    """

    name: str
    type: str
    mutable: bool = False
    file: bool = False
    budget: str | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """The function a kata asks for."""

    name: str
    parameters: tuple[Parameter, ...]
    returns: str


@dataclass(frozen=True, slots=True)
class Rung:
    """A question to ask after a pass, one step of the ladder of a kata.

    `check` says how the judge looks at the answer (`kind:argument`, see
    `grader.interview.ladder`); None for a question to talk about.
    """

    id: str
    ask: str
    check: str | None
    points: tuple[str, ...]  # what a good answer says, a sentence or two each


@dataclass(frozen=True, slots=True)
class Kata:
    """A kata as its files describe it."""

    name: str
    title: str
    level: str  # warm-up, core, interview, research or capstone
    order: int
    minutes: int
    policy: str  # pure or corpus
    examples: int  # generated inputs of each law in the `grade` profile
    limits: Limits
    hints: tuple[str, ...]
    follow_ups: tuple[Rung, ...]  # from the first to ask to the last
    signature: Signature
    statement: str  # the function's docstring, examples included
    stub: str  # the pristine source a learner starts from
    reference: Path
    suite: Path
    mistakes: Path


@dataclass(frozen=True, slots=True)
class Submission:
    """One student file, read once; `source` is what was hashed."""

    path: str
    source: bytes
    sha256: str
    entry: str | None = None  # the function's name, where it is not the kata's own


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a student's function: the name and the arguments as they went in."""

    function: str
    args: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Returned:
    """A value of the declared type came back. `args`: the arguments afterwards."""

    value: Any
    args: tuple[Any, ...]
    cpu_s: float = 0.0  # CPU of the child and of what it waited for, read by the parent
    prints: str = ""


@dataclass(frozen=True, slots=True)
class Mistyped:
    """The value was not of the declared type; `where` is like `[3][0]`."""

    where: str
    expected: str
    got: str
    shown: str | None = None  # the value, as far as it has a stable text
    prints: str = ""


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception left the function or the module."""

    type: str
    message: str
    line: int | None = None  # in the student's file
    text: str | None = None  # that line
    prints: str = ""


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A deadline passed; `seconds` is the deadline."""

    seconds: float
    what: str = "call"  # import, call or kata
    prints: str = ""


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The memory limit was met."""

    mib: int
    prints: str = ""


@dataclass(frozen=True, slots=True)
class Crashed:
    """The child died, or answered something that is no answer."""

    reason: str
    prints: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """Something the contract or the sandbox forbids; `wrong` marks a broken contract."""

    reason: str
    wrong: bool = False
    prints: str = ""


CallResult = Returned | Mistyped | Raised | TimedOut | Exhausted | Crashed | Refused


@dataclass(frozen=True, slots=True)
class Counterexample:
    """One failing call as a reader sees it. Values are Python literals, or None."""

    call: str  # a statement that can be pasted
    yours: str | None
    expected: str | None
    note: str | None  # a sentence: what is wrong, where the values do not say it
    prints: str  # what the student printed during that call
    line: int | None = None  # in the student's file
    line_text: str | None = None
    #: Where the answer leaves the right one, step by step: rows of a head, what happens, a remark.
    steps: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one case. `outcome` is None when the case was not run."""

    id: str
    title: str
    tier: Tier
    outcome: Outcome | None
    inputs: int  # how many inputs were judged: calls, or the documents in their files
    counterexample: Counterexample | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Growth:
    """How CPU time grows in one direction: of `sizes` a factor two apart, like n^exponent."""

    axis: str  # what was made larger, in words
    exponent: float | None  # None: there were not four sizes in the time
    spread: float | None  # half-width of the middle of the exponents, in exponents
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]  # CPU, of one call or of what stands for one; medians


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the capstone's work, as the difference of two runs; CPU seconds."""

    name: str  # read, split, count or merge
    seconds: float


@dataclass(frozen=True, slots=True)
class Side:
    """One of those timed side by side."""

    name: str  # yours, reference or naive
    pass_s: float | None  # CPU of one pass over the corpus, or of the part that was run
    ratio: float | None  # to the reference: the median over the pairs
    spread: float | None  # of that ratio, as in `Timing`
    first_s: float | None  # CPU of the first calls
    steady_s: float | None  # CPU of as many calls later on
    peak_mib: float | None
    growths: tuple[Growth, ...] = ()
    stages: tuple[Stage, ...] = ()
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """CPU time on a corpus beside the reference; seconds of one pass over it."""

    corpus: str
    workload: str  # what was run, in words
    yours_s: float | None
    reference_s: float | None
    ratio: float | None
    spread: float | None  # half-width of the middle of the ratios, as a fraction
    growth: float | None  # yours, in the kata's first direction
    peak_mib: float | None
    pairs: int = 0
    note: str | None = None
    budget_s: float | None = None  # of wall-clock time, for all of it
    sides: tuple[Side, ...] = ()


@dataclass(frozen=True, slots=True)
class Proof:
    """What a replay of a trainer's merges came to."""

    wrong_at: int | None  # the first merge of a pair that was outnumbered; None: all are right
    ties: int  # that were looked at
    rule: tuple[str, int]  # what fits most of them, and how many


@dataclass(frozen=True, slots=True)
class Runner:
    """One of a contest of trainers or encoders, and what it cost; sizes binary."""

    name: str
    version: str | None = None  # of the package
    cpu_s: float | None = None  # medians over the rounds; None where it did not finish
    wall_s: float | None = None
    peak_mib: float | None = None
    ratio: float | None = None  # CPU to that of the first: the median over the rounds
    spread: float | None = None
    equal: int | None = None  # how many merges, or tokens, are the first's before they differ
    of: int | None = None  # how many there are
    proof: Proof | None = None
    note: str | None = None  # why it has no time, or what to know of it


@dataclass(frozen=True, slots=True)
class Contest:
    """Trainers or encoders on one text, each in a fresh process."""

    job: str  # train or encode
    corpus: str
    workload: str  # what was done, in words
    size: int  # bytes of the text
    vocab_size: int
    rounds: int
    runners: tuple[Runner, ...]  # the first is what the others are compared with


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The known mistake a submission agrees with."""

    id: str
    title: str
    text: str
    agrees: tuple[int, int]
    #: What agrees: `answers`, or `cost` where they are right and `agrees` counts missed limits.
    kind: str = "answers"


@dataclass(frozen=True, slots=True)
class Isolation:
    """The sandbox in force: `level` is full, partial or none."""

    level: str
    policy: str
    capabilities: Mapping[str, bool] = field(default_factory=dict)
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The judgement of one submission of one kata."""

    kata: Kata
    submission: Submission
    outcome: Outcome
    verdicts: tuple[Verdict, ...]
    seed: int
    isolation: Isolation
    versions: Mapping[str, str]
    message: str | None = None  # one sentence, when no case says it
    problem: Counterexample | None = None  # a module that does not load
    diagnosis: Diagnosis | None = None
    timing: Timing | None = None
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASS
