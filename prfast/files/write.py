"""Atomic writes, and records of how features were made.

The record of `x.npy` is the sidecar file `x.json`, with a checksum of the ends of the array's file.
Beside another array, as in `x.h5`, it is that file's unless there is an `x.npy`.  Other JSON files
next to an array are not records and are ignored.
"""

from __future__ import annotations

import errno
import json
import os
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray


def write_whole(path: str, write: Callable[[str], None]) -> None:
    """Let `write` fill a new file beside `path`, then move it there: all of it or nothing.

    An existing file is replaced only by a complete one, with the same permissions.  If `path` is a
    link, its target is written.
    """
    target = os.path.realpath(path)
    root, suffix = os.path.splitext(target)  # writers choose the format by the suffix
    draft = f"{root}.{os.urandom(4).hex()}{suffix}"
    try:
        if os.path.exists(target) and not os.path.isfile(target):  # such as a device
            raise OSError(errno.EINVAL, "not a regular file", path)
        write(draft)
        if os.path.exists(target):
            import shutil  # here, as it imports libraries of compression

            shutil.copymode(target, draft)
        os.replace(draft, target)
    except OSError as error:
        # Name `path` instead of the draft.  NumPy's error for a full disk has no errno.
        raise OSError(error.errno or errno.EIO, error.strerror or str(error), path) from None
    finally:
        with suppress(OSError):  # it was moved, or not written
            os.unlink(draft)


def write_text(path: str, text: str) -> None:
    """Write a text file whole, in UTF-8."""

    def write(draft: str) -> None:
        # Names of files that are not UTF-8 have surrogates; these become "?".
        with open(draft, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)

    write_whole(path, write)


def new_npy(path: str, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Return a new .npy file that is mapped into memory, with its space on the disk reserved.

    Without that, writing to it ends the process if the disk is full.
    """
    np.lib.format.open_memmap(path, "w+", dtype, shape)
    try:
        with open(path, "r+b") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, os.path.getsize(path))
    except OSError as error:
        # Others: a file system that cannot reserve space.
        if error.errno in (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", None)):
            raise OSError(error.errno, error.strerror, path) from None
    return np.lib.format.open_memmap(path, "r+")


FORMAT = "prfast.features/1"
_END = 1 << 20


def sidecar(path: str) -> str:
    """Return the path of the record of a file."""
    return os.path.splitext(os.path.realpath(path))[0] + ".json"


def has_record(path: str) -> bool:
    """Return whether a file has a sidecar that is a record, and not that of a .npy file."""
    root, suffix = os.path.splitext(os.path.realpath(path))
    if suffix.lower() != ".npy" and os.path.exists(f"{root}.npy"):
        return False
    try:
        with open(sidecar(path), "rb") as file:
            return b'"prfast.features/' in file.read(200)  # of any version
    except (FileNotFoundError, IsADirectoryError):
        return False


def write_record(path: str, record: Mapping[str, Any], numbers: str | None = None) -> None:
    """Write the record of a .npy file; numbers: where it is now, if it is moved to `path`."""
    entries = {"format": FORMAT, "crc32": _ends_crc(path if numbers is None else numbers)}
    text = json.dumps({**entries, **record}, allow_nan=False, indent=1)
    write_text(sidecar(path), text + "\n")


def read_record(path: str) -> dict[str, Any] | None:
    """Return the record of a file; None without a sidecar; one of another file is refused."""
    if not has_record(path):
        return None
    place = sidecar(path)
    try:
        with open(place, "rb") as file:
            record: dict[str, Any] = json.load(file)
        written = record.pop("format")
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        raise ValueError(f"{place}: the record of features is damaged") from None
    if written != FORMAT:
        raise ValueError(f"{place}: a record of format {FORMAT!r} expected, got {written!r}")
    if record.pop("crc32", None) != _ends_crc(path):
        text = f"the record of the numbers in {path} expected, got that of others"
        raise ValueError(f"{place}: {text}; delete it, or write both files again")
    return record


def _ends_crc(path: str) -> int:
    """Return the CRC-32 of the first and the last MiB of a file; it tells most arrays apart."""
    with open(path, "rb") as file:
        crc = zlib.crc32(file.read(_END))
        file.seek(max(file.seek(0, os.SEEK_END) - _END, 0))
        return zlib.crc32(file.read(), crc)
