"""Records of how features were made, next to their numbers.

The record of `x.npy` is the JSON file `x.json`, with the shape of the array that it belongs to.
`.safetensors` has the record in its metadata, `.h5` in the attributes of the data set, both as JSON
under the key `prfast.features`.  Other JSON files next to an array are not records and are ignored.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from prfast.files.write import write_whole
from prfast.inputs.features import has_versions

FORMAT = "prfast.features/1"
KEY = "prfast.features"
_START = re.compile(rb'\s*\{\s*"format"\s*:\s*"prfast\.features/')  # of any version


def sidecar(path: str) -> str:
    """Return the place of the record of a .npy file."""
    return os.path.splitext(path)[0] + ".json"


def has_record(path: str) -> bool:
    """Return whether the sidecar of a .npy file exists and is a record."""
    try:
        with open(sidecar(path), "rb") as file:
            return _START.match(file.read(200)) is not None
    except (FileNotFoundError, IsADirectoryError):
        return False


def write_record(path: str, record: Mapping[str, Any]) -> None:
    """Write the record of a .npy file; an earlier one is replaced."""
    shape = np.load(path, mmap_mode="r", allow_pickle=False).shape
    text = json.dumps({"format": FORMAT, "shape": shape, **record}, allow_nan=False, indent=1)

    def write(draft: str) -> None:
        with open(draft, "w", encoding="utf-8") as file:
            file.write(text + "\n")

    write_whole(sidecar(path), write)


def read_record(path: str, shape: Sequence[int]) -> dict[str, Any] | None:
    """Return the record of a .npy file whose array has this shape; None if it has no sidecar.

    Raises
    ------
    ValueError
        A damaged record, one of a later version, or of an array of another shape.
    """
    if not has_record(path):
        return None
    place = sidecar(path)
    with open(place, "rb") as file:
        record = record_from(place, file.read())
    recorded = record.pop("shape", None)
    if recorded != list(shape):
        raise ValueError(
            f"{place}: a record of shape {list(shape)}, as {path} has, expected, got {recorded}; "
            "delete it, or write both files again"
        )
    return record


def record_from(path: str, text: str | bytes) -> dict[str, Any]:
    """Return a record from its JSON in a file."""
    try:
        found = json.loads(text, parse_constant=_no_number, parse_float=_finite)
        written = found.pop("format")
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        raise ValueError(f"{path}: the record of features is damaged") from None
    if written != FORMAT:
        raise ValueError(f"{path}: a record of format {FORMAT!r} expected, got {written!r}")
    if not has_versions(found):
        raise ValueError(
            f"{path}: the record of features: 'versions', strings or null by their packages, "
            f"expected, got {found['versions']!r}"
        )
    record: dict[str, Any] = found
    return record


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _no_number(text)


def _no_number(text: str) -> NoReturn:
    """Refuse NaN and infinities, which JSON does not have."""
    raise ValueError(text)
