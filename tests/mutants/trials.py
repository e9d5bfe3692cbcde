"""A copy of the project with a mutant, and the result of its tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from builds import Command, rebuild
from mutants_table import Mutant

FOLDERS = ("prfast", "csrc", "tests", "bench", "docs", "examples")
FILES = ("setup.py", "pyproject.toml", "MANIFEST.in", "LICENSE", "README.md", "CONTRIBUTING.md")
FILES += ("CHANGELOG.md",)
PYTEST = ("-m", "pytest", "-p", "xdist.plugin", "-n0", "-x", "-q", "-p", "no:cacheprovider")
PYTEST += ("-m", "")  # tests marked nightly as well
# On a busy machine a late interrupt would kill a mutant that lives.
PYTEST += ("-k", "not interrupt")


class Outcome(NamedTuple):
    killed: bool
    result: str
    """The first test that fails, or the reason that none did."""
    seconds: float


def copy_project(source: Path, to: Path) -> None:
    """Copy the project without its history, with modification times, which the build compares."""
    for name in FOLDERS:
        ignore = shutil.ignore_patterns("__pycache__", "_build")
        shutil.copytree(source / name, to / name, symlinks=True, ignore=ignore)
    for name in FILES:
        shutil.copy2(source / name, to / name)


def apply_mutant(mutant: Mutant, text: str) -> str:
    if text.count(mutant.right) != 1:
        raise ValueError(
            f"{mutant.file}: one {mutant.right!r} expected, got {text.count(mutant.right)}"
        )
    return text.replace(mutant.right, mutant.wrong)


def run_tests(project: Path, tests: list[str], limit: float) -> Outcome:
    """Run tests of a copy up to the first that fails."""
    command = [sys.executable, *PYTEST, *(f"tests/{test}" for test in tests)]
    # Loading other installed plugins takes longer than the tests of most mutants.
    environment = os.environ | {"PYTHONPATH": str(project), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    start = time.monotonic()
    try:
        ran = subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, timeout=limit
        )
    except subprocess.TimeoutExpired:  # no test has failed: the row needs another mutant
        return Outcome(False, f"no end in {limit:.0f} s", time.monotonic() - start)
    if ran.returncode not in (0, 1):  # neither all pass nor one fails
        raise RuntimeError(f"{tests}: pytest ended with {ran.returncode}\n{ran.stdout[-2000:]}")
    failed = [line for line in ran.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if ran.returncode and not failed:  # pytest did not start
        raise RuntimeError(f"{tests}: pytest did not run\n{ran.stderr[-2000:]}")
    result = failed[0].split(" - ")[0].partition("tests/")[2] if failed else "all tests pass"
    return Outcome(ran.returncode == 1, result, time.monotonic() - start)


def try_mutant(
    mutant: Mutant, whole: Path, commands: Sequence[Command] = (), limit: float = 600.0
) -> Outcome:
    """Apply a mutant to a copy of the project, compile what it changes, and run its tests."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        shutil.copytree(whole, project, symlinks=True)
        path = project / mutant.file
        path.write_text(apply_mutant(mutant, path.read_text("utf-8")), "utf-8")
        if mutant.compiled:
            rebuild(project, commands, mutant.file)
        outcome = run_tests(project, mutant.tests.split(), limit)
    return outcome._replace(seconds=time.monotonic() - start)
