"""The one reader of user arrays: what is taken, what becomes of it, what is refused and how."""

import json
import re

import numpy as np
import pytest
import scipy.sparse

from prfast.estimate.split import split_bernoulli, split_share
from prfast.inputs.arrays import (
    read_lambdas,
    read_numbers,
    read_rates,
    read_shaped,
    read_vector,
    read_weights,
    shaped,
)
from prfast.inputs.options import read_count, read_number, read_seed
from prfast.inputs.samples import _NUMBERS_AT_ONCE, read_pair, read_samples
from prfast.results.info import read_info


def refused(error, message):
    """`pytest.raises` for a message stated literally, from its beginning."""
    return pytest.raises(error, match="^" + re.escape(message))


# ---- dtype: equal in value, or refused ---------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("f4", "f4"),
        ("f8", "f8"),
        (">f4", "f4"),
        (">f8", "f8"),
        ("f2", "f4"),
        (">f2", "f4"),
        ("?", "f4"),
        ("i1", "f4"),
        ("u1", "f4"),
        (">i2", "f4"),
        ("u2", "f4"),
        (">i4", "f8"),
        ("i8", "f8"),
        ("u8", "f8"),
    ],
)
def test_every_number_type_becomes_a_native_float_of_equal_values(given, taken):
    values = np.array([[0, 1, 1], [1, 0, 1]]).astype(given)
    read = read_numbers("x", values)
    assert read.dtype == np.dtype(taken)
    assert read.dtype.isnative
    np.testing.assert_array_equal(read, values)


def test_float16_extremes_are_exact():
    extremes = np.array([65504, 2.0**-24, -0.0, np.inf], np.float16)
    np.testing.assert_array_equal(read_numbers("x", extremes), [65504, 2.0**-24, 0, np.inf])


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2"])
def test_extremes_of_small_integers_are_exact_in_float32(dtype):
    extremes = np.array([np.iinfo(dtype).min, np.iinfo(dtype).max], dtype)
    np.testing.assert_array_equal(read_numbers("x", extremes), extremes.astype(float))


@pytest.mark.parametrize("largest", [2**53, -(2**53)])
def test_integers_up_to_2_to_the_53_are_exact(largest):
    assert read_numbers("x", np.array([largest]))[0] == largest


@pytest.mark.parametrize(
    "beyond",
    [
        np.array([2**53 + 1]),  # rounds to 2**53 in float64, so it must be compared as an integer
        np.array([0, -(2**53) - 1]),
        np.array([2**63], np.uint64),
        np.array([-(2**63)]),
    ],
)
def test_integers_beyond_2_to_the_53_are_refused(beyond):
    with refused(TypeError, "x: integers beyond 2**53 are not exact in float64"):
        read_numbers("x", beyond)


def test_lists_and_scalars_are_read():
    np.testing.assert_array_equal(read_numbers("x", [[1, 2.5], [3, 4]]), [[1, 2.5], [3, 4]])
    assert read_numbers("x", 3).shape == ()
    assert read_numbers("x", np.empty((0, 3), int)).shape == (0, 3)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_floats_are_not_copied_whatever_their_layout(dtype, order):
    whole = np.asarray(np.arange(60.0).reshape(10, 6), dtype, order=order)
    for view in (whole, whole[::2, 1::2], whole[::-1], whole.T):
        assert np.shares_memory(read_samples("x", view), view)


def test_a_memory_map_is_not_copied(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.arange(12.0).reshape(4, 3))
    mapped = np.load(path, mmap_mode="r")
    assert np.shares_memory(read_samples("x", mapped), mapped)


@pytest.mark.parametrize(
    ("values", "got"),
    [
        (["a", "b"], "a list of dtype <U1"),
        (None, "a NoneType of dtype object"),
        ([1.0, None], "a list of dtype object"),
        ([2**70], "a list of dtype object"),
        (np.array([1j]), "a numpy.ndarray of dtype complex128"),
        (np.zeros(2, np.longdouble), f"a numpy.ndarray of dtype {np.dtype(np.longdouble)}"),
        (np.array(["2026-01-01"], "M8[D]"), "a numpy.ndarray of dtype datetime64[D]"),
        (np.zeros(2, [("x", "f8")]), "a numpy.ndarray of dtype [('x', '<f8')]"),
    ],
)
def test_everything_else_is_refused_by_type_and_dtype(values, got):
    with refused(
        TypeError,
        f"x: float32, float64, float16, integer or boolean numbers expected, got {got}",
    ):
        read_numbers("x", values)


def test_a_structured_array_is_refused_with_what_makes_columns_of_it():
    fields = np.zeros(2, [("x", "f8"), ("y", "f4")])
    with pytest.raises(TypeError, match=r"structured_to_unstructured makes columns of its fields$"):
        read_numbers("x", fields)


