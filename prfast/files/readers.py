"""Samples and labels from files by their endings; `tables` reads those with named columns."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from prfast.files.tables import (
    ALL,
    CSV_ENCODING,
    Refused,
    Selection,
    library,
    load_csv,
    load_parquet,
    no_columns,
    open_parquet,
    read_selection,
    reading,
)
from prfast.files.write import read_record
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import WrongType, kind_of, some_of
from prfast.samples.features import Features, record_of, with_record
from prfast.samples.samples import read_samples


def place_and_key(path: str, *, or_column: bool = False) -> tuple[str, str | None]:
    """Split `data.npz:key` into the file and the key; None for a path without a key.

    or_column: whether the column of `data.csv:column` is a key as well.
    """
    match = _KEYED.fullmatch(path) or (_COLUMN_OF_TABLE.fullmatch(path) if or_column else None)
    if match is None or os.path.exists(path):  # a colon may be part of a file's own name
        return path, None
    return match[1], match[2]


def load(path: Any, *, columns: Any = None, drop: Any = None) -> Floats | Features:
    """Load the samples of a file, as the command line does.

    See also `features.extract` and `distributed.shards`.

    >>> import numpy
    >>> numpy.save("real.npy", numpy.eye(20))
    >>> print(prfast.load("real.npy").shape)

    Parameters
    ----------
    path : str or path
        Its ending is the format.  Arrays: .npy (memory-mapped), .npz, .h5, .safetensors, .pt;
        ``FILE:KEY`` selects an array (not for .npy).  Tables: .csv, .parquet.
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
        The file is damaged or of an unknown format.  A key or column is missing; a column is not
        numeric; columns are selected from an array; a number is not finite.
    ImportError
        The library that reads the format is missing; the message has the command to install it.
    """
    if not isinstance(path, str | os.PathLike):
        raise WrongType("path", f"a path expected, got {kind_of(path)}")
    place: str = os.fspath(path)
    values = load_array(place, read_selection(columns, drop))
    return with_record(read_samples(place, values), record_of(values))


def load_array(path: str, selection: Selection = ALL) -> Any:
    """Return the array or table in a file, unchecked; formats and errors are those of `load`."""
    place, key = place_and_key(path)
    if glob.glob(place) and not os.path.exists(place):
        text = "join the files with np.concatenate, or read shards with --cluster local of curve "
        text += "and metrics (in Python prfast.distributed.shards)"
        raise ValueError(f"{path}: a file expected, got a pattern: {text}")
    suffix = os.path.splitext(place)[1].lower()
    if suffix not in _ARRAYS and suffix not in _TABLES:
        if os.path.isdir(place):
            text = f"got a folder; prfast features {place} -o FILE.npy makes a file of its images"
            raise ValueError(f"{path}: a file expected, {text}")
        if not suffix:
            os.stat(place)  # if missing, raise the system's error, not "unknown format"
        *kinds, last = [*_ARRAYS, *_TABLES]
        raise ValueError(f"{path}: a {', '.join(kinds)} or {last} file expected")
    with open(place, "rb"):
        pass  # if missing or forbidden, raise the system's error, not a reader's
    if suffix in _TABLES:
        return _TABLES[suffix](place, selection)
    if selection:
        raise no_columns(path)
    return with_record(_ARRAYS[suffix](place, key), read_record(place))


def choose_key(path: str, key: str | None, keys: Iterable[str]) -> str:
    """Return the key of the array to load: `key`, or for None the only one in the file."""
    names = list(keys)
    if key is None and len(names) == 1:
        return names[0]
    if key in names:
        return key
    reason = "a key expected" if key is None else f"no key {key!r}"
    if not names:
        raise Refused(f"{path}: {reason}, but there is no array in it")
    raise Refused(f"{path}: {reason}; write {path}:KEY with one of {', '.join(names)}")


def _load_npy(path: str, key: str | None) -> Any:
    with reading(path, "a .npy file of numbers"):
        return np.lib.format.open_memmap(path, mode="r")


def _load_npz(path: str, key: str | None) -> Any:
    with reading(path, "a .npz archive of numbers"), open(path, "rb") as file:
        archive = np.lib.npyio.NpzFile(file, allow_pickle=False)
        return archive[choose_key(path, key, archive.files)]


def load_h5(path: str, key: str | None) -> Any:
    """Return a data set by its path in the file, such as `group/features`."""
    h5py = library("h5py", path)
    with reading(path, "a .h5 file"), h5py.File(path, "r") as file:
        names: list[str] = []
        file.visit(names.append)
        keys = [name for name in names if isinstance(file[name], h5py.Dataset)]
        return file[choose_key(path, None if key is None else key.strip("/"), keys)][()]


def load_safetensors(path: str, key: str | None) -> Any:
    """Return a tensor; bfloat16 as float32 of equal values, since NumPy lacks it."""
    safetensors = library("safetensors", path)
    with reading(path, "a .safetensors file of numbers"):
        with safetensors.safe_open(path, framework="numpy") as file:
            name = choose_key(path, key, file.keys())
            if file.get_slice(name).get_dtype() != "BF16":
                return file.get_tensor(name)
        with open(path, "rb") as raw:
            tensor = dict(safetensors.deserialize(raw.read()))[name]
        upper = np.frombuffer(tensor["data"], "<u2").astype(np.uint32)  # upper half of float32
        return (upper << 16).view(np.float32).reshape(tensor["shape"])


def load_pt(path: str, key: str | None) -> Any:
    """Return a tensor, the only one or by its path in nested containers: `model/0/features`."""
    torch = library("torch", path)
    with reading(path, "a .pt file of tensors"):
        # weights_only: unpickling anything else could run code from the file.
        content = torch.load(path, map_location="cpu", weights_only=True)
    if isinstance(content, torch.Tensor):
        if key is not None:
            raise Refused(f"{path}: no key {key!r}: the file is one tensor, write {path}")
        return content.detach()
    tensors = dict(_tensors("", content))
    return tensors[choose_key(path, key, tensors)].detach()


def _tensors(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the paths and tensors of nested containers."""
    if hasattr(value, "detach"):
        yield name, value
    elif isinstance(value, dict | list | tuple):
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _tensors(f"{name}/{key}" if name else str(key), entry)


