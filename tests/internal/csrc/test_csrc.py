"""The C library alone: IEEE arithmetic, no warnings."""

import subprocess

import pytest
from built import COMPILER, ROOT, WARNINGS


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_arithmetic_that_would_undo_the_compensation_is_refused():
    source = ROOT / "csrc" / "masses" / "pool.c"
    command = [COMPILER, "-std=c11", "-I", ROOT / "csrc", "-ffast-math", "-fsyntax-only", source]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode != 0
    assert "prfast needs IEEE arithmetic: compile without -ffast-math" in built.stderr


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_csrc_is_free_of_warnings():
    sources = sorted((ROOT / "csrc").rglob("*.c"))
    command = [COMPILER, "-std=c11", "-I", ROOT / "csrc", "-I", ROOT, "-fsyntax-only", *WARNINGS]
    checked = subprocess.run([*command, *sources], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
