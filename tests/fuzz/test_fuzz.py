"""`python -m tests.fuzz`: new inputs, counted; what is wrong is found, and found again."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.nightly

ROOT = Path(__file__).resolve().parents[2]
PROPERTY = """
import oracles
from hypothesis import given, strategies as st

@given(st.integers(0, 99), st.lists(st.sampled_from([0.25, 0.5]), min_size=2, max_size=2))
def test_a_property(number, p):
    assert oracles.normalized(p).sum() == 1
    assert number < {below}

@given(st.integers(0, 9))
def test_another(number):
    assert number < {below}

def test_no_property():
    raise AssertionError("not of the fuzz")
"""


@pytest.fixture
def fuzz(tmp_path):
    """Run it on properties that numbers below this have."""

    def fuzz(below, *options):
        path = tmp_path / "test_property.py"
        path.write_text(PROPERTY.format(below=below))
        return run(*options, str(path))

    return fuzz


def run(*options):
    return subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *options], cwd=ROOT, capture_output=True, text=True
    )


def test_inputs_and_comparisons_are_counted(fuzz):
    found = fuzz(100, "--seed", "7", "--rounds", "2")
    assert found.returncode == 0, found.stdout
    assert found.stdout.startswith("seed 7\n")
    done = re.search(
        r"2 rounds from seed 7: 2 properties in 4 runs, (\d+) inputs, compared with "
        r"(\d+) answers of slow twins, (\d+) numbers in all, no failure\n$",
        found.stdout,
    )
    inputs, answers, numbers = map(int, done.groups())
    assert 100 < answers <= 200  # one for each input of the first
    assert inputs == answers + 2 * 10  # and all ten of the other, which asks none
    assert numbers == 2 * answers


def test_what_fails_is_printed_with_the_seed_that_finds_it_again(fuzz):
    found = fuzz(99, "--rounds", "20")
    assert found.returncode == 1, found.stdout
    assert "number=99" in found.stdout
    again = re.search(r"Again: python -m tests.fuzz (.*)", found.stdout)[1]
    assert again.endswith("test_property.py::test_a_property")
    again = run(*shlex.split(again))
    assert again.returncode == 1
    assert "number=99" in again.stdout
    assert ": 1 properties in 1 runs" in again.stdout


def test_where_nothing_is_asked_it_does_not_pass():
    found = run("--rounds", "1", "tests/inputs/test_errors.py")  # which has no property
    assert found.returncode == 2, found.stdout
    assert "Nothing was asked" in found.stdout
