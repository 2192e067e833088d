"""The engine: whatever a child does is a result of the call, and the right one."""

from __future__ import annotations

import os
import time
from dataclasses import replace

import pytest

from grader.model import (
    Call,
    CallResult,
    Crashed,
    Exhausted,
    Kata,
    Mistyped,
    Raised,
    Refused,
    Returned,
    TimedOut,
)
from grader.sandbox.host import Host
from tests import transports
from tests.samples import BUDGET_KATA, FILE_KATA, KATA, submission

ARGS = ({"ab": 2}, 3)


@pytest.fixture(params=transports.TRANSPORTS)
def transport(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test over each transport."""
    transports.use(request.param, monkeypatch)


over_both = pytest.mark.usefixtures("transport")


def result(source: str, args: tuple = ARGS, kata: Kata = KATA) -> CallResult:
    with Host(kata, submission(source), hash_seed=1) as host:
        return host.call(Call(kata.signature.name, args))


@over_both
def test_a_value_comes_back_with_its_prints() -> None:
    """A right program gives a value, its arguments as they are now, and what it printed."""
    found = result("def train(w, n):\n    print('hi', n)\n    return [('a', 'b')]")
    assert isinstance(found, Returned)
    assert (found.value, found.args, found.prints) == ([("a", "b")], ARGS, "hi 3\n")


def test_a_changed_argument_is_seen() -> None:
    """The child sends back what it changed, and the parent keeps its own."""
    found = result("def train(w, n):\n    w['z'] = 1\n    return []")
    assert isinstance(found, Returned)
    assert found.args == ({"ab": 2, "z": 1}, 3)
    assert ARGS == ({"ab": 2}, 3)


@pytest.mark.parametrize(
    ("body", "where", "got"),
    [
        ("return [['a', 'b']]", "[0]", "list"),
        ("return (('a', 'b'),)", "", "tuple"),
        ("return None", "", "NoneType"),
        ("return (x for x in [])", "", "generator"),
        ("return type('L', (list,), {'__eq__': lambda s, o: True})()", "", "L"),
        ("return [(type('S', (str,), {})('a'), 'b')]", "[0][0]", "S"),
        ("w['a'] = 'x'; return []", "`word_counts`{a value}", "str"),
    ],
)
def test_a_wrong_type_is_named(body: str, where: str, got: str) -> None:
    """Exact types only, in what is returned and in what was changed."""
    found = result(f"def train(w, n):\n    {body}")
    assert isinstance(found, Mistyped)
    assert (found.where, found.got) == (where, got)


@pytest.mark.parametrize(
    ("source", "kind", "message", "line"),
    [
        ("def train(w, n):\n    return w['x']", "KeyError", "'x'", 2),
        ("def train(w, n)\n    return 1", "SyntaxError", "expected ':'", 1),
        ("x = 1 / 0", "ZeroDivisionError", "division by zero", 1),
        ("import numpy", "ModuleNotFoundError", "'numpy' cannot be imported here", 1),
        ("import grader", "ModuleNotFoundError", "'grader' cannot be imported here", 1),
        ("x = 1", "NameError", "defines no function 'train'", None),
        ("train = 3", "TypeError", "'train' is of type int", None),
        ("raise SystemExit(0)", "SystemExit", "0", 1),
        ("def train(w, n):\n    raise SystemExit(0)", "SystemExit", "0", 2),
        ("def train(w, n):\n    return train(w, n)", "RecursionError", "maximum recursion", 2),
        ("def train(w, n):\n    return open('/etc/hostname')", "PermissionError", "no files", 2),
        ("import os\ndef train(w, n):\n    os.fork()", "PermissionError", "no files", 3),
        (
            "class E(Exception):\n    def __str__(self):\n        raise ValueError\nraise E",
            "E",
            "",
            4,
        ),
    ],
)
def test_an_exception_is_reported_with_its_line(
    source: str, kind: str, message: str, line: int | None
) -> None:
    """Type, message and line in the student's file, also for a file that does not load."""
    found = result(source)
    assert isinstance(found, Raised)
    assert found.type == kind
    assert message in found.message
    assert found.line == line


@over_both
@pytest.mark.parametrize(
    "source",
    [
        "import os\nos._exit(0)",
        "import os\ndef train(w, n):\n    os._exit(0)",
        "import ctypes\ndef train(w, n):\n    ctypes.string_at(0)",
        "import os\ndef train(w, n):\n    os.closerange(3, 64); return []",
    ],
)
def test_a_dead_child_is_a_crash(source: str) -> None:
    """A child that is gone, however it went, is CRASH; exit code 0 buys nothing."""
    if "ctypes" in source:
        source = "import sys\nctypes = sys.modules['ctypes']\n" + source.partition("\n")[2]
    assert isinstance(result(source), Crashed)


@over_both
def test_an_endless_loop_ends_at_its_limit() -> None:
    """A call is killed at its deadline, and what it printed before is kept."""
    start = time.monotonic()
    found = result("def train(w, n):\n    print('before')\n    while True: pass")
    assert isinstance(found, TimedOut)
    assert (found.seconds, found.what, found.prints) == (1.0, "call", "before\n")
    assert time.monotonic() - start < 20


def test_an_endless_import_ends_at_its_limit() -> None:
    """Loading has a deadline of its own."""
    found = result("while True: pass")
    assert isinstance(found, TimedOut)
    assert found.what == "import"


@over_both
def test_a_flood_of_prints_is_cut() -> None:
    """Prints are kept up to a limit and never keep the parent from its deadline."""
    found = result("def train(w, n):\n    print('x' * 1_000_000)\n    return []")
    assert isinstance(found, Returned)
    assert len(found.prints) < 70_000
    assert found.prints.endswith("[cut after 64 KiB]")


@over_both
def test_memory_has_a_limit() -> None:
    """An allocation past the limit is MEMORY, and the child is replaced."""
    source = "def train(w, n):\n    return [] if n == 0 else [0] * 10**10"
    with Host(KATA, submission(source), hash_seed=1) as host:
        assert isinstance(host.call(Call("train", ({}, 1))), Exhausted)
        assert isinstance(host.call(Call("train", ({}, 0))), Returned)


@over_both
def test_a_new_child_answers_after_a_death() -> None:
    """A crash costs one call, not the rest."""
    source = "import os\ndef train(w, n):\n    return [] if n else os._exit(1)"
    with Host(KATA, submission(source), hash_seed=1) as host:
        assert isinstance(host.call(Call("train", ({}, 0))), Crashed)
        assert isinstance(host.call(Call("train", ({}, 1))), Returned)


@over_both
def test_a_forged_reply_is_not_an_answer() -> None:
    """A frame sent ahead, or with another id, ends the conversation."""
    source = """
        import os
        def train(w, n):
            body = b'["value","00",[["a","b"]],[null,null]]'
            for fd in range(3, 64):
                try: os.write(fd, len(body).to_bytes(4, "big") + body)
                except OSError: pass
            return []
    """
    assert isinstance(result(source), Crashed)


@over_both
def test_a_giant_reply_is_refused_before_it_is_read() -> None:
    """A header that promises gigabytes is no reason to allocate them."""
    source = """
        import os
        def train(w, n):
            for fd in range(3, 64):
                try: os.write(fd, b'\\xff\\xff\\xff\\xff')
                except OSError: pass
            return []
    """
    assert isinstance(result(source), Crashed)


@over_both
def test_the_environment_is_empty_but_for_the_hash_seed() -> None:
    """No secret of the parent's environment reaches the child."""
    os.environ["KATA_SECRET"] = "x"
    source = "import os\ndef train(w, n):\n    return [(k, v) for k, v in os.environ.items()]"
    found = result(source)
    assert isinstance(found, Returned)
    assert dict(found.value).keys() <= {"PYTHONHASHSEED", "LC_CTYPE"}


def test_a_word_outside_the_budget_is_refused() -> None:
    """Reading a word that `where` does not list is WRONG, even if the answer is right."""
    args = ([["a"], ["b"]], {"k": {0}}, "k")
    peek = "def update(words, where, key):\n    {}\n    return []"
    for line in ("words[1]", "[words[i] for i in range(len(words))]", "words[-1]"):
        source = peek.format(f"try: {line}\n    except IndexError: pass")
        found = result(source, args, BUDGET_KATA)
        assert isinstance(found, Refused), line
        assert found.wrong
    assigned = result(peek.format("words[1] = ['z']"), args, BUDGET_KATA)
    assert isinstance(assigned, Refused)
    assert assigned.wrong


@pytest.mark.parametrize(
    "line",
    [
        "list(words)",
        "for word in words: pass",
        "['a'] in words",
        "words[0:1]",
        "reversed(words)",
        "[*words]",
        "sorted(words)",
    ],
)
def test_words_cannot_be_looped_over(line: str) -> None:
    """Everything but len, [i] and [i] = new raises with a message that says what to use."""
    source = f"def update(words, where, key):\n    {line}\n    return []"
    found = result(source, ([["a"]], {"k": {0}}, "k"), BUDGET_KATA)
    assert isinstance(found, Raised)
    assert found.type == "TypeError"
    assert "use `where`" in found.message


@over_both
def test_words_may_be_edited_or_replaced() -> None:
    """A list changed in place and a list assigned both come back; the budget is the old one."""
    source = """
        def update(words, where, key):
            listed = sorted(where[key])
            where[key] = set()
            words[listed[0]].append("x")
            assert words[listed[0]] is words[listed[0]]
            words[listed[1]] = ["new"]
            return listed
    """
    found = result(source, ([["a"], ["b"], ["c"]], {"k": {0, 2}}, "k"), BUDGET_KATA)
    assert isinstance(found, Returned)
    assert found.args == ([["a", "x"], ["b"], ["new"]], {"k": set()}, "k")


def test_a_file_argument_is_a_path_the_child_can_read() -> None:
    """Bytes arrive as a file under the corpus policy, and nothing else can be read."""
    source = """
        def read(path):
            found = [open(path, "rb").read().decode()]
            for other in ("/etc/passwd", __file__, "/proc/1/environ"):
                try: found.append(open(other).read())
                except OSError: pass
            return found
    """
    found = result(source, (b"hello",), FILE_KATA)
    assert isinstance(found, Returned)
    assert found.value == ["hello"]
    assert found.args == (b"hello",)


@over_both
def test_worker_processes_work_under_the_corpus_policy() -> None:
    """An honest Pool and an honest executor do their work."""
    source = """
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor
        def up(text):
            return text.upper()
        def read(path):
            with multiprocessing.Pool(2) as pool:
                first = pool.map(up, ["a", "b"])
            with ProcessPoolExecutor(2) as pool:
                return first + list(pool.map(up, ["c"]))
    """
    found = result(source, (b"",), FILE_KATA)
    assert isinstance(found, Returned), found
    assert found.value == ["A", "B", "C"]


@over_both
def test_no_process_outlives_its_host() -> None:
    """A daemon that forked twice dies with the child."""
    source = """
        import os, time
        def read(path):
            if os.fork() == 0:
                if os.fork() == 0:
                    while True: time.sleep(1)
                os._exit(0)
            os.wait()
            return [str(os.getpgrp()) if hasattr(os, "getpgrp") else ""]
    """
    with Host(FILE_KATA, submission(source), hash_seed=1) as host:
        host.start()
        pid = host._process.pid  # the leader of the group
        host.call(Call("read", (b"",)))
    with pytest.raises(ProcessLookupError):
        os.killpg(pid, 0)


@over_both
def test_timing_reads_the_clock_of_the_child() -> None:
    """Prepared calls run in the child; the parent reads CPU time and fetches the values."""
    source = "def train(w, n):\n    sum(range(n))\n    return [('a', str(n))]"
    with Host(KATA, submission(source), hash_seed=1) as host:
        host.prepare([Call("train", ({}, 10)), Call("train", ({}, 100_000))])
        assert host.run(3) > 0
        assert host.fetch() == [[("a", "10")], [("a", "100000")]]
        assert host.peak_mib() > 1


def test_isolation_is_measured_by_trying() -> None:
    """A child reports what it could still do, before it has seen the submission."""
    with Host(KATA, submission("def train(w, n): return []"), hash_seed=1) as host:
        host.load()
        assert host.isolation is not None
        assert host.isolation.level == "full"
        assert not any(host.isolation.capabilities.values())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_child_of_root_is_nobody() -> None:
    """A child gives root away; it keeps at most the right to read what Landlock grants."""
    source = """
        import os
        def read(path):
            try: os.setuid(0)
            except OSError: pass
            return [str(os.getuid()), str(os.geteuid())]
    """
    found = result(source, (b"",), FILE_KATA)
    assert isinstance(found, Returned)
    assert all(int(uid) > 1_000_000_000 for uid in found.value)


def test_a_fork_bomb_meets_a_bound() -> None:
    """More processes than the policy allows end the call, one way or the other."""
    source = """
        import os, time
        def read(path):
            for _ in range(500):
                if os.fork() == 0:
                    time.sleep(60)
                    os._exit(0)
            time.sleep(60)
            return []
    """
    assert isinstance(result(source, (b"",), FILE_KATA), Refused | Raised)


def test_the_scratch_folder_is_capped() -> None:
    """Many files that are each within the limit are too much together."""
    source = """
        import time
        def read(path):
            for i in range(100):
                with open(str(i), "wb") as file:
                    file.write(bytes(1 << 20))
                time.sleep(0.02)
            time.sleep(60)
            return []
    """
    kata = replace(FILE_KATA, limits=replace(FILE_KATA.limits, scratch_mib=20))
    found = result(source, (b"",), kata)
    full = isinstance(found, Raised) and "No space left" in found.message
    assert full or (isinstance(found, Refused) and "20 MiB were written" in found.reason)
