"""The C library alone: includes point downwards, no warnings, clean under the sanitizers."""

import graphlib
import os
import re
import subprocess

import pytest
from built import COMPILER, ROOT, WARNINGS, compile_with, links

SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


# Folders of csrc, lowest layer first; those of one layer do not include each other.
LAYERS = [{"arithmetic"}, {"masses", "distances"}, {"filter"}, {"engine"}, {"isa"}, {"public"}]
LEVEL = {layer: level for level, folders in enumerate(LAYERS) for layer in folders}
PUBLIC = "prfast/include/prfast.h"  # for others; the layer `public` alone knows it


def included(folder):
    """{file: the files that it includes by name}, paths from the folder."""
    return {
        path.relative_to(folder).as_posix(): re.findall(
            r'^\s*#\s*include\s+"(.*)"', path.read_text(encoding="utf-8"), re.MULTILINE
        )
        for path in folder.rglob("*.[ch]")
    }


def faults(files):
    """What is wrong with the includes: names, arrows that do not point down, circles."""
    found = []
    for file, others in files.items():
        layer = file.rpartition("/")[0]
        if layer not in LEVEL and file != "prfast.h":
            found.append(f"{file} is in no folder of LAYERS")
        for other in others:
            its = other.rpartition("/")[0]
            if other == PUBLIC and layer == "public":
                continue
            if other not in files:
                found.append(f"{file} includes {other}, which is not there")
            elif other != "prfast.h" and its != layer and LEVEL[its] >= LEVEL.get(layer, 0):
                found.append(f"{file} includes {other}, which is not below")
    try:
        graphlib.TopologicalSorter(files).prepare()
    except graphlib.CycleError as error:
        found.append(f"a circle: {error.args[1]}")
    return found


def test_includes_point_downwards():
    files = included(ROOT / "csrc")
    assert {file.rpartition("/")[0] for file in files} == {"", *LEVEL}
    assert faults(files) == []


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_arithmetic_that_would_undo_the_compensation_is_refused():
    source = ROOT / "csrc" / "masses" / "pool.c"
    built = subprocess.run(
        [
            COMPILER,
            "-std=c11",
            "-I",
            str(ROOT / "csrc"),
            "-ffast-math",
            "-fsyntax-only",
            str(source),
        ],
        capture_output=True,
        text=True,
    )
    assert built.returncode != 0
    assert "prfast needs IEEE arithmetic: compile without -ffast-math" in built.stderr


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_csrc_is_free_of_warnings():
    sources = sorted((ROOT / "csrc").rglob("*.c"))
    command = [COMPILER, "-std=c11", "-I", ROOT / "csrc", "-I", ROOT, "-fsyntax-only", *WARNINGS]
    checked = subprocess.run([*command, *sources], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.nightly
@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_csrc_is_clean_under_sanitizers(tmp_path):
    if not links(SANITIZERS, tmp_path):
        pytest.skip("the compiler has no sanitizers")
    built = compile_with([*WARNINGS, *SANITIZERS], tmp_path / "driver")
    assert built.returncode == 0, built.stderr
    ran = subprocess.run([str(tmp_path / "driver")], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    for control, said in (
        ("outside", "heap-buffer-overflow"),
        ("lost", "LeakSanitizer"),
        ("overflow", "signed integer overflow"),
    ):
        ran = subprocess.run([tmp_path / "driver", control], capture_output=True, text=True)
        assert ran.returncode != 0
        assert said in ran.stderr


@pytest.mark.nightly
@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_blocks_of_a_pass_share_nothing_that_one_of_them_writes(tmp_path):
    """Two threads under TSan, without OpenMP, whose runtime it would not see through."""
    sanitizer = ["-fsanitize=thread", "-pthread"]
    if not links(sanitizer, tmp_path):
        pytest.skip("the compiler has no thread sanitizer, or its programs do not run here")
    built = compile_with(sanitizer, tmp_path / "racing", ["racing.c", "driver_sets.c"])
    assert built.returncode == 0, built.stderr
    halting = os.environ | {"TSAN_OPTIONS": "halt_on_error=1"}
    ran = subprocess.run([tmp_path / "racing"], capture_output=True, text=True, env=halting)
    assert ran.returncode == 0, ran.stderr
    control = [tmp_path / "racing", "control"]
    ran = subprocess.run(control, capture_output=True, text=True, env=halting)
    assert "WARNING: ThreadSanitizer: data race" in ran.stderr
    assert ran.returncode != 0
