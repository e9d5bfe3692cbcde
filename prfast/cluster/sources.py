"""Rows of files, as what a task is given: a hundred bytes that load them where the task runs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from prfast.files.ranges import kind_of_file
from prfast.inputs.arrays import Floats, read_numbers
from prfast.inputs.errors import WrongValue


@dataclass(frozen=True)
class FileRows:
    """The rows [start, stop) of a file, or of the array of that key in it."""

    place: str
    key: str | None
    start: int
    stop: int
    stamp: tuple[int, ...]
    """What the file was when the rows were counted: bytes, and when they were written."""
    folder: str
    """In which a relative path begins, for workers that run in another."""
    columns: tuple[str, ...] = ()
    """Of a table, those that are read."""

    def raw(self) -> Any:
        """As the file has them.

        Raises
        ------
        ValueError
            The file is no longer what it was.
        """
        self.check()
        kind, wanted = kind_of_file(self.place), self.stop - self.start
        rows = kind.rows(self._path, self.key, self.start, self.stop, self.columns)
        self.check()  # of .npy a map, of which nothing has been read yet
        if len(rows) != wanted:
            words = f"{len(rows)} of {wanted} rows are there"
            raise WrongValue(self.place, f"has changed since it was looked at: {words}")
        return rows

    def check(self) -> None:
        """ValueError where the file is no longer what it was."""
        now = kind_of_file(self.place).stamp(self._path, self.key, self.start, self.stop)
        if now != self.stamp:
            words = (
                "written anew" if now[0] == self.stamp[0] else f"{self.stamp[0]} → {now[0]} bytes"
            )
            raise WrongValue(self.place, f"has changed since it was looked at: {words}")

    @property
    def _path(self) -> str:
        return os.path.join(self.folder, self.place)

    def load(self) -> Floats:
        return read_numbers(self.place, self.raw())


def stamped(
    place: str, key: str | None, start: int, stop: int, columns: tuple[str, ...] = ()
) -> FileRows:
    """Rows of a file as it is now."""
    stamp = kind_of_file(place).stamp(place, key, start, stop)
    return FileRows(place, key, start, stop, stamp, os.getcwd(), columns)
