"""The radix sort against NumPy's."""

import hostile
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prfast.kernels import masses as kernels

DTYPES = [np.float32, np.float64]


@st.composite
def vectors(draw, dtype=None, max_size=300):
    """Scores as they come: hostile, tied, in order or against it; none, one, two, many."""
    dtype = dtype or draw(st.sampled_from(DTYPES))
    scores = draw(st.lists(hostile.floats_of(dtype), max_size=max_size))
    order = draw(st.sampled_from(["as they come", "ascending", "descending", "all equal"]))
    if order != "as they come":
        scores.sort(reverse=order == "descending")
    if order == "all equal":
        scores = scores[:1] * len(scores)
    return np.array(scores, dtype)


@given(vectors())
@settings(max_examples=100)
def test_the_radix_sort_is_numpys(scores):
    before = scores.tobytes()
    found, same = kernels.sort(scores, scores[::-1].copy(), 1)
    assert found.dtype == scores.dtype
    assert np.array_equal(found, np.sort(scores))
    assert np.array_equal(same, found)
    assert scores.tobytes() == before


@given(vectors(np.float64), st.integers(0, 2**32 - 1))
@settings(max_examples=100)
def test_weights_stay_beside_their_scores_in_the_order_of_equal_ones(scores, seed):
    weights = np.random.default_rng(seed).random(scores.size)
    before = scores.tobytes(), weights.tobytes()
    found = kernels.sort_weighted(scores, weights, scores[::-1].copy(), weights[::-1].copy(), 1)
    order = np.argsort(scores, kind="stable")
    other = np.argsort(scores[::-1], kind="stable")
    assert np.array_equal(found[0], scores[order])
    assert np.array_equal(found[1], weights[order])
    assert np.array_equal(found[2], scores[order])
    assert np.array_equal(found[3], weights[::-1][other])
    assert (scores.tobytes(), weights.tobytes()) == before


def many(kind, size=50_000):
    """Scores that take each way through the sort: how many digits, and how many stay mixed up."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(size)
    return {
        "all digits": lambda: x,
        "two digits": lambda: rng.integers(0, 300, size).astype(float),
        "one digit": lambda: rng.integers(0, 2, size).astype(float),
        "float32": lambda: x.astype(np.float32).astype(float),
        "a narrow range": lambda: 0.5 + 1e-12 * x,
        # beyond what the highest three digits tell apart: few neighbors, and nearly all
        "a few alike": lambda: x.round(2) + 1e-13 * (rng.random(size) < 0.001),
        "nearly all alike": lambda: np.where(x < 2, 1 + 1e-13 * x, x),
        "saturated": lambda: 1 / (1 + np.exp(-12 - 4 * x)),
        "denormal": lambda: x * 1e-310,
        "all sizes": lambda: np.ldexp(x, rng.integers(-1100, 1000, size)),
        "ascending": lambda: np.sort(x),
        "descending": lambda: -np.sort(x),
        "zeros": lambda: np.where(x > 0, 0.0, -0.0),
        "infinities": lambda: np.where(np.abs(x) < 1, x, np.copysign(np.inf, x)),
    }[kind]()


KINDS = [
    *("all digits", "two digits", "one digit", "float32", "a narrow range", "a few alike"),
    *("nearly all alike", "saturated", "denormal", "all sizes", "ascending", "descending"),
    *("zeros", "infinities"),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.filterwarnings("ignore:overflow encountered in cast:RuntimeWarning")
def test_many_scores_are_in_numpys_order(kind, dtype, threads):
    real = many(kind).astype(dtype)
    fake = real[:40_000][::-1].copy()
    found = kernels.sort(real, fake, threads)
    assert np.array_equal(found[0], np.sort(real))
    assert np.array_equal(found[1], np.sort(fake))
    weights = np.random.default_rng(1).random(real.size)
    wide = real.astype(np.float64)
    order = np.argsort(wide, kind="stable")
    _, _, scores, beside = kernels.sort_weighted(wide[:9], weights[:9], wide, weights, threads)
    assert np.array_equal(scores, wide[order])
    assert np.array_equal(beside, weights[order])
