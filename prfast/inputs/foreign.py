"""What other libraries hold numbers in -> NumPy arrays of equal values, or a clear refusal.

Tensors, device arrays, sparse matrices, columns of tables.  Of a tensor that requires a gradient
the values are taken and the gradient is left behind, as by `tensor.detach()`.  No library is
imported: whoever has a value of one has loaded it, so its type is known by the name of its module.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.errors import WrongRow, WrongType

# DLPack's numbers for memory that the processor reads: its own, and pinned for CUDA and ROCm.
_MAIN_MEMORY = (1, 3, 11)
# How each library copies to it.
_TO_MAIN_MEMORY = {
    "torch": "{}.cpu()",
    "cupy": "{}.get()",
    "jax": "jax.device_get({})",
    "jaxlib": "jax.device_get({})",
    "numba": "{}.copy_to_host()",
}
# What a column of each library has, and its other objects with numbers do not.
_COLUMNS = {"pandas": "isna", "polars": "null_count", "pyarrow": "null_count"}
# Columns that are numbers, by the names of their types in polars and in pyarrow.
_NUMBERS = frozenset(
    f"{kind}{bits}" for kind in ("int", "uint", "Int", "UInt") for bits in (8, 16, 32, 64)
) | {"bool", "Boolean", "halffloat", "float", "double", "Float16", "Float32", "Float64"}


def kind_of(value: Any) -> str:
    """A type in words, for messages."""
    return f"a {type(value).__module__}.{type(value).__qualname__}".replace("builtins.", "")


def not_numbers(name: str, values: Any, dtype: Any, hint: str = "") -> TypeError:
    """The one message for what is held but is no number that prfast takes."""
    return WrongType(
        name,
        f"float32, float64, float16, integer or boolean numbers expected, "
        f"got {kind_of(values)} of dtype {dtype}{hint}",
    )


def to_array(name: str, values: Any) -> NDArray[Any]:
    """`values` as an array, not copied where its library lets NumPy look at its memory."""
    if isinstance(values, np.ma.MaskedArray):
        raise WrongType(name, "a plain array expected, got a masked array; fill or drop it")
    libraries = _libraries(values)
    if "scipy" in libraries and hasattr(values, "toarray"):
        raise WrongType(
            name, f"a dense array expected, got {kind_of(values)}; {name}.toarray() makes one"
        )
    if "torch" in libraries and hasattr(values, "requires_grad"):
        values = _checked_tensor(name, values)
    else:
        _check_place(name, values, libraries)
    for library, mark in _COLUMNS.items():
        if library in libraries and hasattr(values, mark):
            return _column(name, values, library)
    try:
        if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
            return np.from_dlpack(values)
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise WrongType(
            name, f"an array of numbers expected, got {kind_of(values)}: {error}"
        ) from None


def columns(name: str, values: Any) -> list[tuple[str, Any]] | None:
    """The columns of a table and their names, as in `real['width']`; None if it is no table.

    A table of pandas, polars or pyarrow; the row labels of pandas are no column.
    """
    libraries = _libraries(values)
    found: Iterable[tuple[Any, Any]]
    if "pandas" in libraries and hasattr(values, "dtypes") and hasattr(values, "columns"):
        found = values.items()
    elif "polars" in libraries and hasattr(values, "get_columns"):
        found = [(column.name, column) for column in values.get_columns()]
    elif "pyarrow" in libraries and hasattr(values, "column_names"):
        found = zip(values.column_names, values.columns, strict=True)
    elif "polars" in libraries and hasattr(values, "collect"):
        raise WrongType(
            name, f"a table in memory expected, got {kind_of(values)}; {name}.collect() reads it"
        )
    else:
        return None
    return [(f"{name}[{label!r}]", column) for label, column in found]


def one_block(values: Any) -> NDArray[Any] | None:
    """A pandas table all of one float type as the array that it is, not copied; else None."""
    if "pandas" not in _libraries(values):
        return None
    dtypes = set(values.dtypes)
    if len(dtypes) == 1 and isinstance(dtype := dtypes.pop(), np.dtype) and dtype.kind == "f":
        whole: NDArray[Any] = values.to_numpy()
        return whole
    return None


def _libraries(values: Any) -> set[str]:
    """The libraries that define a type or what it is derived from."""
    return {base.__module__.partition(".")[0] for base in type(values).__mro__}


def _checked_tensor(name: str, tensor: Any) -> Any:
    """A torch tensor that NumPy can look at."""
    if tensor.device.type != "cpu":
        raise _elsewhere(name, tensor, str(tensor.device), "torch")
    if str(tensor.layout) != "torch.strided":
        raise WrongType(
            name,
            f"a dense array expected, got {kind_of(tensor)} of layout {tensor.layout}; "
            f"{name}.to_dense() makes one",
        )
    tensor = tensor.detach()  # the values are the same; nobody asks prfast for a gradient
    # float32 holds all of bfloat16, which NumPy does not have.
    return tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor


def _check_place(name: str, values: Any, libraries: set[str]) -> None:
    """Refuse arrays of a device: a transfer takes time, and is its owner's to ask for."""
    library = next((each for each in _TO_MAIN_MEMORY if each in libraries), "")
    if hasattr(values, "__dlpack_device__"):
        try:
            device, number = values.__dlpack_device__()
        except (TypeError, ValueError, RuntimeError, BufferError):
            return  # of several devices, or of one without a number: as its library has it
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


def _column(name: str, values: Any, library: str) -> NDArray[Any]:
    """A column: numbers of one type, none of them missing."""
    dtype = values.type if library == "pyarrow" else values.dtype
    if library == "pandas":
        if isinstance(dtype, np.dtype):
            return np.asarray(values)
        plain = getattr(dtype, "numpy_dtype", None)  # of the types with missing values
        if plain is None or plain.kind not in "fbiu":
            raise not_numbers(name, values, dtype)
        _check_missing(name, values.isna())
        found = values.to_numpy(dtype=plain)
    else:
        if str(dtype) not in _NUMBERS:
            raise not_numbers(name, values, dtype)
        if values.null_count if library == "pyarrow" else values.null_count():
            _check_missing(name, values.is_null())
        plain = library == "polars" or hasattr(values, "chunks")
        found = values.to_numpy() if plain else values.to_numpy(zero_copy_only=False)
    array: NDArray[Any] = found
    return array


def _check_missing(name: str, missing: Any) -> None:
    flags = np.asarray(missing)
    if flags.any():
        row = int(flags.argmax())
        raise WrongRow(name, "no missing value expected, got one in row {row}", row)
