"""φ-divergences by cells, by the integral over the curve and by closed forms."""

import math

import hostile
import oracles
import pytest
from curves import DISJOINT, EQUAL
from domains import TABLED
from hypothesis import example, given, settings
from hypothesis import strategies as st
from refusals import refusals

from prfast import PRCurve
from prfast.theory import degroot, divergence_table
from prfast.theory import phi_divergence as divergence
from prfast.theory.phi import NAMES

MASSES = st.sampled_from([0.0, 0.01, 0.1, 0.3, 1.0, 0.7])


@st.composite
def tame(draw, max_size=6):
    """Return two histograms that quadrature can follow, zeros among them."""
    size = draw(st.integers(1, max_size))
    columns = st.lists(MASSES, min_size=size, max_size=size).filter(lambda x: sum(x) > 0)
    return tuple(oracles.normalized(draw(columns)) for _ in "pq")


@given(tame(12))
@settings(max_examples=40)
def test_definition_15_of_2023_a_divergence_is_the_sum_over_the_cells(masses):
    curve = PRCurve.from_masses(*masses)
    for name in TABLED:
        expected = oracles.divergence(*masses, name)
        assert divergence(curve, name) == pytest.approx(expected, rel=1e-11, abs=1e-14), name


@given(tame(4))
@example([oracles.normalized(m) for m in ([0.01, 0.1, 0.01, 0.1], [0.1, 0.1, 0.1, 1])])  # by 1 ulp
@settings(max_examples=15)
def test_corollary_19_of_2023_a_divergence_is_the_integral_of_f1_gaps(masses):
    curve = PRCurve.from_masses(*masses)
    for name in TABLED:
        by_cells = divergence(curve, name)
        if math.isfinite(by_cells):
            by_integral = oracles.divergence_by_integral(*masses, name)
            assert by_cells == pytest.approx(by_integral, rel=1e-7, abs=1e-9), name


DUALS = {"kl": "reverse_kl", "js": "js", "hellinger": "hellinger", "tv": "tv"}
DUALS |= {f"tsallis:{a}": f"tsallis:{1 - a}" for a in (-2.0, 0.25, 0.5, 1.0, 3.0)}


@given(hostile.mass_pairs())
def test_the_dual_is_the_divergence_the_other_way(masses):
    curve = PRCurve.from_masses(*masses)
    for name, dual in DUALS.items():
        there, back = divergence(curve, name), divergence(curve.swap(), dual)
        assert there == pytest.approx(back, rel=1e-9, abs=1e-15), name


@given(hostile.mass_pairs(), st.sampled_from([-1e6, -30, -1e-9, 0, 0.5, 1 - 1e-9, 1, 2, 50, 1e6]))
@settings(max_examples=40)
def test_every_divergence_is_a_number_and_never_negative(masses, order):
    curve = PRCurve.from_masses(*masses)
    for name in (*NAMES, f"tsallis:{order}"):
        assert divergence(curve, name) >= 0
    p, q = curve.masses
    actual = divergence_table(curve)
    assert math.isinf(actual["kl"]) == (p[q == 0].sum() > 0)
    assert math.isinf(actual["reverse_kl"]) == (q[p == 0].sum() > 0)
    assert actual["js"] <= 2 * math.log(2) * (1 + 1e-15)
    assert max(actual["hellinger"], actual["tv"]) <= 2 * (1 + 1e-15)


def test_the_ends():
    for name in TABLED:
        assert divergence(EQUAL, name) == 0
        expected = oracles.AT_ZERO[name] + oracles.DUAL_AT_ZERO[name]
        assert divergence(DISJOINT, name) == pytest.approx(expected)
    dropped = PRCurve.from_masses([0.5, 0.5], [1.0, 0.0])
    assert divergence(dropped, "kl") == math.inf
    assert divergence(dropped, "reverse_kl") == pytest.approx(math.log(2))


@given(hostile.mass_pairs(), hostile.RATES)
def test_proposition_18_of_2023_degroot_is_the_sum_of_minima_and_half_the_f1_score(masses, pi):
    p, q = map(oracles.normalized, masses)
    curve = PRCurve.from_masses(*masses)
    actual = degroot(curve, pi)
    assert actual == pytest.approx(oracles.degroot(p, q, pi), rel=1e-9, abs=1e-15)
    assert 0 <= actual <= min(pi, 1 - pi)
    if 0 < pi < 1:
        alpha, beta = curve.at(pi / (1 - pi))
        if min(alpha, beta) > 1e-300:
            f1_score = 2 / (1 / alpha + 1 / beta)
            assert 2 * actual == pytest.approx(f1_score, rel=1e-9)


test_wrong_arguments_are_refused = refusals("""
divergence(3, "kl")
    TypeError: curve: a PRCurve expected, got int
divergence_table(EQUAL, [])
    ValueError: which: at least one expected, got no
divergence_table(EQUAL, [1])
    TypeError: which: names expected, got int
divergence_table(EQUAL, "x")
    ValueError: which: one of kl, reverse_kl, js, chi2, hellinger, tv, frontier_integral or
    tsallis:a, a an order such as 0.5, expected, got 'x'
""")
