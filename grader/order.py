"""A pytest plugin that runs one case before the others and remembers the suite's own order."""

from __future__ import annotations

import pytest


class FirstCase:
    """Puts the case of that id first; `position` is where each case stands in its suite."""

    def __init__(self, first: str | None) -> None:
        self._first = first
        self.position: dict[str, int] = {}

    def pytest_configure(self, config: pytest.Config) -> None:
        config.option.tbstyle = "no"  # a verdict needs no traceback, and pytest's is dear

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        ids = [item.name.removeprefix("test_") for item in items]
        self.position = {case: number for number, case in enumerate(ids)}
        items.sort(key=lambda item: item.name.removeprefix("test_") != self._first)
