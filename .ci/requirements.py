"""python .ci/requirements.py EXTRA...: what the package and its extras ask for, a line each."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text("utf-8"))[
    "project"
]
OWN = re.compile(rf"{PROJECT['name']}\[(.*)\]")


def required(lines: list[str]) -> Iterator[str]:
    """With what the package's own extras stand for."""
    for line in lines:
        own = OWN.fullmatch(line)
        if own is None:
            yield line
        else:
            for extra in own[1].split(","):
                yield from required(PROJECT["optional-dependencies"][extra.strip()])


if __name__ == "__main__":
    wanted = [*PROJECT["dependencies"], *required([f"{PROJECT['name']}[{','.join(sys.argv[1:])}]"])]
    print(*dict.fromkeys(wanted), sep="\n")
