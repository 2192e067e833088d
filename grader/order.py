"""A pytest plugin that runs one case before the others and remembers the suite's own order."""

from __future__ import annotations

import pytest


class FirstCase:
    """Puts the case of that id first; `position` is where each case stands in its suite.

    With `only`, a case that is not among these ids is left out.
    """

    def __init__(self, first: str | None, only: tuple[str, ...] = ()) -> None:
        self._first, self._only = first, only
        self.position: dict[str, int] = {}

    def pytest_configure(self, config: pytest.Config) -> None:
        config.option.tbstyle = "no"  # a verdict needs no traceback, and pytest's is dear

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        ids = [item.name.removeprefix("test_") for item in items]
        self.position = {case: number for number, case in enumerate(ids)}
        if self._only:
            items[:] = [item for item, case in zip(items, ids, strict=True) if case in self._only]
        items.sort(key=lambda item: item.name.removeprefix("test_") != self._first)
