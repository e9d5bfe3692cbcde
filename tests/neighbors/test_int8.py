"""The int8 filter: no pair within a radius is missed, and its bounds are no wider than need be."""

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ISAS, on

from prfast.kernels import distances
from prfast.neighbors import Rows, passes

BOTH, TRIANGLE, CAUCHY = 0, 1, 2
KINDS = ("normal", "zeros", "duplicates", "one huge coordinate", "log-normal", "tiny", "constant")


def loaded(queries, refs, isa, cauchy=False):
    """A pass with all references packed for the filter."""
    with on(isa):
        side = passes.new_pass(queries, refs, len(refs), False)
    side.use_int8(cauchy)
    side.load(0, len(refs), 1)
    return side


def ends(side, queries, by):
    """lo <= D <= hi of all pairs, by one of the bounds."""
    return distances.possible(side, np.full(queries, np.inf), None, 1, by=by)[2]


def rows(kind, n, d, rng):
    x = rng.normal(size=(n, d))
    if kind == "zeros":
        x[rng.random(n) < 0.5] = 0
    elif kind == "duplicates":
        x = x[rng.integers(0, min(n, 3), n)]
    elif kind == "one huge coordinate":
        x[rng.integers(0, n), rng.integers(0, d)] *= 1e8
    elif kind == "log-normal":
        x *= np.exp(3 * rng.normal(size=(n, 1)))
    elif kind == "tiny":
        x *= 10.0 ** rng.integers(-37, 0, (n, 1))
    elif kind == "constant":
        x[:, rng.random(d) < 0.7] = 0.1
    return x


def check(x, y, isa, cauchy):
    """No pair that is within a radius is missed, and the ends hold."""
    d2 = oracles.squared_distances(x, y)
    side = loaded(x, y, isa, cauchy)
    of_queries = np.sort(d2, axis=1)[:, min(3, len(y) - 1)].copy()
    of_refs = np.sort(d2, axis=0)[min(2, len(x) - 1)].copy()
    of_queries[::7], of_refs[::7] = -1, np.inf
    for query_t, ref_t in [(of_queries, None), (None, of_refs), (of_queries, of_refs)]:
        within = np.zeros(d2.shape, bool)
        if query_t is not None:
            within |= d2 <= query_t[:, None]
        if ref_t is not None:
            within |= d2 <= ref_t
        counted, found, _ = distances.possible(side, query_t, ref_t, 1)
        assert (found | ~within).all(), isa
        assert np.array_equal(counted, found.sum(axis=1)), isa
    for by in (BOTH, TRIANGLE, CAUCHY):
        lo, hi = ends(side, len(x), by)
        assert (lo <= d2).all(), (isa, by)
        assert (d2 <= hi).all(), (isa, by)


ROWS = [(1, "f4"), (2, "f8"), (5, "f4"), (63, "f8"), (64, "f4"), (300, "f8"), (2048, "f4")]


@pytest.mark.parametrize(("d", "dtype"), ROWS)
def test_no_pair_within_a_radius_is_missed(d, dtype):
    rng = np.random.default_rng(d)
    for kind in KINDS:
        x, y = rows(kind, 30, d, rng).astype(dtype), rows(kind, 150, d, rng).astype(dtype)
        y[:5] = x[:5]
        for isa in ISAS:
            check(x, y, isa, rng.random() < 0.5)


@given(
    st.integers(1, 140),
    st.sampled_from(KINDS),
    st.sampled_from(KINDS),
    st.floats(-30, 30),
    st.sampled_from([np.float32, np.float64]),
    st.booleans(),
    st.integers(0, 10**6),
)
@settings(max_examples=60, deadline=None)
def test_the_bounds_are_never_exceeded(d, kind, other, power, dtype, cauchy, seed):
    rng = np.random.default_rng(seed)
    x, y = rows(kind, rng.integers(1, 40), d, rng), rows(other, rng.integers(1, 80), d, rng)
    if dtype == np.float64:
        x, y = x * 10.0**power, y * 10.0**power
    shared = min(len(x), len(y)) // 2
    y[:shared] = x[:shared] * (1 + 1e-7 * rng.normal(size=(shared, d)))
    for isa in ISAS:
        check(x.astype(dtype), y.astype(dtype), isa, cauchy)


