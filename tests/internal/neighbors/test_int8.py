"""The int8 filter: no pair within a radius is missed; its bounds; when it is given up."""

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ISAS, check_bounds, on, union

from prfast.kernels import distances
from prfast.neighbors import Count, NeighborSearch


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
    """Return a row rounded to `steps` × signs, `off` steps away from it; its first number is the
    127th."""
    z = (steps + off) * signs
    z[0] = 127 * signs[0]
    return z * step


@pytest.mark.parametrize("d", [192, 1024])
def test_the_bound_is_never_exceeded_by_the_worst_errors(d):
    """Rows whose rounding is in their own direction, which is that of their difference.

    Each has its opposite, so that the center is 0.
    """
    rng = np.random.default_rng(d)
    for off in (0.49, -0.49, 0.3, 0):
        for steps, step in [(126, 1e-3), (126, 2e-3), (100, 1e-3)]:
            signs = rng.choice([-1.0, 1.0], d)
            x = on_the_grid(126, off, signs, 1e-3)[None] @ rotation(d)
            y = on_the_grid(steps, off, -signs, step)[None] @ rotation(d)
            check_bounds(np.concatenate([x, -x]), np.concatenate([y, -y]), "base int8")


N, D, K = 1500, 512, 38

PAYS = [isa for isa, gain in distances.INT8_GAINS.items() if gain > 1]
MOST = [isa for isa in PAYS if distances.INT8_GAINS[isa] > 3]  # the others make lists of float32


@pytest.mark.parametrize("isa", PAYS)
def test_bytes_are_given_up_where_distances_are_nearly_equal(isa):
    x, y = np.random.default_rng(3).normal(size=(2, N, D)).astype(np.float32)
    with on(isa):
        search = NeighborSearch("exact", n_jobs=1)
        d2 = search.kth(x, y, [K])
    exact = np.sort(oracles.squared_distances(x[:20].astype(float), y.astype(float)), axis=1)
    assert np.array_equal(d2[:20, 0], exact[:, K - 1])
    assert (search.work["abandoned_filter"] > 0) == (isa in MOST)
    assert search.work["int8"] < 0.1 * N * N


@pytest.mark.parametrize("isa", MOST)
@pytest.mark.parametrize(("k", "are_taken"), [(2, True), (40, False)])
def test_bytes_are_taken_within_a_set_where_neighbors_are_few(isa, k, are_taken):
    points = np.random.default_rng(0).normal(size=(2000, 96)).astype(np.float32)
    with on(isa):
        search = NeighborSearch("exact", n_jobs=1)
        search.kth_within(points, [k])
    assert (search.work["int8"] > 0) == are_taken


@pytest.mark.parametrize("isa", ISAS)
def test_the_largest_products_do_not_overflow(isa):
    """The rotation of these rows has numbers of one size."""
    x = np.repeat(np.concatenate([np.eye(8, 64), -np.eye(8, 64)]), 40, axis=0)
    rows = np.zeros(len(x), np.int64)
    with on(f"{isa} int8"):
        count = Count(np.zeros(len(x)), None, True, rows)
        NeighborSearch("exact", n_jobs=1).run(x, [x.copy()], [count])
    assert np.all(rows == 40)


# One query, and points whose keys lie as far below V as keys can: the rounding of both is in the
# direction of their difference.
ABREAST, FAR = 40, 300
SIGNS = np.random.default_rng(0).choice([-1.0, 1.0], 1024)
STEP = 1e-3


def on_a_line(steps, signs, off=0.49):
    return np.array([on_the_grid(40, off, signs, step) for step in steps]) @ rotation(1024)


QUERY = on_a_line([STEP], SIGNS)


