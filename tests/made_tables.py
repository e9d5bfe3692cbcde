"""Tables of each library, and what is read of them."""

import numpy as np
import pytest

DATA = np.array([[1.5, 2.0, -3.0], [4.0, 5.0, 1e-30]])


def same(read, expected, dtype):
    assert type(read) is np.ndarray
    assert read.dtype == dtype
    np.testing.assert_array_equal(read, expected)


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


class Stream:
    """A table of a library that is not known here, which hands Arrow on."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        # Once, as that of a reader.
        return vars(self).pop("table").__arrow_c_stream__(requested_schema)


class Device:
    """An array that speaks DLPack and nothing else, perhaps of a device."""

    def __init__(self, values, device=(1, 0)):
        self.values, self.device = values, device

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device
