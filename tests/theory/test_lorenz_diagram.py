"""The Lorenz diagram: which points are in it, the slopes of its border (2023, Def. 9, Rem. 14)."""

import hostile
import numpy as np
import pytest
from curves import DISJOINT, EQUAL, HALF, TAME
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from prfast import PRCurve
from prfast.theory import in_mode_collapse_region, lorenz

PAIRS = hostile.mass_pairs(max_size=6)
TS = np.linspace(0, 1, 21)


# ---- membership --------------------------------------------------------------------------------


@given(PAIRS, st.lists(st.sampled_from([0.0, 1.0]) | st.floats(0, 1), min_size=6, max_size=6))
def test_every_function_between_0_and_1_is_a_point_inside(masses, f):
    p, q = (np.array(side) / np.sum(side) for side in masses)
    f = np.array(f[: p.size])
    diagram = lorenz(PRCurve.from_masses(*masses))
    t, y = float(p @ f), float(q @ f)
    assert diagram.contains(t, y)
    assert diagram.contains(1 - t, 1 - y)  # that of 1 − f


def ends_by_linear_program(p, q, t):
    """The least and the largest ∫f dQ over 0 <= f <= 1 with ∫f dP = t, and the range of ∫f dP."""
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
    if high - low > 1e-6:  # else the program's own rounding may be outside
        assert diagram.contains(t, [low + 1e-9, (low + high) / 2, high - 1e-9]).all()
    assert not diagram.contains(t, [low - 1e-6, high + 1e-6]).any()
    assert diagram(t) == pytest.approx(low, abs=1e-9)


@given(PAIRS, st.floats(0, 1), st.floats(0, 1))
def test_mode_collapse_is_the_part_below_the_diagonal(masses, low, high):
    """(ε, δ) with ε < δ is in the region of the 2019 paper iff (δ, ε) is on or above F."""
    curve = PRCurve.from_masses(*masses)
    low, high = min(low, high), max(low, high)
    if low < high:
        assert in_mode_collapse_region(curve, low, high) == lorenz(curve).contains(high, low)


# ---- subgradients ------------------------------------------------------------------------------


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


@given(TAME, st.floats(1e-3, 1e3))
def test_bisection_on_the_subgradient_finds_alpha(cells, lam):
    """Remark 14.3, as it is said there: the t at which λ is a subgradient, by halving."""
    diagram = lorenz(PRCurve.from_masses(*zip(*cells, strict=True)))
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if diagram.subgradient(middle)[1] < lam else (low, middle)
    assert diagram(high) + lam * (1 - high) == pytest.approx(diagram.alpha(lam), rel=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: lorenz(HALF).subgradient(1.5),
            r"t: numbers in \[0, 1\] expected, got 1.5 at index 0$",
        ),
        (
            lambda: lorenz(HALF).contains([0.1, np.nan], 0.5),
            r"t: finite numbers expected, got nan at index 1$",
        ),
        (
            lambda: lorenz(HALF).contains([0.1, 0.2], [0.1, 0.2, 0.3]),
            r"t and y: shapes that broadcast expected, got \(2,\) and \(3,\)$",
        ),
    ],
)
def test_every_error_says_what_was_expected(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
