"""Every colour and every sign that is not ASCII, by name, each in one table."""

from __future__ import annotations

from dataclasses import dataclass

#: Style names as views use them. All of them must read well without colour.
STYLES = {
    "kata.name": "bold",
    "kata.quiet": "dim",
    "kata.passed": "green",
    "kata.failed": "red",
    "kata.unwritten": "yellow",
    "kata.law": "bold",
    "kata.call": "cyan",
    "kata.yours": "red",
    "kata.expected": "green",
    "kata.difference": "yellow",
    "kata.step": "dim",
    "kata.remark": "yellow",
    "kata.place": "cyan",
    "kata.advice": "bold",
    "kata.command": "bold cyan",
    "kata.span.one": "cyan",
    "kata.span.two": "magenta",
}


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The signs of one character set."""

    passed: str
    failed: str
    idle: str
    dot: str
    arrow: str
    up: str
    cut: str
    times: str
    spread: str
    dash: str
    bar: str
    space: str
    point: str


UNICODE = Glyphs(
    passed="✓",
    failed="✗",
    idle="·",
    dot="·",
    arrow="→",
    up="↑",
    cut="…",
    times="×",
    spread="±",
    dash="–",
    bar="│",
    space="␣",
    point="●",
)
ASCII = Glyphs(
    passed="+",
    failed="x",
    idle=".",
    dot="-",
    arrow="->",
    up="^",
    cut="...",
    times="x",
    spread="+/-",
    dash="-",
    bar="|",
    space="_",
    point="*",
)
