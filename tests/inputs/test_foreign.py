"""Arrays of other libraries: equal values, or a refusal that says what to do."""

import array

import numpy as np
import pytest
from made_tables import DATA, Device, same
from refusals import refusals, refused

from prfast.inputs.arrays import read_numbers, read_vector
from prfast.samples.samples import read_samples

# ---- protocols ---------------------------------------------------------------------------------


def of_library(module, **members):
    """Return an object whose type says that it is of this library."""
    return type("Array", (), {"__module__": module, **members})()


def test_dlpack_alone_is_enough_and_nothing_is_copied():
    read = read_samples("x", Device(DATA))
    assert np.shares_memory(read, DATA)
    same(read, DATA, np.float64)


def test_the_buffer_protocol_is_enough():
    scores = array.array("f", [1, 2, 3])
    read = read_vector("x", scores)
    assert np.shares_memory(read, np.frombuffer(scores, np.float32))
    same(read_samples("x", memoryview(DATA)), DATA, np.float64)


test_arrays_of_a_device_are_refused_never_transferred = refusals("""
read_numbers("x", Device(DATA, (2, 1)))
    TypeError: x: an array in main memory expected, got a made_tables.Device on device 1; copy it
    there first
read_numbers("x", of_library("cupy._core.core", __dlpack_device__=lambda _: (2, 0)))
    TypeError: x: an array in main memory expected, got a cupy._core.core.Array on device 0;
    copy it there first
read_numbers("x", of_library("jaxlib._jax", __dlpack_device__=lambda _: (10, 3), __array__=DATA))
    TypeError: x: an array in main memory expected, got a jaxlib._jax.Array on device 3;
    copy it there first
read_numbers("x", of_library("numba.cuda.cudadrv", __cuda_array_interface__={}, __array__=DATA))
    TypeError: x: an array in main memory expected, got a numba.cuda.cudadrv.Array on a CUDA device;
    copy it there first
""")


# ---- torch -------------------------------------------------------------------------------------


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


@pytest.mark.parametrize(("dtype", "taken"), [("bfloat16", "f4"), ("int64", "f8")])
def test_a_tensor_of_another_type_keeps_its_values(torch, dtype, taken):
    tensor = torch.tensor([[0.0, 1.0], [100.4, 3.3]]).to(getattr(torch, dtype))
    same(read_samples("x", tensor), tensor.to(torch.float64).numpy(), taken)


def test_a_tensor_with_a_gradient_is_its_values(torch):
    tensor = torch.tensor(DATA, requires_grad=True)
    read = read_samples("real", tensor)
    assert np.shares_memory(read, tensor.detach().numpy())
    same(read, DATA, np.float64)
    half = torch.tensor([[0.5, 1.0]], dtype=torch.bfloat16, requires_grad=True)
    same(read_samples("real", half), [[0.5, 1.0]], np.float32)
    of_weights = read_vector("scores", torch.nn.Parameter(torch.ones(3)) * 2)
    same(of_weights, [2.0, 2.0, 2.0], np.float32)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda torch: torch.ones(2, 3, device="meta"),
            "x: an array in main memory expected, got a torch.Tensor on meta; x.cpu() copies it",
        ),
        (
            lambda torch: torch.eye(3).to_sparse(),
            "x: a dense array expected, got a torch.Tensor of layout torch.sparse_coo; x.to_den",
        ),
        (
            lambda torch: torch.ones(2, dtype=torch.float8_e4m3fn),
            "x: an array of numbers expected, got a torch.Tensor: ",
        ),
    ],
)
def test_other_tensors_are_refused(torch, make, message):
    with refused(TypeError, message):
        read_numbers("x", make(torch))
