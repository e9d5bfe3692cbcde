"""The radix sort against NumPy's."""

import hostile
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prfast.kernels import masses as kernels


@st.composite
def vectors(draw):
    """Scores as they come: hostile, tied, in order or against it; none, one, two, many."""
    scores = draw(st.lists(hostile.floats_of(np.float64), max_size=300))
    order = draw(st.sampled_from(["as they come", "ascending", "descending", "all equal"]))
    if order != "as they come":
        scores.sort(reverse=order == "descending")
    if order == "all equal":
        scores = scores[:1] * len(scores)
    return np.array(scores, np.float64)


@given(vectors().filter(len))
@settings(max_examples=50)
def test_coded_values_places_and_counts_are_those_of_numpy(x):
    found = kernels.coded(x)
    expected = np.unique(x, return_inverse=True, return_counts=True)
    assert all(np.array_equal(*pair) for pair in zip(found, expected, strict=True))


@given(vectors(), st.integers(1, 4), st.integers(1, 3))
@settings(max_examples=50)
def test_columns_ascend_in_any_layout(x, width, step):
    points = np.resize(x, (len(x), width))[::step] if len(x) else np.empty((0, width))
    for layout in (points, np.asfortranarray(points), points[:, :0]):
        assert np.array_equal(kernels.ascending(layout), np.sort(layout.T))


@given(
    seed=st.integers(0, 2**32 - 1),
    rows=st.integers(1, 40),
    shares=st.lists(st.floats(0, 1), min_size=1, max_size=5),
)
@settings(max_examples=50)
def test_quantiles_of_columns_are_those_of_numpy(seed, rows, shares):
    points = np.random.default_rng(seed).lognormal(size=(rows, 3))
    assert np.array_equal(kernels.quantiles(points, shares), np.quantile(points, shares, axis=0))


X = np.random.default_rng(0).standard_normal(50_000)
# Scores that take each way through the sort: how many digits, and how many stay mixed up.
MANY = {
    "all digits": X,
    "one digit": (X > 0).astype(float),
    # beyond what the highest three digits tell apart: few neighbors, and nearly all
    "a few alike": X.round(2) + 1e-13 * (X > 2.9),
    "nearly all alike": np.where(X < 2, 1 + 1e-13 * X, X),
    "denormal": X * 1e-310,
    "all sizes": np.ldexp(X, np.arange(50_000) % 2100 - 1100),
    "descending": -np.sort(X),
    "zeros": np.where(X > 0, 0.0, -0.0),
    "infinities": np.where(np.abs(X) < 1, X, np.copysign(np.inf, X)),
}


@pytest.mark.parametrize("kind", MANY)
@pytest.mark.parametrize(("dtype", "threads"), [(np.float32, 2), (np.float64, 1)])
@pytest.mark.filterwarnings("ignore:overflow encountered in cast:RuntimeWarning")
def test_many_scores_are_in_numpys_order(kind, dtype, threads):
    real = MANY[kind].astype(dtype)
    fake = real[:40_000][::-1].copy()
    ordered = kernels.sort(real, fake, threads)
    assert np.array_equal(ordered[0], np.sort(real))
    assert np.array_equal(ordered[1], np.sort(fake))
    weights = np.random.default_rng(1).random(real.size)
    wide = real.astype(np.float64)
    found = kernels.sort_weighted(wide[:500], weights[:500], wide, weights, threads)
    for scores, beside in (found[:2], found[2:]):
        order = np.argsort(wide[: len(scores)], kind="stable")
        assert np.array_equal(scores, wide[order])
        assert np.array_equal(beside, weights[order])


@given(vectors(), st.integers(0, 2**32 - 1))
@settings(max_examples=50)
def test_weights_stay_beside_their_scores_in_the_order_of_equal_ones(scores, seed):
    weights = np.random.default_rng(seed).random(scores.size)
    before = scores.tobytes(), weights.tobytes()
    ordered = kernels.sort_weighted(scores, weights, scores[::-1].copy(), weights[::-1].copy(), 1)
    order = np.argsort(scores, kind="stable")
    reverse = np.argsort(scores[::-1], kind="stable")
    assert np.array_equal(ordered[0], scores[order])
    assert np.array_equal(ordered[1], weights[order])
    assert np.array_equal(ordered[2], scores[order])
    assert np.array_equal(ordered[3], weights[::-1][reverse])
    assert (scores.tobytes(), weights.tobytes()) == before
