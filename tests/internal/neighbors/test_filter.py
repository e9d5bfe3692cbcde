"""The float32 filter: few pairs undecided, its error bound never exceeded."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ISAS, check_bounds

from prfast.neighbors import NeighborSearch


def test_the_filter_leaves_few_pairs_undecided():
    x = np.random.default_rng(64).normal(size=(3000, 64)).astype(np.float32)
    search = NeighborSearch("exact")
    search.kth_within(x, [5])
    assert search.work["refined"] / 3000 < 6
    assert search.work["unfiltered"] == 0


def constant_rows(n, d, rng):
    """Products that are all alike: each step of a float32 sum errs in the same direction."""
    x = np.ones((n, d)) * (1 + rng.random((n, 1)))
    x[0] *= -1
    return x


@given(
    st.integers(1, 300),
    st.sampled_from(["normal", "signs", "one large", "parallel", "steps", "constant rows"]),
    st.floats(-8, 8),
    st.integers(0, 10**6),
)
@settings(max_examples=50)
def test_the_error_bound_is_never_exceeded(d, kind, power, seed):
    """Rows are chosen to make float32 sums err in one direction."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(24, d)), rng.normal(size=(40, d))
    if kind == "signs":  # products of one sign, all rounded the same way
        x, y = np.abs(x) + 1, np.abs(y) + 1
    elif kind == "one large":
        x[:, 0] *= 1e6
    elif kind == "parallel":
        y = np.repeat(x[:1], 40, axis=0) * (1 + 1e-7 * rng.normal(size=(40, 1)))
    elif kind == "constant rows":
        x, y = constant_rows(24, d, rng), constant_rows(40, d, rng)
    elif kind == "steps":  # halfway between float32 numbers
        x = np.float32(x).astype(float) + np.spacing(np.float32(x)).astype(float) / 2
    x, y = x * 10.0**power, y * 10.0**power
    for isa in ISAS:
        check_bounds(x, y, f"{isa} float32")


# ---- float32 differences: an error relative to D ------------------------------------------------


@given(
    st.integers(1, 300),
    st.sampled_from(["normal", "far", "parallel", "steps", "constant", "one large", "zeros"]),
    st.floats(-40, 37),
    st.integers(0, 10**6),
)
@settings(max_examples=50)
def test_the_bound_of_differences_is_never_exceeded(d, kind, power, seed):
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
    for isa in ISAS:
        check_bounds(x, y, f"{isa} int8")
