"""python .ci/requirements.py EXTRA...: print the requirements of the package and its extras.

It runs before anything is installed, with the standard library only.  Requirements of the package
itself, `NAME[EXTRA,...]`, are expanded.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any


def required(project: dict[str, Any], extras: Sequence[str]) -> list[str]:
    """Return each requirement once, with the package's own extras expanded."""
    return list(dict.fromkeys([*project["dependencies"], *_expand(project, extras)]))


def _expand(project: dict[str, Any], extras: Sequence[str]) -> Iterator[str]:
    known = {_normalize(name): lines for name, lines in project["optional-dependencies"].items()}
    for extra in extras:
        if _normalize(extra) not in known:
            sys.exit(f"an extra of {project['name']} expected ({', '.join(known)}), got {extra!r}")
        for line in known[_normalize(extra)]:
            if _is_own(line, project["name"]):
                yield from _expand(project, _extras(line, project["name"]))
            else:
                yield line


def _normalize(name: str) -> str:
    """Return a name as pip compares names."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def _is_own(line: str, name: str) -> bool:
    match = re.match(r"[\w.-]+", line.strip())
    return match is not None and _normalize(match[0]) == _normalize(name)


def _extras(line: str, name: str) -> list[str]:
    """Return the extras of a requirement of the package itself."""
    match = re.fullmatch(r"[\w.-]+\s*\[([^\]]+)\]", line.strip())
    if match is None:
        sys.exit(f"pyproject.toml: {name}[EXTRA,...] expected and nothing else, got {line!r}")
    return match[1].split(",")


if __name__ == "__main__":
    pyproject = Path(__file__).parents[1] / "pyproject.toml"
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    print(*required(project, sys.argv[1:]), sep="\n")
