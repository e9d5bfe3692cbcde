"""The compiled modules: all of them once, then again only what a changed file is a part of."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Command(NamedTuple):
    """Of the compiler or the linker, as setup.py calls them at the root of the project."""

    words: list[str]
    parts: set[str]
    """Files that go into what it makes: sources and headers, or objects."""

    @property
    def makes(self) -> str:
        return self.words[self.words.index("-o") + 1]


def built(project: Path) -> list[Command]:
    """Build the modules in place; the commands that did it, in order."""
    said = _run([sys.executable, "setup.py", "build_ext", "--inplace"], project)
    found = []
    for line in said.splitlines():
        words = shlex.split(line) if " -o build/" in line else []
        if "-c" in words:
            found.append(Command(words, _sources(words, project)))
        elif words:
            found.append(Command(words, {word for word in words if word.endswith(".o")}))
    if not found:
        raise RuntimeError(f"{project}: no command of a compiler in\n{said[-2000:]}")
    return found


def rebuilt(project: Path, commands: Sequence[Command], changed: str) -> None:
    """Once more what that file is a part of, and what that is a part of."""
    new = {changed}
    for command in commands:
        if command.parts & new:
            _run(command.words, project)
            new.add(command.makes)
    for made in new:
        if made.startswith("build/lib"):
            shutil.copy2(project / made, project / Path(*Path(made).parts[2:]))


def _sources(words: list[str], project: Path) -> set[str]:
    """The source, and every header of the project that it includes."""
    source = words[words.index("-c") + 1]
    flags = [word for word in words if word.startswith(("-I", "-D", "-std"))]
    rule = _run([words[0], "-MM", *flags, source], project)
    return {str(Path(one)) for one in rule.replace("\\\n", " ").split(":", 1)[1].split()}


def _run(command: list[str], project: Path) -> str:
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(f"{shlex.join(command)} ended with {ran.returncode}\n{ran.stderr}")
    return ran.stdout
