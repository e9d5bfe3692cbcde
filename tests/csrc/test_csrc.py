"""The C library alone: no warnings, and clean under the address and undefined sanitizers."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPILER = shutil.which(os.environ.get("CC", "cc"))
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def compile_with(flags, target):
    sources = [
        str(Path(__file__).with_name("driver.c")),
        *map(str, sorted((ROOT / "csrc").rglob("*.c"))),
    ]
    command = [COMPILER, "-std=c11", "-g", "-O1", "-I", str(ROOT / "csrc"), *flags, *sources]
    return subprocess.run([*command, "-lm", "-o", str(target)], capture_output=True, text=True)


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
def test_csrc_is_free_of_warnings_and_clean_under_sanitizers(tmp_path):
    probe = tmp_path / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    linked = subprocess.run(
        [COMPILER, *SANITIZERS, str(probe), "-o", str(tmp_path / "probe")], capture_output=True
    )
    sanitizers = SANITIZERS if linked.returncode == 0 else []
    built = compile_with([*WARNINGS, *sanitizers], tmp_path / "driver")
    assert built.returncode == 0, built.stderr
    if not sanitizers:
        pytest.skip("warnings checked; the compiler has no sanitizers")
    ran = subprocess.run([str(tmp_path / "driver")], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
