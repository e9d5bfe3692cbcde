"""The float32 filter: few pairs undecided, its error bound never exceeded."""

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ISAS, on

from prfast.kernels import distances as kernels
from prfast.neighbors import NeighborSearch, passes


def test_the_filter_leaves_few_pairs_undecided():
    x = np.random.default_rng(64).normal(size=(3000, 64)).astype(np.float32)
    search = NeighborSearch("exact")
    search.kth_within(x, [5])
    assert search.work["refined"] / 3000 < 6
    assert search.work["unfiltered"] == 0


def intervals(queries, refs):
    """lo <= D <= hi, what the filter knows of up to 96 queries and all references."""
    side = passes.new_pass(queries, refs, len(refs), False)
    side.load(0, len(refs), 1)
    return kernels.intervals(side, len(queries))


def constant_rows(n, d, rng):
    """Products that are all alike: each step of a float32 sum errs in the same direction."""
    x = np.ones((n, d)) * (1 + rng.random((n, 1)))
    x[0] *= -1
    return x


@pytest.mark.parametrize("d", [2, 1500])
def test_the_error_bound_is_of_the_size_of_the_worst_errors(d):
    """A fifth of it, in all dimensions: a bound without its term in d would be exceeded."""
    rng = np.random.default_rng(d)
    worst = 0.0
    for _ in range(20):
        x, y = constant_rows(24, d, rng), constant_rows(40, d, rng)
        d2 = oracles.squared_distances(x, y)
        lo, hi = intervals(x, y)
        worst = max(worst, (np.abs(d2 - (lo + hi) / 2) / ((hi - lo) / 2)).max())
    assert 0.15 < worst < 1


@given(
    st.integers(1, 300),
    st.sampled_from(["normal", "signs", "one large", "parallel", "steps", "constant rows"]),
    st.floats(-8, 8),
    st.integers(0, 10**6),
)
@settings(max_examples=50)
def test_the_error_bound_is_never_exceeded(d, kind, power, seed):
    """lo <= D <= hi for rows chosen to make float32 sums err in one direction."""
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
    d2 = oracles.squared_distances(x, y)
    for isa in ISAS:
        with on(isa):
            lo, hi = intervals(x, y)
        assert (lo <= d2).all(), isa
        assert (d2 <= hi).all(), isa


# ---- float32 differences: an error relative to D ------------------------------------------------


def differences(x, y, isa):
    """lo <= D <= hi of all pairs."""
    side = kernels.Pass(x, y, np.zeros(x.shape[1]), 1.0, len(y), isa, False, False)
    side.load(0, len(y), 1)
    return kernels.differences(side)


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
    d2 = oracles.squared_distances(x.astype(float), y.astype(float))
    for isa in ISAS:
        lo, hi = differences(x, y, isa)
        assert (lo >= 0).all(), isa
        assert (lo <= d2).all(), isa
        assert (d2 <= hi).all(), isa
