"""Boosted trees against their slow twin, and against scikit-learn where the bins are the same."""

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from prfast.kernels import trees as kernels


def drawn(rng, rows, columns, bins):
    """Return bins of rows, of which some columns repeat or are constant, and labels."""
    x = rng.integers(0, bins, (rows, columns))
    x[:, rng.random(columns) < 0.2] = 0
    x[:, -1] = x[:, 0]
    labels = rng.random(rows) < np.where(x[:, 0] * 2 > bins, 0.8, 0.3)
    return x.astype(np.uint8), labels.astype(np.uint8)


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 400),
    values=st.sampled_from([1, 3, 40, 10**6]),
    most=st.sampled_from([1, 7, 31, 255]),
)
def test_edges_are_between_values_or_near_quantiles(seed, n, values, most):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, values, n) ** 2 / 7.0
    x[rng.random(n) < 0.3] = x[0]
    edges = kernels.edges(np.sort(x)[None], most)
    assert np.array_equal(edges[0], oracles.tree_edges(x, most))
    points = rng.choice(np.concatenate([x, edges[0], [-1.0, 1e300]]), 50)
    bins = kernels.binned(points[:, None], edges)
    assert np.array_equal(bins[:, 0], edges[0].searchsorted(points, "right"))


def test_neighboring_floats_have_bins_of_their_own():
    x = np.nextafter(1.0, [0.0, 1.0, 2.0])
    assert kernels.binned(x[:, None], kernels.edges(x[None], 3)).ravel().tolist() == [0, 1, 2]


def test_the_sigmoid_of_the_twin_is_one():
    x = np.concatenate([np.linspace(-800, 800, 4001), np.linspace(-3, 3, 4001)])
    np.testing.assert_allclose(oracles.sigmoid(x), expit(np.clip(x, -700, 700)), rtol=3e-13)


@given(
    seed=st.integers(0, 2**32 - 1),
    size=st.tuples(st.integers(1, 120), st.integers(1, 4), st.sampled_from([1, 2, 5, 30, 256])),
    leaves=st.integers(1, 9),
    least=st.integers(1, 12),
    l2=st.sampled_from([0.01, 1.0]),
    start=st.sampled_from([0.0, -0.7, 30.0]),
    weighted=st.booleans(),
)
@settings(max_examples=60)
def test_trees_are_those_of_the_twin_to_the_last_bit(
    seed, size, leaves, least, l2, start, weighted
):
    rng = np.random.default_rng(seed)
    bins, labels = drawn(rng, *size)
    # quarters, whose sum is exact, with zeros but for the first
    weights = np.maximum(rng.integers(0, 40, len(bins)), np.arange(len(bins)) == 0) / 4
    arguments = bins, labels, 4, leaves, least, 0.3, l2, start, weights if weighted else None
    splits, values = kernels.boost(*arguments)
    expected_splits, expected_values, expected_odds = oracles.boosted_trees(*arguments)
    assert np.array_equal(splits, expected_splits)
    assert np.array_equal(values, expected_values)
    odds = np.full(len(bins), start)
    kernels.add_trees(splits, values, bins, odds)
    assert np.array_equal(odds, expected_odds)


def test_large_weights_do_not_overflow():
    bins, labels = drawn(np.random.default_rng(3), 60, 2, 9)
    arguments = bins, np.ones_like(labels), 1, 3, 5, 0.1, 1.0, 0.0
    _, values = kernels.boost(*arguments, np.full(60, 3e7))
    assert values.max() == pytest.approx(0.2, rel=1e-6)  # 0.1 · ½ / ¼
