"""A record in a file of features, where whoever knows nothing of it reads the numbers as before.

`.npy` ends with its last number, and what follows is not looked at, by NumPy or by a map of the
file; a record lies there: the text, JSON in UTF-8, then its length in 8 bytes (the lowest first)
and 16 bytes by which it is known.  `cp` keeps it, `numpy.save` of the loaded array does not.
`.safetensors` has it in its metadata, `.h5` in the attributes of the data set, both as JSON under
the key `prfast.features`; it is read there, and whoever writes such files puts it there.
"""

from __future__ import annotations

import json
import math
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from prfast.inputs.features import has_versions

FORMAT = "prfast.features/1"
KEY = "prfast.features"
_MAGIC = b"\nprfast.features"
_LENGTH = struct.Struct("<Q")
_TAIL = _LENGTH.size + len(_MAGIC)
_START = b'{"format": "prfast.features/'  # as `attach` writes it, in any format


def attach(path: str, record: Mapping[str, Any]) -> None:
    """Put a record behind the last number of a .npy file; one that is there gives way."""
    end = _end_of_numbers(path)
    text = json.dumps({"format": FORMAT, **record}, allow_nan=False).encode()
    with open(path, "r+b") as file:
        file.truncate(end)
        file.seek(end)
        file.write(text + _LENGTH.pack(len(text)) + _MAGIC)


def attached(path: str, end: int) -> dict[str, Any] | None:
    """The record of a .npy file whose numbers end there; None where there is none.

    Raises
    ------
    ValueError
        A record that is not whole, or of another format.
    """
    size = os.path.getsize(path)
    if size <= end:
        return None
    with open(path, "rb") as file:
        file.seek(end)
        start = file.read(len(_START))
        file.seek(max(end, size - _TAIL))
        tail = file.read(_TAIL)
        whole = len(tail) == _TAIL and tail.endswith(_MAGIC)
        if not whole and not _START.startswith(start):
            return None  # what others write there
        if not whole or _LENGTH.unpack(tail[: _LENGTH.size])[0] != size - _TAIL - end:
            raise ValueError(f"{path}: the record behind its numbers is damaged")
        file.seek(end)
        text = file.read(size - _TAIL - end)
    return record_from(path, text)


def record_from(path: str, text: str | bytes) -> dict[str, Any]:
    """A record, from its JSON in a file."""
    try:
        found = json.loads(text, parse_constant=_no_number, parse_float=_finite)
        written = found.pop("format")
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        raise ValueError(f"{path}: the record of its features is damaged") from None
    if written != FORMAT:
        raise ValueError(f"{path}: a record of format {FORMAT!r} expected, got {written!r}")
    if not has_versions(found):
        raise ValueError(
            f"{path}: the record of its features: 'versions', strings or null by their packages, "
            f"expected, got {found['versions']!r}"
        )
    record: dict[str, Any] = found
    return record


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _no_number(text)


def _no_number(text: str) -> NoReturn:
    """JSON has no NaN and no infinity."""
    raise ValueError(text)


def _end_of_numbers(path: str) -> int:
    """Where a .npy file ends, for those who know of no record."""
    if Path(path).suffix.lower() != ".npy":
        raise ValueError(f"{path}: a .npy file expected, which takes a record")
    found = np.load(path, mmap_mode="r", allow_pickle=False)
    return end_of(found)


def end_of(mapped: Any) -> int:
    """The same of a file that is mapped into memory."""
    return int(mapped.offset + mapped.nbytes)
