"""A record of a file, looked at before anything relies on it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from prfast.records.inputs import ROLES
from prfast.records.record import FORMAT
from prfast.results.text import listed

_LISTS = ("curves", "metrics", "classes", "inputs", "engines")
_WORDS = ("name", "path", "sha256")


def load_record(path: str) -> dict[str, Any]:
    """A record, as `record` and ``--json`` make it.

    Raises
    ------
    OSError
        The file cannot be opened.
    ValueError
        Not a record, or one of another format.
    """
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: a file of --json expected: {error}") from None
    written = found.get("format") if isinstance(found, Mapping) else None
    if written != FORMAT:
        raise ValueError(f"{path}: format {FORMAT!r} expected, got {written!r}")
    for name in _LISTS:
        if not isinstance(found.get(name, None if name == "inputs" else []), list):
            raise ValueError(f"{path}: {name!r}: a list expected")
    for one in found["inputs"]:
        if not isinstance(one, dict) or one.get("role") not in ROLES:
            raise ValueError(f"{path}: 'inputs': entries with a role, {listed(ROLES)}, expected")
        for name in _WORDS:
            if name not in one or not _is_word(one[name]):
                raise ValueError(
                    f"{path}: 'inputs': entries with {name!r}, a string or null, expected"
                )
    if not _is_word(found.get("folder")):
        raise ValueError(f"{path}: 'folder': a string or null expected")
    command = found.get("command")
    strings = isinstance(command, list) and all(isinstance(one, str) for one in command)
    if command is not None and not (strings and command):
        raise ValueError(f"{path}: 'command': a list of strings expected")
    if command is not None and any(one["path"] is None for one in found["inputs"]):
        raise ValueError(f"{path}: 'inputs': a path of each expected where there is a command")
    return dict(found)


def _is_word(value: Any) -> bool:
    return value is None or isinstance(value, str)
