"""Arrays of numbers: what is taken, what becomes of it, what is refused and how."""

import numpy as np
import pytest
import scipy.sparse  # noqa: F401
from refusals import refusals

from prfast.inputs.arrays import (
    read_lambdas,
    read_numbers,
    read_rates,
    read_vector,
    read_weights,
)
from prfast.samples.samples import read_samples

TAKEN = dict.fromkeys(("f4", ">f4", "f2", "?", "u1", "u2"), "f4")
TAKEN |= dict.fromkeys((">f8", ">i4", "u8"), "f8")


@pytest.mark.parametrize(("given", "taken"), TAKEN.items())
def test_every_number_type_becomes_a_native_float_of_equal_values(given, taken):
    values = np.array([[0, 1, 1], [1, 0, 1]]).astype(given)
    read = read_numbers("x", values)
    assert read.dtype == np.dtype(taken)
    assert read.dtype.isnative
    np.testing.assert_array_equal(read, values)


@pytest.mark.parametrize("largest", [2**53, -(2**53)])
def test_integers_up_to_2_to_the_53_are_exact(largest):
    assert read_numbers("x", np.array([largest]))[0] == largest


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_floats_are_not_copied_whatever_their_layout(dtype, order):
    whole = np.asarray(np.arange(60.0).reshape(10, 6), dtype, order=order)
    for view in (whole, whole[::2, 1::2], whole[::-1], whole.T):
        assert np.shares_memory(read_samples("x", view), view)


test_everything_else_is_refused_by_type_and_dtype = refusals("""
read_numbers("x", np.array([2**53 + 1]))
    TypeError: x: integers beyond 2**53 are not exact in float64
read_numbers("x", ["a", "b"])
    TypeError: x: float32, float64, float16, integer or boolean numbers expected, got a list of
    dtype <U1
read_numbers("x", np.array([1j]))
    TypeError: x: float32, … numbers expected, got a numpy.ndarray of dtype complex128
read_numbers("x", scipy.sparse.csr_array(np.eye(2)))
    TypeError: x: a dense array expected, got a scipy.sparse….csr_array; x.toarray() makes one
read_numbers("x", [[1, 2], [3]])
    TypeError: x: an array of numbers expected, got a list:
read_numbers("x", np.ma.masked_invalid([[1.0, np.nan]]))
    TypeError: x: a plain array expected, got a masked array; fill or drop it
""")


def test_a_vector_is_contiguous_and_keeps_infinities_on_request():
    values = np.array([1.0, np.inf, -np.inf, 2.0])[::-1]
    read = read_vector("s", values, finite=False)
    assert read.flags.c_contiguous
    np.testing.assert_array_equal(read, values)


test_bad_vectors_are_refused = refusals("""
read_vector("s", 3.0)
    ValueError: s: a 1-D array expected, got shape ()
read_vector("s", [])
    ValueError: s: at least one number expected, got none
read_vector("s", [0, 1, np.nan])
    ValueError: s: finite numbers expected, got nan at index 2
""")


test_values_out_of_range_are_refused_with_their_index = refusals("""
read_weights("x", [1, -0.5])
    ValueError: x: numbers >= 0 expected, got -0.5 at index 1
read_weights("x", [np.inf])
    ValueError: x: finite numbers expected, got inf at index 0
read_rates("x", [0, 1, 1.5])
    ValueError: x: numbers in [0, 1] expected, got 1.5 at index 2
read_lambdas("x", [np.inf, -1])
    ValueError: x: numbers in [0, ∞] expected, got -1.0 at index 1
""")


@pytest.mark.parametrize("reader", [read_weights, read_rates, read_lambdas])
def test_a_negative_zero_becomes_a_zero_and_the_callers_stays(reader):
    values = np.array([-0.0, 1.0])
    assert not np.signbit(reader("x", values)).any()
    assert np.signbit(values[0])
