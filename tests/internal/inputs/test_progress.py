"""One bar over work that lies in work."""

import io
import re
import sys

import numpy as np
import pytest

from prfast import Evaluator, by_class, metrics, pr_curve
from prfast.inputs import options as module
from prfast.inputs.options import Progress, read_progress

RNG = np.random.default_rng(0)
REAL, FAKE = RNG.normal(size=(60, 3)), RNG.normal(size=(50, 3))
LABELS = np.arange(60) % 2, np.arange(50) % 2


@pytest.fixture
def read(capsys):
    """Return a function of what was written to standard error since the last look."""
    return lambda: capsys.readouterr().err


@pytest.fixture
def every_step(monkeypatch):
    """Bars that show each step, however quick."""
    monkeypatch.setattr(module, "INTERVAL", 0.0)


def percents(text):
    return [int(result) for result in re.findall(r"(\d+)%", text)]


def test_a_bar_that_nobody_asked_for_needs_a_terminal_and_time(read, every_step, monkeypatch):
    def work():
        bar = Progress(None)
        with bar.work(2, "quick"):
            bar.advance()
        return read()

    # pytest puts its own stream there before each phase of a test.
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert work() == ""  # it took no two seconds
    monkeypatch.setattr(module, "DELAY", 0.0)
    assert "quick: " in work()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    assert work() == ""


@pytest.mark.parametrize("progress", [None, True])
@pytest.mark.parametrize("closed", [False, True])
def test_a_standard_error_that_is_none_or_closed_stops_no_work(
    every_step, monkeypatch, closed, progress
):
    stream = io.StringIO() if closed else None
    if closed:
        stream.close()
    monkeypatch.setattr(sys, "stderr", stream)
    result = metrics(REAL, FAKE, 3, progress=progress)
    monkeypatch.undo()
    assert result == metrics(REAL, FAKE, 3, progress=False)


def test_a_variable_of_the_environment_switches_all_bars_off(monkeypatch):
    monkeypatch.setenv("PRFAST_PROGRESS", "0")
    assert read_progress(None).visible is False
    assert read_progress(True).visible is True
    monkeypatch.delenv("PRFAST_PROGRESS")
    assert read_progress(None).visible is None


@pytest.mark.parametrize(
    "call",
    [
        lambda progress: metrics(REAL, FAKE, (3, 5), progress=progress),
        lambda progress: pr_curve(REAL, FAKE, "kmeans", runs=3, clusters=4, progress=progress),
        lambda progress: pr_curve(REAL, FAKE, folds=2, progress=progress),
        lambda progress: Evaluator(REAL, "ipr", halvings=2, progress=progress).compare({"a": FAKE}),
        lambda progress: by_class(REAL, FAKE, *LABELS, "knn", progress=progress).curves,
    ],
    ids=["metrics", "kmeans", "auto", "evaluator", "by_class"],
)
def test_every_call_has_one_bar_that_moves_and_changes_nothing(call, read, every_step):
    without = call(False)
    assert read() == ""
    progress = call(True)
    result = percents(read())
    assert result == sorted(result)  # one bar, which never goes back
    assert (result[0], result[-1]) == (0, 100)
    assert len(set(result)) >= 3
    assert progress == without
