"""Files of samples by their endings: .npy (memory-mapped) and .npz loaded here, .csv in `csv`, the
others in `formats`."""

from __future__ import annotations

import os
import re
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from prfast.files.columns import ALL, Refused, Wanted, no_columns, read_wanted
from prfast.files.csv import load_csv
from prfast.files.formats import (
    choose,
    load_arrow,
    load_h5,
    load_parquet,
    load_pt,
    load_safetensors,
)
from prfast.files.sidecar import read_record
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import WrongType
from prfast.inputs.features import Features, record_of, with_record
from prfast.inputs.kinds import kind_of
from prfast.inputs.samples import read_samples

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
    TypeError,
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


def load(path: Any, *, columns: Any = None, drop: Any = None) -> Floats | Features:
    """The samples of a file, as the command line reads them.

    Parameters
    ----------
    path : str or path
        By its ending: .npy (mapped into memory), .npz, .h5, .safetensors or .pt, which hold arrays,
        where there are several FILE:KEY; .csv, .parquet, .arrow or .feather, which hold tables.  A
        sample is a row.  A .csv file is comma-separated, and may begin with one line of column
        names, none of them a number.
    columns : str, sequence of str, or None
        Columns of a table that are features: names, and patterns such as ``"f*"`` or ``"f[0-9]"``.
        In the order given, those of a pattern in the order of the file; None (default) is all.
    drop : str, sequence of str, or None
        Columns that are none, by names or patterns; None (default) is none.

    Returns
    -------
    ndarray or Features, shape (samples, features)
        Finite float32 or float64, of equal values.  A column of vectors of one length
        (FixedSizeList, List) is as many features.  Where a record says how the features were
        made, it is `prfast.features.Features`, the array with its `record`.

    Raises
    ------
    OSError
        The file cannot be opened.
    TypeError, ValueError
        Not such a file, an unknown kind, a key or a column that is not there, columns that are no
        numbers, names asked of an array, numbers that are not finite.
    ImportError
        The library that reads it is missing; the message says how to install it.
    """
    if not isinstance(path, str | os.PathLike):
        raise WrongType("path", f"a path expected, got {kind_of(path)}")
    place = os.fspath(path)
    if not isinstance(place, str):
        raise WrongType("path", f"a path of type str expected, got {kind_of(place)}")
    found = load_array(place, read_wanted(columns, drop))
    samples: Floats | Features = with_record(read_samples(place, found), record_of(found))
    return samples


def load_array(path: str, wanted: Wanted = ALL) -> Any:
    """The array or table in a file, for `inputs` to check; what it may be, `load` says.

    Raises
    ------
    OSError
        The file cannot be opened.
    ValueError
        Not such a file, an unknown kind, a missing key, columns that are none of numbers or that
        are not there.
    ImportError
        The library that reads it is missing; the message says how to install it.
    """
    place, key = place_and_key(path)
    suffix = Path(place).suffix.lower()
    if suffix not in _ARRAYS and suffix not in _TABLES:
        if os.path.isdir(place):
            raise ValueError(f"{path}: a file expected, got a folder{_of_pictures(place)}")
        if not suffix:
            os.stat(place)  # missing, rather than of an unknown kind: the system's own message
        *kinds, last = [*_ARRAYS, *_TABLES]
        raise ValueError(f"{path}: a {', '.join(kinds)} or {last} file expected")
    with open(place, "rb"):
        pass  # missing or forbidden: the system's own message, before any reader's
    if wanted and suffix in _ARRAYS:
        raise no_columns(path)
    try:
        if suffix in _TABLES:
            return _TABLES[suffix](place, wanted)
        return _ARRAYS[suffix](place, key)
    except MemoryError as error:  # what a file claims to hold may be anything
        raise too_large(path, error) from None


def too_large(path: str, error: MemoryError) -> MemoryError:
    """The same, of this file."""
    return MemoryError(f"{path}: larger than the memory that there is ({error})")


def _of_pictures(folder: str) -> str:
    """A hint for a folder of images, by their usual endings."""
    with os.scandir(folder) as found:
        some = any(one.name.lower().endswith((".png", ".jpg", ".jpeg")) for one in found)
    return f"; prfast features {folder} -o FILE.npy makes a file of its images" if some else ""


def _reason(error: Exception) -> str:
    """NumPy takes every file that does not begin like one of its own for a pickle, and says how to
    load that, which is done here nowhere."""
    return "pickled objects, or nothing of NumPy's" if "pickle" in str(error) else str(error)


def _load_npy(path: str, key: str | None) -> Any:
    try:
        with np.errstate(over="ignore"):  # of a shape that nothing has room for, NumPy's product
            found = np.load(path, mmap_mode="r", allow_pickle=False)
    except DAMAGED as error:
        raise ValueError(f"{path}: not a .npy file of numbers ({_reason(error)})") from None
    if not isinstance(found, np.ndarray):
        found.close()
        raise ValueError(f"{path}: not a .npy file of numbers (a .npz archive by another name)")
    return with_record(found, read_record(path, found.shape))


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
        raise ValueError(f"{path}: not a .npz archive of numbers ({_reason(error)})") from None


# By the endings of their files, in the order that messages list them.
_ARRAYS: dict[str, Callable[[str, str | None], Any]] = {
    ".npy": _load_npy,
    ".npz": _load_npz,
    ".h5": load_h5,
    ".safetensors": load_safetensors,
    ".pt": load_pt,
}
_TABLES: dict[str, Callable[[str, Wanted], Any]] = {
    ".csv": load_csv,
    ".parquet": load_parquet,
    ".arrow": load_arrow,
    ".feather": load_arrow,
}
_KEYED = re.compile(r"\.(npz|h5|safetensors|pt|zarr):", re.IGNORECASE)
