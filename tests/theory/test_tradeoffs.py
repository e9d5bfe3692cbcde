"""Lorenz and ROC curves, mode collapse: the PR curve's own masses, flipped."""

import re
from itertools import product

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.metrics import auc, roc_auc_score, roc_curve

from prfast import PRCurve
from prfast.theory import Lorenz, in_mode_collapse_region, lorenz, lorenz_of_alpha, roc

PAIRS = hostile.mass_pairs(max_size=8)
LAMS = np.concatenate([[0], np.geomspace(1e-4, 1e4, 41), [np.inf]])
TS = np.linspace(0, 1, 41)
CLOSE = {"rtol": 1e-11, "atol": 1e-14}
# What rounding of t may do to α: it is λ(1 − t) + F(t).
FINITE = LAMS[:-1]
ULPS = 1e-14 + 1e-15 * FINITE
SAME = PRCurve.from_masses([1, 2, 3], [1, 2, 3])


# ---- Lorenz ------------------------------------------------------------------------------------


@given(PAIRS, st.sampled_from(TS.tolist()) | st.floats(0, 1))
def test_definition_9_of_2023_f_is_the_least_mass_of_q_that_goes_with_t(masses, t):
    found = lorenz(PRCurve.from_masses(*masses))(t)
    assert found == pytest.approx(oracles.lorenz(*masses, t), rel=1e-9, abs=1e-14)


@given(PAIRS)
def test_a_lorenz_curve_is_convex_and_rises_from_0_to_the_common_mass(masses):
    curve = PRCurve.from_masses(*masses)
    t, F = lorenz(curve).vertices
    assert (t[0], F[0], t[-1], F[-1]) == (0, 0, 1, 1)
    assert (np.diff(t) >= 0).all()
    assert (np.diff(F) >= 0).all()
    values = lorenz(curve)(TS)
    assert (np.diff(values, 2) >= -1e-14).all()
    assert (values <= TS + 1e-15).all()
    assert values[0] == 0
    assert values[-1] == curve.max_precision


@given(PAIRS)
def test_its_vertices_are_those_of_the_pr_curve_flipped(masses):
    curve = PRCurve.from_masses(*masses)
    t, F = lorenz(curve).vertices
    np.testing.assert_allclose(t, 1 - curve.vertices.fpr[::-1], **CLOSE)
    np.testing.assert_array_equal(F, curve.vertices.fnr[::-1])


@given(PAIRS)
def test_pr_to_lorenz_to_pr_is_lossless(masses):
    curve = PRCurve.from_masses(*masses)
    assert lorenz(curve).curve() is curve
    again = Lorenz.from_vertices(*lorenz(curve).vertices)
    assert (np.abs(again.alpha(FINITE) - curve.at(FINITE)[0]) <= ULPS).all()
    # At t = 1 the slope may be anything up to ∞: 1 ulp of t is all of F.
    np.testing.assert_allclose(again(TS[:-1]), lorenz(curve)(TS[:-1]), **CLOSE)


# ---- Legendre ----------------------------------------------------------------------------------


