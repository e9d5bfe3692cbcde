"""python .ci/requirements.py EXTRA...: what the package and its extras ask for, a line each.

It runs before anything is installed, so it has the standard library alone: of the package's own
extras it reads `NAME[EXTRA,...]`, and refuses what else the package may ask of itself.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any


def required(project: dict[str, Any], extras: Sequence[str]) -> list[str]:
    """Each line once, with what the package's own extras stand for."""
    return list(dict.fromkeys([*project["dependencies"], *_of(project, extras)]))


def _of(project: dict[str, Any], extras: Sequence[str]) -> Iterator[str]:
    known = {_plain(name): lines for name, lines in project["optional-dependencies"].items()}
    for extra in extras:
        if _plain(extra) not in known:
            sys.exit(f"an extra of {project['name']} expected ({', '.join(known)}), got {extra!r}")
        for line in known[_plain(extra)]:
            if _is_own(line, project["name"]):
                yield from _of(project, _named(line, project["name"]))
            else:
                yield line


def _plain(name: str) -> str:
    """As pip compares names."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def _is_own(line: str, name: str) -> bool:
    found = re.match(r"[\w.-]+", line.strip())
    return found is not None and _plain(found[0]) == _plain(name)


def _named(line: str, name: str) -> list[str]:
    """The extras that a line of the package's own asks for."""
    found = re.fullmatch(r"[\w.-]+\s*\[([^\]]+)\]", line.strip())
    if found is None:
        sys.exit(f"pyproject.toml: {name}[EXTRA,...] expected and nothing else, got {line!r}")
    return found[1].split(",")


if __name__ == "__main__":
    pyproject = Path(__file__).parents[1] / "pyproject.toml"
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    print(*required(project, sys.argv[1:]), sep="\n")
