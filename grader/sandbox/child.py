"""The untrusted loop: load one submission, answer calls. Nothing here decides anything.

Started as `python -s -P -S -B child.py FD`, with the number of a socket, or `child.py pipes`,
with frames on stdin and stdout and prints on stderr. It imports what a submission may use,
locks itself, and only then compiles the submission. Everything it sends may be a lie from
then on; the parent checks values, never claims.

Standard library only; `canary`, `channel`, `wire` and `linux` lie beside this file.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import re
import sys
from copy import copy
from operator import is_
from types import ModuleType
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import canary  # type: ignore[import-not-found,unused-ignore]  # noqa: E402
import linux  # type: ignore[import-not-found,unused-ignore]  # noqa: E402
import wire  # type: ignore[import-not-found,unused-ignore]  # noqa: E402
from channel import (  # type: ignore[import-not-found,unused-ignore]  # noqa: E402
    Channel,
    MarkedChannel,
    connect,
)

sys.path.remove(HERE)

#: What a submission may import; anything else gets a message with this list.
PRELOAD = (
    "__future__", "abc", "array", "bisect", "collections", "collections.abc", "contextlib",
    "copy", "dataclasses", "enum", "functools", "gc", "heapq", "io", "itertools", "json",
    "logging", "math", "numbers", "operator", "os", "pprint", "queue", "random", "re", "string",
    "struct", "sys", "textwrap", "threading", "time", "traceback", "types", "typing",
    "unicodedata", "warnings",
)  # fmt: skip
#: What a corpus child may import later, but whose shared libraries lie where it cannot read.
EARLY = ("zlib", "bz2", "lzma", "hashlib", "secrets", "multiprocessing.shared_memory", "mmap")
#: Codecs that are looked up by name when text is encoded.
CODECS = ("ascii", "latin-1", "utf-8", "utf-8-sig", "utf-16", "utf-32", "unicode_escape", "cp1252")
TEXT_LIMIT = 2000


def preload(regex_folder: str | None, files: bool) -> None:
    """Import all a submission may use: after the lock there is no file to import from."""
    for name in PRELOAD:
        __import__(name)
    for name in EARLY if files else ():
        with contextlib.suppress(ImportError):
            __import__(name)
    for name in CODECS:
        "".encode(name)
    if regex_folder:
        sys.path.append(regex_folder)
        import regex  # type: ignore[import-untyped,unused-ignore]

        regex.compile(r"\p{L}+|\s+(?!\S)")  # what it loads late, it loads now
        sys.path.remove(regex_folder)


class Refuse:
    """The last finder: says what may be imported instead of "not found"."""

    def __init__(self, files: bool) -> None:
        self._files = files

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        listed = ", ".join(n for n in (*PRELOAD, "regex") if "." not in n)
        more = "the standard library and regex" if self._files else listed
        # ModuleNotFoundError, since the standard library tries imports and catches that.
        raise ModuleNotFoundError(f"{name!r} cannot be imported here; available: {more}", name=name)


def close_imports(files: bool) -> None:
    if files:
        sys.meta_path.append(Refuse(files))  # type: ignore[arg-type,unused-ignore]
    else:
        sys.meta_path[:] = [Refuse(files)]  # type: ignore[list-item,unused-ignore]
        sys.path.clear()
        sys.path_hooks.clear()


class Words:
    """The word list of a call whose words stay in the parent: `len`, `[i]`, `[i] = new`.

    The words a call may read come with it; any other index is a question to the parent,
    which answers with a refusal and remembers it.
    """

    __slots__ = ("_ask", "_held", "_size")

    def __init__(self, size: int, given: dict[int, Any], ask: Any) -> None:
        self._size, self._held, self._ask = size, given, ask

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, i: int) -> Any:
        if type(i) is not int:
            raise TypeError(_ONLY_INDEX)
        return self._held[i] if i in self._held else self._ask(i)

    def __setitem__(self, i: int, new: Any) -> None:
        if type(i) is not int:
            raise TypeError(_ONLY_INDEX)
        self._held[i] = new

    def _no(self, *args: object) -> Any:
        raise TypeError(_ONLY_INDEX)

    __iter__ = __contains__ = __reversed__ = __delitem__ = __add__ = __mul__ = _no


_ONLY_INDEX = (
    "words supports len(words), words[i] and words[i] = new only; use `where` to find words"
)


class Function:
    """The student's function with the codecs of its signature."""

    def __init__(self, function: Any, signature: dict[str, Any], channel: Channel) -> None:
        self._function, self._channel = function, channel
        self._parameters = signature["parameters"]
        self._returns = wire.codec(signature["returns"])
        self._codecs = [
            wire.codec("str" if p["file"] else p["type"]) for p in signature["parameters"]
        ]

    def decode(self, nonce: str, wired: list[Any]) -> list[Any]:
        args = []
        for parameter, codec, value in zip(self._parameters, self._codecs, wired):  # noqa: B905
            if parameter["budget"]:
                size, rows = value
                word = self._word_codec(parameter)
                given = {i: word.decode(symbols) for i, symbols in rows}
                args.append(Words(size, given, lambda i: self._ask(nonce, i)))
            else:
                args.append(codec.decode(value))
        return args

    def snapshots(self, args: list[Any]) -> list[Any]:
        """A copy of each argument whose change shows without encoding it again."""
        return [
            copy(arg) if codec.flat else None
            for codec, arg in zip(self._codecs, args)  # noqa: B905
        ]

    def prepare(self, table: list[list[Any]], rows: list[list[int]]) -> list[list[Any]]:
        """The arguments of calls to come; what was one object in the parent is one here.

        Collects garbage now and not again before `fetch`, so that no run pays for it.
        """
        values = [self._codecs[position].decode(wired) for position, wired in table]
        prepared = [[values[i] for i in row] for row in rows]
        gc.collect()
        gc.disable()
        return prepared

    def _ask(self, nonce: str, i: int) -> Any:
        self._channel.send(["word", nonce, i])
        raise IndexError(self._channel.receive()[0])

    def _word_codec(self, parameter: dict[str, Any]) -> Any:
        return wire.codec(parameter["type"][len("list[") : -1])

    def call(self, args: list[Any]) -> Any:
        return self._function(*args)

    def answer(
        self, nonce: str, wired: list[Any], args: list[Any], snapshots: list[Any], value: Any
    ) -> list[Any]:
        """The reply to a call: the value, and each argument that is not as it came."""
        after: list[Any] = []
        returned = self._returns.encode(value)
        for parameter, codec, before, arg, snapshot in zip(  # noqa: B905
            self._parameters, self._codecs, wired, args, snapshots
        ):
            if isinstance(arg, Words):
                after.append(self._changed(parameter, before[1], arg))
                continue
            if codec.frozen or (codec.flat and _same(arg, snapshot)):
                after.append(None)
                continue
            try:
                now = codec.encode(arg)
            except wire.WrongType as error:
                raise error.inside(f"`{parameter['name']}`") from None
            after.append(None if now == before else [now])
        return ["value", nonce, returned, after]

    def _changed(
        self, parameter: dict[str, Any], given: list[list[Any]], words: Words
    ) -> list[list[Any]]:
        """The rows of words that are not as they were given."""
        word, before, rows = self._word_codec(parameter), dict(given), []
        for i, symbols in words._held.items():
            try:
                now = word.encode(symbols)
            except wire.WrongType as error:
                raise error.inside(f"`words[{i}]`") from None
            if now != before.get(i):
                rows.append([i, now])
        return rows