@given(PAIRS)
def test_theorem_13_of_2023_the_conjugate_is_lambda_minus_alpha(masses):
    """F*(λ) = sup_t λt − F(t) over the vertices, by its definition; = λ − α_λ."""
    f = lorenz(PRCurve.from_masses(*masses))
    t, F = f.vertices
    supremum = (FINITE[:, None] * t - F).max(axis=1)
    np.testing.assert_allclose(f.conjugate(FINITE), supremum, rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(FINITE - f.alpha(FINITE), supremum, rtol=1e-11, atol=1e-12)
    assert f.conjugate(np.inf) == np.inf
    minimum = (F + FINITE[:, None] * (1 - t)).min(axis=1)
    assert (np.abs(f.alpha(FINITE) - minimum) <= ULPS).all()


@given(PAIRS)
def test_remark_14_of_2023_legendre_there_and_back_is_the_identity(masses):
    """F -> α at the ratios, 0 and ∞ -> F, and α -> F at the vertices -> α."""
    curve = PRCurve.from_masses(*masses)
    f = lorenz(curve)
    lam = np.append(curve.vertices.ratio, 0)
    np.testing.assert_allclose(lorenz_of_alpha(lam, f.alpha(lam), TS), f(TS), rtol=1e-9, atol=1e-13)
    back = Lorenz.from_vertices(*f.vertices)
    assert (np.abs(back.alpha(FINITE) - curve.at(FINITE)[0]) <= ULPS).all()


@given(PAIRS, st.lists(hostile.LAMBDAS, min_size=1, max_size=5))
def test_of_a_few_lambdas_it_is_a_lower_bound(masses, lam):
    f = lorenz(PRCurve.from_masses(*masses))
    found = lorenz_of_alpha(lam, f.alpha(lam), TS)
    assert (found <= f(TS) * (1 + 1e-9) + 1e-13).all()
    assert (found >= 0).all()


# ---- ROC ---------------------------------------------------------------------------------------


@given(PAIRS)
def test_roc_is_concave_from_corner_to_corner_and_its_area_is_1_minus_that_of_lorenz(masses):
    curve = PRCurve.from_masses(*masses)
    found = roc(curve)
    assert (found.fpr[0], found.tpr[0], found.fpr[-1], found.tpr[-1]) == (0, 0, 1, 1)
    np.testing.assert_array_equal(found.fpr, curve.vertices.fpr)
    np.testing.assert_allclose(found.tpr, 1 - curve.vertices.fnr, **CLOSE)
    t, F = lorenz(curve).vertices
    below = auc(t, F) if t.size > 1 else 0.0
    assert found.area == pytest.approx(1 - below, abs=1e-14)
    assert 0.5 - 1e-15 <= found.area <= 1 + 1e-15


@given(hostile.mass_pairs(max_size=8, whole=True))
def test_roc_area_is_scikit_learns_of_scores_whose_hull_is_the_sweep(masses):
    """The ratio itself as score, a sample a unit of mass: all thresholds are on the hull.

    Gini's coefficient 2 area − 1 is 1 − 2 ∫F.
    """
    p, q = (np.abs(m).astype(int) for m in masses)
    curve = PRCurve.from_masses(p, q)
    with np.errstate(divide="ignore", invalid="ignore"):
        rank = np.unique(np.where(p > 0, q / p, np.inf), return_inverse=True)[1]
    scores = np.concatenate([np.repeat(rank, p), np.repeat(rank, q)])
    fake = np.repeat([0, 1], [p.sum(), q.sum()])
    assert roc(curve).area == pytest.approx(roc_auc_score(fake, scores), abs=1e-14)
    fpr, tpr, _ = roc_curve(fake, scores)
    np.testing.assert_allclose(
        np.interp(TS[1:-1], fpr, tpr), np.interp(TS[1:-1], *roc(curve)), **CLOSE
    )
    t, F = lorenz(curve).vertices
    assert 2 * roc(curve).area - 1 == pytest.approx(1 - 2 * auc(t, F), abs=1e-14)


# ---- mode collapse -----------------------------------------------------------------------------


@given(hostile.mass_pairs(max_size=6), st.data())
def test_every_set_of_cells_is_in_the_mode_collapse_region(masses, data):
    p, q = map(oracles.normalized, masses)
    of = np.array(data.draw(st.lists(st.booleans(), min_size=p.size, max_size=p.size)))
    epsilon, delta = min(1.0, q[of].sum()), min(1.0, p[of].sum())
    curve = PRCurve.from_masses(p, q)
    if epsilon < delta - 1e-12:
        assert in_mode_collapse_region(curve, epsilon, delta)


@given(PAIRS, st.floats(0, 1), st.floats(0, 1))
@example((np.array([1e-300, 1e-17]), np.array([1e-300, 0.0])), 0.0, 1.0)  # δ is 1 − 1e-283, rounded
def test_the_border_of_the_mode_collapse_region_is_the_lorenz_curve(masses, epsilon, delta):
    """Points that rounding of either coordinate puts on the other side count as on it."""
    assume(epsilon <= delta)
    curve = PRCurve.from_masses(*masses)
    near = (max(delta - 1e-12, 0.0), min(delta + 1e-12, 1.0))
    low, high = (oracles.lorenz(*masses, t) for t in near)
    if epsilon < low - 1e-12 or epsilon > high + 1e-12:
        expected = high < epsilon < delta
        assert in_mode_collapse_region(curve, epsilon, delta) == expected


@given(hostile.mass_pairs(max_size=5, whole=True), st.floats(0, 1), st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_both_readings_of_the_mode_collapse_region_are_mirror_images(masses, s, t):
    """2019: P(A) >= δ, Q(A) <= ε.  2023 (and Lin et al.): (s, t) in the hull of (P(A), Q(A)) over
    all sets with Q(A) >= P(A), which a linear program decides."""
    p, q = map(oracles.normalized, masses)
    curve = PRCurve.from_masses(p, q)
    sets = np.array(list(product([0, 1], repeat=p.size)))
    corners = np.array([sets @ p, sets @ q])
    corners = corners[:, corners[1] >= corners[0] - 1e-15]
    # How high the hull is at s: Σ w P = s, Σ w = 1, the largest Σ w Q.
    rows = np.vstack([corners[0], np.ones(corners.shape[1])])
    highest = -linprog(-corners[1], A_eq=rows, b_eq=[s, 1]).fun
    assume(abs(highest - t) > 1e-6)  # the program holds its rows to 1e-7 alone
    assume(abs(s - t) > 1e-9)
    assume(s < t)
    in_hull = t < highest
    assert in_mode_collapse_region(curve, 1 - t, 1 - s) == in_hull
    assert in_mode_collapse_region(curve.swap(), s, t) == in_hull


# ---- messages ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: lorenz(SAME).alpha(-1),
            ValueError,
            "lam: numbers in [0, ∞] expected, got -1.0 at index 0",
        ),
        (
            lambda: lorenz(SAME).conjugate([0, np.nan]),
            ValueError,
            "lam: numbers or ±inf expected, got nan at index 1",
        ),
        (
            lambda: Lorenz.from_vertices([0.1, 1], [0, 1]),
            ValueError,
            "t: 0 expected at the start, got 0.1",
        ),
        (
            lambda: Lorenz.from_vertices([0, 0.5], [0, 1]),
            ValueError,
            "t: 1 expected at the end, got 0.5",
        ),
        (
            lambda: Lorenz.from_vertices([0, 0.5, 0.25, 1], [0, 0, 0.5, 1]),
            ValueError,
            "t: numbers that do not fall expected, got 0.25 after 0.5 at index 2",
        ),
        (
            lambda: Lorenz.from_vertices([0, 0.5, 0.75, 1], [0, 0.1, 0.4, 0.5]),
            ValueError,
            "F: a convex polyline expected, got a vertex above its neighbors' chord at index 2",
        ),
        (
            lambda: in_mode_collapse_region(SAME, epsilon=0.5, delta=0.2),
            ValueError,
            "epsilon: at most delta expected, got 0.5 > 0.2 at index 0",
        ),
        (
            lambda: in_mode_collapse_region(SAME, [0, 0.5], [0.5, 0.6, 0.7]),
            ValueError,
            "epsilon and delta: shapes that broadcast expected, got (2,) and (3,)",
        ),
    ],
)
def test_wrong_arguments_are_named(call, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call()
