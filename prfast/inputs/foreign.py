"""What other libraries hold numbers in -> NumPy arrays of equal values, or a clear refusal.

Tensors, device arrays, sparse matrices.  Of a tensor that requires a gradient the values are taken
and the gradient is left behind, as by `tensor.detach()`.  No library is imported: whoever has a
value of one has loaded it, so its type is known by the name of its module.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.columns import column, is_column
from prfast.inputs.errors import WrongType
from prfast.inputs.kinds import kind_of, libraries_of

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


def to_array(name: str, values: Any) -> NDArray[Any]:
    """`values` as an array, not copied where its library lets NumPy look at its memory."""
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
