"""A server on this machine that behaves as badly as it is told to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

#: What a server does with one request; it is asked for the handler and the bytes it serves.
Manner = Callable[["Handler", bytes], None]


class Handler(BaseHTTPRequestHandler):
    """Answers each request in the next manner, and all further ones in the last."""

    server: Server

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers.get("Range")))
        manners = self.server.manners
        manner = manners.pop(0) if len(manners) > 1 else manners[0]
        with suppress(BrokenPipeError, ConnectionResetError):
            manner(self, self.server.content)
        self.close_connection = True

    def reply(self, code: int, body: bytes, length: int | None, **headers: str) -> None:
        self.send_response(code)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    @property
    def first(self) -> int:
        """The first byte that is asked for."""
        asked = self.headers.get("Range") or "bytes=0-"
        return int(asked.removeprefix("bytes=").rstrip("-"))

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, content: bytes, manners: list[Manner]) -> None:
        self.content, self.manners = content, manners
        self.asked: list[tuple[str, str | None]] = []
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def serving(content: bytes, *manners: Manner) -> Iterator[Server]:
    """A server of these bytes."""
    with Server(content, list(manners)) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def honest(handler: Handler, content: bytes) -> None:
    """The whole file, or the rest of it."""
    first = handler.first
    if first:
        span = f"bytes {first}-{len(content) - 1}/{len(content)}"
        handler.reply(206, content[first:], len(content) - first, Content_Range=span)
    else:
        handler.reply(200, content, len(content))


def cut_after(share: float) -> Manner:
    """Promises the rest of the file and closes the connection in the midst of it."""

    def manner(handler: Handler, content: bytes) -> None:
        first = handler.first
        rest = content[first:]
        span = f"bytes {first}-{len(content) - 1}/{len(content)}"
        headers = {"Content_Range": span} if first else {}
        handler.reply(206 if first else 200, rest[: int(len(rest) * share)], len(rest), **headers)

    return manner


def no_resume(handler: Handler, content: bytes) -> None:
    """The whole file, whatever part is asked for."""
    handler.reply(200, content, len(content))


def without_length(handler: Handler, content: bytes) -> None:
    """No word about how much is to come."""
    handler.reply(200, content, None)


def lying(length: int) -> Manner:
    """Promises another length than it has."""
    return lambda handler, content: handler.reply(200, content, length)


def endless(handler: Handler, content: bytes) -> None:
    """More and more, without a length."""
    handler.reply(200, content, None)
    while True:
        handler.wfile.write(b"x" * 65536)


def another_part(handler: Handler, content: bytes) -> None:
    """A part that was not asked for."""
    handler.reply(206, content, len(content), Content_Range=f"bytes 0-9/{len(content)}")


def to(address: str) -> Manner:
    """Sends on to another address."""
    return lambda handler, content: handler.reply(302, b"", 0, Location=address)


def in_circles(handler: Handler, content: bytes) -> None:
    handler.reply(302, b"", 0, Location=handler.path)


def status(code: int) -> Manner:
    return lambda handler, content: handler.reply(code, b"no", 2)
