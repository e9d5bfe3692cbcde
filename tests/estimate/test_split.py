"""Splits: disjoint, exhaustive, seeded, and independent of how samples were drawn."""

import numpy as np
import pytest
from refusals import refusals, refused

from prfast.methods.base import split_bernoulli, split_share

SIZES = [(2, 9), (9, 2), (50, 50)]


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


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_a_share_is_rounded_down_in_each_set(share):
    parts = split_share(37, 20, share, 0)
    assert len(parts.real_train) == int(share * 37)
    assert len(parts.fake_train) == int(share * 20)


test_a_share_that_leaves_a_part_empty_is_refused = refusals("""
split_share(1, 9, 0.5, 0)
    ValueError: real: too few samples to split at 0.5: 1 would leave 0 to train and 1 to eva
split_share(9, 1, 0.5, 0)
    ValueError: fake: too few samples to split at 0.5: 1 would leave 0 to train and 1 to eva
split_share(9, 9, 0, 0)
    ValueError: split: a number in (0, 1) expected, got 0
""")


@pytest.mark.parametrize(("n", "m"), SIZES)
@pytest.mark.parametrize("seed", range(5))
def test_the_coin_sends_one_of_each_pair_to_training_and_the_other_to_evaluation(n, m, seed):
    parts = split_bernoulli(n, m, seed)
    pairs = np.arange(min(n, m))
    real_trains = np.isin(pairs, parts.real_train)
    fake_trains = np.isin(pairs, parts.fake_train)
    np.testing.assert_array_equal(real_trains, ~fake_trains)


@pytest.mark.parametrize(("n", "m", "name"), [(1, 5, "real"), (5, 1, "fake")])
def test_one_sample_has_no_bernoulli_split(n, m, name):
    with refused(ValueError, f"{name}: at least 2 samples expected for a split, got 1"):
        split_bernoulli(n, m, 0)


@pytest.mark.parametrize("split", [lambda *a: split_share(*a[:2], 0.5, a[2]), split_bernoulli])
@pytest.mark.parametrize("seed", [0, 7])
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
