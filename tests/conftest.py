"""Property tests draw the same cases in every run; PRFAST_EXPLORE=1 draws new ones, and more, and
`python -m tests.fuzz` new ones, as many.  Files that take longest start first."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("seeded", derandomize=True, deadline=None, database=None, max_examples=40)
settings.register_profile("explore", derandomize=False, deadline=None, max_examples=2000)
if os.environ.get("PRFAST_EXPLORE") != "fuzz":  # which has a profile of its own
    settings.load_profile("explore" if os.environ.get("PRFAST_EXPLORE") else "seeded")

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


TESTS = Path(__file__).parent
# Files of more than ten seconds of CPU, the longest first: one worker runs a whole file, and a long
# file that starts last would keep the others waiting.
LONGEST = (
    "bench/test_bench.py",
    "csrc/test_csrc.py",
    "test_docs.py",
    "csrc/test_other_processors.py",
    "csrc/test_races.py",
    "csrc/test_failing.py",
    "faults/test_faults.py",
    "neighbors/test_approximate.py",
    "methods/auto/test_auto_extremes.py",
    "distributed/test_api.py",
    "neighbors/test_hostile_sets.py",
    "golden/test_golden.py",
    "cli/test_program.py",
    "methods/auto/test_auto_estimator.py",
    "cli/test_cli_progress.py",
    "neighbors/test_partitioned_sets.py",
    "neighbors/test_blocks.py",
    "test_packaging.py",
    "cli/test_demo.py",
)


def place(path):
    """Return the rank of a file in LONGEST; all others share the last rank."""
    name = path.relative_to(TESTS).as_posix() if path.is_relative_to(TESTS) else ""
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: place(item.path))  # the others stay as they were
