"""The table of mutants fits the sources."""

from pathlib import Path

import pytest
from mutants_table import MUTANTS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.what)
def test_the_text_of_a_mutant_occurs_once(mutant):
    assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.right) == 1
    assert mutant.right != mutant.wrong
    assert all((ROOT / "tests" / test.split("::")[0]).is_file() for test in mutant.tests.split())
