"""The table of mutants fits the sources: each text is there once, and breaks into another."""

import subprocess
import sys
from pathlib import Path

import pytest
from mutants_table import MUTANTS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.what)
def test_what_is_broken_is_there_once(mutant):
    assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.right) == 1
    assert mutant.right != mutant.wrong
    assert all((ROOT / "tests" / test).exists() for test in mutant.tests.split())


def test_there_are_forty():
    assert len(MUTANTS) >= 40
    assert len({mutant.what for mutant in MUTANTS}) == len(MUTANTS)


def test_words_of_no_mutant_are_refused():
    command = [sys.executable, "-m", "tests.mutants", "no such word"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 2
    assert "words of some mutant expected, got no such word" in ran.stderr
