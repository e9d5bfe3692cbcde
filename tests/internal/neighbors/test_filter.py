"""The float32 filter: few pairs undecided, its error bound never exceeded."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ISAS, check_bounds


def of_kind(kind, rng, n, m, d):
    """Return two sets on which sums of float32 err in one direction."""
    x, y = rng.normal(size=(n, d)), rng.normal(size=(m, d))
    if kind == "signs":  # products of one sign, all rounded the same way
        x, y = np.abs(x) + 1, np.abs(y) + 1
    elif kind == "one large":
        x[:, 0] *= 1e6
    elif kind == "parallel":
        y = x[:1] * (1 + 1e-7 * rng.normal(size=(m, 1)))
    elif kind == "constant rows":  # products that are all alike
        x, y = (np.ones((size, d)) * (1 + rng.random((size, 1))) for size in (n, m))
        x[0], y[0] = -x[0], -y[0]
    elif kind == "constant beside zeros":
        x, y = np.ones((n, d)) * rng.random((n, 1)), np.zeros((m, d))
    elif kind == "steps":  # halfway between float32 numbers
        x = np.float32(x).astype(float) + np.spacing(np.float32(x)).astype(float) / 2
    elif kind == "steps of differences":
        x, y = np.round(x) + 2.0**-24, np.round(y) + 1
    elif kind == "far":
        x, y = x + 1e4, y + 1e4
    elif kind == "zeros":
        x[::2], y[::2] = 0, 0
    return x, y


SUMS = ("normal", "signs", "one large", "parallel", "steps", "constant rows")
DIFFERENCES = ("normal", "far", "parallel", "steps of differences", "constant beside zeros")
DIFFERENCES += ("one large", "zeros")


@given(st.integers(1, 300), st.sampled_from(SUMS), st.floats(-8, 8), st.integers(0, 10**6))
@settings(max_examples=50)
def test_the_error_bound_is_never_exceeded(d, kind, power, seed):
    x, y = of_kind(kind, np.random.default_rng(seed), 24, 40, d)
    for isa in ISAS:
        check_bounds(x * 10.0**power, y * 10.0**power, f"{isa} float32")


@given(st.integers(1, 300), st.sampled_from(DIFFERENCES), st.floats(-40, 37), st.integers(0, 10**6))
@settings(max_examples=50)
def test_the_bound_of_differences_is_never_exceeded(d, kind, power, seed):
    """The error of a float32 difference is relative to D."""
    sets = of_kind(kind, np.random.default_rng(seed), 9, 13, d)
    with np.errstate(over="ignore"):
        sets = [(z * 10.0**power).astype(np.float32) for z in sets]
    x, y = (np.clip(z, -3.4e38, 3.4e38).astype(np.float32) for z in sets)
    for isa in ISAS:
        check_bounds(x, y, f"{isa} int8")
