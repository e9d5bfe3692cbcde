"""Files that other libraries load: .parquet, .h5, .safetensors, .pt.

Each library is imported where it is used; the error of a missing one says how to install it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from prfast.files.attached import KEY, record_from
from prfast.inputs.extra import load_extra
from prfast.inputs.features import with_record


class Refused(ValueError):
    """A file that is whole, and does not say which numbers are the features."""


def choose(path: str, key: str | None, keys: Iterable[str]) -> str:
    """The key of the array to load: the one asked for, or the only one."""
    known = list(keys)
    if key is None and len(known) == 1:
        return known[0]
    if key in known:
        return key
    wanted = "a key expected" if key is None else f"no key {key!r}"
    if not known:
        raise Refused(f"{path}: {wanted}, but there is no array in it")
    raise Refused(f"{path}: {wanted}; write {path}:KEY with one of {', '.join(known)}")


def load_parquet(path: str, key: str | None) -> Any:
    """A pyarrow table; row labels that pandas has made a column are refused."""
    parquet = library("pyarrow.parquet", path)
    # Not read_table, which makes columns of folders named as in x=1/.
    with reading(path, "a .parquet file"), parquet.ParquetFile(path) as file:
        check_labels(path, file)
        return file.read()


def check_labels(path: str, file: Any) -> None:
    """Refuse a .parquet file in which row labels of pandas are a column."""
    for label in (file.schema_arrow.pandas_metadata or {}).get("index_columns", []):
        if isinstance(label, str):  # plain row numbers are none
            raise Refused(
                f"{path}: row labels in the column {label!r} are no feature; write the table "
                "without them, by index=False"
            )


def load_h5(path: str, key: str | None) -> Any:
    """A data set, by its path in the file as in `group/features`."""
    with open_h5(path, key) as found:
        text = found.attrs.get(KEY)
        return with_record(found[()], None if text is None else record_from(path, text))


@contextmanager
def open_h5(path: str, key: str | None) -> Iterator[Any]:
    """A data set of a .h5 file, none of which has been read yet."""
    h5py = library("h5py", path)
    with reading(path, "a .h5 file"), h5py.File(path, "r") as file:
        keys: list[str] = []
        file.visititems(
            lambda name, item: keys.append(name) if isinstance(item, h5py.Dataset) else None
        )
        yield file[choose(path, None if key is None else key.strip("/"), keys)]


def load_safetensors(path: str, key: str | None) -> Any:
    """A tensor; bfloat16, which NumPy does not have, as float32 of equal values."""
    safetensors = library("safetensors", path)
    with reading(path, "a .safetensors file of numbers"):
        with safetensors.safe_open(path, framework="numpy") as file:
            name = choose(path, key, file.keys())
            text = (file.metadata() or {}).get(KEY)
            record = None if text is None else record_from(path, text)
            if file.get_slice(name).get_dtype() != "BF16":
                return with_record(file.get_tensor(name), record)
        tensor = dict(safetensors.deserialize(Path(path).read_bytes()))[name]
        upper = np.frombuffer(tensor["data"], "<u2").astype(np.uint32)  # halves of float32
        return with_record((upper << 16).view(np.float32).reshape(tensor["shape"]), record)


def load_pt(path: str, key: str | None) -> Any:
    """A tensor, alone or in nested dictionaries and lists: `model/0/features`."""
    torch = library("torch", path, None)
    with reading(path, "a .pt file of tensors"):
        # Numbers only: a file of this kind may otherwise run whatever it likes.
        found = torch.load(path, map_location="cpu", weights_only=True)
    if isinstance(found, torch.Tensor):
        if key is not None:
            raise Refused(f"{path}: no key {key!r}: the file is one tensor, write {path}")
        return found.detach()  # a file has no gradient to lose
    tensors = dict(_tensors("", found))
    return tensors[choose(path, key, tensors)].detach()


def _tensors(name: str, found: Any) -> Iterator[tuple[str, Any]]:
    if hasattr(found, "detach"):
        yield name, found
    elif isinstance(found, dict | list | tuple):
        for key, entry in found.items() if isinstance(found, dict) else enumerate(found):
            yield from _tensors(f"{name}/{key}" if name else str(key), entry)


@contextmanager
def reading(path: str, what: str) -> Iterator[None]:
    """Whatever a library raises about the content of a file is one line about the file."""
    try:
        yield
    except (Refused, MemoryError):
        raise
    except Exception as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise ValueError(f"{path}: not {what} ({reason})") from None


def library(module: str, path: str, extra: str | None = "inputs") -> Any:
    """What loads the file, imported."""
    return load_extra(module, f"{Path(path).suffix.lower()} files", extra, place=path)