@pytest.mark.parametrize("make", [scipy.sparse.csr_array, scipy.sparse.coo_matrix])
def test_a_sparse_matrix_is_refused_with_what_makes_it_dense(make):
    with pytest.raises(
        TypeError,
        match=r"^x: a dense array expected, got a scipy\.sparse.*; x.toarray\(\) makes one$",
    ):
        read_numbers("x", make(np.eye(2)))


def test_a_ragged_list_is_refused():
    with refused(TypeError, "x: an array of numbers expected, got a list: "):
        read_numbers("x", [[1, 2], [3]])


def test_a_masked_array_is_refused_since_its_mask_would_be_lost():
    masked = np.ma.masked_invalid([[1.0, np.nan]])
    with refused(TypeError, "x: a plain array expected, got a masked array; fill or drop it"):
        read_numbers("x", masked)


# ---- vectors: scores, weights, rates, trade-offs -----------------------------------------------


def test_a_vector_is_contiguous_and_keeps_infinities_on_request():
    values = np.array([1.0, np.inf, -np.inf, 2.0])[::-1]
    read = read_vector("s", values, finite=False)
    assert read.flags.c_contiguous
    np.testing.assert_array_equal(read, values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (3.0, "s: a 1-D array expected, got shape ()"),
        ([[1.0]], "s: a 1-D array expected, got shape (1, 1)"),
        ([], "s: at least one number expected, got none"),
        ([0, 1, np.nan], "s: finite numbers expected, got nan at index 2"),
        ([0, -np.inf, np.nan], "s: finite numbers expected, got -inf at index 1"),
    ],
)
def test_bad_vectors_are_refused(values, message):
    with refused(ValueError, message):
        read_vector("s", values)


def test_nan_is_refused_even_where_infinities_are_not():
    with refused(ValueError, "s: numbers or ±inf expected, got nan at index 1"):
        read_vector("s", [np.inf, np.nan], finite=False)


@pytest.mark.parametrize(
    ("reader", "values", "message"),
    [
        (read_weights, [1, -0.5], "x: numbers >= 0 expected, got -0.5 at index 1"),
        (read_weights, [0, 0], "x: a positive sum expected, got only zeros"),
        (read_weights, [np.inf], "x: finite numbers expected, got inf at index 0"),
        (read_rates, [0, 1, 1.5], "x: numbers in [0, 1] expected, got 1.5 at index 2"),
        (read_rates, [-1e-9], "x: numbers in [0, 1] expected, got -1e-09 at index 0"),
        (read_lambdas, [np.inf, -1], "x: numbers in [0, ∞] expected, got -1.0 at index 1"),
        (read_lambdas, [-np.inf], "x: numbers in [0, ∞] expected, got -inf at index 0"),
        (read_lambdas, [np.nan], "x: numbers or ±inf expected, got nan at index 0"),
    ],
)
def test_values_out_of_range_are_refused_with_their_index(reader, values, message):
    with refused(ValueError, message):
        reader("x", values)


@pytest.mark.parametrize("reader", [read_weights, read_rates])
def test_a_length_that_another_argument_fixes(reader):
    assert reader("x", [1, 0], length=2).size == 2
    with refused(ValueError, "x: 3 numbers expected, got 2"):
        reader("x", [1, 0], length=3)


@pytest.mark.parametrize("reader", [read_weights, read_rates, read_lambdas])
def test_weights_rates_and_lambdas_are_float64(reader):
    read = reader("x", np.array([0, 0.25, 1], np.float32))
    assert read.dtype == np.float64
    np.testing.assert_array_equal(read, [0, 0.25, 1])


@pytest.mark.parametrize("reader", [read_weights, read_rates, read_lambdas])
def test_a_negative_zero_becomes_a_zero_and_the_callers_stays(reader):
    values = np.array([-0.0, 1.0])
    assert not np.signbit(reader("x", values)).any()
    assert np.signbit(values[0])


def test_weights_may_all_be_zero_on_request():
    assert read_weights("x", [0, 0], all_zero=True).tolist() == [0, 0]


@pytest.mark.parametrize("values", [0.5, [0.5, 1], [[0.5], [1]], [], np.empty((0, 2))])
def test_any_shape_is_read_flat_and_given_back(values):
    flat, shape = read_shaped("x", values, read_rates)
    assert (flat.dtype, flat.shape) == (np.float64, (np.size(values),))
    assert shape == np.shape(values)
    given = shaped(flat, shape)
    np.testing.assert_array_equal(given, values)
    assert isinstance(given, float) == (shape == ())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.ma.masked_invalid([1.0, np.nan]), "x: a plain array expected, got a masked array"),
        ([[1, 2], [3]], "x: an array of numbers expected, got a list: "),
    ],
)
def test_what_no_array_of_numbers_is_has_no_shape(values, message):
    with refused(TypeError, message):
        read_shaped("x", values, read_lambdas)


