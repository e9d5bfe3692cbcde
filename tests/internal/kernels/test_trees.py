"""Boosted trees against their slow twin, and against scikit-learn where the bins are the same."""

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.ensemble import HistGradientBoostingClassifier

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


def test_trees_do_not_depend_on_the_order_of_rows():
    rng = np.random.default_rng(0)
    bins, labels = drawn(rng, 3000, 9, 60)
    arguments = 30, 31, 20, 0.1, 1.0, 0.0
    expected = kernels.boost(bins, labels, *arguments)
    order = rng.permutation(len(bins))
    permuted = kernels.boost(bins[order], labels[order], *arguments)
    assert all(map(np.array_equal, permuted, expected))


def test_trees_are_those_of_scikit_learn_where_the_bins_are():
    rng = np.random.default_rng(1)
    bins, labels = drawn(rng, 2000, 6, 50)
    start = float(np.log(labels.sum() / (len(labels) - labels.sum())))
    odds = np.full(len(bins), start)
    kernels.add_trees(*kernels.boost(bins, labels, 20, 16, 20, 0.1, 1.0, start), bins, odds)
    reference = HistGradientBoostingClassifier(
        max_iter=20, max_leaf_nodes=16, l2_regularization=1.0, early_stopping=False
    )
    expected = reference.fit(bins, labels).decision_function(bins)
    np.testing.assert_allclose(odds, expected, atol=2e-3)


def test_long_calls_are_split_without_a_difference(monkeypatch):
    """Calls of C are short, so that an interrupt need not wait."""
    rng = np.random.default_rng(2)
    bins, labels = drawn(rng, 3000, 5, 40)
    arguments = 4, 4, 20, 0.1, 1.0, 0.0
    whole = kernels.boost(bins, labels, *arguments)
    parts = kernels.boost(bins, labels, *arguments, work=1)
    assert all(map(np.array_equal, parts, whole))


SPLIT, ONE = np.full((1, 1), 3 << 16 | 1, np.uint32), np.zeros((1, 1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x, b, y: kernels.edges(x, 64), "edges of some values expected, got 64"),
        (lambda x, b, y: kernels.edges(x, 511), "edges of some values expected, got 511"),
        (lambda x, b, y: kernels.edges(x[:, :0], 7), "edges of some values expected"),
        (lambda x, b, y: kernels.binned(x, x[:, :2].copy()), "1, 3, 7, … or 255 edges expected"),
        (lambda x, b, y: kernels.binned(x[:, :2].copy(), x), "arrays of one length"),
        (lambda x, b, y: kernels.boost(b, y[1:], 1, 2, 1, 0.1, 1.0, 0.0), "arrays of one length"),
        (lambda x, b, y: kernels.boost(b, y, 1, 129, 1, 0.1, 1.0, 0.0), "128 leaves"),
        (lambda x, b, y: kernels.boost(b[:0], y[:0], 1, 2, 1, 0.1, 1.0, 0.0), "rows"),
        (lambda x, b, y: kernels.add_trees(SPLIT, ONE, b, x[0]), "bins of more than 3 columns exp"),
    ],
)
def test_sizes_that_would_not_be_safe_are_refused(call, message):
    bins = np.zeros((3, 3), np.uint8)
    with pytest.raises(ValueError, match=message):
        call(np.zeros((3, 3)), bins, np.zeros(3, np.uint8))
