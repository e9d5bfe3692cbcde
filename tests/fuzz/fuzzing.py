"""A plugin of pytest for `python -m tests.fuzz`: only properties, in an order of the seed, until
the time is over; it reports which ran, on how many inputs, and which failed."""

from __future__ import annotations

import functools
import json
import os
import random
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

CONFIG = json.loads(os.environ["PRFAST_FUZZ"])
DONE: dict[str, Any] = {"inputs": 0, "began": 0.0, "properties": [], "failed": []}
# A busy machine or a rare input is no failure.  The ordinary run, whose inputs are always the same,
# keeps all of these checks.
COSTS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
os.environ["PRFAST_EXPLORE"] = "fuzz"
settings.register_profile(
    "fuzz",
    # A new profile extends the current one, which on a CI server is Hypothesis's own "ci": it has
    # derandomize=True, with which every round would have the inputs of the first.
    derandomize=False,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=COSTS,
)
settings.load_profile("fuzz")


def pytest_configure(config: pytest.Config) -> None:
    # For many inputs the warning that methods contradict each other is right.
    config.addinivalue_line("filterwarnings", "ignore::prfast.Contradiction")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    others = [item for item in items if item.get_closest_marker("hypothesis") is None]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in set(others)]
    random.Random(CONFIG["seed"]).shuffle(items)
    for handle in {id(item.obj.hypothesis): item.obj.hypothesis for item in items}.values():
        handle.inner_test = _counted(handle.inner_test)
    DONE["began"] = time.time()  # the time of the collection does not count


def _counted(inner: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(inner)
    def counted(*args: Any, **named: Any) -> Any:
        DONE["inputs"] += 1
        return inner(*args, **named)

    return counted


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if time.time() > DONE["began"] + CONFIG["seconds"]:
        item.session.shouldstop = "the time is over"
        pytest.skip("the time is over")
    DONE["properties"].append(_name(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and _name(item) not in DONE["failed"]:
        DONE["failed"].append(_name(item))
    return report


def _name(item: pytest.Item) -> str:
    """Return the argument of pytest that selects this test, wherever its file is."""
    return "::".join([os.path.relpath(item.path), *item.nodeid.split("::")[1:]])


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    DONE["seconds"] = time.time() - DONE["began"]
    Path(CONFIG["report"]).write_text(json.dumps(DONE))
    if exitstatus in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.OK  # stopped by the clock, or no time to begin
