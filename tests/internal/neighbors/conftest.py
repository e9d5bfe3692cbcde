"""Every way to compute a distance, one at a time."""

import pytest
from paths import FEW_PATHS, PATHS, variables


@pytest.fixture(autouse=True)
def enough_cores(many_cores):
    """Calls of several threads have them on every machine."""


def _take(path, monkeypatch):
    for name, value in variables(path).items():
        monkeypatch.setenv(name, value)
    return path


@pytest.fixture(params=PATHS)
def path(request, monkeypatch):
    """Every instruction set of this machine with each filter, and the one without filters."""
    return _take(request.param, monkeypatch)


@pytest.fixture(params=FEW_PATHS)
def some_path(request, monkeypatch):
    """Return the plainest and the best of them, for tests that are slow."""
    return _take(request.param, monkeypatch)
