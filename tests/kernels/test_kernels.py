"""Kernels against their slow twins: sweep, pooling, vertices, min-sums."""

from fractions import Fraction
from itertools import pairwise

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import prfast
from prfast import PRCurve
from prfast.kernels import masses as kernels


def cells_of(curve):
    return list(zip(curve._p.tolist(), curve._q.tolist(), strict=True))


# ---- sweep ---------------------------------------------------------------------------------


@given(hostile.score_pairs())
@settings(max_examples=100)
def test_sweep_is_the_exact_hull_of_all_thresholds(scores):
    assert cells_of(PRCurve.from_scores(*scores)) == oracles.sweep(*scores)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("digits", [0, 1, 6], ids=["few values", "ties", "no ties"])
@pytest.mark.parametrize(
    ("n", "m", "shift"),
    [(3000, 3000, 0.0), (3000, 3000, 1.0), (5000, 40, -0.3), (40, 5000, 1.0), (1, 3000, 0.0)],
)
def test_sweep_of_many_scores_skips_no_vertex(dtype, digits, n, m, shift):
    """Long enough for the windows of the sweep: some are skipped, some merged."""
    rng = np.random.default_rng([n, m, digits])
    real = np.round(rng.normal(size=n) + shift, digits).astype(dtype)
    fake = np.round(rng.normal(size=m), digits).astype(dtype)
    real_sorted, fake_sorted = np.sort(real), np.sort(fake)
    points = [(0, m), (n, 0)]
    for t in np.unique(np.concatenate([real, fake])):
        below = np.searchsorted(real_sorted, t), np.searchsorted(fake_sorted, t)
        points.append((int(below[0]), m - int(below[1])))
    assert cells_of(PRCurve.from_scores(real, fake)) == oracles.hull_cells(points)


@given(st.data(), hostile.score_pairs(max_size=15))
@settings(max_examples=80)
def test_weighted_sweep_has_the_cells_of_the_exact_hull(data, scores):
    """Weights of a few bits, zeros among them, whose sums are exact."""
    value = st.sampled_from([0.0, -0.0, 0.25, 0.5, 1.0, 2.0, 3.0])
    weights = [
        data.draw(
            st.lists(value, min_size=len(s), max_size=len(s))
            .map(np.array)
            .filter(lambda w: w.any())
        )
        for s in scores
    ]
    curve = PRCurve.from_scores(*scores, w_real=weights[0], w_fake=weights[1])
    scale = [
        oracles.Fraction(x.sum()) / oracles.Fraction(w.sum())
        for x, w in zip((curve._p, curve._q), weights, strict=True)
    ]
    expected = [(p * scale[0], q * scale[1]) for p, q in oracles.sweep(*scores, *weights)]
    assert cells_of(curve) == expected


# ---- masses --------------------------------------------------------------------------------


@given(hostile.mass_pairs(max_size=40))
@settings(max_examples=50)
def test_vertices_are_correctly_rounded_sums(masses):
    curve = PRCurve.from_masses(*masses)
    fpr, fnr = oracles.vertices(curve._p, curve._q)
    np.testing.assert_allclose(curve.vertices.fpr, fpr, rtol=3e-16)
    np.testing.assert_allclose(curve.vertices.fnr, fnr, rtol=3e-16)
    assert curve.vertices.fpr[[0, -1]].tolist() == [0, 1]
    assert curve.vertices.fnr[[0, -1]].tolist() == [1, 0]


def test_a_million_small_masses_keep_their_digits():
    p = np.full(10**6, 0.1)
    fpr, _, total, _ = kernels.vertices(p, p)
    assert total == pytest.approx(10**5, rel=1e-16)
    np.testing.assert_allclose(fpr, np.arange(10**6 + 1) / 10**6, rtol=4e-16)


def many_small_masses():
    """Two ratios, a million cells each, and the exact fpr and fnr at the vertex between them."""
    half = 10**6
    p, q = np.repeat([0.1, 0.7], half), np.repeat([0.3, 0.1], half)
    exact = [oracles.Fraction(x) for x in (0.1, 0.7, 0.3, 0.1)]
    return p, q, float(exact[0] / (exact[0] + exact[1])), float(exact[3] / (exact[2] + exact[3]))


def test_a_million_small_weights_that_the_hull_merges_keep_their_digits():
    """Generated and real samples in turn: a real one and the next generated one are violators."""
    p, q, _, _ = many_small_masses()
    scores = np.arange(p.size) * 2.0
    curve = PRCurve.from_scores(scores + 1, scores, w_real=p, w_fake=q)
    x, y, u, v = (oracles.Fraction(w) for w in (0.1, 0.3, 0.7, 0.1))
    many = 10**6 - 1
    cells = [(0, y), (many * x, many * y), (x, v), (many * u, many * v), (u, 0)]
    fpr = [sum(p for p, _ in cells[:i]) / (10**6 * (x + u)) for i in range(6)]
    fnr = [sum(q for _, q in cells[i:]) / (10**6 * (y + v)) for i in range(6)]
    np.testing.assert_allclose(curve.vertices.fpr, [float(a) for a in fpr], rtol=4e-16)
    np.testing.assert_allclose(curve.vertices.fnr, [float(b) for b in fnr], rtol=4e-16)


