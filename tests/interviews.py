"""Interviews for tests: a clock that a test moves, and `kata` under that clock.

    python -m tests.interviews CLOCK interview start …

The product itself has no way to bring a clock of one's own; this entry puts one in its place.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from grader.interview import clock

START = datetime(2030, 1, 7, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class FileClock:
    """A clock whose time stands in a file, with the times at which files were changed."""

    path: Path

    def now(self) -> datetime:
        return START + timedelta(seconds=self._data()["now"])

    def uptime(self) -> str | None:
        return f"testboot:{self._data()['now']:.1f}"

    def changed(self, path: Path) -> datetime:
        path.stat()
        return START + timedelta(seconds=self._data()["changed"].get(path.name, 0.0))

    def _data(self) -> dict[str, dict[str, float] | float]:
        return json.loads(self.path.read_text(encoding="utf-8"))

    def set(self, now: float, **changed: float) -> None:
        """Move the time, in seconds after `START`; say when files were changed."""
        data = self._data() if self.path.exists() else {"changed": {}}
        data["now"] = now
        data["changed"] |= {f"{name}.py": at for name, at in changed.items()}
        aside = self.path.with_suffix(".new")
        aside.write_text(json.dumps(data), encoding="utf-8")
        aside.replace(self.path)


def main() -> int:
    """`kata`, with the clock of the first argument."""
    from grader import cli

    moved = FileClock(Path(sys.argv.pop(1)))
    clock.system = lambda: moved
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
