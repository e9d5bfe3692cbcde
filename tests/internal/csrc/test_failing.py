"""Each allocation of the C library fails, alone: it says so, leaves none behind, is not wrong."""

import re
import subprocess

import pytest
from built import COMPILER, DRIVER, ROOT, compile_with

pytestmark = [pytest.mark.skipif(COMPILER is None, reason="no C compiler"), pytest.mark.nightly]
PARTS = ["failing.c", *(part for part in DRIVER if part != "driver.c")]
ALLOCATION = re.compile(r"\b(malloc|calloc|realloc)\(")


@pytest.fixture(scope="module")
def failing(tmp_path_factory):
    program = tmp_path_factory.mktemp("failing") / "failing"
    in_front = ("-include", str(ROOT / "tests" / "internal" / "csrc" / "failing.h"))
    built = compile_with(["-DFAILING", "-O2"], program, PARTS, in_front)
    assert built.returncode == 0, built.stderr
    return program


def test_every_allocation_of_the_source_fails_once(failing):
    ran = subprocess.run([failing], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    failed = {line.removeprefix(f"{ROOT}/") for line in ran.stdout.splitlines()}
    sites = {
        f"{path.relative_to(ROOT).as_posix()}:{number}"
        for path in (ROOT / "csrc").rglob("*.[ch]")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if ALLOCATION.search(line)
    }
    assert failed == sites
    assert int(ran.stderr.split()[0]) > len(sites)  # the first of each scenario, and the last
