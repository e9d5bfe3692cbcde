"""Files of samples by their endings: .npy (memory-mapped), .npz and .csv loaded here, the others in
`formats`."""

from __future__ import annotations

import os
import re
import struct
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from prfast.files.attached import attached, end_of
from prfast.files.formats import Refused, choose, load_h5, load_parquet, load_pt, load_safetensors
from prfast.inputs.features import with_record

try:
    from lzma import LZMAError
except ImportError:  # a Python without it reads no such member either
    LZMAError = zlib.error  # type: ignore[assignment,misc]

# What NumPy lets through for files that are not what their names say; RuntimeError is an encrypted
# member of an archive or, as NotImplementedError, one of an unknown kind.
DAMAGED = (
    EOFError,
    LZMAError,
    OSError,
    OverflowError,
    RuntimeError,
    SyntaxError,
    ValueError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)


def place_and_key(path: str) -> tuple[str, str | None]:
    """`data.npz:key` as the file and the key; None for a path that names no key."""
    if os.path.exists(path):
        return path, None
    places = [path[: found.end() - 1] for found in _KEYED.finditer(path)]
    if not places:
        return path, None
    place = next((place for place in places if os.path.exists(place)), places[0])
    return place, path[len(place) + 1 :]


def load_array(path: str) -> Any:
    """The array or table in a file, for `inputs` to check.

    `data.npy` is memory-mapped; `data.npz:key` names an array of an archive, and the key may be
    left out where there is only one; the same holds for `.h5`, `.safetensors` and `.pt`, whose keys
    may be paths, as in `data.h5:group/features`; `data.csv` has a sample a line, comma-separated,
    and may begin with one line of column names, none of them a number; every column of
    `data.parquet` is a feature.  Where a file says how its features were made, the array has this
    as its `record` (`prfast.inputs.features`).

    Raises
    ------
    OSError
        The file cannot be opened.
    ValueError
        Not such a file, an unknown kind, a missing key.
    ImportError
        The library that reads it is missing; the message says how to install it.
    """
    place, key = place_and_key(path)
    suffix = Path(place).suffix.lower()
    if suffix not in _LOADERS:
        *kinds, last = _LOADERS
        raise ValueError(f"{path}: a {', '.join(kinds)} or {last} file expected")
    with open(place, "rb"):
        pass  # missing or forbidden: the system's own message, before any reader's
    return _LOADERS[suffix](place, key)


def _load_npy(path: str, key: str | None) -> Any:
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except DAMAGED as error:
        raise ValueError(f"{path}: not a .npy file of numbers ({error})") from None
    if not isinstance(found, np.ndarray):
        found.close()
        raise ValueError(f"{path}: not a .npy file of numbers (a .npz archive by another name)")
    return with_record(found, attached(path, end_of(found)))


def _load_npz(path: str, key: str | None) -> Any:
    try:
        with open(path, "rb") as file:  # NumPy would leave a broken one open
            archive = np.load(file, allow_pickle=False)
            if isinstance(archive, np.ndarray):
                raise ValueError("a .npy file by another name")
            return archive[choose(path, key, archive.keys())]
    except Refused:
        raise
    except DAMAGED as error:
        raise ValueError(f"{path}: not a .npz archive of numbers ({error})") from None


def _load_csv(path: str, key: str | None) -> Any:
    try:
        with open(path, encoding="utf-8-sig") as file:
            first = file.readline()
        if not first.strip():
            raise ValueError("its first line is empty")
        cells = first.strip().split(",")
        # pandas names the columns of an array 0, 1, 2 …; in a few columns it may be a sample.
        if len(cells) >= 4 and cells == [str(i) for i in range(len(cells))]:
            raise ValueError("its first line counts the columns: write it without, or with names")
        header = not any(_is_number(cell) for cell in cells)
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


# By the endings of their files, in the order that messages list them.
_LOADERS: dict[str, Callable[[str, str | None], Any]] = {
    ".npy": _load_npy,
    ".npz": _load_npz,
    ".csv": _load_csv,
    ".parquet": load_parquet,
    ".h5": load_h5,
    ".safetensors": load_safetensors,
    ".pt": load_pt,
}
_KEYED = re.compile(r"\.(npz|h5|safetensors|pt|zarr):", re.IGNORECASE)
