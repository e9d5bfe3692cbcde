"""Files written whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from prfast.files.load import DAMAGED, too_large


def write_whole(path: str, write: Callable[[str], None]) -> None:
    """Let `write` fill a new file beside `path`, then move it there: all of it or nothing.

    An existing file stays as it is unless the new one is complete, and keeps its permissions; where
    `path` is a link, the file that it points to is the one.
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
            # Who knows of a draft?  NumPy has words alone for a disk that is full.
            number, words = error.errno or errno.EIO, error.strerror or str(error)
            raise OSError(number, words, path) from None
        raise


# Of file systems, or C libraries, that cannot keep room: whether there is any is not known.
_NO_ANSWER = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)


def reserve(path: str) -> None:
    """Room on the disk for all of a file that is as long as it will be: a map of one that is not
    there in full ends the process where the disk is full.

    Raises
    ------
    OSError
        There is no room; the file is gone.
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
    """Of a file in the folder, or of one that is not named, as where a disk is full."""
    return error.filename is None or os.path.dirname(str(error.filename)) == folder


def _mode(path: str) -> int:
    """Permissions of an existing file, or the usual ones of a new one."""
    try:
        found = os.stat(path).st_mode
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
    if not stat.S_ISREG(found) and not stat.S_ISDIR(found):
        raise OSError(errno.EINVAL, "not a regular file", path)
    return stat.S_IMODE(found)


# Arrays and a header in one file, NumPy's .npz, with a checksum over all of it.


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
