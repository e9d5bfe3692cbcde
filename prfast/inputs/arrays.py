"""Validation of numeric arguments: arrays, vectors, weights, labels.

float32 and float64 keep their dtype.  float16, bfloat16, booleans and integers of up to 16 bits
become float32, wider integers float64 where that is exact.  Every other dtype is refused, because a
silent cast would change values.  Tensors lose their gradient.  Sparse matrices, masked arrays and
arrays on a device are refused.  Libraries are recognized by the module of a type, never imported.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.errors import (
    NotNumbers,
    WrongType,
    WrongValue,
    kind_of,
    libraries_of,
    not_numbers,
)
from prfast.inputs.tables import (
    Table,
    check_exact,
    is_default,
    read_column,
    read_table,
    row_labels_of,
)


def blocks(count: int, size: int) -> Iterator[slice]:
    """Return consecutive slices of `count` rows, `size` rows (at least 1) in each but the last."""
    size = max(1, size)
    return (slice(start, min(start + size, count)) for start in range(0, count, size))


Floats = NDArray[Any]  # float32 or float64, native byte order
Float64s = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
# Types of arrays of NumPy and of numbers, not of another library; a subclass may be a masked array.
PLAIN = (np.ndarray, float, int)


def read_numbers(name: str, values: Any) -> Floats:
    """Return `values` as a float32 or float64 array of the same shape, in native byte order.

    A float array in native byte order is not copied.  Raises TypeError for other dtypes and for
    64-bit integers beyond ±2**53.
    """
    if type(values) in PLAIN:
        array = np.asarray(values)
    elif (table := read_table(name, values)) is not None:
        whole = table.whole
        return _side_by_side(name, table) if whole is None else read_numbers(name, whole)
    else:
        array = to_array(name, values)
    dtype = array.dtype
    if dtype.kind == "f" and dtype.itemsize in (4, 8):
        return array.astype(dtype.newbyteorder("="), copy=False)
    if (dtype.kind in "fbiu" and dtype.itemsize <= 2) or dtype.name == "bfloat16":
        return array.astype(np.float32)
    if dtype.kind in "iu":
        check_exact(name, array)
        return array.astype(np.float64)
    fields = "; numpy.lib.recfunctions.structured_to_unstructured makes columns of its fields"
    raise not_numbers(name, values, dtype, "" if dtype.names is None else fields)


def _side_by_side(name: str, table: Table) -> Floats:
    """Return the columns of a table as one array; a column of vectors gives several features."""
    columns, invalid = [], {}
    for label, column in table.columns:
        try:
            read = read_numbers(f"{name}[{label!r}]", column)
            columns.append(read if read.ndim == 2 else read.reshape(-1, 1))
        except NotNumbers as error:
            invalid[label] = error
        except (TypeError, ValueError):
            if not invalid:
                raise
    if invalid:
        first = next(iter(invalid.values()))
        if len(invalid) == len(table.columns):
            raise first
        hint = f"drop the columns without numbers: {[*invalid]}, or call prfast.compare_tables"
        text, *cures = first.text.split("; ")
        code = [cure for cure in cures if not cure.startswith("prfast.")]
        raise NotNumbers(first.argument, "; ".join([text, hint, *code]))
    if not columns:
        return np.empty((table.rows, 0), np.float32)
    dtype = np.result_type(np.float32, *columns)
    array = np.empty((table.rows, sum(column.shape[1] for column in columns)), dtype)
    return np.concatenate(columns, axis=1, out=array)


# ---- arrays of other libraries -----------------------------------------------------------------


# Device types of DLPack that the CPU can read: main memory, pinned for CUDA, pinned for ROCm.
_MAIN_MEMORY = (1, 3, 11)


def _refuse_mask(name: str, values: Any) -> None:
    ma = sys.modules.get("numpy.ma")  # without which there are none
    if ma is not None and isinstance(values, ma.MaskedArray):
        raise WrongType(name, "a plain array expected, got a masked array; fill or drop it")


def to_array(name: str, values: Any) -> NDArray[Any]:
    """Return `values` as a NumPy array, without a copy where the library shares its memory."""
    if isinstance(values, str | os.PathLike):
        reader = "prfast.load reads a file; `prfast curve` and other commands take files"
        raise NotNumbers(name, f"an array expected, got {kind_of(values)}; {reader}")
    _refuse_mask(name, values)
    libraries = libraries_of(values)
    if "scipy" in libraries and hasattr(values, "toarray"):
        text = f"a dense array expected, got {kind_of(values)}; {name}.toarray() makes one"
        raise WrongType(name, text)
    if "torch" in libraries and hasattr(values, "requires_grad"):
        if str(values.layout) != "torch.strided" and values.device.type == "cpu":
            text = f"a dense array expected, got {kind_of(values)} of layout {values.layout}"
            raise WrongType(name, f"{text}; {name}.to_dense() makes one")
        _check_place(name, values, values.device)
        # NumPy has no bfloat16; float32 represents all of its values.
        is_short = str(values.dtype) == "torch.bfloat16"
        values = values.detach().float() if is_short else values.detach()
    else:
        _check_place(name, values)
    column = read_column(name, values)
    if column is not None:
        return column
    try:
        if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
            return np.from_dlpack(values)
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        is_list, reason = isinstance(values, list | tuple), f": {error}"
        if is_list and all(getattr(value, "ndim", 0) == 2 for value in values):
            reason = f" of {len(values)} arrays; np.concatenate({name}) joins batches"
        text = f"an array of numbers expected, got {kind_of(values)}{reason}"
        raise WrongType(name, text) from None


def _check_place(name: str, values: Any, device: Any = None) -> None:
    """Refuse arrays on a device, as a transfer takes time; device: of a torch tensor."""
    place, hint = "", "copy it there first"
    if device is not None:
        place, hint = str(device) * (device.type != "cpu"), f"{name}.cpu() copies it there"
    elif hasattr(values, "__dlpack_device__"):
        try:
            kind, number = values.__dlpack_device__()
        except (TypeError, ValueError, RuntimeError, BufferError):
            return  # on several devices, or one that DLPack has no number for
        place = "" if int(kind) in _MAIN_MEMORY else f"device {number}"
    elif hasattr(values, "__cuda_array_interface__"):
        place = "a CUDA device"
    if place:
        text = f"an array in main memory expected, got {kind_of(values)} on {place}; {hint}"
        raise WrongType(name, text)


# ---- vectors and numbers of a range -------------------------------------------------------------


def in_order(name: str, values: Any, of: str, others: Any) -> Any:
    """Return a vector in the order of the rows of `others`, the argument `of`.  They are matched by
    label if both have labels, by position if one has none or the vector has the default ones of
    pandas, 0, 1, 2 ….  WrongValue where labels differ, or are in another order and repeat.
    """
    if values is None or type(values) in PLAIN:
        return values
    labels = row_labels_of(values)
    rows = others if hasattr(others, "get_indexer") else row_labels_of(others)
    if labels is None or rows is None or labels.equals(rows):
        return values
    are_sets = len(labels) == len(rows) and labels.is_unique and rows.is_unique
    if are_sets and rows.isin(labels).all():
        return getattr(values, "iloc", values)[labels.get_indexer(rows)]
    if is_default(labels.tolist()):
        return values
    only = labels[~labels.isin(rows)].tolist()[:1]
    got = f"got {only[0]!r}, which {of} lacks" if only else "got other labels, or repeated ones"
    cure = "give both one index, as by .align, or pass .to_numpy(), which is matched by position"
    raise WrongValue(name, f"the index of {of} expected, {got}; {cure}")


def read_vector(name: str, values: Any, *, finite: bool = True) -> Floats:
    """Return a contiguous 1-D array of at least one number; ±inf is allowed if not `finite`."""
    array = read_numbers(name, values)
    if array.ndim != 1:
        raise WrongValue(name, f"a 1-D array expected, got shape {array.shape}")
    if array.size == 0:
        raise WrongValue(name, "at least one number expected, got none")
    bad = ~np.isfinite(array) if finite else np.isnan(array)
    if bad.any():
        at = int(bad.argmax())
        expected = "finite numbers" if finite else "numbers or ±inf"
        raise WrongValue(name, f"{expected} expected, got {array[at]} at index {at}")
    return np.ascontiguousarray(array)


def read_weights(
    name: str, values: Any, length: int | None = None, *, all_zero: bool = False
) -> Float64s:
    """Return weights as a finite 1-D float64 array >= 0, not all zero unless `all_zero`."""
    array = read_between(name, values, math.inf, length)
    if not all_zero and not array.any():
        raise WrongValue(name, "a positive sum expected, got only zeros")
    return array


def read_rates(name: str, values: Any, length: int | None = None) -> Float64s:
    """Return rates as a 1-D float64 array in [0, 1]."""
    return read_between(name, values, 1.0, length)


def read_lambdas(name: str, values: Any) -> Float64s:
    """Return trade-offs λ as a 1-D float64 array in [0, ∞]."""
    return read_between(name, values, math.inf, finite=False)


def read_between(
    name: str, values: Any, high: float, length: int | None = None, *, finite: bool = True
) -> Float64s:
    """Return a new 1-D float64 array of `length` numbers in [0, high], with 0.0 for −0.0."""
    array = read_vector(name, values, finite=finite).astype(np.float64, copy=False)
    if length is not None and array.size != length:
        raise WrongValue(name, f"{length} numbers expected, got {array.size}")
    outside = (array < 0) | (array > high)
    if outside.any():
        at, interval = int(outside.argmax()), f"in [0, {high:g}]".replace("inf", "∞")
        interval = ">= 0" if finite and high == math.inf else interval
        raise WrongValue(name, f"numbers {interval} expected, got {array[at]} at index {at}")
    return array + 0.0  # −0.0 + 0.0 = 0.0: its quotients would have the wrong sign


def read_shaped(
    name: str, values: Any, reader: Callable[[str, Any], Floats]
) -> tuple[Float64s, tuple[int, ...]]:
    """Return numbers of any shape as a flat float64 array by `reader`, and the shape."""
    array = read_numbers(name, values)
    flat = reader(name, array.ravel()) if array.size else np.empty(0)
    return flat.astype(np.float64, copy=False), array.shape


def read_shaped_pair(
    first: str, one: Any, second: str, other: Any, reader: Callable[[str, Any], Floats]
) -> tuple[Float64s, Float64s, tuple[int, ...]]:
    """Return two arguments broadcast to a common shape as flat float64 arrays, and that shape."""
    other = in_order(second, other, first, one)
    x, x_shape = read_shaped(first, one, reader)
    y, y_shape = read_shaped(second, other, reader)
    try:
        shape = np.broadcast_shapes(x_shape, y_shape)
    except ValueError:
        text = f"shapes that broadcast expected, got {x_shape} and {y_shape}"
        raise WrongValue(f"{first} and {second}", text) from None
    x = np.broadcast_to(x.reshape(x_shape), shape).ravel()
    y = np.broadcast_to(y.reshape(y_shape), shape).ravel()
    return x, y, shape


def shaped(flat: Any, shape: tuple[int, ...]) -> Any:
    """Return flat results in the shape from `read_shaped`; a Python number for the shape ()."""
    return flat.reshape(shape) if shape else flat.item()


# ---- labels ------------------------------------------------------------------------------------


def read_labels(name: str, values: Any, length: int) -> NDArray[Any]:
    """Return class labels, shape (length,), as booleans, integers or strings."""
    _refuse_mask(name, values)
    try:
        labels = np.asarray(values)
    except ValueError:  # nested sequences of different lengths
        raise WrongType(name, f"integers or strings expected, got {kind_of(values)}") from None
    if labels.dtype.kind == "U" and isinstance(values, list | tuple):  # may have been integers
        labels = np.asarray(values, object)
    if labels.dtype.kind == "O" and all(isinstance(x, str) for x in labels.ravel()):
        labels = labels.astype(np.str_)
    if labels.dtype.kind not in "biuU":
        text = f"integers or strings expected, got {kind_of(values)} of dtype {labels.dtype}"
        raise WrongType(name, text)
    if labels.shape != (length,):
        text = f"one label a sample, shape ({length},), expected, got shape {labels.shape}"
        raise WrongValue(name, text)
    return labels


def check_one_kind(names: Sequence[str], labels: Sequence[NDArray[Any]]) -> None:
    """Raise WrongType unless the labels of two arguments or files are of one kind, as integers,
    strings or booleans: 1 is neither "1" nor True."""
    kinds = [{"U": "strings", "b": "booleans"}.get(x.dtype.kind, "integers") for x in labels]
    if kinds[0] != kinds[1]:
        text = f"labels of one kind expected, got {kinds[0]} and {kinds[1]}"
        cure = "strings" if "strings" in kinds else "integers"
        raise WrongType(" and ".join(names), f"{text}; make {cure} of all labels")


def of_class(labels: NDArray[Any], label: int | str) -> NDArray[np.bool_]:
    """Return a mask of the labels that equal `label`; it may come from another set."""
    if labels.dtype.kind in "iu" and not isinstance(label, str):
        # NumPy may compare integers of two types as float64.
        ends = np.iinfo(labels.dtype)
        if not ends.min <= label <= ends.max:
            return np.zeros(labels.shape, np.bool_)
    return np.asarray(labels == label)
