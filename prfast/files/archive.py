"""Arrays and a header in one file, NumPy's .npz, with a checksum over all of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from prfast.files.load import DAMAGED, too_large
from prfast.files.write import write_whole


def write_archive(path: str, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write the header, as JSON, and the arrays: all of it or nothing."""
    text = json.dumps(header)
    entries: dict[str, Any] = {**arrays, "header": text, "checksum": _checksum(text, arrays)}

    def write(draft: str) -> None:
        with open(draft, "wb") as file:
            np.savez(file, **entries)

    write_whole(path, write)


def load_archive(path: str, wanted: str, writer: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header, without its format, and the arrays.

    Raises
    ------
    FileNotFoundError
    ValueError
        Not a file of `write_archive`, another format than `wanted`, a checksum that does not fit.
    MemoryError
        It claims to hold more than there is room for.
    """
    try:
        with open(path, "rb") as file:  # NumPy would leave a broken one open
            archive = np.load(file, allow_pickle=False)
            arrays = {name: archive[name] for name in archive.files}
        text, checksum = str(arrays.pop("header")), str(arrays.pop("checksum"))
        header = json.loads(text)
        found = header.pop("format")
    except FileNotFoundError:
        raise
    except MemoryError as error:
        raise too_large(path, error) from None
    except (*DAMAGED, AttributeError, KeyError, TypeError) as error:  # a file of another kind
        raise ValueError(f"{path}: a file of {writer} expected: {error}") from None
    if found != wanted:
        raise ValueError(f"{path}: format {wanted!r} expected, got {found!r}")
    if _checksum(text, arrays) != checksum:
        raise ValueError(f"{path}: the checksum does not fit; the file is damaged")
    return header, arrays


def _checksum(text: str, arrays: Mapping[str, Any]) -> str:
    total = hashlib.sha256(text.encode())
    for name, array in arrays.items():
        total.update(f"{name} {array.dtype.str} {array.shape}".encode())
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()
