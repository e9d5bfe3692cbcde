"""Ceilings for the number of files of prfast, and of those that ordinary calls run through.

The aim is at most 20 files for `metrics`, 30 for `pr_curve` and 45 for the command `curve`, with
two arrays in one process, and at most 130 files in all.

`python tests/test_hops.py` prints files, functions and the depth of calls.
"""

import contextlib
import gc
import io
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import prfast
from prfast.cli import main

PACKAGE = Path(prfast.__file__).parent
CEILINGS = {"metrics": 15, "pr_curve": 29, "prfast curve": 41}
FILES_IN_ALL = 130


class Trace(NamedTuple):
    files: list[str]
    functions: int
    depth: int
    """The most functions of prfast that were active at once."""


def calls(folder, size=120):
    """Return the three calls by name, of so many samples of sets that overlap: curves of equal or
    disjoint sets skip the check against metrics."""
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(size, 3)), rng.normal(size=(size, 3)) + 1.0
    paths = [str(folder / "real.npy"), str(folder / "fake.npy")]
    for path, points in zip(paths, (real, fake), strict=True):
        np.save(path, points)

    def command():
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert main(["curve", *paths, "--jobs", "1"]) == 0

    return {
        "metrics": lambda: prfast.metrics(real, fake, n_jobs=1),
        "pr_curve": lambda: prfast.pr_curve(real, fake, n_jobs=1),
        "prfast curve": command,
    }


def trace(call):
    """Trace the Python code of prfast in a call."""
    entered, deepest = set(), 0

    def enter(frame, _, __):
        nonlocal deepest
        if is_own(frame):
            entered.add((frame.f_code.co_filename, frame.f_code.co_qualname))
            active = 0
            while frame is not None:
                active += is_own(frame)
                frame = frame.f_back
            deepest = max(deepest, active)

    gc.collect()  # finalizers of earlier tests would run during the call
    before = sys.gettrace()
    sys.settrace(enter)
    try:
        call()
    finally:
        sys.settrace(before)
    files = sorted({Path(path).relative_to(PACKAGE).as_posix() for path, _ in entered})
    return Trace(files, len(entered), deepest)


def is_own(frame):
    return frame.f_code.co_filename.startswith(str(PACKAGE))


def traced(name, folder):
    """Trace the call of this name, after one of few samples, which imports modules."""
    calls(folder, 60)[name]()
    return trace(calls(folder)[name])


@pytest.mark.parametrize("name", CEILINGS)
def test_a_call_runs_through_no_more_files(name, tmp_path, monkeypatch):
    for variable in ("PRFAST_ISA", "PRFAST_FILTER"):
        monkeypatch.delenv(variable, raising=False)
    files = traced(name, tmp_path).files
    assert len(files) <= CEILINGS[name], "\n".join(files)


def test_arrays_do_not_import_prfast_distributed(tmp_path):
    """Neither do the functions that compute with arrays, nor a command without --cluster."""
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_hops import calls\n"
        "for call in calls(Path(sys.argv[1]), 60).values():\n"
        "    call()\n"
        "loaded = [name for name in sys.modules if name.startswith('prfast.distributed')]\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True)


def test_the_package_has_no_more_files():
    assert len([*PACKAGE.rglob("*.py")]) <= FILES_IN_ALL


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    for name in CEILINGS:
        with TemporaryDirectory() as scratch:
            result = traced(name, Path(scratch))
        print(
            f"{name}: {len(result.files)} files, {result.functions} functions, {result.depth} deep"
        )
    print(f"{len([*PACKAGE.rglob('*.py')])} files in all")
