"""The table of mutants fits the sources, and a run tells killed mutants from those that survive."""

from pathlib import Path

import pytest
from mutant import Mutant
from mutants_table import MUTANTS
from trials import copy_project, try_mutant

ROOT = Path(__file__).resolve().parents[2]

KILLED = Mutant(
    "the last row is in no block",
    "prfast/inputs/arrays.py",
    "for start in range(0, count, size))",
    "for start in range(0, count - 1, size))",
    "inputs/test_row_blocks.py",
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.what)
def test_the_text_of_a_mutant_occurs_once(mutant):
    assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.right) == 1
    assert mutant.right != mutant.wrong
    assert all((ROOT / "tests" / test.split("::")[0]).is_file() for test in mutant.tests.split())


def test_there_are_a_hundred_different_mutants():
    assert len(MUTANTS) >= 100
    assert len({mutant.what for mutant in MUTANTS}) == len(MUTANTS)
    assert len({(mutant.file, mutant.right, mutant.wrong) for mutant in MUTANTS}) == len(MUTANTS)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A copy of the project."""
    to = tmp_path_factory.mktemp("mutants") / "whole"
    copy_project(ROOT, to)
    return to


@pytest.mark.nightly
def test_a_mutant_that_a_test_detects_is_killed(whole):
    outcome = try_mutant(KILLED, whole)
    assert outcome.killed
    assert outcome.result == "inputs/test_row_blocks.py::test_each_row_is_in_one_block"
    assert KILLED.right in (whole / KILLED.file).read_text("utf-8")  # the sources are unchanged


@pytest.mark.nightly
def test_a_mutant_that_no_test_detects_survives(whole):
    outcome = try_mutant(KILLED._replace(tests="inputs/test_errors.py"), whole)
    assert (outcome.killed, outcome.result) == (False, "all tests pass")