def least_and_true(point):
    """Return the lower end of D (csrc/filter/int8.h), and D."""
    x, y = (rotation(1024) @ row[0] for row in (QUERY, point))
    near_x, near_y = (np.rint(127 * z / abs(z).max()) * abs(z).max() / 127 for z in (x, y))
    norm, off_x, off_y = np.linalg.norm, x - near_x, y - near_y
    spread = [
        norm(off_x) * norm(y) + norm(near_x) * norm(off_y),
        norm(off_y) * norm(x) + norm(near_y) * norm(off_x),
    ]
    least = x @ x + y @ y - 2 * near_x @ near_y - 2 * min(spread)
    return least, oracles.squared_distances(QUERY, point).item()


LEAST, TRUE = least_and_true(on_a_line([STEP], -SIGNS))
WIDTH = TRUE - LEAST


def abreast(away, count):
    """D of all of them is TRUE + away WIDTH, their keys are those of LEAST + away WIDTH, about."""
    by = 1 + away * WIDTH / TRUE
    points = on_a_line(STEP * by * (1 + 1e-6 * np.arange(count)), -SIGNS)
    least, true = least_and_true(points[:1])
    assert abs((true - TRUE) / WIDTH - away) < 0.02 > abs((least - LEAST) / WIDTH - away)
    return points


def mirrored(rng, *points):
    """Return points, far ones without an error, and the opposite of all: the center is 0."""
    far = on_a_line(STEP * (1.2 + 1e-6 * np.arange(FAR)), -SIGNS, off=0)
    half = np.concatenate([far, *points])
    return rng.permutation(np.concatenate([half, -half]))


@pytest.mark.parametrize("isa", ISAS)
def test_unrefined_keys_are_as_wide_as_they_can_be(isa):
    """Tightening goes past keys that are unrefined: those have to be examined, too."""
    near = abreast(0, ABREAST), abreast(0.96, ABREAST)
    refs = mirrored(np.random.default_rng(1), *near)
    k = len(refs) // 2 + 5
    with on(f"{isa} int8"):
        search = NeighborSearch("exact", n_jobs=1)
        d2 = search.kth(QUERY, refs, [k])
    assert d2 == np.sort(oracles.squared_distances(QUERY, refs))[:, k - 1]
    assert search.work["int8"] > search.work["float32"]


@pytest.mark.parametrize("isa", ISAS)
def test_what_is_unrefined_within_the_other_sets_radius_is_looked_at(isa):
    rng = np.random.default_rng(2)
    x = mirrored(rng, abreast(0, ABREAST), abreast(0.96, ABREAST))
    y = mirrored(rng, abreast(-0.5, 5))
    opposite = [len(points) // 2 for points in (x, y)]
    ks = [opposite[0] - 2], [opposite[1] + 3], [100]
    with on(f"{isa} int8"):
        near = union(NeighborSearch("exact", n_jobs=1), QUERY, x, y, *ks, across=True)
    radius = np.sort(oracles.squared_distances(QUERY, y))[:, opposite[1] + 2]
    assert near.across_a == (oracles.squared_distances(QUERY, x) <= radius).sum() == opposite[0]


KINDS = ("normal", "zeros", "duplicates", "one huge coordinate", "log-normal", "tiny", "constant")


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


@given(
    st.integers(1, 140),
    st.sampled_from(KINDS),
    st.sampled_from(KINDS),
    st.floats(-30, 30),
    st.sampled_from([np.float32, np.float64]),
    st.integers(0, 10**6),
)
@settings(max_examples=50)
def test_the_bound_is_never_exceeded(d, kind, kind_y, power, dtype, seed):
    rng = np.random.default_rng(seed)
    x, y = rows(kind, rng.integers(1, 40), d, rng), rows(kind_y, rng.integers(1, 80), d, rng)
    if dtype == np.float64:
        x, y = x * 10.0**power, y * 10.0**power
    shared = min(len(x), len(y)) // 2
    y[:shared] = x[:shared] * (1 + 1e-7 * rng.normal(size=(shared, d)))
    for isa in ISAS:
        check_bounds(x.astype(dtype), y.astype(dtype), f"{isa} int8")