# ---- records -----------------------------------------------------------------------------------


def test_a_record_is_a_copy_that_json_keeps():
    inner = [1, {"a": (2.5, None)}]
    given = {
        "whole": np.int64(3),
        "real": np.float32(0.5),
        "flag": np.bool_(True),
        "text": np.str_("x"),
        "nested": inner,
        "pair": (1, "b"),
    }
    read = read_info("info", given)
    assert read == {
        "whole": 3,
        "real": 0.5,
        "flag": True,
        "text": "x",
        "nested": [1, {"a": [2.5, None]}],
        "pair": [1, "b"],
    }
    assert [type(value) for value in read.values()] == [int, float, bool, str, list, list]
    assert json.loads(json.dumps(read, allow_nan=False)) == read
    inner.append(2)
    assert len(read["nested"]) == 2


ENTRY = "None, a bool, an int, a finite float, a str, or a list or mapping of them expected, got"
LOOP: list = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    ("info", "message"),
    [
        ([1], "info: a mapping expected, got a list"),
        ({1: 2}, "info: keys of type str expected, got 1"),
        ({"a": {1: 2}}, "info['a']: keys of type str expected, got 1"),
        ({"a": np.nan}, f"info['a']: {ENTRY} nan"),
        ({"a": np.float32(np.inf)}, f"info['a']: {ENTRY} inf"),
        ({"a": [1, {2}]}, f"info['a'][1]: {ENTRY} a set"),
        ({"a": {"b": b"c"}}, f"info['a']['b']: {ENTRY} a bytes"),
        ({"a": np.zeros(2)}, f"info['a']: {ENTRY} a numpy.ndarray"),
        ({"a": 1j}, f"info['a']: {ENTRY} a complex"),
        ({"a": np.datetime64("2026-01-01")}, f"info['a']: {ENTRY} a numpy.datetime64"),
        ({"a": LOOP}, "info: entries that do not contain themselves expected"),
    ],
)
def test_what_json_would_not_keep_is_named(info, message):
    with refused(TypeError, message):
        read_info("info", info)


# ---- samples -----------------------------------------------------------------------------------


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


# ---- options -----------------------------------------------------------------------------------


def test_a_seed_is_kept_and_none_draws_a_fresh_one():
    assert read_seed(0) == 0
    assert read_seed(np.int64(7)) == 7
    assert read_seed(2**32 - 1) == 2**32 - 1
    fresh = {read_seed(None) for _ in range(8)}
    assert len(fresh) > 1
    assert all(isinstance(seed, int) and 0 <= seed < 2**32 for seed in fresh)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_out_of_range_is_refused(seed):
    with refused(ValueError, f"random_state: an integer in [0, 2**32) expected, got {seed}"):
        read_seed(seed)
    with refused(ValueError, f"--seed: an integer in [0, 2**32) expected, got {seed}"):
        read_seed(seed, "--seed")


@pytest.mark.parametrize(
    ("seed", "got"),
    [
        (True, "a bool"),
        (1.0, "a float"),
        ("1", "a str"),
        (np.random.RandomState(0), "a numpy.random.mtrand.RandomState"),
    ],
)
def test_a_seed_of_another_type_is_refused(seed, got):
    with refused(TypeError, f"random_state: an integer or None expected, got {got}"):
        read_seed(seed)


def test_counts():
    assert read_count("runs", np.uint8(3)) == 3
    assert type(read_count("runs", np.int64(3))) is int
    with refused(ValueError, "runs: an integer of at least 1 expected, got 0"):
        read_count("runs", 0)
    with refused(ValueError, "clusters: an integer of at least 2 expected, got 1"):
        read_count("clusters", 1, at_least=2)
    for value, got in ((2.0, "a float"), (True, "a bool"), (np.bool_(1), "a numpy.bool")):
        with refused(TypeError, f"runs: an integer expected, got {got}"):
            read_count("runs", value)


def test_numbers_in_a_range():
    for value in (2, 2.0, np.float32(2), np.int8(2)):
        assert type(read_number("x", value, 0, 2)) is float
    with refused(ValueError, "x: a number in [0, ∞] expected, got -1"):
        read_number("x", -1, 0.0, np.inf)
    with refused(ValueError, "x: a number in [0, 1] expected, got nan"):
        read_number("x", np.nan, 0.0, 1.0)
    for value, got in (("2", "a str"), (True, "a bool"), (None, "a NoneType"), ([1], "a list")):
        with refused(TypeError, f"x: a number expected, got {got}"):
            read_number("x", value, 0.0, 1.0)


# ---- splits ------------------------------------------------------------------------------------

SIZES = [(2, 2), (2, 9), (9, 2), (50, 50), (50, 31), (31, 50)]


