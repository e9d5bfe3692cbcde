"""Arrays of other libraries: equal values, or a refusal that says what to do."""

import re
from decimal import Decimal

import numpy as np
import pytest
from made_tables import DATA, Device, same  # noqa: F401
from refusals import refusals

from prfast.inputs.arrays import read_numbers, read_vector
from prfast.samples.samples import read_samples


def of_library(module, **members):
    """Return an object whose type says that it is of this library."""
    return type("Array", (), {"__module__": module, **members})()


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
    parameter = read_vector("scores", torch.nn.Parameter(torch.ones(3)) * 2)
    same(parameter, [2.0, 2.0, 2.0], np.float32)


def of_torch(text):
    return eval(text, {"torch": pytest.importorskip("torch")})


test_other_tensors_are_refused = refusals("""
read_numbers("x", of_torch("torch.ones(2, 3, device='meta')"))
    TypeError: x: an array in main memory expected, got a torch.Tensor on meta; x.cpu() copies it
read_numbers("x", of_torch("torch.eye(3).to_sparse()"))
    TypeError: x: a dense array expected, got a torch.Tensor of layout torch.sparse_coo; x.to_den
read_numbers("x", of_torch("torch.ones(2, dtype=torch.float8_e4m3fn)"))
    TypeError: x: an array of numbers expected, got a torch.Tensor:
""")


POINTS = np.arange(12.0).reshape(6, 2)


def column(**cells):
    """Return a table of pandas with a column `a` of these cells beside a column of numbers."""
    pandas = pytest.importorskip("pandas")
    (make,) = cells.values()
    return pandas.DataFrame({"a": make(pandas), "b": np.arange(6.0)})


ENCODED = "prfast.encode and compare_tables take {} in data frames; "
CURES = {  # code, with the text before it
    "x.astype(float)": ("", lambda: POINTS.astype(object)),
    "np.concatenate([x.real, x.imag], axis=1)": ("", lambda: POINTS + 1j),
    "x.astype('datetime64[s]').astype(float)": ("dates", lambda: POINTS.astype("M8[s]")),
    "x / np.timedelta64(1, 's')": ("durations", lambda: POINTS.astype("m8[s]")),
    "x.astype(float) ": ("text", lambda: POINTS.astype(str)),
    "pandas.DataFrame(x)": ("", lambda: {"a": [1.0], "b": [2.0]}),
    "x['a'].astype(float)": ("", lambda: column(a=lambda _: [Decimal("1.5")] * 6)),
    "x['a'].sparse.to_dense()": (
        "",
        lambda: column(a=lambda pandas: pandas.arrays.SparseArray([0.0] * 6)),
    ),
}


@pytest.mark.parametrize("code", CURES)
def test_a_message_has_code_that_makes_numbers(code):
    encoded, make = CURES[code]
    names = {"np": np}
    if code.startswith("pandas."):
        names["pandas"] = pytest.importorskip("pandas")
    text = re.escape("; " + (ENCODED.format(encoded) if encoded else "") + code.strip())
    with pytest.raises(TypeError, match=f"^x.* numbers expected, got .*{text} "):
        read_numbers("x", make())
    made = eval(code, {"x": make()} | names)
    assert np.isfinite(read_numbers("x", made)).all()