def test_ratio_is_infinite_or_zero_only_where_a_mass_is_zero():
    tiny = 5e-324
    p = np.array([0.0, tiny, 1.0, 1.0, 0.0, -0.0, 1.0, -0.0])
    q = np.array([tiny, 1e300, 0.0, tiny, 0.0, 1.0, -0.0, -0.0])
    ratio = kernels.ratios(p, q)
    assert ratio[0] == np.inf
    assert ratio[1] == np.finfo(float).max
    assert ratio[2] == 0
    assert ratio[3] > 0
    assert np.isnan(ratio[[4, 7]]).all()
    assert ratio[5] == np.inf
    assert not np.signbit(ratio[6])
    assert kernels.ratios(np.array([-0.0]), np.array([-1.0])) == -np.inf


@given(st.lists(st.tuples(hostile.RATES, hostile.RATES), max_size=12))
def test_the_hull_is_the_exact_one_of_the_points(points):
    """Of short numbers, whose differences are exact; of others in place: vertices are points."""
    for digits in (8, 52):
        rounded = [tuple(np.ldexp(np.rint(np.ldexp(point, digits)), -digits)) for point in points]
        chosen = sorted({(0.0, 1.0), (1.0, 0.0), *rounded}, key=lambda point: (point[0], -point[1]))
        # (0, 1) first and (1, 0) last, as they are in a family of classifiers
        fpr, fnr = (np.array(column) for column in zip(*chosen, strict=True))
        if (fpr[0], fnr[0]) != (0, 1):
            continue
        left = kernels.hull(fpr, fnr)
        found = list(zip(fpr[:left].tolist(), fnr[:left].tolist(), strict=True))
        assert set(found) <= set(chosen)
        assert (found[0], found[-1]) == ((0, 1), (1, 0))
        if digits == 8:
            exact = oracles.hull_cells([(Fraction(x), Fraction(y)) for x, y in chosen])
            assert [(x2 - x1, y1 - y2) for (x1, y1), (x2, y2) in pairwise(found)] == exact


# ---- min-sums ------------------------------------------------------------------------------


@given(hostile.mass_pairs(max_size=30), st.lists(hostile.LAMBDAS, min_size=1, max_size=12))
@example((np.array([0.0, 1.0]), np.array([1.0, 0.0])), [0.0, np.inf])
@settings(max_examples=100)
def test_min_sums_are_the_plain_sums(masses, lams):
    p, q = masses
    found = prfast.theory.min_sums(p, q, lams)
    expected = [oracles.alpha(p, q, lam) for lam in lams]
    # atol: 30 products of the formula, each rounded to a multiple of 5e-324
    np.testing.assert_allclose(found, expected, rtol=4e-16, atol=1e-322)


@pytest.mark.usefixtures("many_cores")
def test_min_sums_do_not_depend_on_threads_and_survive_many_cells():
    rng = np.random.default_rng(0)
    p, q = rng.random(200_001), rng.random(200_001)
    p[rng.random(p.size) < 0.1] = 0
    lam = prfast.PRCurve.from_masses(p, q).grid(101).lam
    one = prfast.theory.min_sums(p, q, lam, n_jobs=1)
    for threads in (2, 3, 8):
        assert np.array_equal(prfast.theory.min_sums(p, q, lam, n_jobs=threads), one)
    finite = np.isfinite(lam)
    expected = [np.minimum(x * p, q).sum() for x in lam[finite]]
    np.testing.assert_allclose(one[finite], expected, rtol=1e-12)
    curve = prfast.PRCurve.from_masses(p, q)
    scale = p.sum() / q.sum()  # λ between raw and normalized masses
    np.testing.assert_allclose(one[finite] / q.sum(), curve.at(lam[finite] * scale)[0], rtol=1e-12)


@pytest.mark.parametrize("lam", [0.5, [[0.1, 1.0], [3.0, np.inf]], [], np.empty((2, 0)), -0.0])
def test_min_sums_have_the_shape_of_lambda(lam):
    p, q = [0.5, 0.5], [0.2, 0.8]
    found = prfast.theory.min_sums(p, q, lam)
    assert np.shape(found) == np.shape(lam)
    assert isinstance(found, float) == (np.ndim(lam) == 0)
    expected = [oracles.alpha(p, q, x) for x in np.ravel(lam)]
    np.testing.assert_allclose(np.ravel(found), expected, rtol=4e-16)
    assert not np.signbit(found).any()


# ---- the edge itself -----------------------------------------------------------------------


def test_kernels_refuse_sizes_that_would_leave_memory():
    ones, two = np.ones(1), np.ones(2)
    for call in (
        lambda: kernels.ratios(ones, two),
        lambda: kernels.pool(ones, two),
        lambda: kernels.hull(ones, two),
        lambda: kernels.vertices(ones, two),
        lambda: kernels.minsum(ones, two, ones, 1),
        lambda: kernels.sweep_weighted(ones, two, ones, ones),
    ):
        with pytest.raises(ValueError, match="arrays of one length expected"):
            call()
    empty = np.empty(0)
    with pytest.raises(ValueError, match="scores a class expected"):
        kernels.sweep(empty, ones)
    with pytest.raises(ValueError, match="at least one score a class"):
        kernels.sweep_weighted(ones, ones, empty, empty)
    with pytest.raises(ValueError, match="at least one cell"):
        kernels.vertices(empty, empty)
    assert kernels.pool(empty, empty) == 0
    assert kernels.hull(empty, empty) == 0
    assert kernels.ratios(empty, empty).size == 0
