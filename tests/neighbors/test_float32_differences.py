"""D from float32 differences: an error relative to D, never exceeded."""

import numpy as np
import oracles
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ISAS

from prfast.kernels import distances


def differences(x, y, isa):
    """lo <= D <= hi of all pairs."""
    side = distances.Pass(x, y, np.zeros(x.shape[1]), 1.0, len(y), isa, False, False)
    side.load(0, len(y), 1)
    return distances.differences(side)


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
