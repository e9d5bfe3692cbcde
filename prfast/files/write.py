"""Atomic writes, and records of how features were made.

The record of `x.npy` is the sidecar file `x.json`, with the shape of the array that it belongs to
and a checksum of the ends of its file.
`.safetensors` has the record in its metadata, `.h5` in the attributes of the data set, both as
JSON under the key `prfast.features`.  Other JSON files next to an array are not records and are
ignored.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import tempfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from prfast.inputs.samples import has_versions


def write_whole(path: str, write: Callable[[str], None]) -> None:
    """Let `write` fill a new file beside `path`, then move it there: all of it or nothing.

    An existing file is replaced only by a complete one, which keeps its permissions.  If `path` is
    a link, its target is written.
    """
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    draft = None
    try:
        mode = _mode(target)
        handle, draft = tempfile.mkstemp(suffix=os.path.splitext(name)[1], dir=folder)
        os.close(handle)
        write(draft)
        os.chmod(draft, mode)
        os.replace(draft, target)
    except BaseException as error:
        if draft is not None:
            with suppress(FileNotFoundError):  # an interrupt after it was moved
                os.unlink(draft)
        if isinstance(error, OSError) and _of_draft(error, folder):
            # Name `path` instead of the draft.  NumPy's error for a full disk has no errno.
            number, words = error.errno or errno.EIO, error.strerror or str(error)
            raise OSError(number, words, path) from None
        raise


# Errors of file systems and C libraries that cannot reserve space.
_NO_ANSWER = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)


def reserve(path: str) -> None:
    """Reserve disk space for a file of its full length, which may be sparse.

    Without it, writing to a memory map of the file ends the process if the disk is full.

    Raises
    ------
    OSError
        There is not enough space; the file has been deleted.
    """
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        with open(path, "r+b") as file:
            os.posix_fallocate(file.fileno(), 0, os.path.getsize(path))
    except OSError as error:
        if error.errno in _NO_ANSWER:
            return
        os.unlink(path)
        raise OSError(error.errno, error.strerror, path) from None


def _of_draft(error: OSError, folder: str) -> bool:
    """Return whether an error is about a file in the folder, or names no file (a full disk)."""
    return error.filename is None or os.path.dirname(str(error.filename)) == folder


def _mode(path: str) -> int:
    """Return the permissions of an existing file, or the default ones of a new file."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, "not a regular file", path)
    return stat.S_IMODE(mode)


# ---- records of features -----------------------------------------------------------------------


FORMAT = "prfast.features/1"
KEY = "prfast.features"
_END = 1 << 20
_START = re.compile(rb'\s*\{\s*"format"\s*:\s*"prfast\.features/')  # of any version


def sidecar(path: str) -> str:
    """Return the path of the record of a .npy file."""
    return os.path.splitext(os.path.realpath(path))[0] + ".json"


def has_record(path: str) -> bool:
    """Return whether the sidecar of a .npy file exists and is a record."""
    try:
        with open(sidecar(path), "rb") as file:
            return _START.match(file.read(200)) is not None
    except (FileNotFoundError, IsADirectoryError):
        return False


def write_record(path: str, record: Mapping[str, Any], numbers: str | None = None) -> None:
    """Write the record of a .npy file; an earlier one is replaced.

    numbers: where the file is now, if it is moved to `path` afterwards.
    """
    numbers = path if numbers is None else numbers
    shape = np.load(numbers, mmap_mode="r", allow_pickle=False).shape
    text = json.dumps(
        {"format": FORMAT, "shape": shape, "crc32": _ends_crc(numbers), **record},
        allow_nan=False,
        indent=1,
    )

    def write(draft: str) -> None:
        with open(draft, "w", encoding="utf-8") as file:
            file.write(text + "\n")

    write_whole(sidecar(path), write)


def read_record(path: str, shape: Sequence[int]) -> dict[str, Any] | None:
    """Return the record of a .npy file whose array has this shape; None if it has no sidecar.

    Raises
    ------
    ValueError
        A damaged record, one of a later version, or of an array of another shape or with other
        numbers in its first or last MiB.
    """
    if not has_record(path):
        return None
    place = sidecar(path)
    with open(place, "rb") as file:
        record = record_from(place, file.read())
    recorded, crc = record.pop("shape", None), record.pop("crc32", None)
    again = "delete it, or write both files again"
    if recorded != list(shape):
        raise ValueError(
            f"{place}: a record of shape {list(shape)}, as {path} has, expected, got {recorded}; "
            f"{again}"
        )
    if crc != _ends_crc(path):
        raise ValueError(
            f"{place}: the record of the numbers in {path} expected, got that of others; {again}"
        )
    return record


def _ends_crc(path: str) -> int:
    """Return the CRC-32 of the first and the last MiB of a file: enough to notice that it holds
    another array, and quick for one that is mapped."""
    with open(path, "rb") as file:
        crc = zlib.crc32(file.read(_END))
        file.seek(max(file.seek(0, os.SEEK_END) - _END, 0))
        return zlib.crc32(file.read(), crc)


def record_from(path: str, text: str | bytes) -> dict[str, Any]:
    """Return a record from its JSON; `path` is for messages."""
    try:
        record: dict[str, Any] = json.loads(text)
        written = record.pop("format")
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        raise ValueError(f"{path}: the record of features is damaged") from None
    if written != FORMAT:
        raise ValueError(f"{path}: a record of format {FORMAT!r} expected, got {written!r}")
    if not has_versions(record):
        raise ValueError(
            f"{path}: the record of features: 'versions', strings or null by their packages, "
            f"expected, got {record['versions']!r}"
        )
    return record
