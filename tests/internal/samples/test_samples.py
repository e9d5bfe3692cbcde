"""Samples: their shape, the first bad number, pairs of one width."""

import tempfile

import numpy as np
import pytest
from made_tables import Device, polars_table, pyarrow_table
from refusals import refusals, refused

from prfast.samples.samples import _NUMBERS_AT_ONCE, read_samples

test_samples_of_the_wrong_shape_are_refused = refusals("""
read_samples("real", np.zeros(5))
    ValueError: real: a 2-D array (samples × features) expected, got shape (5,); for one feature a
    sample use real.reshape(-1, 1)
read_samples("real", np.zeros((2, 5, 3)))
    ValueError: real: a 2-D array (samples × features) expected, got shape (2, 5, 3);
    np.concatenate(real) joins batches, real.reshape(len(real), -1) makes one row of each sample
read_samples("real", [np.zeros((5, 3)), np.zeros((4, 3))])
    TypeError: real: an array of numbers expected, got a list of 2 arrays; np.concatenate(real)
    joins batches
read_samples("real", np.zeros((2, 3, 32, 32)))
    ValueError: real: a 2-D array (samples × features) expected, got shape (2, 3, 32, 32); of
    images, compute features first
read_samples("real", np.zeros((5, 0)))
    ValueError: real: at least one feature expected, got shape (5, 0)
read_samples("real", np.zeros((0, 5)))
    ValueError: real: at least 1 sample expected, got 0
""")


WHOLE = np.random.default_rng(0).integers(-8, 8, size=(300, 8)).astype(np.float32) / 4
NAMES = [*"abcdefgh"]


class WithArray:
    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.array, dtype)


def mapped(x):
    with tempfile.TemporaryFile() as file:
        result = np.memmap(file, x.dtype, "w+", shape=x.shape)
    result[:] = x
    return result


def columns(x):
    return dict(zip(NAMES, x.T, strict=True))


def mixed(x):
    """Columns of two types, both of which hold all values."""
    return columns(x) | {name: columns(x)[name].astype(np.float16) for name in "ach"}


def pandas(x, dtype=None):
    frame = pytest.importorskip("pandas").DataFrame(x, columns=NAMES)
    return frame if dtype is None else frame.astype(dtype)


def pandas_arrow(x):
    pytest.importorskip("pyarrow")
    return pandas(x, {"float32": "float[pyarrow]", "float64": "double[pyarrow]"}[x.dtype.name])


def polars_vectors(x):
    polars = pytest.importorskip("polars")
    return polars.Series("clip", x.tolist(), polars.List(polars.Series(x[0]).dtype))


def pyarrow_vectors(x):
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(x.ravel()), x.shape[1])


def data_array(x, **options):
    return pytest.importorskip("xarray").DataArray(x, **options)


TYPES = {
    "C order": lambda x: x,
    "memory map": mapped,
    "__array__": WithArray,
    "DLPack alone": Device,
    "buffer": memoryview,
    "torch": lambda x: pytest.importorskip("torch").tensor(x),
    "jax": lambda x: pytest.importorskip("jax.numpy").asarray(x, x.dtype),
    "xarray": data_array,
    "xarray, named": lambda x: data_array(
        x, dims=("rows", "columns"), coords={"columns": NAMES, "dtypes": 0, "column_names": 1}
    ),
    "pandas": pandas,
    "pandas, mixed": lambda x: pytest.importorskip("pandas").DataFrame(mixed(x)),
    "pandas, nullable": lambda x: pandas(x, x.dtype.name.title()),
    "pandas, of Arrow": pandas_arrow,
    "pandas, vectors": lambda x: pytest.importorskip("pandas").Series(list(x)),
    "polars, mixed": lambda x: polars_table(mixed(x)),
    "polars, vectors": polars_vectors,
    "pyarrow, mixed": lambda x: pyarrow_table(mixed(x)),
    "pyarrow, vectors": pyarrow_vectors,
    "duckdb": lambda x: pytest.importorskip("duckdb").from_arrow(pyarrow_table(columns(x))),
}


@pytest.mark.parametrize("make", TYPES.values(), ids=TYPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_type_is_read_as_its_plain_array(make, dtype):
    expected = WHOLE.astype(dtype)
    read = read_samples("x", make(expected))
    assert (read.shape, read.dtype) == ((300, 8), dtype)
    np.testing.assert_array_equal(read, expected)


# Arrays are searched in blocks of _NUMBERS_AT_ONCE // width rows; the last block is shorter.
BLOCK = _NUMBERS_AT_ONCE // 512


@pytest.mark.parametrize("row", [0, BLOCK - 1, BLOCK, 2 * BLOCK + 6])
@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_the_first_bad_number_is_named_on_either_side_of_a_block_border(row, bad):
    samples = np.zeros((2 * BLOCK + 7, 512), np.float32)
    samples[row, 300] = bad
    samples[row, 301:] = samples[row + 1 :] = np.nan
    with refused(ValueError, f"x: finite numbers expected, got {bad} in row {row}, column 300"):
        read_samples("x", samples)
