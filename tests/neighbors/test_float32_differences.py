"""D from float32 differences: an error relative to D, never exceeded."""

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ISAS

from prfast.kernels import balls


def differences(x, y, isa):
    """lo <= D <= hi of all pairs."""
    side = balls.Pass(x, y, np.zeros(x.shape[1]), 1.0, len(y), isa, False, False)
    side.load(0, len(y), 1)
    return balls.differences(side)


@given(
    st.integers(1, 300),
    st.sampled_from(["normal", "far", "parallel", "steps", "constant", "one large", "zeros"]),
    st.floats(-40, 37),
    st.integers(0, 10**6),
)
@settings(max_examples=300, deadline=None)
def test_the_bound_is_never_exceeded(d, kind, power, seed):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(9, d)), rng.normal(size=(13, d))
    if kind == "far":
        x, y = x + 1e4, y + 1e4
    elif kind == "parallel":
        y = x[:1] * (1 + 1e-6 * rng.normal(size=(13, 1)))
    elif kind == "steps":  # differences halfway between float32 numbers
        x, y = np.round(x) + 2.0**-24, np.round(y) + 1
    elif kind == "constant":
        x, y = np.ones((9, d)) * rng.random((9, 1)), np.zeros((13, d))
    elif kind == "one large":
        x[:, 0] *= 1e6
    elif kind == "zeros":
        x[::2], y[::2] = 0, 0
    with np.errstate(over="ignore"):
        x, y = (x * 10.0**power).astype(np.float32), (y * 10.0**power).astype(np.float32)
    x, y = (np.clip(z, -3.4e38, 3.4e38).astype(np.float32) for z in (x, y))
    d2 = oracles.squared_distances(x.astype(float), y.astype(float))
    for isa in ISAS:
        lo, hi = differences(x, y, isa)
        assert (lo >= 0).all(), isa
        assert (lo <= d2).all(), isa
        assert (d2 <= hi).all(), isa


@pytest.mark.parametrize("isa", ISAS)
def test_the_error_is_relative_to_the_distance_and_not_to_the_norms(isa):
    """Clusters far from the centre, where a dot product says nothing."""
    rng = np.random.default_rng(1)
    for d in (1, 64, 2048):
        x = (1e6 + rng.normal(size=(20, d))).astype(np.float32)
        d2 = oracles.squared_distances(x.astype(float), x.astype(float))
        lo, hi = differences(x, x, isa)
        assert (hi - lo <= 1e-4 * d2 + 1e-30).all()


@pytest.mark.parametrize("isa", ISAS)
def test_what_float32_cannot_hold_has_one_end(isa):
    x, y = np.float32([[3e38, 0], [1e19, 1e19], [1e19, 0]]), np.float32([[-3e38, 0], [-1e19, 1e19]])
    lo, hi = differences(x, y, isa)
    d2 = oracles.squared_distances(x.astype(float), y.astype(float))
    assert (lo <= d2).all()
    assert (d2 <= hi).all()
    assert np.array_equal(np.isinf(hi), d2 > 3.4e38)
    assert (lo[np.isinf(hi)] > 1.6e38).all()


def test_sets_of_float64_are_refused():
    x, y = np.zeros((2, 2)), np.zeros((2, 2), np.float32)
    with pytest.raises(ValueError, match="sets of float32 expected"):
        differences(x, y, "base")
    with pytest.raises(ValueError, match="sets of float32 expected"):
        differences(y, x, "base")
