"""What other libraries hold numbers in: equal values, or a refusal that says what to do."""

import array

import numpy as np
import pytest
from refusals import refused

import prfast
from prfast.inputs.arrays import read_numbers, read_vector
from prfast.inputs.samples import read_samples

DATA = np.array([[1.5, 2.0, -3.0], [4.0, 5.0, 1e-30]])


def same(read, expected, dtype):
    assert type(read) is np.ndarray
    assert read.dtype == dtype
    np.testing.assert_array_equal(read, expected)


# ---- protocols ---------------------------------------------------------------------------------


class Device:
    """An array that speaks DLPack and nothing else, perhaps of a device."""

    def __init__(self, values, device=(1, 0)):
        self.values, self.device = values, device

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device


def of_library(module, **members):
    """An object whose type says that it is of this library."""
    return type("Array", (), {"__module__": module, **members})()


def test_dlpack_alone_is_enough_and_nothing_is_copied():
    read = read_samples("x", Device(DATA))
    assert np.shares_memory(read, DATA)
    same(read, DATA, np.float64)


@pytest.mark.parametrize("pinned", [3, 11])
def test_pinned_memory_is_main_memory(pinned):
    class Pinned(np.ndarray):
        def __dlpack_device__(self):
            return pinned, 0

    assert np.shares_memory(read_numbers("x", DATA.view(Pinned)), DATA)


def test_the_array_protocol_is_enough():
    same(read_samples("x", of_library("a.b", __array__=lambda *_, **__: DATA)), DATA, np.float64)


def test_the_buffer_protocol_is_enough():
    scores = array.array("f", [1, 2, 3])
    read = read_vector("x", scores)
    assert np.shares_memory(read, np.frombuffer(scores, np.float32))
    same(read_samples("x", memoryview(DATA)), DATA, np.float64)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (Device(DATA, (2, 1)), "a test_foreign.Device on device 1; copy it there first"),
        (
            of_library("cupy._core.core", __dlpack_device__=lambda _: (2, 0)),
            "a cupy._core.core.Array on device 0; x.get() copies it there",
        ),
        (
            of_library(
                "jaxlib._jax", __dlpack_device__=lambda _: (10, 3), __array__=lambda _: DATA
            ),
            "a jaxlib._jax.Array on device 3; jax.device_get(x) copies it there",
        ),
        (
            of_library("numba.cuda.cudadrv", __cuda_array_interface__={}, __array__=lambda _: DATA),
            "a numba.cuda.cudadrv.Array on a CUDA device; x.copy_to_host() copies it there",
        ),
    ],
)
def test_arrays_of_a_device_are_refused_never_transferred(values, message):
    with refused(TypeError, f"x: an array in main memory expected, got {message}"):
        read_numbers("x", values)


def test_what_a_library_raises_is_one_message():
    class Broken(Device):
        def __dlpack__(self, **options):
            raise BufferError("cannot be exported")

    with refused(
        TypeError, "x: an array of numbers expected, got a test_foreign.test_what_a_library"
    ):
        read_numbers("x", Broken(DATA))


# ---- torch -------------------------------------------------------------------------------------


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_tensor_is_not_copied(torch, dtype):
    tensor = torch.tensor(DATA, dtype=getattr(torch, dtype))
    read = read_samples("x", tensor)
    assert np.shares_memory(read, tensor.numpy())
    same(read, tensor.numpy(), dtype)


@pytest.mark.parametrize(
    ("dtype", "taken"),
    [("float16", "f4"), ("bfloat16", "f4"), ("bool", "f4"), ("uint8", "f4"), ("int64", "f8")],
)
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
            lambda torch: torch.ones(2, dtype=torch.complex64),
            "x: float32, float64, float16, integer or boolean numbers expected, got a torch.Tensor",
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


def test_curves_and_metrics_of_tensors_are_those_of_their_arrays(torch):
    real, fake = (torch.randn(60, 4, generator=torch.Generator().manual_seed(i)) for i in (0, 1))
    assert prfast.metrics(real, fake) == prfast.metrics(real.numpy(), fake.numpy())
    one, two = prfast.pr_curve(real, fake), prfast.pr_curve(real.numpy(), fake.numpy())
    assert one.area == two.area


# ---- JAX ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32"])
def test_jax_arrays(dtype):
    numpy = pytest.importorskip("jax.numpy")
    values = numpy.asarray([[0, 1], [100, 3]], dtype)
    taken = np.float64 if dtype == "int32" else np.float32
    same(read_samples("x", values), [[0, 1], [100, 3]], taken)


# ---- tables ------------------------------------------------------------------------------------


def pandas_table(columns):
    return pytest.importorskip("pandas").DataFrame(columns)


def polars_table(columns):
    return pytest.importorskip("polars").DataFrame(columns)


def pyarrow_table(columns):
    return pytest.importorskip("pyarrow").table(columns)


def pyarrow_batch(columns):
    pyarrow = pytest.importorskip("pyarrow")
    arrays = [pyarrow.array(values) for values in columns.values()]
    return pyarrow.RecordBatch.from_arrays(arrays, names=list(columns))


ALL = pytest.mark.parametrize("make", [pandas_table, polars_table, pyarrow_table, pyarrow_batch])
EMPTY = pytest.mark.parametrize("make", [polars_table, pyarrow_table, pyarrow_batch])


@ALL
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_table_of_one_float_type(make, dtype):
    columns = {name: DATA[:, i].astype(dtype) for i, name in enumerate("abc")}
    same(read_samples("x", make(columns)), DATA.astype(dtype), dtype)


