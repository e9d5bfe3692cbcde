"""Rows of files, as what a task is given: a hundred bytes that load them where the task runs."""

from __future__ import annotations

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

    def raw(self) -> Any:
        """As the file has them.

        Raises
        ------
        ValueError
            The file is no longer what it was.
        """
        self.check()
        found = kind_of_file(self.place).rows(self.place, self.key, self.start, self.stop)
        self.check()  # of .npy a map, of which nothing has been read yet
        return found

    def check(self) -> None:
        """ValueError where the file is no longer what it was."""
        kind = kind_of_file(self.place)
        now = kind.stamp(self.place, self.key, self.start, self.stop)
        if now != self.stamp:
            words = (
                "written anew" if now[0] == self.stamp[0] else f"{self.stamp[0]} → {now[0]} bytes"
            )
            raise WrongValue(self.place, f"has changed since it was looked at: {words}")

    def load(self) -> Floats:
        return read_numbers(self.place, self.raw())


def stamped(place: str, key: str | None, start: int, stop: int) -> FileRows:
    """Rows of a file as it is now."""
    return FileRows(place, key, start, stop, kind_of_file(place).stamp(place, key, start, stop))
