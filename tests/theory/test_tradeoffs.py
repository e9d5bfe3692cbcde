"""Lorenz curve and diagram, ROC curve, mode collapse: the masses of the PR curve, flipped."""

from itertools import product

import hostile
import numpy as np
import oracles
import pytest
from curves import DISJOINT, EQUAL, HALF, TAME
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from refusals import refused
from scipy.optimize import linprog
from sklearn.metrics import auc

from prfast import PRCurve
from prfast.theory import in_mode_collapse_region, lorenz, roc

PAIRS = hostile.mass_pairs(max_size=6)


LAMS = np.concatenate([[0], np.geomspace(1e-4, 1e4, 41), [np.inf]])


TS = np.linspace(0, 1, 41)
CLOSE = {"rtol": 1e-11, "atol": 1e-14}
# What rounding of t may do to α: it is λ(1 − t) + F(t).
FINITE = LAMS[:-1]
ULPS = 1e-14 + 1e-15 * FINITE


@given(PAIRS, st.sampled_from(TS.tolist()) | st.floats(0, 1))
def test_definition_9_of_2023_f_is_the_least_mass_of_q_that_goes_with_t(masses, t):
    actual = lorenz(PRCurve.from_masses(*masses))(t)
    assert actual == pytest.approx(oracles.lorenz(*masses, t), rel=1e-9, abs=1e-14)


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
    t, F = lorenz(curve).vertices
    again = lorenz(PRCurve.from_rates(1 - t, F))
    assert (np.abs(again.alpha(FINITE) - curve.at(FINITE)[0]) <= ULPS).all()
    # At t = 1 the slope may be anything up to ∞: 1 ulp of t is all of F.
    np.testing.assert_allclose(again(TS[:-1]), lorenz(curve)(TS[:-1]), **CLOSE)


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
    with np.errstate(invalid="ignore"):
        lines = f.alpha(lam)[:, None] - np.where(TS < 1, lam[:, None] * (1 - TS), 0)
    np.testing.assert_allclose(lines.max(axis=0), f(TS), rtol=1e-9, atol=1e-13)
    t, F = f.vertices
    back = lorenz(PRCurve.from_rates(1 - t, F))
    assert (np.abs(back.alpha(FINITE) - curve.at(FINITE)[0]) <= ULPS).all()


@given(PAIRS)
def test_roc_is_concave_from_corner_to_corner_and_its_area_is_1_minus_that_of_lorenz(masses):
    curve = PRCurve.from_masses(*masses)
    actual = roc(curve)
    assert (actual.fpr[0], actual.tpr[0], actual.fpr[-1], actual.tpr[-1]) == (0, 0, 1, 1)
    np.testing.assert_array_equal(actual.fpr, curve.vertices.fpr)
    np.testing.assert_allclose(actual.tpr, 1 - curve.vertices.fnr, **CLOSE)
    t, F = lorenz(curve).vertices
    below = auc(t, F) if t.size > 1 else 0.0
    assert actual.area == pytest.approx(1 - below, abs=1e-14)
    assert 0.5 - 1e-15 <= actual.area <= 1 + 1e-15


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
@settings(max_examples=40, deadline=None)
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
    assume(abs(highest - t) > 1e-6)  # the program satisfies its equations to 1e-7
    assume(abs(s - t) > 1e-9)
    assume(s < t)
    in_hull = t < highest
    assert in_mode_collapse_region(curve, 1 - t, 1 - s) == in_hull
    assert in_mode_collapse_region(curve.swap(), s, t) == in_hull


@given(PAIRS, st.lists(st.sampled_from([0.0, 1.0]) | st.floats(0, 1), min_size=6, max_size=6))
def test_every_function_between_0_and_1_is_a_point_inside(masses, f):
    p, q = (np.array(side) / np.sum(side) for side in masses)
    f = np.array(f[: p.size])
    diagram = lorenz(PRCurve.from_masses(*masses))
    t, y = float(p @ f), float(q @ f)
    assert diagram.contains(t, y)
    assert diagram.contains(1 - t, 1 - y)  # 1 − f


def ends_by_linear_program(p, q, t):
    """Return the least and the largest ∫f dQ over 0 <= f <= 1 with ∫f dP = t."""
    ends = [
        linprog(sign * q, A_eq=[p], b_eq=[t], bounds=(0, 1), method="highs") for sign in (1, -1)
    ]
    assert all(end.status == 0 for end in ends)
    return ends[0].fun, -ends[1].fun