# Readers by ending, in the order in which messages list them.
_ARRAYS: dict[str, Callable[[str, str | None], Any]]
_ARRAYS = {".npy": _load_npy, ".npz": _load_npz, ".h5": load_h5}
_ARRAYS |= {".safetensors": load_safetensors, ".pt": load_pt}
_TABLES: dict[str, Callable[[str, Selection], Any]]
_TABLES = {".csv": load_csv, ".parquet": load_parquet}
_KEYED = re.compile(r"(.+?\.(?:npz|h5|safetensors|pt)):(.*)", re.IGNORECASE | re.DOTALL)
_COLUMN_OF_TABLE = re.compile(r"(.*\.(?:csv|parquet)):(.+)", re.IGNORECASE | re.DOTALL)


def load_labels(paths: Sequence[str]) -> list[Any]:
    """Return the labels of several files; `inputs` checks them.

    A path is `labels.npy` or `data.npz:key`, a vector; `labels.csv`, a label per line;
    `data.csv:COLUMN` or `data.parquet:COLUMN`, a table with column names.  Spaces around a label in
    a .csv file are removed.  They are integers if all labels of all files are, written as by
    Python: 1, not 01 or 1_0.
    """
    loaded = [_load_labels(path) for path in paths]
    integers: list[Any] = [None] * len(loaded)
    for i, labels in enumerate(loaded):
        if not isinstance(labels, list):
            integers[i] = labels if labels.dtype.kind in "biu" else None
            continue
        with suppress(ValueError, OverflowError):
            numbers = np.array(labels).astype(np.int64)
            integers[i] = numbers if numbers.astype(np.str_).tolist() == labels else None
    if all(labels is not None for labels in integers):
        return integers
    return [np.asarray(labels) for labels in loaded]


def _load_labels(path: str) -> Any:
    """Return an array, or the list of texts of a .csv file, such as "1"."""
    place, column = place_and_key(path, or_column=True)
    suffix = os.path.splitext(place)[1].lower()
    if suffix == ".csv":
        import csv

        with open(place, encoding=CSV_ENCODING, newline="") as lines, reading(place, "a .csv file"):
            rows = [cells for cells in csv.reader(lines) if cells]
            names = rows[0]
            at = _column(place, names, column)
            rows = rows if column is None else rows[1:]
            for cells in rows:
                if len(cells) != len(names):
                    raise Refused(f"{place}: {len(names)} columns expected, got {cells}")
            return [cells[at].strip() for cells in rows]
    if suffix != ".parquet":
        return np.asarray(load_array(path))
    with open_parquet(place) as file:
        names = list(file.schema_arrow.names)
        values = file.read(columns=[names[_column(place, names, column)]]).column(0)
        if values.null_count:
            raise Refused(f"{place}: a label a sample expected, {values.null_count} are missing")
        return np.asarray(values.to_pylist())


def _column(path: str, names: list[str], column: str | None) -> int:
    """Return the index of the one column with that name or pattern, None for the only one."""
    if column is None and len(names) == 1:
        return 0
    if column is None:
        raise Refused(f"{path}: a column expected; write {path}:NAME, one of {', '.join(names)}")
    matches = Selection((column,)).of(path, names)
    if len(matches) > 1:
        raise Refused(f"{path}: one column expected, {column!r} has {some_of(map(repr, matches))}")
    return names.index(matches[0])
