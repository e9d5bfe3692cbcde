"""A copy of the project, a break in it, and what the tests say of it."""

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

from builds import Command, rebuilt
from mutant import Mutant

FOLDERS = ("prfast", "csrc", "tests", "bench", "docs", "examples")
FILES = ("setup.py", "pyproject.toml", "MANIFEST.in", "LICENSE", "README.md", "CONTRIBUTING.md")
FILES += ("CHANGELOG.md",)
PYTEST = ("-m", "pytest", "-p", "xdist.plugin", "-n0", "-x", "-q", "-p", "no:cacheprovider")
PYTEST += ("-m", "")  # tests marked nightly as well
# On a busy machine a late interrupt would kill a mutant that lives.
PYTEST += ("-k", "not interrupt")


class Outcome(NamedTuple):
    dead: bool
    said: str
    """The first test that fails, or what came instead."""
    seconds: float


def copied(source: Path, to: Path) -> None:
    """The project without its history and its results; with its times, which the compiler asks."""
    for name in FOLDERS:
        ignore = shutil.ignore_patterns("__pycache__", "_build")
        shutil.copytree(source / name, to / name, symlinks=True, ignore=ignore)
    for name in FILES:
        shutil.copy2(source / name, to / name)


def broken(mutant: Mutant, text: str) -> str:
    if text.count(mutant.right) != 1:
        raise ValueError(
            f"{mutant.file}: {mutant.right!r} is there {text.count(mutant.right)} times"
        )
    return text.replace(mutant.right, mutant.wrong)


def answer_of(project: Path, tests: list[str], limit: float) -> Outcome:
    """Does a test of that copy fail?  And the first that does."""
    command = [sys.executable, *PYTEST, *(f"tests/{test}" for test in tests)]
    # Plugins that others have installed take longer to load than most rows to test.
    environment = os.environ | {"PYTHONPATH": str(project), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    start = time.monotonic()
    try:
        ran = subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, timeout=limit
        )
    except subprocess.TimeoutExpired:  # no test has failed: the row needs another break
        return Outcome(False, f"no end in {limit:.0f} s", time.monotonic() - start)
    if ran.returncode not in (0, 1):  # neither all pass nor one fails: nothing was asked
        raise RuntimeError(f"{tests}: pytest ended with {ran.returncode}\n{ran.stdout[-2000:]}")
    failed = [line for line in ran.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if ran.returncode and not failed:  # it is not installed, say
        raise RuntimeError(f"{tests}: pytest did not run\n{ran.stderr[-2000:]}")
    said = failed[0].split(" - ")[0].partition("tests/")[2] if failed else "all tests pass"
    return Outcome(ran.returncode == 1, said, time.monotonic() - start)


def tried(
    mutant: Mutant, whole: Path, commands: Sequence[Command] = (), limit: float = 600.0
) -> Outcome:
    """Break a copy of the whole project, build what is compiled, test it; seconds of all of it."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        shutil.copytree(whole, project, symlinks=True)
        path = project / mutant.file
        path.write_text(broken(mutant, path.read_text("utf-8")), "utf-8")
        if mutant.compiled:
            rebuilt(project, commands, mutant.file)
        outcome = answer_of(project, mutant.tests.split(), limit)
    return outcome._replace(seconds=time.monotonic() - start)
