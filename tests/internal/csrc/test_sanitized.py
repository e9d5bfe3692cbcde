"""The package built for the sanitizers of addresses and of undefined behavior: tests of
kernels, and answers where an allocation of csrc fails.

The flags of Python's own build define overflows (-fwrapv), and those of csrc undo it.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from built import COMPILER, ROOT, build_package, library_of

pytestmark = pytest.mark.nightly

HERE = Path(__file__).parent
TESTS = """\
internal/kernels kernels sorting trees
internal/neighbors distances filter half_tasks heads hostile_sets int8 partitioned_sets search
system/embedding capi capi_refused
internal/scalars kernel
public metrics"""
WRAPPER = f"""#!/bin/sh
case "$*" in *" csrc/"*) set -- "$@" -fno-wrapv -include {HERE}/failing.h ;; esac
exec {COMPILER} "$@" -O1 -g1 -w -fsanitize=address,undefined -fno-sanitize-recover=all
"""
ALLOCATION = re.compile(r"\b(malloc|calloc|realloc)\(")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run Python with arguments in a folder with the sanitized package."""
    if not sys.platform.startswith("linux") or COMPILER is None:
        pytest.skip("a compiler, and the loader of Linux, which puts the sanitizers first")
    libraries = [library_of(COMPILER, f"lib{name}.so") for name in ("asan", "ubsan")]
    if None in libraries:
        pytest.skip("the compiler has no sanitizers, or they are no libraries of their own")
    folder = tmp_path_factory.mktemp("sanitized")
    (folder / "cc").write_text(WRAPPER)
    (folder / "cc").chmod(0o755)
    build_package(folder, str(folder / "cc"))
    hooks = folder / "failing.so"
    subprocess.run([COMPILER, "-shared", "-fPIC", HERE / "failing.c", "-o", hooks], check=True)
    env = {
        "LD_PRELOAD": " ".join(map(str, (*libraries, hooks))),
        "ASAN_OPTIONS": "detect_leaks=0",  # those of csrc are counted in failing.c
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": str(folder),
    }

    def ran(*arguments):
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=folder, env=os.environ | env, capture_output=True, text=True
        )
        return done.returncode, done.stdout + done.stderr

    return ran


def test_tests_of_the_kernels_pass_under_the_sanitizers(run):
    lines = map(str.split, TESTS.splitlines())
    tests = [f"tests/{folder}/test_{name}.py" for folder, *names in lines for name in names]
    status, output = run("-m", "pytest", "-n0", "-q", "-p", "no:cacheprovider", *tests)
    assert status == 0, output


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("outside(4, 0)", None),
        ("outside(4, 1)", "heap-buffer-overflow"),
        ("overflow(2**31 - 1)", "signed integer overflow"),
    ],
)
def test_faults_of_an_extension_are_reported(run, call, message):
    program = f"import ctypes; from prfast.kernels import trees; ctypes.CDLL(trees.__file__).{call}"
    status, output = run("-c", program)
    assert (status == 0) == (message is None)
    assert (message or "") in output


def test_every_allocation_of_the_source_fails_once(run):
    status, output = run("tests/internal/csrc/failing.py", "failing.so")
    assert status == 0, output
    sites = {
        f"{path.relative_to(ROOT).as_posix()}:{number}"
        for path in (ROOT / "csrc").rglob("*.[ch]")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if ALLOCATION.search(line)
    }
    assert set(output.split()) == sites


def test_an_allocation_that_is_left_behind_is_reported(run):
    status, output = run("tests/internal/csrc/failing.py", "failing.so", "control")
    assert status != 0
    assert "1 allocations are left" in output
