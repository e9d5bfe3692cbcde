"""Samples from files by their endings; `tables` reads .csv, .parquet, .arrow and .feather.

Each library is imported where it is used; the error for a missing one says how to install it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from prfast.files.tables import (
    ALL,
    Refused,
    Selection,
    library,
    load_arrow,
    load_csv,
    load_parquet,
    no_columns,
    read_selection,
    reading,
)
from prfast.files.write import KEY, read_record, record_from
from prfast.inputs.arrays import Floats, read_samples
from prfast.inputs.errors import WrongType, kind_of
from prfast.inputs.samples import Features, record_of, with_record


def place_and_key(path: str) -> tuple[str, str | None]:
    """Split `data.npz:key` into the file and the key; None for a path without a key."""
    if os.path.exists(path):
        return path, None
    places = [path[: found.end() - 1] for found in _KEYED.finditer(path)]
    if not places:
        return path, None
    place = next((place for place in places if os.path.exists(place)), places[0])
    return place, path[len(place) + 1 :]


def load(path: Any, *, columns: Any = None, drop: Any = None) -> Floats | Features:
    """Load the samples of a file, as the command line does.

    Parameters
    ----------
    path : str or path
        Its ending is the format.  Arrays: .npy (memory-mapped), .npz, .h5, .safetensors, .pt;
        FILE:KEY selects one of several (not for .npy).  Tables: .csv, .parquet, .arrow, .feather.
        Rows are samples.  A .csv file is comma-separated; its first line may have column names,
        none of them a number.
    columns : str, sequence of str, or None
        Columns of a table that are features: names, and patterns such as ``"f*"`` or ``"f[0-9]"``.
        They are in the order given, those that match one pattern in the order of the file.  None
        (default): all.
    drop : str, sequence of str, or None
        Columns to leave out, by names or patterns.  None (default): none.

    Returns
    -------
    ndarray or Features, shape (samples, features)
        Finite float32 or float64 numbers, equal to those in the file.  A column of vectors of
        length d (FixedSizeList, List) gives d features.  If the file has a record of how the
        features were made, the result is a `prfast.features.Features`, an array with its `record`.

    Raises
    ------
    OSError
        The file cannot be opened.
    TypeError, ValueError
        The file is damaged or of an unknown format; a key or column is missing; a column is not
        numeric; columns are selected from an array; a number is not finite.
    ImportError
        The library that reads the format is missing; the message says how to install it.
    """
    if not isinstance(path, str | os.PathLike):
        raise WrongType("path", f"a path expected, got {kind_of(path)}")
    place = os.fspath(path)
    if not isinstance(place, str):
        raise WrongType("path", f"a path of type str expected, got {kind_of(place)}")
    found = load_array(place, read_selection(columns, drop))
    samples: Floats | Features = with_record(read_samples(place, found), record_of(found))
    return samples


def load_array(path: str, selection: Selection = ALL) -> Any:
    """Return the array or table in a file, unchecked; formats and errors are those of `load`."""
    place, key = place_and_key(path)
    suffix = Path(place).suffix.lower()
    if suffix not in _ARRAYS and suffix not in _TABLES:
        if os.path.isdir(place):
            raise ValueError(f"{path}: a file expected, got a folder{_of_pictures(place)}")
        if not suffix:
            os.stat(place)  # if missing, raise the system's error, not "unknown format"
        *kinds, last = [*_ARRAYS, *_TABLES]
        raise ValueError(f"{path}: a {', '.join(kinds)} or {last} file expected")
    with open(place, "rb"):
        pass  # if missing or forbidden, raise the system's error, not a reader's
    if selection and suffix in _ARRAYS:
        raise no_columns(path)
    try:
        if suffix in _TABLES:
            return _TABLES[suffix](place, selection)
        return _ARRAYS[suffix](place, key)
    except MemoryError as error:  # a damaged file may claim any shape
        raise too_large(path, error) from None


def too_large(path: str, error: MemoryError) -> MemoryError:
    """Return a MemoryError that names the file."""
    return MemoryError(f"{path}: larger than the memory that there is ({error})")


def _of_pictures(folder: str) -> str:
    """Return a hint for a message if a folder has images, by common endings."""
    with os.scandir(folder) as found:
        some = any(one.name.lower().endswith((".png", ".jpg", ".jpeg")) for one in found)
    return f"; prfast features {folder} -o FILE.npy makes a file of its images" if some else ""


# ---- readers of arrays -------------------------------------------------------------------------


def choose_key(path: str, key: str | None, keys: Iterable[str]) -> str:
    """Return the key of the array to load: `key`, or for None the only one in the file."""
    known = list(keys)
    if key is None and len(known) == 1:
        return known[0]
    if key in known:
        return key
    wanted = "a key expected" if key is None else f"no key {key!r}"
    if not known:
        raise Refused(f"{path}: {wanted}, but there is no array in it")
    raise Refused(f"{path}: {wanted}; write {path}:KEY with one of {', '.join(known)}")


def _load_npy(path: str, key: str | None) -> Any:
    with reading(path, "a .npy file of numbers"):
        with np.errstate(over="ignore"):  # NumPy multiplies the lengths of an absurd shape
            array = np.load(path, mmap_mode="r", allow_pickle=False)
        if not isinstance(array, np.ndarray):
            array.close()
            raise ValueError("a .npz archive by another name")
    return with_record(array, read_record(path, array.shape))


def _load_npz(path: str, key: str | None) -> Any:
    # NumPy does not close a broken file.
    with reading(path, "a .npz archive of numbers"), open(path, "rb") as file:
        archive = np.load(file, allow_pickle=False)
        if isinstance(archive, np.ndarray):
            raise ValueError("a .npy file by another name")
        return archive[choose_key(path, key, archive.keys())]


def load_h5(path: str, key: str | None) -> Any:
    """Return a data set by its path in the file, such as `group/features`, with its record."""
    with open_h5(path, key) as found:
        text = found.attrs.get(KEY)
        return with_record(found[()], None if text is None else record_from(path, text))


@contextmanager
def open_h5(path: str, key: str | None) -> Iterator[Any]:
    """Open a data set of a .h5 file without reading its values."""
    h5py = library("h5py", path)
    with reading(path, "a .h5 file"), h5py.File(path, "r") as file:
        keys: list[str] = []
        file.visititems(
            lambda name, item: keys.append(name) if isinstance(item, h5py.Dataset) else None
        )
        yield file[choose_key(path, None if key is None else key.strip("/"), keys)]


def load_safetensors(path: str, key: str | None) -> Any:
    """Return a tensor with its record; bfloat16, which NumPy lacks, as float32 of equal values."""
    safetensors = library("safetensors", path)
    with reading(path, "a .safetensors file of numbers"):
        with safetensors.safe_open(path, framework="numpy") as file:
            name = choose_key(path, key, file.keys())
            text = (file.metadata() or {}).get(KEY)
            record = None if text is None else record_from(path, text)
            if file.get_slice(name).get_dtype() != "BF16":
                return with_record(file.get_tensor(name), record)
        tensor = dict(safetensors.deserialize(Path(path).read_bytes()))[name]
        upper = np.frombuffer(tensor["data"], "<u2").astype(np.uint32)  # upper half of float32
        return with_record((upper << 16).view(np.float32).reshape(tensor["shape"]), record)


def load_pt(path: str, key: str | None) -> Any:
    """Return a tensor, the only one or by its path in nested containers: `model/0/features`."""
    torch = library("torch", path, None)
    with reading(path, "a .pt file of tensors"):
        # weights_only: unpickling anything else could run code from the file.
        found = torch.load(path, map_location="cpu", weights_only=True)
    if isinstance(found, torch.Tensor):
        if key is not None:
            raise Refused(f"{path}: no key {key!r}: the file is one tensor, write {path}")
        return found.detach()  # a file has no gradient to lose
    tensors = dict(_tensors("", found, ()))
    return tensors[choose_key(path, key, tensors)].detach()


def _tensors(name: str, found: Any, inside: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """Yield the paths and tensors of nested containers.

    inside: the containers around `found`; one that contains itself is not entered again.
    """
    if hasattr(found, "detach"):
        yield name, found
    elif isinstance(found, dict | list | tuple) and not any(found is one for one in inside):
        for key, entry in found.items() if isinstance(found, dict) else enumerate(found):
            yield from _tensors(f"{name}/{key}" if name else str(key), entry, (*inside, found))


# Readers by ending, in the order in which messages list them.
_ARRAYS: dict[str, Callable[[str, str | None], Any]] = {
    ".npy": _load_npy,
    ".npz": _load_npz,
    ".h5": load_h5,
    ".safetensors": load_safetensors,
    ".pt": load_pt,
}
_TABLES: dict[str, Callable[[str, Selection], Any]] = {
    ".csv": load_csv,
    ".parquet": load_parquet,
    ".arrow": load_arrow,
    ".feather": load_arrow,
}
_KEYED = re.compile(r"\.(npz|h5|safetensors|pt|zarr):", re.IGNORECASE)