def _same(arg: Any, snapshot: Any) -> bool:
    """Whether a list or dict of frozen values holds the very objects it came with, in order."""
    if len(arg) != len(snapshot) or not all(map(is_, arg, snapshot)):
        return False
    return type(arg) is list or all(map(is_, arg.values(), snapshot.values()))


def load(source: str, path: str, name: str) -> dict[str, Any]:
    """Compile and run the submission as a module; its names, or raise."""
    code = compile(source, path, "exec", dont_inherit=True)
    module = ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module  # dataclasses and pickled workers look their module up
    exec(code, module.__dict__)
    return module.__dict__


def problem(nonce: str, error: BaseException, path: str) -> list[Any]:
    """The reply for an exception: type, message and line, as text."""
    if isinstance(error, MemoryError):
        return ["memory", nonce]
    line = None
    if isinstance(error, SyntaxError) and error.filename == path:
        line = error.lineno
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == path:
            line = step.tb_lineno
        step = step.tb_next
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
    except BaseException:
        text = ""
    return ["raised", nonce, type(error).__name__[:200], text[:TEXT_LIMIT], line]


def main() -> None:
    channel = connect(sys.argv[1])
    setup = channel.receive()[0]
    settings = {key: value for key, value in setup}  # noqa: C416 - objects do not travel
    if isinstance(channel, MarkedChannel):
        channel.mark = settings["mark"].encode()
    policy = json.loads(settings["policy"])
    preload(settings["regex"], policy["imports"])
    signature = json.loads(settings["signature"])
    notes: list[str] = []
    # Line by line, so that what was printed before an endless loop is not lost in a buffer.
    sys.stdout = sys.stderr = open(  # noqa: SIM115 - it stays open
        1,
        "w",
        buffering=1,
        encoding="utf-8",
        errors="backslashreplace",
        newline="\n",  # on every system
        closefd=False,
    )
    if settings["linux"]:
        linux.lock(policy, notes)
    else:
        limit(policy["rlimits"], settings["watched"], notes)
    memory, pure = policy["rlimits"]["RLIMIT_AS"], policy["name"] == "pure"
    could = canary.canary(settings["planted"], memory, pure)
    close_imports(policy["imports"])
    gc.freeze()  # what was imported is here to stay; no collection need look at it
    channel.send(["ready", sorted(could.items()), notes])
    serve(channel, signature, settings["path"])


