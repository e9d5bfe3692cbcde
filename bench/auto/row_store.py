"""Results by family, sizes, seed, draw and method, in a JSON file: none is measured twice.

A long bench is run in pieces, and a new method is measured on the draws that its rivals had.
Whether a method's code has changed is not known here: say which results to forget.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Key(NamedTuple):
    """One draw."""

    family: str
    n: int
    m: int
    seed: int
    draw: int


Row = Mapping[str, Any]


class RowStore:
    """Rows by draw and method; without a file they last as long as the run."""

    def __init__(self, path: Path | None, forget: Iterable[str] = ()) -> None:
        self._path = path
        self._rows: dict[tuple[Key, str], Row] = {}
        forget = set(forget)
        if path is not None and path.is_file():
            for row in json.loads(path.read_text(encoding="utf-8"))["rows"]:
                if row["method"] not in forget:
                    key = Key(*(row[name] for name in Key._fields))
                    self._rows[key, row["method"]] = row

    def missing(self, key: Key, methods: Iterable[str]) -> list[str]:
        """Return those that have no result for the draw."""
        return [method for method in methods if (key, method) not in self._rows]

    def add(self, key: Key, method: str, numbers: Row) -> None:
        self._rows[key, method] = key._asdict() | {"method": method, **numbers}

    def of(self, keys: Iterable[Key], methods: Iterable[str]) -> list[Row]:
        """Return the rows of these draws and methods, as far as there are any."""
        methods = list(methods)
        pairs = [(key, method) for key in keys for method in methods]
        return [self._rows[one] for one in pairs if one in self._rows]

    def write(self) -> None:
        """The whole file anew, under another name first: an interrupted run loses nothing."""
        if self._path is None:
            return
        lines = ",\n".join(json.dumps(row, allow_nan=False) for row in self._rows.values())
        beside = self._path.with_name(self._path.name + ".part")
        beside.write_text(f'{{"rows": [\n{lines}\n]}}\n', encoding="utf-8")
        os.replace(beside, self._path)