@given(TAME, st.sampled_from([0.0, 0.03, 0.25, 0.5, 0.8, 1.0]))
@settings(max_examples=40, deadline=None)
def test_no_point_beyond_a_linear_programme_is_inside(cells, t):
    p, q = (np.array(side) / sum(side) for side in zip(*cells, strict=True))
    diagram = lorenz(PRCurve.from_masses(p, q))
    low, high = ends_by_linear_program(p, q, t)
    assert diagram.contains(t, diagram(t))
    if high - low > 1e-6:  # otherwise the program's rounding may be outside
        assert diagram.contains(t, [low + 1e-9, (low + high) / 2, high - 1e-9]).all()
    assert not diagram.contains(t, [low - 1e-6, high + 1e-6]).any()
    assert diagram(t) == pytest.approx(low, abs=1e-9)


@given(PAIRS, st.sampled_from(TS.tolist()) | st.floats(0, 1))
def test_lambda_is_a_subgradient_where_young_is_an_equality(masses, t):
    """F(t) + F*(λ) = λt for λ in ∂F(t); more for any other λ."""
    diagram = lorenz(PRCurve.from_masses(*masses))
    low, high = diagram.subgradient(t)
    assert 0 <= low <= high
    for lam in {low, high, (low + high) / 2}:
        if lam < np.inf:
            gap = diagram(t) + diagram.conjugate(lam) - lam * t
            assert abs(gap) <= 1e-14 * (1 + lam)
    p, q = (np.array(side) / np.sum(side) for side in masses)
    with np.errstate(divide="ignore", invalid="ignore"):
        others = q / p
    for lam in [*others[np.isfinite(others)], low / 2, 2 * high + 1]:
        if np.isfinite(lam):
            gap = diagram(t) + diagram.conjugate(lam) - lam * t
            assert gap >= -1e-14 * (1 + lam)


def test_the_slopes_at_and_between_vertices():
    diagram = lorenz(PRCurve.from_masses([0.5, 0.3, 0.2, 0.0], [0.2, 0.3, 0.4, 0.1]))
    low, high = diagram.subgradient([0.0, 0.1, 0.5, 0.6, 0.8, 0.9, 1.0])
    assert low == pytest.approx([0.0, 0.4, 0.4, 1.0, 1.0, 2.0, 2.0])
    assert high == pytest.approx([0.4, 0.4, 1.0, 1.0, 2.0, 2.0, np.inf])
    assert diagram.subgradient(0.1) == pytest.approx((0.4, 0.4))
    assert lorenz(HALF).subgradient(0.25) == (0.0, 0.0)
    assert lorenz(HALF).subgradient([[0.5], [0.7]])[1].shape == (2, 1)
    for curve, low, high in ((EQUAL, 1.0, 1.0), (DISJOINT, 0.0, 0.0)):
        assert lorenz(curve).subgradient(0.0) == (0.0, high)
        assert lorenz(curve).subgradient(0.5) == (low, high)
        assert lorenz(curve).subgradient(1.0) == (low, np.inf)


@given(TAME, st.floats(1e-6, 1e6))
def test_alpha_has_its_minimum_where_lambda_is_a_subgradient(cells, lam):
    """Remark 14.2: λ is in ∂F(t_λ), t_λ = P(A_λ), so α_λ = F(t_λ) + λ(1 − t_λ)."""
    diagram = lorenz(PRCurve.from_masses(*zip(*cells, strict=True)))
    t = diagram.vertices.t
    low, high = diagram.subgradient(t)
    here = (low <= lam) & (lam <= high)
    assert here.any()
    values = (diagram(t) + lam * (1 - t))[here]
    assert values == pytest.approx(diagram.alpha(lam), rel=1e-12, abs=1e-14 * (1 + lam))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lorenz(3), "curve: a PRCurve expected, got int"),
        (
            lambda: in_mode_collapse_region(HALF, epsilon=0.5, delta=0.2),
            "epsilon: at most delta expected, got 0.5 > 0.2 at index 0",
        ),
    ],
)
def test_wrong_arguments_are_refused(call, message):
    with refused((TypeError, ValueError), message):
        call()
