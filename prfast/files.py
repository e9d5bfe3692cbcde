"""Files of samples: .npy (memory-mapped), .npz with a key, .csv; outputs written whole or not."""

from __future__ import annotations

import errno
import os
import stat
import struct
import tempfile
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

try:
    from lzma import LZMAError
except ImportError:  # a Python without it reads no such member either
    LZMAError = zlib.error  # type: ignore[assignment,misc]

# What NumPy lets through for files that are not what their names say; RuntimeError is an encrypted
# member of an archive or, as NotImplementedError, one of an unknown kind.
_DAMAGED = (
    *(ValueError, EOFError, OSError, RuntimeError, SyntaxError, OverflowError, struct.error),
    *(tokenize.TokenError, zipfile.BadZipFile, zlib.error, LZMAError),
)


def place_and_key(path: str) -> tuple[str, str | None]:
    """`data.npz:key` as the file and the key; the key of anything else is None."""
    if not os.path.exists(path) and ".npz:" in path:
        place, _, key = path.rpartition(":")
        return place, key
    return path, None


def read_array(path: str) -> Any:
    """The array in a file.

    `data.npy` is memory-mapped; `data.npz:key` names an array of an archive, and the key may be
    left out where there is only one; `data.csv` has a sample a line, comma-separated, and may
    begin with one line of column names, none of them a number.

    Raises
    ------
    OSError
        The file cannot be opened.
    ValueError
        Not such a file, an unknown kind, a missing key.
    """
    place, key = place_and_key(path)
    suffix = Path(place).suffix.lower()
    readers: dict[str, Callable[[str, str | None], Any]] = {
        ".npy": _read_npy,
        ".npz": _read_npz,
        ".csv": _read_csv,
    }
    if suffix not in readers:
        raise ValueError(f"{path}: a .npy, .npz or .csv file expected")
    with open(place, "rb"):
        pass  # missing or forbidden: the system's own message, before any reader's
    return readers[suffix](place, key)


def _read_npy(path: str, key: str | None) -> Any:
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except _DAMAGED as error:
        raise ValueError(f"{path}: not a .npy file of numbers ({error})") from None
    if not isinstance(found, np.ndarray):
        found.close()
        raise ValueError(f"{path}: not a .npy file of numbers (a .npz archive by another name)")
    return found


def _read_npz(path: str, key: str | None) -> Any:
    try:
        with open(path, "rb") as file:  # NumPy would leave a broken one open
            archive = np.load(file, allow_pickle=False)
            if isinstance(archive, np.ndarray):
                raise ValueError("a .npy file by another name")
            keys = list(archive.keys())
            if key is None and len(keys) == 1:
                key = keys[0]
            if key not in keys:
                wanted = "a key expected" if key is None else f"no key {key!r}"
                raise KeyError(f"{path}: {wanted}; write {path}:KEY with one of {', '.join(keys)}")
            return archive[key]
    except KeyError as error:
        raise ValueError(error.args[0]) from None
    except _DAMAGED as error:
        raise ValueError(f"{path}: not a .npz archive of numbers ({error})") from None


def _read_csv(path: str, key: str | None) -> Any:
    try:
        with open(path, encoding="utf-8-sig") as file:
            first = file.readline()
        if not first.strip():
            raise ValueError("its first line is empty")
        header = not any(_is_number(cell) for cell in first.split(","))
        if header and first.startswith(","):
            raise ValueError("a column without a name, as of row numbers: write it without them")
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message="loadtxt: input contained no data")
            return np.loadtxt(
                path, delimiter=",", skiprows=int(header), ndmin=2, encoding="utf-8-sig"
            )
    except UserWarning:
        raise ValueError(f"{path}: not comma-separated numbers (only a header)") from None
    except ValueError as error:
        raise ValueError(f"{path}: not comma-separated numbers ({error})") from None


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


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
            os.unlink(draft)
        if isinstance(error, OSError) and os.path.dirname(str(error.filename)) == folder:
            raise OSError(error.errno, error.strerror, path) from None  # who knows of a draft?
        raise


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
