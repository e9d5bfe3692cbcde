"""The C library alone: IEEE arithmetic, no warnings."""

import graphlib
import re
import subprocess

import pytest
from built import COMPILER, ROOT, WARNINGS

# Folders of csrc, lowest layer first; those of one layer do not include each other.
LAYERS = [
    {"arithmetic"},
    {"masses", "trees", "distances"},
    {"filter"},
    {"engine"},
    {"isa"},
    {"public"},
]
LEVEL = {layer: level for level, folders in enumerate(LAYERS) for layer in folders}
PUBLIC = "prfast/include/prfast.h"  # for others; the layer `public` alone knows it


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


def test_includes_point_downwards():
    csrc, include = ROOT / "csrc", re.compile(r'^\s*#\s*include\s+"(.*)"', re.MULTILINE)
    files = {
        path.relative_to(csrc).as_posix(): set(include.findall(path.read_text(encoding="utf-8")))
        for path in csrc.rglob("*.[ch]")
    }
    assert {file.rpartition("/")[0] for file in files} == {"", *LEVEL}
    for file, included in files.items():
        layer = file.rpartition("/")[0]
        for header in included - {"prfast.h"} - ({PUBLIC} if layer == "public" else set()):
            its = header.rpartition("/")[0]
            assert header in files, file
            assert its == layer or LEVEL[its] < LEVEL.get(layer, 0), (file, header)
    graphlib.TopologicalSorter(files).prepare()  # raises an error where there is a circle
