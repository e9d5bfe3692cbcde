"""The loops of OpenMP and calls from many threads of Python, under the thread sanitizer.

GNU OpenMP synchronizes where the sanitizer does not see it: every loop would be a race.  LLVM's
tells it, by its tool archer.  So the package is built once more, by clang, in a folder of its own;
the interpreter is the usual one, whose own accesses are not looked at, but its locks are.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from built import build_package, library_of

pytestmark = pytest.mark.nightly

REPORT = "WARNING: ThreadSanitizer: data race"
RACE = 66  # the exit status with which the sanitizer says so


def clang():
    """The newest there is."""
    return next(filter(None, map(shutil.which, (f"clang-{i}" for i in range(30, 13, -1)))), None)


@pytest.fixture(scope="module")
def tools():
    """Return the compiler, the sanitizer's library and archer."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the sanitizer is put before the interpreter by the loader of Linux")
    compiler = clang()
    if compiler is None:
        pytest.skip("no clang: apt-get install clang-19 libclang-rt-19-dev libomp-19-dev")
    runtime = library_of(compiler, f"libclang_rt.tsan-{os.uname().machine}.so")
    if runtime is None:
        pytest.skip(f"{compiler} has no thread sanitizer: libclang-rt-…-dev of its version")
    archer = library_of(compiler, "libarcher.so")
    if archer is None:
        pytest.skip(f"{compiler} has no OpenMP with archer: libomp-…-dev of its version")
    return compiler, runtime, archer


@pytest.fixture(scope="module")
def package(tools, tmp_path_factory):
    """Return a folder with the package, built for the sanitizer."""
    compiler, *_ = tools
    folder = tmp_path_factory.mktemp("races")
    sanitized = f"{compiler} -fsanitize=thread -shared-libsan"
    build_package(folder, sanitized, "-O1 -g1 -w")
    return folder


@pytest.fixture
def run(tools, package):
    """Run a function of raced.py under the sanitizer; how it ended, and what it said."""
    _, runtime, archer = tools

    def ran(name):
        options = [f"ignore_noninstrumented_modules=1:exitcode={RACE}"]
        if symbolizer := shutil.which("llvm-symbolizer"):
            options.append(f"external_symbolizer_path={symbolizer}")
        env = {
            "PYTHONPATH": str(package),
            "LD_PRELOAD": str(runtime),
            "TSAN_OPTIONS": ":".join(options),
            "OMP_NUM_THREADS": "2",
            # A thread that sleeps is woken by what the sanitizer sees, one that spins is not.
            "OMP_WAIT_POLICY": "passive",
            "OMP_TOOL_LIBRARIES": str(archer),
        }
        command = [sys.executable, Path(__file__).with_name("raced.py"), name]
        result = subprocess.run(command, env=os.environ | env, capture_output=True, text=True)
        output = result.stdout + result.stderr
        assert f"{name}: {package}" in result.stdout, output  # all of it, and in that build
        return result.returncode, output

    return ran


@pytest.mark.parametrize("name", ["loops", "threads"])
def test_there_are_no_races(run, name):
    status, output = run(name)
    assert (status, output.count(REPORT)) == (0, 0), output


def test_a_race_in_a_loop_of_openmp_is_reported(run):
    status, output = run("with_a_race")
    assert status == RACE
    assert REPORT in output


def test_a_race_of_two_threads_of_python_in_the_kernels_is_reported(run):
    status, output = run("same_lists")
    assert status == RACE
    assert re.search(r"SUMMARY: ThreadSanitizer: data race \S*(csrc/|distances\.)", output), output