def split_in_two(train, test, size):
    """Both parts are sorted, not empty, and together every row once."""
    assert 0 < len(train) < size
    assert (np.diff(train) > 0).all()
    assert (np.diff(test) > 0).all()
    np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(size))


@pytest.mark.parametrize("split", [lambda *a: split_share(*a[:2], 0.5, a[2]), split_bernoulli])
@pytest.mark.parametrize(("n", "m"), SIZES)
def test_a_split_is_disjoint_exhaustive_and_seeded(split, n, m):
    parts = split(n, m, 3)
    split_in_two(parts.real_train, parts.real_test, n)
    split_in_two(parts.fake_train, parts.fake_test, m)
    again = split(n, m, 3)
    for one, two in zip(parts, again, strict=True):
        np.testing.assert_array_equal(one, two)
    others = [split(n, m, seed) for seed in range(4, 20)]
    assert any(not np.array_equal(parts.real_train, other.real_train) for other in others)


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5, 0.9])
def test_a_share_is_rounded_down_in_each_set(share):
    parts = split_share(37, 20, share, 0)
    assert len(parts.real_train) == int(share * 37)
    assert len(parts.fake_train) == int(share * 20)


def test_a_share_draws_every_row_equally_often():
    drawn = np.concatenate([split_share(10, 10, 0.3, seed).fake_train for seed in range(2000)])
    counts = np.bincount(drawn, minlength=10)  # binomial(2000, 0.3): sd 20
    assert abs(counts - 600).max() < 100


def test_a_share_draws_real_and_fake_rows_independently():
    parts = split_share(100, 100, 0.5, 0)
    assert not np.array_equal(parts.real_train, parts.fake_train)


@pytest.mark.parametrize(
    ("n", "m", "share", "message"),
    [
        (1, 9, 0.5, "real: too few samples to split at 0.5: 1 would leave 0 to train and 1 to eva"),
        (9, 9, 0.1, "real: too few samples to split at 0.1: 9 would leave 0 to train and 9 to eva"),
        (9, 1, 0.5, "fake: too few samples to split at 0.5: 1 would leave 0 to train and 1 to eva"),
        (9, 9, 0, "split: a number in (0, 1) expected, got 0"),
        (9, 9, 1.0, "split: a number in (0, 1) expected, got 1.0"),
        (9, 9, 1.5, "split: a number in (0, 1) expected, got 1.5"),
        (9, 9, np.nan, "split: a number in (0, 1) expected, got nan"),
    ],
)
def test_a_share_that_leaves_a_part_empty_is_refused(n, m, share, message):
    with refused(ValueError, message):
        split_share(n, m, share, 0)


@pytest.mark.parametrize(("n", "m"), SIZES)
@pytest.mark.parametrize("seed", range(5))
def test_the_coin_sends_one_of_each_pair_to_training_and_the_other_to_evaluation(n, m, seed):
    parts = split_bernoulli(n, m, seed)
    pairs = np.arange(min(n, m))
    real_trains = np.isin(pairs, parts.real_train)
    fake_trains = np.isin(pairs, parts.fake_train)
    np.testing.assert_array_equal(real_trains, ~fake_trains)


@pytest.mark.parametrize(("n", "m"), [(4000, 1000), (1000, 4000)])
def test_the_coin_is_fair_for_pairs_and_for_samples_without_a_partner(n, m):
    parts = split_bernoulli(n, m, 0)
    longer = parts.real_train if n > m else parts.fake_train
    assert abs((longer < 1000).sum() - 500) < 80  # sd 16
    assert abs((longer >= 1000).sum() - 1500) < 140  # sd 27


def test_two_samples_of_each_leave_one_in_every_part_for_every_seed():
    for seed in range(50):
        assert [len(part) for part in split_bernoulli(2, 2, seed)] == [1, 1, 1, 1]


@pytest.mark.parametrize(("n", "m", "name"), [(1, 5, "real"), (5, 1, "fake")])
def test_one_sample_has_no_bernoulli_split(n, m, name):
    with refused(ValueError, f"{name}: at least 2 samples expected for a split, got 1"):
        split_bernoulli(n, m, 0)


@pytest.mark.parametrize("split", [lambda *a: split_share(*a[:2], 0.5, a[2]), split_bernoulli])
@pytest.mark.parametrize("seed", [0, 1, 7])
def test_splits_do_not_follow_the_stream_that_drew_the_samples(split, seed):
    n = 4000
    rng = np.random.default_rng(seed)
    mode = rng.random(n) < 0.6
    order = np.random.default_rng(seed).permutation(n)
    parts = split(n, n, seed)
    trained = mode[parts.real_train].mean(), mode[parts.fake_train].mean()
    assert trained == pytest.approx((0.6, 0.6), abs=0.06)
    first = np.isin(order[: n // 2], parts.real_train).mean()
    assert first == pytest.approx(0.5, abs=0.06)
