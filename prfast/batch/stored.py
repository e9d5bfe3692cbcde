"""What a task found, in a file: arrays and counters, with a checksum, and no code."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Any

from prfast.balls.engines.blocks.parts import PartialResult as Found
from prfast.balls.resources import Work
from prfast.files.write import load_archive, write_archive
from prfast.results.info import version

FORMAT = "prfast.block/1"


def write_found(path: str, found: Any, plan: str, about: str) -> None:
    """One Found, or a tuple of them."""
    several = [found] if isinstance(found, Found) else list(found)
    arrays = {
        f"{i} {j}": array for i, one in enumerate(several) for j, array in enumerate(one.arrays)
    }
    header = {
        "format": FORMAT,
        "version": version(),
        "plan": plan,
        "name": os.path.basename(path),
        "about": about,
        "alone": isinstance(found, Found),
        "work": [asdict(one.work) for one in several],
        "arrays": [len(one.arrays) for one in several],
    }
    write_archive(path, header, arrays)


def load_found(path: str, plan: str) -> Any:
    """What `write_found` wrote for this plan, under this name.

    Raises
    ------
    ValueError
        Another file, a damaged one, one of another plan, one by another's name.
    """
    header, arrays = load_archive(path, FORMAT, "prfast block")
    if header["plan"] != plan:
        raise ValueError(f"{path}: a block of this plan expected, got one of another plan")
    if header["name"] != os.path.basename(path):
        raise ValueError(
            f"{path}: a block by its own name expected, got a copy of {header['name']}"
        )
    found = [
        Found([arrays[f"{i} {j}"] for j in range(number)], Work(**work))
        for i, (number, work) in enumerate(zip(header["arrays"], header["work"], strict=True))
    ]
    return found[0] if header["alone"] else tuple(found)
