"""Readers of .parquet, .arrow, .feather, .h5, .safetensors and .pt, which need other libraries.

Each library is imported where it is used; the error for a missing one says how to install it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from prfast.files.columns import Refused, Wanted, check_numbers
from prfast.files.write import KEY, record_from
from prfast.inputs.columns import holds_numbers, load_extra
from prfast.inputs.features import with_record


def choose(path: str, key: str | None, keys: Iterable[str]) -> str:
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


def load_parquet(path: str, wanted: Wanted) -> Any:
    """Return a pyarrow table of the selected columns; the others are not read."""
    with open_parquet(path) as file:
        names = parquet_columns(path, file, wanted)
        # select: read() also returns columns whose names begin with a selected name and a dot.
        return file.read(columns=names).select(names)


@contextmanager
def open_parquet(path: str) -> Iterator[Any]:
    """Open a .parquet file without reading any row."""
    parquet = library("pyarrow.parquet", path)
    # Not read_table, which adds columns for folders with names such as x=1/.
    with reading(path, "a .parquet file"), parquet.ParquetFile(path) as file:
        yield file


def parquet_columns(path: str, file: Any, wanted: Wanted) -> list[str]:
    """Return the names of the selected columns, which must be numeric.

    A column with row labels of pandas is refused unless it is selected by its name or dropped.
    """
    return _columns(path, file.schema_arrow, wanted)


def load_arrow(path: str, wanted: Wanted) -> Any:
    """Return a table from an Arrow file (memory-mapped), an Arrow stream or a Feather file."""
    feather = library("pyarrow.feather", path)
    arrow = library("pyarrow", path)
    with reading(path, f"a {Path(path).suffix.lower()} file"):
        with open(path, "rb") as file:
            magic = file.read(6)
        if magic.startswith((b"ARROW1", b"FEA1")):
            table = feather.read_table(path, memory_map=True)
        else:
            with arrow.memory_map(path) as source, arrow.ipc.open_stream(source) as stream:
                table = stream.read_all()
        return table.select(_columns(path, table.schema, wanted))


def _columns(path: str, schema: Any, wanted: Wanted) -> list[str]:
    labels = (schema.pandas_metadata or {}).get("index_columns", [])
    names = wanted.of(path, schema.names)
    for label in labels:
        # The metadata of plain row numbers is a dictionary, not the name of a column.
        if label in names and label not in (wanted.columns or ()):
            raise Refused(
                f"{path}: row labels in the column {label!r} are no feature; write the table "
                f"without them, by index=False, or leave them out: --drop {label}, in Python "
                f"drop=[{label!r}]"
            )
    check_numbers(path, [(name, schema.field(name).type) for name in names], holds_numbers)
    return names


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
        yield file[choose(path, None if key is None else key.strip("/"), keys)]


def load_safetensors(path: str, key: str | None) -> Any:
    """Return a tensor with its record; bfloat16, which NumPy lacks, as float32 of equal values."""
    safetensors = library("safetensors", path)
    with reading(path, "a .safetensors file of numbers"):
        with safetensors.safe_open(path, framework="numpy") as file:
            name = choose(path, key, file.keys())
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
    return tensors[choose(path, key, tensors)].detach()


def _tensors(name: str, found: Any, inside: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """Yield the paths and tensors of nested containers.

    inside: the containers around `found`; one that contains itself is not entered again.
    """
    if hasattr(found, "detach"):
        yield name, found
    elif isinstance(found, dict | list | tuple) and not any(found is one for one in inside):
        for key, entry in found.items() if isinstance(found, dict) else enumerate(found):
            yield from _tensors(f"{name}/{key}" if name else str(key), entry, (*inside, found))


@contextmanager
def reading(path: str, what: str) -> Iterator[None]:
    """Turn any exception of a library about the content of a file into a one-line ValueError."""
    try:
        yield
    except (Refused, MemoryError):
        raise
    except Exception as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise ValueError(f"{path}: not {what} ({reason})") from None


def library(module: str, path: str, extra: str | None = "inputs") -> Any:
    """Import and return the module that reads a file."""
    return load_extra(module, f"{Path(path).suffix.lower()} files", extra, place=path)
