"""Features as they are written: a draft beside the file, which goes on where it was interrupted.

Until `x.npy` is there, two files lie beside it: `x.draft.npy`, the numbers, and `x.draft.json`:
what is being made, how many rows are done, and the checksum of what they were made of.  It is there
before the numbers are: numbers alone are somebody else's, and left as they are.  Rows are on the
disk before they are said to be done.  Whoever asks for the same again goes on; whoever asks for
something else is told what differs.  Of two processes at one draft the one that finds the other's
state stops.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.files.sidecar import has_record, sidecar, write_record
from prfast.files.write import reserve, write_whole
from prfast.inputs.errors import WrongValue


class Draft:
    """Rows of a .npy file, written from the first to the last."""

    def __init__(self, path: str, making: Mapping[str, Any], count: int) -> None:
        self.path, self.making, self.count = path, dict(making) | {"count": count}, count
        stem = os.path.splitext(path)[0]
        self.numbers, self.state = f"{stem}.draft.npy", f"{stem}.draft.json"
        self.rows: Any = None
        self._said: str | None = None  # the state, as it is in its file

    def resume(self, digest: Callable[[int], str]) -> int:
        """How many rows are done, 0 where there is no draft; digest: the checksum of so many
        inputs, as they are now.

        Raises
        ------
        ValueError
            A draft of something else, or a damaged one; one of the two files is no draft's.
        """
        if not os.path.exists(self.state):
            if os.path.exists(self.numbers):
                raise WrongValue(
                    self.numbers,
                    f"is where the draft is to be, and is none, as {self.state} is missing; move "
                    "it, or delete it",
                )
            return 0
        try:
            self._said = self._state_now()
            found = json.loads(self._said or "")
            making, done, of_done = found["making"], found["done"], found["inputs_sha256"]
            if type(done) is not int:
                raise ValueError(f"done: a whole number expected, got {done!r}")
            if done == 0 or not os.path.exists(self.numbers):
                return 0
            # Of a file that was cut, "r+" would make one of the full length, with zeros behind.
            np.lib.format.open_memmap(self.numbers, mode="r")
            rows = np.lib.format.open_memmap(self.numbers, mode="r+")
            if rows.ndim != 2 or len(rows) != making["count"] or not 0 < done <= len(rows):
                raise ValueError("of another length")
        except (ValueError, KeyError, TypeError, EOFError) as error:
            whole = os.path.exists(self.numbers)
            raise self._refused(
                f"is damaged ({error})", self.numbers if whole else self.state
            ) from None
        for key in dict.fromkeys([*self.making, *making]):
            if making.get(key) != self.making.get(key):
                raise self._refused(
                    f"was begun with {key} {making.get(key)!r}, now it is {self.making.get(key)!r}"
                )
        if digest(done) != of_done:
            raise self._refused(f"has {done} rows of inputs that have changed since")
        self.rows = rows
        return done

    def _refused(self, why: str, place: str | None = None) -> WrongValue:
        return WrongValue(place or self.numbers, f"{why}; delete it to begin anew")

    def write(self, start: int, rows: NDArray[Any], digest: str) -> None:
        """Some rows; digest: of the inputs up to the last of them."""
        if self.rows is None:
            self._say(0, "")
            shape = (self.count, rows.shape[1])
            try:
                np.lib.format.open_memmap(self.numbers, "w+", rows.dtype, shape)
            except OSError as error:  # as where a file may not be so long
                with suppress(FileNotFoundError):  # it was not begun
                    os.unlink(self.numbers)
                raise OSError(error.errno, error.strerror, self.numbers) from None
            reserve(self.numbers)
            self.rows = np.lib.format.open_memmap(self.numbers, "r+")
        self.rows[start : start + len(rows)] = rows
        self.rows.flush()
        self._say(start + len(rows), digest)

    def _say(self, done: int, digest: str) -> None:
        state = {"making": self.making, "done": done, "inputs_sha256": digest}
        text = json.dumps(state, indent=1)

        def write(draft: str) -> None:
            with open(draft, "w", encoding="utf-8") as file:
                file.write(text)

        self._check_alone()
        write_whole(self.state, write)
        self._said = text

    def _state_now(self) -> str | None:
        if not os.path.exists(self.state):
            return None
        with open(self.state, encoding="utf-8") as file:
            return file.read()

    def _check_alone(self) -> None:
        if self._state_now() != self._said:
            raise WrongValue(
                self.numbers, "another process writes it; wait for it, and run this again"
            )

    def finish(self, record: Mapping[str, Any]) -> None:
        """Move the draft to its place and write the record.

        An earlier record is removed first: an interrupt must not leave it next to other numbers.
        """
        self._check_alone()
        self.rows = None
        if has_record(self.path):
            os.unlink(sidecar(self.path))
        os.replace(self.numbers, os.path.realpath(self.path))
        write_record(self.path, record)
        os.unlink(self.state)
