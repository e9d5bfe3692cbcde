"""Property tests draw the same cases in every run, and N new ones each with PRFAST_EXPLORE=N.

Files that take longest start first.
"""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("seeded", derandomize=True, deadline=None, database=None, max_examples=40)
if EXPLORE := os.environ.get("PRFAST_EXPLORE"):
    # A busy machine or a rare input is no failure.
    costs = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    options = {"derandomize": False, "deadline": None, "database": None, "print_blob": True}
    options |= {"max_examples": int(EXPLORE), "suppress_health_check": costs}
    settings.register_profile("explore", **options)
settings.load_profile("explore" if EXPLORE else "seeded")

# Idle threads of OpenBLAS spin for some 105 ms before they sleep, those of OpenMP for less: of two
# workers on two cores each kept the other waiting for a third of the time.  Workers inherit these.
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "14")  # 2¹⁴ cycles
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


@pytest.fixture
def many_cores(monkeypatch):
    """Up to 16 workers where a test asks for them, however few cores the machine has."""
    from prfast.inputs import concurrency

    monkeypatch.setenv("OMP_NUM_THREADS", str(concurrency.resolve_threads(None)))
    monkeypatch.setattr(concurrency, "usable_cores", lambda: 16)


def pytest_configure(config):
    if EXPLORE:  # of some new inputs the warning that methods contradict each other is right
        config.addinivalue_line("filterwarnings", "ignore::prfast.Contradiction")


TESTS = Path(__file__).parent
# Files of more than ten seconds of CPU, the longest first: one worker runs a whole file, and a long
# file that starts last would keep the others waiting.
LONGEST = (
    "bench/test_bench.py",
    "internal/csrc/test_sanitized.py",
    "test_docs.py",
    "internal/csrc/test_other_processors.py",
    "internal/csrc/test_races.py",
    "system/faults/test_faults.py",
    "internal/neighbors/test_approximate.py",
    "internal/methods/auto/test_auto_extremes.py",
    "system/distributed/test_api.py",
    "internal/neighbors/test_hostile_sets.py",
    "golden/test_golden.py",
    "system/cli/test_program.py",
    "internal/methods/auto/test_auto_estimator.py",
    "system/cli/test_cli_progress.py",
    "internal/neighbors/test_partitioned_sets.py",
    "test_packaging.py",
    "system/cli/test_demo.py",
)


def place(path):
    """Return the rank of a file in LONGEST; all others share the last rank."""
    name = path.relative_to(TESTS).as_posix() if path.is_relative_to(TESTS) else ""
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: place(item.path))  # the others stay as they were