def rotation(width):
    """H of csrc/filter/rotate.h."""
    with np.errstate(over="ignore"):
        h = (np.arange(width, dtype=np.uint32) + np.uint32(1)) * np.uint32(0x9E3779B1)
        h = (h ^ (h >> np.uint32(15))) * np.uint32(0x85EBCA77)
    sign = np.where((h ^ (h >> np.uint32(13))) >> np.uint32(31), -1.0, 1.0)
    whole, at = np.zeros((width, width)), 0
    while at < width:
        block = 1 << ((width - at).bit_length() - 1)
        f = np.eye(block)
        for _ in range(block.bit_length() - 1):
            a, b = f[: block // 2], f[block // 2 :]
            f = np.stack([a + b, a - b], axis=1).reshape(block, block)
        whole[at : at + block, at : at + block] = f / np.sqrt(block)
        at += block
    return whole * sign


def on_the_grid(steps, off, signs, step):
    """A row rounded to `steps` × signs, `off` steps away from it; its first number is the 127th."""
    z = (steps + off) * signs
    z[0] = 127 * signs[0]
    return z * step


@pytest.mark.parametrize("by", [TRIANGLE, CAUCHY])
@pytest.mark.parametrize("d", [192, 1024])
def test_the_bounds_are_of_the_size_of_the_worst_errors(d, by):
    """Rows whose rounding is in their own direction, which is that of their difference."""
    rng = np.random.default_rng(d)
    h = rotation(d)
    worst = 0.0
    for off in (0.49, -0.49, 0.3, 0):
        for steps, step in [(126, 1e-3), (126, 2e-3), (100, 1e-3)]:
            signs = rng.choice([-1.0, 1.0], d)
            x = on_the_grid(126, off, signs, 1e-3)[None] @ h
            y = on_the_grid(steps, off, -signs, step)[None] @ h
            side = distances.Pass(x, y, np.zeros(d), 0.25, 1, "base", False, False)
            side.use_int8(by == CAUCHY)
            side.load(0, 1, 1)
            lo, hi = ends(side, 1, by)
            true = oracles.squared_distances(x, y)
            assert distances.possible(side, true[0], None, 1)[0] == 1
            assert distances.possible(side, None, true[0], 1)[0] == 1
            if by == TRIANGLE:
                lo, hi, true = np.sqrt(lo), np.sqrt(hi), np.sqrt(true)
            worst = max(worst, (np.abs(true - (lo + hi) / 2) / ((hi - lo) / 2)).max())
    assert 0.98 < worst <= 1


@pytest.mark.parametrize("cauchy", [False, True])
@pytest.mark.parametrize("isa", ISAS)
def test_what_is_farther_than_the_bound_says_is_ruled_out(isa, cauchy):
    """The test in float32, whoever bears the radius, is as sharp as the ends in float64."""
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(20, 70)), rng.normal(size=(33, 70))
    x *= np.exp(rng.normal(size=(20, 1)))
    side = loaded(x, y, isa, cauchy)
    lo, _ = ends(side, 20, CAUCHY if cauchy else TRIANGLE)
    assert (lo > 0).mean() > 0.9
    for r in range(len(y)):
        some = lo[:, r] > 0
        found = distances.possible(side, 0.99 * lo[:, r], None, 1)[1]
        assert not found[some, r].any()
        assert distances.possible(side, 1.001 * lo[:, r], None, 1)[1][some, r].mean() > 0.95 * (
            not cauchy
        )
    for q in range(len(x)):
        found = distances.possible(side, None, 0.99 * lo[q], 1)[1]
        assert not found[q, lo[q] > 0].any()


def test_rows_where_they_lie():
    """Strides and rows of a set are read in place; blocks and threads do not matter."""
    rng = np.random.default_rng(7)
    x = rng.normal(size=(400, 40)).astype(np.float32)
    strided, index = x[::2, :30], rng.permutation(400)[:150]
    queries, refs = np.ascontiguousarray(strided), np.ascontiguousarray(x[index, :30])
    t = np.sort(oracles.squared_distances(queries, refs), axis=1)[:, 5].copy()
    expected = loaded(queries, refs, [*ISAS][-1])
    found = loaded(strided, Rows(x[:, :30], index), [*ISAS][-1])
    whole = distances.possible(expected, t, None, 1)[1]
    for size, threads in [(960, 1), (12, 2), (7, 3)]:
        assert np.array_equal(distances.possible(found, t, None, threads, size)[1], whole)


def test_the_longest_rows_have_sums_that_fit():
    """All integers ±127: the sums of products are as large as they can be."""
    d = 65536
    signs = np.ones((1, d))
    for isa in ISAS:
        for x, y in [(signs, signs), (signs, -signs)]:
            check(x, y, isa, False)
