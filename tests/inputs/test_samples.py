"""Samples: their shape, the first bad number, pairs of one width."""

import re

import numpy as np
import pytest
from refusals import refused

from prfast.inputs.samples import _NUMBERS_AT_ONCE, read_pair, read_samples


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            np.zeros(5),
            "real: a 2-D array (samples × features) expected, got shape (5,); "
            "for one feature a sample use real.reshape(-1, 1)",
        ),
        (
            np.zeros((2, 3, 4)),
            "real: a 2-D array (samples × features) expected, got shape (2, 3, 4)",
        ),
        (
            np.zeros((2, 3, 32, 32)),
            "real: a 2-D array (samples × features) expected, got shape (2, 3, 32, 32); "
            "of images, compute features first",
        ),
        (np.zeros((5, 0)), "real: at least one feature expected, got shape (5, 0)"),
        (np.zeros((0, 5)), "real: at least 1 samples expected, got 0"),
    ],
)
def test_samples_of_the_wrong_shape_are_refused(values, message):
    with pytest.raises(ValueError, match=re.escape(message) + "$"):
        read_samples("real", values)


def test_a_least_number_of_samples():
    with refused(ValueError, "real: at least 4 samples expected, got 3"):
        read_samples("real", np.zeros((3, 2)), at_least=4)


# Arrays are searched in blocks of _NUMBERS_AT_ONCE // width rows; the last block is shorter.
BLOCK = _NUMBERS_AT_ONCE // 512


@pytest.mark.parametrize("row", [0, BLOCK - 1, BLOCK, 2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 6])
@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_the_first_bad_number_is_named_on_either_side_of_a_block_border(row, bad):
    samples = np.zeros((2 * BLOCK + 7, 512), np.float32)
    samples[row, 300] = bad
    samples[row, 301:] = samples[row + 1 :] = np.nan
    with refused(ValueError, f"x: finite numbers expected, got {bad} in row {row}, column 300"):
        read_samples("x", samples)


def test_rows_wider_than_a_block_are_read_one_by_one():
    samples = np.zeros((3, _NUMBERS_AT_ONCE + 1), np.float32)
    assert read_samples("x", samples) is not None
    samples[2, -1] = np.inf
    with refused(ValueError, f"x: finite numbers expected, got inf in row 2, column {2**20}"):
        read_samples("x", samples)


def test_a_pair_has_one_width_but_any_sizes_and_types():
    real, fake = read_pair(np.zeros((3, 2), np.float32), np.zeros((5, 2), int))
    assert (real.dtype, fake.dtype) == (np.float32, np.float64)
    with refused(ValueError, "real and fake: the same number of features expected, got 2 and 3"):
        read_pair(np.zeros((3, 2)), np.zeros((3, 3)))
    with refused(ValueError, "fake: at least 4 samples expected, got 3"):
        read_pair(np.zeros((4, 2)), np.zeros((3, 2)), at_least=4)
