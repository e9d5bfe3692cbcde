"""What samples were: checksums, sizes, shapes and dtypes, and how their features were made."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from prfast.files.load import place_and_key
from prfast.inputs.blocks import blocks
from prfast.inputs.features import record_of
from prfast.records.keys import plain_keys

ROLES = ("real", "fake", "labels")
_AT_ONCE = 1 << 22  # bytes


class Checksum(NamedTuple):
    """Of a file; of several files that are one set, of the list of their checksums."""

    sha256: str
    bytes: int
    files: int


def _untold(bytes: int) -> None:
    pass


def looked_at(samples: Any) -> dict[str, Any]:
    """Of samples that have been read: what is known without their file."""
    made = record_of(samples)
    return {
        "shape": [len(samples), int(samples.shape[1])],
        "dtype": np.dtype(samples.dtype).name,
        "features": None if made is None else plain_keys(made),
    }


def look_of_labels(labels: Any) -> dict[str, Any]:
    """The same of labels, one a sample."""
    return {"shape": [len(labels)], "dtype": labels.dtype.name, "features": None}


def input_record(
    role: str, path: str | None, name: str | None, look: dict[str, Any], checksum: Checksum | None
) -> dict[str, Any]:
    """An entry of `inputs`; role: one of ROLES."""
    known = checksum or Checksum("", 0, 0)
    return {
        "role": role,
        "name": name,
        "path": path,
        "sha256": known.sha256 or None,
        "bytes": known.bytes if checksum else None,
        "files": known.files if checksum else None,
        **look,
    }


def size_of(path: str) -> int:
    """Bytes that a checksum of the path reads."""
    return sum(os.path.getsize(one) for one in _files(path))


def checksum_of(path: str, tell: Callable[[int], Any] = _untold) -> Checksum:
    """sha256 of a file's bytes, as sha256sum has it; FILE:KEY is the file.  Of a folder or of a
    pattern that of lines as sha256sum writes them, "sum  name", in the order of the names.

    tell: is called with numbers of bytes that have been read.

    Raises
    ------
    FileNotFoundError
        There is none.
    """
    files = _files(path)
    place, _ = place_and_key(path)
    if files == [place]:
        return Checksum(_of_file(place, tell), os.path.getsize(place), 1)
    base = place if os.path.isdir(place) else os.path.dirname(place)
    lines = [
        f"{_of_file(one, tell)}  {os.path.relpath(one, base or '.').replace(os.sep, '/')}\n"
        for one in files
    ]
    total = hashlib.sha256("".join(lines).encode()).hexdigest()
    return Checksum(total, sum(map(os.path.getsize, files)), len(files))


def checksum_of_array(array: Any) -> Checksum:
    """sha256 of the numbers row by row, as little-endian bytes."""
    total = hashlib.sha256()
    for rows in blocks(len(array), max(1, _AT_ONCE // max(1, array.shape[1] * array.itemsize))):
        some = np.ascontiguousarray(array[rows])
        total.update(some.astype(some.dtype.newbyteorder("<"), copy=False).data.cast("B"))
    return Checksum(total.hexdigest(), int(array.nbytes), 0)


def _of_file(place: str, tell: Callable[[int], Any]) -> str:
    total = hashlib.sha256()
    with open(place, "rb") as file:
        while some := file.read(_AT_ONCE):
            total.update(some)
            tell(len(some))
    return total.hexdigest()


def _files(path: str) -> list[str]:
    """The file, those in a folder, or those of a pattern."""
    place, _ = place_and_key(path)
    if os.path.isdir(place):
        return sorted(
            os.path.join(folder, name) for folder, _, names in os.walk(place) for name in names
        )
    if os.path.exists(place) or not glob.has_magic(place):
        if not os.path.exists(place):
            raise FileNotFoundError(2, os.strerror(2), place)
        return [place]
    found = sorted(glob.glob(place))
    if not found:
        raise FileNotFoundError(2, "no file has a name of this pattern", place)
    return [one for each in found for one in (_files(each) if os.path.isdir(each) else [each])]
