"""FileRows: a range of rows of a file, small when pickled, that loads them on the worker."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from prfast.files.ranges import kind_of_file
from prfast.inputs.arrays import Floats, read_numbers
from prfast.inputs.errors import WrongValue


@dataclass(frozen=True)
class FileRows:
    """The rows [start, stop) of a file, or of the array `key` in it."""

    place: str
    key: str | None
    start: int
    stop: int
    stamp: tuple[int, ...]
    """Size and modification time of the file when its header was read."""
    folder: str
    """Working directory of the caller, which resolves relative paths on workers."""
    columns: tuple[str, ...] = ()
    """Feature columns of a table."""

    def raw(self) -> Any:
        """Return the rows as stored, without conversion.

        Raises
        ------
        ValueError
            The file has changed since its header was read.
        """
        self.check()
        kind, wanted = kind_of_file(self.place), self.stop - self.start
        rows = kind.rows(self._path, self.key, self.start, self.stop, self.columns)
        self.check()  # .npy is only mapped at this point
        if len(rows) != wanted:
            words = f"{len(rows)} of {wanted} rows are there"
            raise WrongValue(self.place, f"has changed since it was looked at: {words}")
        return rows

    def check(self) -> None:
        """Raise ValueError where the file has changed since its header was read."""
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
        """Return the rows as validated numbers."""
        return read_numbers(self.place, self.raw())


def stamped(
    place: str, key: str | None, start: int, stop: int, columns: tuple[str, ...] = ()
) -> FileRows:
    """Return the rows of a file with the stamp that it has now."""
    stamp = kind_of_file(place).stamp(place, key, start, stop)
    return FileRows(place, key, start, stop, stamp, os.getcwd(), columns)
