"""A pytest plugin for a workspace: the learner's plain `pytest` grades their katas.

`kata init` names it in the workspace's `pyproject.toml`. `pytest` runs the doctests of
`katas/` and the hidden suites on them, `pytest katas/encode_bpe.py` those of one kata. A
kata that is still a stub is skipped, and a stretch case never fails. A case of a suite
goes by the name of the learner's file, `katas/encode_bpe.py::test_…`, also on the command line.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from grader import catalog, submission
from grader.errors import KataError
from grader.interview import guard
from grader.model import Kata

#: The suites, their fixtures and verdicts.
pytest_plugins = ("grader.plugin",)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Grade the workspace's katas, and add the suites of those that were asked for."""
    folder = config.rootpath / "katas"
    if config.option.solution == "reference":
        config.option.solution = str(folder)
    start = config.invocation_params.dir
    for number, argument in enumerate(list(config.args)):
        path, _, case = argument.partition("::")
        if case.startswith("test_") and (suites := list(_suites(start / path, folder))):
            config.args[number] = f"{suites[0]}::{case}"
        elif not case:
            config.args.extend(str(suite) for suite in _suites(start / path, folder))


def pytest_pycollect_makemodule(
    module_path: Path, parent: pytest.Collector
) -> pytest.Module | None:
    """Give a suite, which lies outside the workspace, the name of the file it is about."""
    if module_path.parent != catalog.places().suites / "hidden":
        return None
    name = module_path.stem.removeprefix("test_")
    made: pytest.Module = pytest.Module.from_parent(
        parent, path=module_path, nodeid=f"katas/{name}.py"
    )
    return made


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what is not written yet; expect nothing of a stretch."""
    folder = config.rootpath / "katas"
    unwritten = {kata.name for kata in catalog.all_katas() if _is_unwritten(kata, folder)}
    interviewed = guard.asked(config.rootpath)
    for item in items:
        name = item.path.stem.removeprefix("test_")
        if name in interviewed and item.path.parent != folder:
            item.add_marker(pytest.mark.skip(reason="an interview is open: kata interview submit"))
        elif name in unwritten and item.path.parent in (folder, catalog.places().suites / "hidden"):
            item.add_marker(pytest.mark.skip(reason=f"{name} is not written yet"))
        elif item.get_closest_marker("stretch"):
            item.add_marker(pytest.mark.xfail(reason="a stretch never fails a kata"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the line of the learner's file that failed, as editors link it."""
    from grader.plugin import SuitePlugin  # here, so that pytest is the one to load it

    report = yield
    suites = [p for p in item.config.pluginmanager.get_plugins() if isinstance(p, SuitePlugin)]
    if report.failed and isinstance(report.longrepr, str) and suites and suites[0].verdicts:
        found = suites[0].verdicts[-1].counterexample
        if found is not None and found.line:
            name = item.path.stem.removeprefix("test_")
            text = (found.line_text or "").strip()
            report.longrepr += f"\n\nkatas/{name}.py:{found.line}: {text}"
    return report


def _suites(asked: Path, folder: Path) -> Iterator[Path]:
    """The suites of a file of the learner's, or of all of them for the folder or its parent."""
    if asked in (folder, folder.parent):
        yield from (kata.suite for kata in catalog.all_katas())
    elif asked.parent == folder and asked.suffix == ".py":
        try:
            yield catalog.find(asked.stem).suite
        except KataError:
            return


def _is_unwritten(kata: Kata, folder: Path) -> bool:
    try:
        found = submission.read(folder / f"{kata.name}.py")
    except KataError:
        return True  # there is nothing to grade
    except submission.Ungradable:
        return False
    return submission.is_unwritten(kata, found)
