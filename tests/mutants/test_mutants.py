"""The table of mutants fits the sources: each text is there once, and breaks into another.

And what tries them tells those that a test sees from those that none does.
"""

from pathlib import Path

import pytest
from mutant import Mutant
from mutants_table import MUTANTS
from trials import copied, tried

ROOT = Path(__file__).resolve().parents[2]

SEEN = Mutant(
    "the last row is in no block",
    "prfast/inputs/arrays.py",
    "for start in range(0, count, size))",
    "for start in range(0, count - 1, size))",
    "inputs/test_arrays.py::test_each_row_is_in_one_block",
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.what)
def test_what_is_broken_is_there_once(mutant):
    assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.right) == 1
    assert mutant.right != mutant.wrong
    assert all((ROOT / "tests" / test.split("::")[0]).is_file() for test in mutant.tests.split())


def test_there_are_a_hundred():
    assert len(MUTANTS) >= 100
    assert len({mutant.what for mutant in MUTANTS}) == len(MUTANTS)
    assert len({(mutant.file, mutant.right, mutant.wrong) for mutant in MUTANTS}) == len(MUTANTS)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    to = tmp_path_factory.mktemp("mutants") / "whole"
    copied(ROOT, to)
    return to


@pytest.mark.nightly
def test_a_mutant_that_a_test_sees_is_dead(whole):
    outcome = tried(SEEN, whole)
    assert outcome.dead
    assert outcome.said == "inputs/test_arrays.py::test_each_row_is_in_one_block"
    assert SEEN.right in (whole / SEEN.file).read_text("utf-8")  # the next one has whole sources


@pytest.mark.nightly
def test_a_mutant_that_no_test_sees_survives(whole):
    outcome = tried(SEEN._replace(tests="inputs/test_errors.py"), whole)
    assert (outcome.dead, outcome.said) == (False, "all tests pass")


@pytest.mark.nightly
def test_a_row_whose_tests_are_not_run_is_no_answer(whole):
    with pytest.raises(RuntimeError, match="pytest ended with 4"):
        tried(SEEN._replace(tests="inputs/no_such_file.py"), whole)


def test_a_row_whose_text_is_gone_is_no_answer(whole):
    with pytest.raises(ValueError, match="'no such line' is there 0 times"):
        tried(SEEN._replace(right="no such line"), whole)