def limit(limits: dict[str, int], watched: bool, notes: list[str]) -> None:
    """Set each limit this system knows; the names of the others become a note.

    `watched`: the parent looks at the memory, since the system is known to refuse that limit.
    """
    if os.name != "posix":
        return  # the parent has done it
    refused = []
    for name, value in limits.items():
        if watched and name == "RLIMIT_AS":
            continue
        try:
            linux.set_limits({name: value})
        except (OSError, ValueError, AttributeError):
            refused.append(name)
    if refused:
        notes.append(f"the system refused {', '.join(refused)}")


def serve(channel: Channel, signature: dict[str, Any], path: str) -> None:
    """Load the submission that comes first, then answer until the parent is gone."""
    _, nonce, source, entry = channel.receive()
    names: dict[str, Any] = {}
    try:
        names = load(source, path, signature["name"])
    except BaseException as error:
        reply = problem(nonce, error, path)
    else:
        found = names.get(entry)
        kind = "loaded" if callable(found) else "uncallable" if entry in names else "absent"
        reply = [kind, nonce, type(found).__name__[:200]]
    _flush()
    channel.send(reply)
    targets: dict[str, Function] = {}
    prepared: list[list[Any]] = []
    answers: list[Any] = []
    while True:
        kind, nonce, entry, *rest = channel.receive()
        target = targets.get(entry)
        if target is None:
            target = targets[entry] = Function(names.get(entry), signature, channel)
        if kind == "call":
            reply = _call(target, nonce, rest[0], path)
        elif kind == "prepare":
            prepared = target.prepare(*rest)
            reply = ["done", nonce]
        elif kind == "run":
            answers, reply = _run(target, nonce, prepared, rest[0], path)
        else:
            reply = _fetch(target, nonce, answers, path)
        _flush()
        channel.send(reply)


def _call(target: Function, nonce: str, wired: list[Any], path: str) -> list[Any]:
    try:
        args = target.decode(nonce, wired)
        snapshots = target.snapshots(args)
        value = target.call(args)
        try:
            return target.answer(nonce, wired, args, snapshots, value)
        except wire.WrongType as error:
            return _wrong_type(nonce, error, value)
    except BaseException as error:
        return problem(nonce, error, path)


def _wrong_type(nonce: str, error: wire.WrongType, value: Any) -> list[Any]:
    # Only what was returned, and without addresses: they differ from run to run.
    shown = None
    if not error.where.startswith("`"):
        shown = re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))[:TEXT_LIMIT]
    return ["type", nonce, error.where[:200], error.expected[:200], error.got[:200], shown]


def _run(
    target: Function, nonce: str, prepared: list[list[Any]], repeat: int, path: str
) -> tuple[list[Any], list[Any]]:
    try:
        for _ in range(repeat):
            answers = [target.call(args) for args in prepared]
        return answers, ["done", nonce]
    except BaseException as error:
        return [], problem(nonce, error, path)


def _fetch(target: Function, nonce: str, answers: list[Any], path: str) -> list[Any]:
    gc.enable()
    try:
        return ["values", nonce, [target._returns.encode(value) for value in answers]]
    except wire.WrongType as error:
        return _wrong_type(nonce, error, None)
    except BaseException as error:
        return problem(nonce, error, path)


def _flush() -> None:
    """Push prints out before the reply, so that the parent finds them with it."""
    with contextlib.suppress(BaseException):
        sys.stdout.flush()


if __name__ == "__main__":
    main()