@ALL
def test_columns_of_several_types_keep_their_values(make):
    columns = {
        "half": np.array([0.5, 2.0], np.float16),
        "flag": np.array([True, False]),
        "byte": np.array([255, 0], np.uint8),
    }
    same(read_samples("x", make(columns)), [[0.5, 1, 255], [2, 0, 0]], np.float32)
    # Whole numbers beyond float32 make all columns float64, which holds the float32 ones exactly.
    columns |= {"long": np.array([2**53 - 1, -1]), "single": np.array([0.1, 0.2], np.float32)}
    expected = [[0.5, 1, 255, 2**53 - 1, np.float32(0.1)], [2, 0, 0, -1, np.float32(0.2)]]
    same(read_samples("x", make(columns)), expected, np.float64)


@ALL
def test_a_table_of_many_columns(make):
    rng = np.random.default_rng(0)
    data = rng.normal(size=(5, 200))
    same(read_samples("x", make({f"f{i}": data[:, i] for i in range(200)})), data, np.float64)


@ALL
def test_a_column_that_is_no_number_is_named(make):
    table = make({"width": [1.5, 2.5], "colour": ["red", "blue"]})
    with refused(
        TypeError,
        "real['colour']: float32, float64, float16, integer or boolean numbers expected, got a ",
    ):
        prfast.metrics(table, table)


@ALL
def test_dates_and_wide_integers_are_named(make):
    days = np.array(["2026-01-01", "2026-01-02"], "M8[ms]")
    with refused(TypeError, "x['day']: float32, float64, float16, integer or boolean numbers exp"):
        read_samples("x", make({"day": days}))
    with refused(TypeError, "x['id']: integers beyond 2**53 are not exact in float64"):
        read_samples("x", make({"id": np.array([2**53 + 1, 0]), "f": [0.5, 1]}))


@EMPTY
def test_a_missing_value_is_named(make):
    table = make({"a": [1.0, 2.0], "b": [1, None], "c": [True, None]})
    with refused(ValueError, "x['b']: no missing value expected, got one in row 1"):
        read_samples("x", table)


@ALL
def test_nan_is_refused_as_everywhere(make):
    table = make({"a": [1.0, 2.0], "b": [1.0, np.nan]})
    with refused(ValueError, "x: finite numbers expected, got nan in row 1, column 1"):
        read_samples("x", table)


@ALL
def test_a_column_is_a_vector_of_scores(make):
    table = make({"a": [0.25, 0.5, 0.75], "b": [1, 2, 3]})
    same(read_vector("s", table["a"]), [0.25, 0.5, 0.75], np.float64)
    same(read_vector("s", table["b"]), [1, 2, 3], np.float64)
    curve = prfast.PRCurve.from_scores(table["b"], table["a"])
    assert curve.area == prfast.PRCurve.from_scores([1, 2, 3], [0.25, 0.5, 0.75]).area


@ALL
def test_a_table_without_columns_has_no_feature(make):
    with pytest.raises(ValueError, match="x: at least one feature expected, got shape"):
        read_samples("x", make({}))


def test_a_pandas_table_of_one_type_is_not_copied():
    table = pytest.importorskip("pandas").DataFrame(DATA)
    assert np.shares_memory(read_samples("x", table), table.to_numpy())


def test_pandas_columns_that_may_have_missing_values():
    pandas = pytest.importorskip("pandas")
    types = ["Int64", "Float32", "boolean"]
    full = pandas.DataFrame({name: pandas.array([1, 0], dtype=name) for name in types})
    same(read_samples("x", full), [[1, 1, 1], [0, 0, 0]], np.float64)
    same(read_samples("x", full[["Float32", "boolean"]]), [[1, 1], [0, 0]], np.float32)
    for name in types:
        gaps = full.assign(gap=pandas.array([1, None], dtype=name))
        with refused(ValueError, "x['gap']: no missing value expected, got one in row 1"):
            read_samples("x", gaps)
    with refused(TypeError, "x: float32, float64, float16, integer or boolean numbers expected"):
        read_vector("x", pandas.Series([1.0, 2.0], dtype="category"))


def test_pandas_columns_of_arrow():
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    column = pandas.Series([1, None, 3], dtype="float[pyarrow]")
    same(read_vector("x", column[[0, 2]]), [1, 3], np.float32)
    with refused(ValueError, "x: no missing value expected, got one in row 1"):
        read_vector("x", column)
    with refused(TypeError, "x: float32, float64, float16, integer or boolean numbers expected"):
        read_vector("x", pandas.Series(["a"], dtype="string"))


def test_row_labels_and_equal_names_of_pandas():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({0: [1, 2], 1: [3.5, 4.5]}, index=[7, 7]).set_axis(["a", "a"], axis=1)
    same(read_samples("x", table), [[1, 3.5], [2, 4.5]], np.float64)


def test_a_query_of_polars_is_to_be_collected():
    table = polars_table({"a": [1.0, 2.0]})
    with refused(TypeError, "x: a table in memory expected, got a polars."):
        read_samples("x", table.lazy())


def test_polars_numbers_that_numpy_has_not():
    polars = pytest.importorskip("polars")
    for column in (
        polars.Series([1, 2], dtype=polars.Decimal(10, 2)),
        polars.Series([[1.0], [2.0]]),
    ):
        with refused(
            TypeError, "x: float32, float64, float16, integer or boolean numbers expected"
        ):
            read_numbers("x", column)


def test_pyarrow_columns_of_several_chunks():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.concat_tables([pyarrow.table({"a": [1.5]}), pyarrow.table({"a": [2.5, 3.5]})])
    same(read_samples("x", table), [[1.5], [2.5], [3.5]], np.float64)
