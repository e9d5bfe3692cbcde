"""`python -m tests.fuzz`: new inputs, counted; failures are reproduced by their seed."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.nightly

ROOT = Path(__file__).resolve().parents[2]
PROPERTY = """
from hypothesis import given, strategies as st

@given(st.integers(0, 99), st.booleans())
def test_a_property(number, _):
    assert number < {below}

@given(st.integers(0, 9))
def test_another(number):
    assert number < {below}

def test_no_property():
    raise AssertionError("not of fuzzing")
"""


@pytest.fixture
def fuzz(tmp_path):
    """Return a function that fuzzes two properties, which hold for numbers below its argument."""

    def fuzz(below, *options):
        path = tmp_path / "test_property.py"
        path.write_text(PROPERTY.format(below=below))
        return run(*options, str(path))

    return fuzz


def run(*options):
    return subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *options], cwd=ROOT, capture_output=True, text=True
    )


def test_inputs_are_counted(fuzz):
    done = fuzz(100, "--seed", "7", "--rounds", "2")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("seed 7\n")
    pattern = r"2 rounds from seed 7: 2 properties in 4 runs, (\d+) inputs, no failure\n$"
    inputs = int(re.search(pattern, done.stdout)[1])
    assert 100 + 2 * 10 < inputs <= 200 + 2 * 10  # all ten integers of the second property


def test_a_failure_is_printed_with_the_seed_that_reproduces_it(fuzz, monkeypatch):
    """Also on a CI server, where the default profile of Hypothesis has the same inputs each time.

    A round does not draw 99 in one of four cases, 20 rounds in one of 10¹².
    """
    monkeypatch.setenv("CI", "true")
    done = fuzz(99, "--rounds", "20")
    assert done.returncode == 1, done.stdout
    assert "number=99" in done.stdout
    again = re.search(r"Again: python -m tests.fuzz (.*)", done.stdout)[1]
    assert again.endswith("test_property.py::test_a_property")
    again = run(*shlex.split(again))
    assert again.returncode == 1
    assert "number=99" in again.stdout
    assert ": 1 properties in 1 runs" in again.stdout


def test_a_run_without_properties_does_not_pass():
    done = run("--rounds", "1", "tests/inputs/test_errors.py")  # which has no property
    assert done.returncode == 2, done.stdout
    assert "Nothing was run" in done.stdout
