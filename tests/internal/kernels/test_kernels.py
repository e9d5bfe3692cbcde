"""Kernels against their slow twins: sweep, vertices, hull, min-sums."""

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


@given(hostile.score_pairs())
@settings(max_examples=50)
def test_sweep_is_the_exact_hull_of_all_thresholds(scores):
    assert cells_of(PRCurve.from_scores(*scores)) == oracles.sweep(*scores)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("digits", [0, 1, 6], ids=["few values", "ties", "no ties"])
@pytest.mark.parametrize(("n", "m", "shift"), [(3000, 3000, 1.0), (5000, 40, -0.3), (1, 3000, 0)])
def test_sweep_of_many_scores_skips_no_vertex(dtype, digits, n, m, shift):
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
@settings(max_examples=50)
def test_weighted_sweep_has_the_cells_of_the_exact_hull(data, scores):
    value = st.sampled_from([0.0, -0.0, 0.25, 0.5, 1.0, 2.0, 3.0])
    lists = (st.lists(value, min_size=len(s), max_size=len(s)).map(np.array) for s in scores)
    weights = [data.draw(each.filter(lambda w: w.any())) for each in lists]
    curve = PRCurve.from_scores(*scores, w_real=weights[0], w_fake=weights[1])
    scale = [
        oracles.Fraction(x.sum()) / oracles.Fraction(w.sum())
        for x, w in zip((curve._p, curve._q), weights, strict=True)
    ]
    expected = [(p * scale[0], q * scale[1]) for p, q in oracles.sweep(*scores, *weights)]
    assert cells_of(curve) == expected


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
    p = np.full((1, 10**6), 0.1)
    ((fpr,), _, ((total,),), _) = kernels.vertices_of_rows(p, p)
    assert total == pytest.approx(10**5, rel=1e-16)
    np.testing.assert_allclose(fpr, np.arange(10**6 + 1) / 10**6, rtol=4e-16)


@given(st.lists(st.tuples(hostile.RATES, hostile.RATES), max_size=12))
def test_the_hull_is_the_exact_one_of_the_points(points):
    """Differences of short numbers are exact; of others, in place, vertices are points."""
    for digits in (8, 52):
        rounded = [tuple(np.ldexp(np.rint(np.ldexp(point, digits)), -digits)) for point in points]
        chosen = sorted({(0.0, 1.0), (1.0, 0.0), *rounded}, key=lambda point: (point[0], -point[1]))
        # (0, 1) first and (1, 0) last, as they are in a family of classifiers
        fpr, fnr = (np.array(column) for column in zip(*chosen, strict=True))
        if (fpr[0], fnr[0]) != (0, 1):
            continue
        left = kernels.hull(fpr, fnr)
        corners = list(zip(fpr[:left].tolist(), fnr[:left].tolist(), strict=True))
        assert set(corners) <= set(chosen)
        assert (corners[0], corners[-1]) == ((0, 1), (1, 0))
        if digits == 8:
            exact = oracles.hull_cells([(Fraction(x), Fraction(y)) for x, y in chosen])
            assert [(x2 - x1, y1 - y2) for (x1, y1), (x2, y2) in pairwise(corners)] == exact


@given(hostile.mass_pairs(max_size=30), st.lists(hostile.LAMBDAS, min_size=1, max_size=12))
@example((np.array([0.0, 1.0]), np.array([1.0, 0.0])), [0.0, np.inf])
@settings(max_examples=50)
def test_min_sums_are_the_plain_sums(masses, lams):
    p, q = masses
    sums = prfast.theory.min_sums(p, q, lams)
    expected = [oracles.alpha(p, q, lam) for lam in lams]
    # atol: 30 products of the formula, each rounded to a multiple of 5e-324
    np.testing.assert_allclose(sums, expected, rtol=4e-16, atol=1e-322)


@pytest.mark.parametrize("lam", [0.5, [[0.1, 1.0], [3.0, np.inf]], [], np.empty((2, 0)), -0.0])
def test_min_sums_have_the_shape_of_lambda(lam):
    p, q = [0.5, 0.5], [0.2, 0.8]
    sums = prfast.theory.min_sums(p, q, lam)
    assert np.shape(sums) == np.shape(lam)
    assert isinstance(sums, float) == (np.ndim(lam) == 0)
    expected = [oracles.alpha(p, q, x) for x in np.ravel(lam)]
    np.testing.assert_allclose(np.ravel(sums), expected, rtol=4e-16)
    assert not np.signbit(sums).any()
