"""Compilation of the project: everything once, then only what depends on a changed file."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Command(NamedTuple):
    """A command of the compiler or the linker, as setup.py runs it at the root of the project."""

    words: list[str]
    inputs: set[str]
    """Its inputs: sources and headers, or objects."""

    @property
    def output(self) -> str:
        return self.words[self.words.index("-o") + 1]


def build(project: Path) -> list[Command]:
    """Build the modules in place, and return the commands in order."""
    output = _run([sys.executable, "setup.py", "build_ext", "--inplace"], project)
    commands = []
    for line in output.splitlines():
        words = shlex.split(line) if " -o build/" in line else []
        if "-c" in words:
            commands.append(Command(words, _sources(words, project)))
        elif words:
            commands.append(Command(words, {word for word in words if word.endswith(".o")}))
    if not commands:
        raise RuntimeError(f"{project}: no command of a compiler in\n{output[-2000:]}")
    return commands


def rebuild(project: Path, commands: Sequence[Command], changed: str) -> None:
    """Run the commands whose inputs depend on a file."""
    if changed.endswith(".pyx"):  # Cython runs first
        _run([sys.executable, "setup.py", "build_ext", "--inplace"], project)
        return
    new = {changed}
    for command in commands:
        if command.inputs & new:
            _run(command.words, project)
            new.add(command.output)
    for path in new:
        if path.startswith("build/lib"):
            shutil.copy2(project / path, project / Path(*Path(path).parts[2:]))


def _sources(words: list[str], project: Path) -> set[str]:
    """Return the source, and every header of the project that it includes."""
    source = words[words.index("-c") + 1]
    flags = [word for word in words if word.startswith(("-I", "-D", "-std"))]
    rule = _run([words[0], "-MM", *flags, source], project)
    return {str(Path(path)) for path in rule.replace("\\\n", " ").split(":", 1)[1].split()}


def _run(command: list[str], project: Path) -> str:
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(f"{shlex.join(command)} ended with {ran.returncode}\n{ran.stderr}")
    return ran.stdout
