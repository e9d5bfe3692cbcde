"""Columns of tables and arrays of other libraries -> NumPy arrays of equal values.

A column of pandas, polars or pyarrow holds a number or a vector per row.  A column of vectors
(FixedSizeList and List of pyarrow, Array and List of polars, arrays or lists in a pandas column of
objects), all of one length, becomes an array of shape (rows, length).

Tensors lose their gradient, as by `tensor.detach()`.  Sparse matrices, masked arrays and arrays on
a device are refused.  No library is imported to recognise its objects: whoever has one has
imported it, so the name of its type's module suffices.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.errors import WrongRow, WrongType, WrongValue, kind_of, libraries_of, not_numbers


def load_extra(module: str, purpose: str, extra: str | None, *, place: str = "") -> Any:
    """Import and return a module of an optional dependency.

    Parameters
    ----------
    module : str
        Full name, such as "matplotlib.figure".
    purpose : str
        What it is needed for, such as "plots"; part of the message.
    extra : str or None
        The extra of prfast that requires it; None if the package is installed by its own name.
    place : str
        What needs it, such as a file; begins the message.

    Raises
    ------
    ImportError
        It cannot be imported; the message says how to install it.
    """
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        asked = f"{place}: " if place else ""
        source = package if extra is None else f"'prfast[{extra}]'"
        raise ImportError(
            f"{asked}{package} is needed for {purpose}: python -m pip install {source}"
        ) from None


# An attribute that columns of a library have and its other objects do not.
_MARKS = {"pandas": "isna", "polars": "null_count", "pyarrow": "null_count"}
# Names of numeric types in polars and pyarrow.
_NUMBERS = frozenset(
    f"{kind}{bits}" for kind in ("int", "uint", "Int", "UInt") for bits in (8, 16, 32, 64)
) | {"bool", "Boolean", "halffloat", "float", "double", "Float16", "Float32", "Float64"}
# Types of vectors in polars and pyarrow, and their attribute with the type of the elements.
_VECTORS = {
    "FixedSizeListType": "value_type",
    "ListType": "value_type",
    "LargeListType": "value_type",
    "Array": "inner",
    "List": "inner",
}


def is_column(values: Any) -> bool:
    """Return whether an object is a column of pandas, polars or pyarrow."""
    return _library(values) is not None


def holds_numbers(dtype: Any) -> bool:
    """Return whether a type of polars or pyarrow is numeric, or vectors of a numeric type."""
    return str(dtype) in _NUMBERS or _of_vectors(dtype)


def column(name: str, values: Any) -> NDArray[Any]:
    """Return a column without missing values as an array, shape (rows,) or (rows, length)."""
    match _library(values):
        case "pandas":
            return _of_pandas(name, values)
        case "polars":
            return _of_polars(name, values)
        case _:
            return _of_pyarrow(name, values)


def _library(values: Any) -> str | None:
    libraries = libraries_of(values)
    found = (one for one, mark in _MARKS.items() if one in libraries and hasattr(values, mark))
    return next(found, None)


def _of_vectors(dtype: Any) -> bool:
    inner = _VECTORS.get(type(dtype).__name__)
    return inner is not None and str(getattr(dtype, inner)) in _NUMBERS


# ---- each library ------------------------------------------------------------------------------


def _of_pandas(name: str, values: Any) -> NDArray[Any]:
    dtype = values.dtype
    if isinstance(dtype, np.dtype):
        cells = dtype.kind == "O" and len(values) > 0 and _is_vector(values.iloc[0])
        return _stacked(name, values) if cells else np.asarray(values)
    if _of_vectors(getattr(dtype, "pyarrow_dtype", None)):
        return _of_pyarrow(name, values.array.__arrow_array__())
    plain = getattr(dtype, "numpy_dtype", None)  # nullable dtypes of pandas have it
    if plain is None or plain.kind not in "fbiu":
        raise not_numbers(name, values, dtype)
    _check_missing(name, values.isna())
    array: NDArray[Any] = values.to_numpy(dtype=plain)
    return array


def _of_polars(name: str, values: Any, width: int = 1) -> NDArray[Any]:
    dtype = values.dtype
    if not holds_numbers(dtype):
        raise not_numbers(name, values, dtype)
    if values.null_count():
        _check_missing(name, values.is_null(), width)
    if _of_vectors(dtype):
        lists = type(dtype).__name__ == "List"
        lengths = values.list.len() if lists else np.full(len(values), dtype.shape[0])
        wide = _width(name, np.asarray(lengths))
        return _of_polars(name, values.explode(), wide).reshape(-1, wide)
    array: NDArray[Any] = values.to_numpy()
    return array


def _of_pyarrow(name: str, values: Any, width: int = 1) -> NDArray[Any]:
    dtype = values.type
    if not holds_numbers(dtype):
        raise not_numbers(name, values, dtype)
    if values.null_count:
        _check_missing(name, values.is_null(), width)
    if _of_vectors(dtype):
        compute = load_extra("pyarrow.compute", "columns of vectors", "inputs")
        wide = _width(name, np.asarray(compute.list_value_length(values)))
        return _of_pyarrow(name, compute.list_flatten(values), wide).reshape(-1, wide)
    array: NDArray[Any] = (
        values.to_numpy() if hasattr(values, "chunks") else values.to_numpy(zero_copy_only=False)
    )
    return array


def _check_missing(name: str, missing: Any, width: int = 1) -> None:
    """Raise WrongRow for a missing value; width: values per row."""
    flags = np.asarray(missing)
    if flags.any():
        row = int(flags.argmax()) // width
        raise WrongRow(name, "no missing value expected, got one in row {row}", row)


# ---- vectors -----------------------------------------------------------------------------------


def _width(name: str, lengths: NDArray[Any]) -> int:
    """Return the common length of all vectors."""
    if lengths.size == 0:
        raise WrongValue(name, "at least one vector expected, got none")
    differ = lengths != lengths[0]
    if differ.any():
        row = int(differ.argmax())
        text = f"vectors of one length expected, got {lengths[0]} numbers in row 0 and "
        raise WrongRow(name, f"{text}{lengths[row]} in row {{row}}", row)
    if lengths[0] == 0:
        raise WrongValue(name, "vectors of at least one number expected, got empty ones")
    return int(lengths[0])


def _is_vector(cell: Any) -> bool:
    return isinstance(cell, list | tuple | np.ndarray)


def _stacked(name: str, values: Any) -> NDArray[Any]:
    """Return the cells of a pandas column of objects, all vectors, as one 2-D array."""
    rows = []
    for row, cell in enumerate(values):
        if not _is_vector(cell):
            text = f"a vector as in row 0 expected, got {kind_of(cell)} in row {{row}}"
            raise WrongRow(name, text, row)
        try:
            found = np.asarray(cell)
        except ValueError:  # nested lists of different lengths
            found = np.empty((0, 0))
        if found.ndim != 1:
            raise WrongRow(name, "a vector of numbers expected in row {row}, got nested ones", row)
        if found.dtype.kind not in "fbiu" and found.size:
            raise not_numbers(name, values, found.dtype, f" in row {row}")
        if found.dtype.kind == "f" and found.size and np.abs(found).max() >= 2**53:
            _check_beside(name, cell)
        rows.append(found)
    _width(name, np.array([len(one) for one in rows]))
    whole = np.stack(rows)
    if whole.dtype.kind == "f":
        for one in rows:
            if one.dtype.kind in "iu" and one.itemsize == 8:
                check_exact(name, one)
    return whole


def check_exact(name: str, integers: NDArray[Any]) -> None:
    """Raise WrongType for 64-bit integers beyond ±2**53, which float64 may not represent."""
    if integers.size and max(int(integers.max()), -int(integers.min())) > 2**53:
        raise _inexact(name)


def _check_beside(name: str, cell: Any) -> None:
    """Raise WrongType for such integers in a list that NumPy converts to float64."""
    if any(abs(int(one)) > 2**53 for one in cell if isinstance(one, int | np.integer)):
        raise _inexact(name)


def _inexact(name: str) -> WrongType:
    return WrongType(name, "integers beyond 2**53 are not exact in float64")


# ---- arrays of other libraries -----------------------------------------------------------------


# Device types of DLPack that the CPU can read: main memory, pinned for CUDA, pinned for ROCm.
_MAIN_MEMORY = (1, 3, 11)
# The call that copies an array of each library to main memory.
_TO_MAIN_MEMORY = {
    "torch": "{}.cpu()",
    "cupy": "{}.get()",
    "jax": "jax.device_get({})",
    "jaxlib": "jax.device_get({})",
    "numba": "{}.copy_to_host()",
}


def to_array(name: str, values: Any) -> NDArray[Any]:
    """Return `values` as a NumPy array, without a copy where the library shares its memory."""
    if isinstance(values, np.ma.MaskedArray):
        raise WrongType(name, "a plain array expected, got a masked array; fill or drop it")
    libraries = libraries_of(values)
    if "scipy" in libraries and hasattr(values, "toarray"):
        raise WrongType(
            name, f"a dense array expected, got {kind_of(values)}; {name}.toarray() makes one"
        )
    if "torch" in libraries and hasattr(values, "requires_grad"):
        values = _checked_tensor(name, values)
    else:
        _check_place(name, values, libraries)
    if is_column(values):
        return column(name, values)
    try:
        if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
            return np.from_dlpack(values)
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise WrongType(
            name, f"an array of numbers expected, got {kind_of(values)}: {error}"
        ) from None


def _checked_tensor(name: str, tensor: Any) -> Any:
    """Return a dense torch tensor in main memory, without gradient and not bfloat16."""
    if tensor.device.type != "cpu":
        raise _elsewhere(name, tensor, str(tensor.device), "torch")
    if str(tensor.layout) != "torch.strided":
        raise WrongType(
            name,
            f"a dense array expected, got {kind_of(tensor)} of layout {tensor.layout}; "
            f"{name}.to_dense() makes one",
        )
    tensor = tensor.detach()
    # NumPy has no bfloat16; float32 represents all of its values.
    return tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor


def _check_place(name: str, values: Any, libraries: set[str]) -> None:
    """Refuse arrays on a device: a transfer takes time, so the caller decides on it."""
    library = next((each for each in _TO_MAIN_MEMORY if each in libraries), "")
    if hasattr(values, "__dlpack_device__"):
        try:
            device, number = values.__dlpack_device__()
        except (TypeError, ValueError, RuntimeError, BufferError):
            return  # on several devices, or one that DLPack has no number for
        if int(device) not in _MAIN_MEMORY:
            raise _elsewhere(name, values, f"device {number}", library)
    elif hasattr(values, "__cuda_array_interface__"):
        raise _elsewhere(name, values, "a CUDA device", library)


def _elsewhere(name: str, values: Any, place: str, library: str) -> TypeError:
    call = _TO_MAIN_MEMORY.get(library, "").format(name)
    hint = f"{call} copies it there" if call else "copy it there first"
    return WrongType(
        name, f"an array in main memory expected, got {kind_of(values)} on {place}; {hint}"
    )
