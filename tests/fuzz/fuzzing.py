"""A plugin of pytest for `python -m tests.fuzz`: properties alone, in an order of the seed, until
the time is over; how many inputs they saw, and how much slow twins answered for them."""

from __future__ import annotations

import functools
import inspect
import json
import os
import random
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

TOLD = json.loads(os.environ["PRFAST_FUZZ"])
DONE: dict[str, Any] = dict.fromkeys(["runs", "inputs", "answers", "numbers"], 0)
DONE |= {"began": 0.0, "asked": [], "failed": []}
# What a busy machine or a rare input costs is no failure.  The suite, whose inputs are the same in
# every run, leaves none of these checks out.
COSTS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
os.environ["PRFAST_EXPLORE"] = "fuzz"
settings.register_profile(
    "fuzz", deadline=None, database=None, print_blob=True, suppress_health_check=COSTS
)
settings.load_profile("fuzz")


def pytest_configure(config: pytest.Config) -> None:
    # What methods say of samples that they contradict each other on is right of many an input.
    config.addinivalue_line("filterwarnings", "ignore::prfast.Contradiction")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    import oracles

    for name, function in inspect.getmembers(oracles, inspect.isfunction):
        if function.__module__ == "oracles":
            setattr(oracles, name, _compared(function))
    others = [item for item in items if item.get_closest_marker("hypothesis") is None]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in set(others)]
    random.Random(TOLD["seed"]).shuffle(items)
    for handle in {id(item.obj.hypothesis): item.obj.hypothesis for item in items}.values():
        handle.inner_test = _counted(handle.inner_test)
    DONE["began"] = time.time()  # however long a busy machine takes to collect the tests


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if time.time() > DONE["began"] + TOLD["seconds"]:
        item.session.shouldstop = "the time is over"
        pytest.skip("the time is over")
    DONE["runs"] += 1
    DONE["asked"].append(_name(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and _name(item) not in DONE["failed"]:
        DONE["failed"].append(_name(item))
    return report


def _name(item: pytest.Item) -> str:
    """What pytest is told to run it alone, wherever its file is."""
    return "::".join([os.path.relpath(item.path), *item.nodeid.split("::")[1:]])


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    DONE["seconds"] = time.time() - DONE["began"]
    Path(TOLD["report"]).write_text(json.dumps(DONE))
    if exitstatus in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.OK  # stopped by the clock, or no time to begin


def _counted(inner: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(inner)
    def counted(*args: Any, **named: Any) -> Any:
        DONE["inputs"] += 1
        return inner(*args, **named)

    return counted


_DEPTH = [0]


def _compared(twin: Callable[..., Any]) -> Callable[..., Any]:
    """A slow twin that counts its numbers, but for those that other twins ask for."""

    @functools.wraps(twin)
    def compared(*args: Any, **named: Any) -> Any:
        _DEPTH[0] += 1
        try:
            found = twin(*args, **named)
        finally:
            _DEPTH[0] -= 1
        if not _DEPTH[0]:
            DONE["answers"] += 1
            DONE["numbers"] += _size(found)
        return found

    return compared


def _size(found: Any) -> int:
    if isinstance(found, dict):
        found = list(found.values())
    if isinstance(found, list | tuple):
        return sum(map(_size, found))
    return int(getattr(found, "size", 1))
