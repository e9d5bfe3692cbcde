"""φ-divergences: by cells, by the integral over the curve, by SciPy, by closed forms; errors."""

import math

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import rel_entr
from scipy.stats import entropy

import prfast
from prfast import PRCurve
from prfast.theory import degroot, degroot_information, divergence_table, f1_score
from prfast.theory import phi_divergence as divergence
from prfast.theory.phi import KNOWN, NAMES

ALL = [*KNOWN, "tsallis:-1.5", "tsallis:0.3", "tsallis:2.5"]
EQUAL = PRCurve.from_masses([1.0], [1.0])
DISJOINT = PRCurve.from_masses([1.0, 0.0], [0.0, 1.0])
MASSES = st.sampled_from([0.0, 0.01, 0.1, 0.3, 1.0, 0.7])


@st.composite
def tame(draw, max_size=6):
    """Two histograms that quadrature can follow, zeros among them."""
    size = draw(st.integers(1, max_size))
    columns = st.lists(MASSES, min_size=size, max_size=size).filter(lambda x: sum(x) > 0)
    return tuple(oracles.normalized(draw(columns)) for _ in "pq")


# ---- values --------------------------------------------------------------------------------


@given(tame(12))
@settings(max_examples=150)
def test_definition_15_of_2023_a_divergence_is_the_sum_over_the_cells(masses):
    curve = PRCurve.from_masses(*masses)
    for name in ALL:
        expected = oracles.divergence(*masses, name)
        assert divergence(curve, name) == pytest.approx(expected, rel=1e-11, abs=1e-14), name


@given(tame(4))
@example([oracles.normalized(m) for m in ([0.01, 0.1, 0.01, 0.1], [0.1, 0.1, 0.1, 1])])  # by 1 ulp
@settings(max_examples=15)
def test_corollary_19_of_2023_a_divergence_is_the_integral_of_f1_gaps(masses):
    curve = PRCurve.from_masses(*masses)
    for name in ALL:
        by_cells = divergence(curve, name)
        if math.isfinite(by_cells):
            by_integral = oracles.divergence_by_integral(*masses, name)
            assert by_cells == pytest.approx(by_integral, rel=1e-7, abs=1e-9), name


@given(tame(12))
def test_divergences_agree_with_scipy(masses):
    p, q = masses
    found = divergence_table(PRCurve.from_masses(p, q))
    half = (p + q) / 2
    expected = {
        "kl": entropy(p, q),
        "reverse_kl": rel_entr(q, p).sum(),
        "js": entropy(p, half) + entropy(q, half),
        "hellinger": 2 - 2 * np.sqrt(p * q).sum(),
        "tv": np.abs(p - q).sum(),
    }
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=1e-10, abs=1e-7), name
    assert found["js"] == pytest.approx(expected["js"], rel=1e-10, abs=1e-14)
    assert found["tv"] == pytest.approx(2 * PRCurve.from_masses(p, q).total_variation, abs=1e-15)
    if not ((q == 0) & (p > 0)).any():
        both = q > 0
        chi2 = ((p - q)[both] ** 2 / q[both]).sum()
        assert found["chi2"] == pytest.approx(chi2, rel=1e-12, abs=1e-14)


DUALS = {"kl": "reverse_kl", "js": "js", "hellinger": "hellinger", "tv": "tv"}
DUALS |= {f"tsallis:{a}": f"tsallis:{1 - a}" for a in (-2.0, 0.25, 0.5, 1.0, 3.0)}


@given(hostile.mass_pairs())
def test_the_dual_is_the_divergence_the_other_way(masses):
    curve = PRCurve.from_masses(*masses)
    for name, dual in DUALS.items():
        there, back = divergence(curve, name), divergence(curve.swap(), dual)
        assert there == pytest.approx(back, rel=1e-9, abs=1e-15), name


@given(hostile.mass_pairs(), st.sampled_from([-1e6, -30, -1e-9, 0, 0.5, 1 - 1e-9, 1, 2, 50, 1e6]))
@settings(max_examples=200)
def test_every_divergence_is_a_number_and_never_negative(masses, order):
    curve = PRCurve.from_masses(*masses)
    for name in (*NAMES, f"tsallis:{order}"):
        assert divergence(curve, name) >= 0
    p, q = curve.masses
    found = divergence_table(curve)
    assert math.isinf(found["kl"]) == (p[q == 0].sum() > 0)
    assert math.isinf(found["reverse_kl"]) == (q[p == 0].sum() > 0)
    assert found["js"] <= 2 * math.log(2) * (1 + 1e-15)
    assert max(found["hellinger"], found["tv"]) <= 2 * (1 + 1e-15)


def test_the_ends():
    for name in ALL:
        assert divergence(EQUAL, name) == 0
        expected = oracles.AT_ZERO[name] + oracles.DUAL_AT_ZERO[name]
        assert divergence(DISJOINT, name) == pytest.approx(expected)
    dropped = PRCurve.from_masses([0.5, 0.5], [1.0, 0.0])
    assert divergence(dropped, "kl") == math.inf
    assert divergence(dropped, "reverse_kl") == pytest.approx(math.log(2))


def test_nearly_equal_masses_keep_their_digits():
    """u = 1 ± x on two equal cells: D = Σ φ(1 ± x)/2 → φ''(1) x²/2."""
    for x in (1e-3, 1e-5, 1e-7, 1e-9):
        curve = PRCurve.from_masses([1 + x, 1 - x], [1.0, 1.0])
        x = (1 + x - (1 - x)) / 2  # what float64 made of it
        for name, bend in (("kl", 1), ("js", 0.5), ("chi2", 2), ("hellinger", 0.5)):
            slack = max(x * x, 1e-15 / x)  # the next order; rounding of the masses
            assert divergence(curve, name) == pytest.approx(bend * x * x / 2, rel=slack), (x, name)


# ---- known distributions -------------------------------------------------------------------


# ---- a function of the user's --------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "at_zero", "slope"),
    [
        (lambda u: (u - 1) ** 2 / (u + 1), 1, 1),  # its square overflows first
        (lambda u: np.exp(u) - np.e * u, 1, math.inf),
        (lambda u: (u - 1) ** 2 / u, math.inf, 1),
        (lambda u: u**1.5 - 1, -1, math.inf),
        (lambda u: np.maximum(u - 1, 0), 0, 1),
        (lambda u: np.abs(np.log(u)) * 0 + (u - 1) ** 4, 1, math.inf),
    ],
)
def test_limits_are_found(function, at_zero, slope):
    phi = prfast.theory.phi_function(function)
    assert (phi.at_zero, phi.dual_at_zero) == pytest.approx((at_zero, slope))
    expected = at_zero + slope
    assert divergence(DISJOINT, function) == pytest.approx(expected)


# ---- DeGroot -------------------------------------------------------------------------------


@given(hostile.mass_pairs(), hostile.RATES)
def test_proposition_18_of_2023_degroot_is_the_sum_of_minima_and_half_the_f1_score(masses, pi):
    p, q = map(oracles.normalized, masses)
    curve = PRCurve.from_masses(*masses)
    found = degroot(curve, pi)
    assert found == pytest.approx(oracles.degroot(p, q, pi), rel=1e-9, abs=1e-15)
    assert 0 <= found <= min(pi, 1 - pi)
    assert f1_score(curve, pi) == 2 * found
    assert degroot_information(curve, pi) == pytest.approx(min(pi, 1 - pi) - found, abs=1e-16)
    if 0 < pi < 1:
        alpha, beta = curve.at(pi / (1 - pi))
        if min(alpha, beta) > 1e-300:
            assert f1_score(curve, pi) == pytest.approx(2 / (1 / alpha + 1 / beta), rel=1e-9)


# ---- the table -----------------------------------------------------------------------------


# ---- errors --------------------------------------------------------------------------------

WORDS = (
    "one of kl, reverse_kl, js, chi2, hellinger, tv, frontier_integral or tsallis:a, "
    "a an order such as 0.5,"
)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: divergence(EQUAL, 3), TypeError, r"phi: a name or a function expected, got int"),
        (lambda: divergence(EQUAL, "hell"), ValueError, f"phi: {WORDS} expected, got 'hell'"),
        (lambda: divergence(EQUAL, "tsallis:"), ValueError, f"phi: {WORDS} expected, got 'tsalli"),
        (lambda: divergence(EQUAL, "tsallis:nan"), ValueError, f"phi: {WORDS} expected, got 'ts"),
        (lambda: divergence(EQUAL, "tsallis:1_0"), ValueError, f"phi: {WORDS} expected, got 'ts"),
        (lambda: divergence(EQUAL, "tsallis: 1"), ValueError, f"phi: {WORDS} expected, got 'ts"),
        (
            lambda: divergence(EQUAL, "tsallis:1e7"),
            ValueError,
            r"phi: the order of 'tsallis:1e7': a number in \[-1e\+06, 1e\+06\] expected, got 1",
        ),
        (
            lambda: divergence(EQUAL, "kl", at_zero=1),
            ValueError,
            r"at_zero, dual_at_zero and conjugate: only for a phi that is a function",
        ),
        (
            lambda: divergence(EQUAL, np.abs, at_zero=-math.inf),
            ValueError,
            r"at_zero: a number in \(−∞, ∞\] expected, got -inf",
        ),
        (lambda: divergence(EQUAL, np.abs), ValueError, r"phi: φ\(1\) = 0 expected, got 1"),
        (
            lambda: divergence(EQUAL, np.log),
            ValueError,
            r"phi: a convex function expected, its slope falls at u = ",
        ),
        *(
            (
                lambda flat=flat: divergence(EQUAL, flat),
                ValueError,
                r"phi: a function that is strictly convex at 1 expected \(\(A3\), 2023 paper\), "
                r"got one on a line from u = 0.9375 to u = 1.0625, φ\(u\) = ",
            )
            for flat in (
                lambda u: np.maximum(u - 2, 0),
                lambda u: np.maximum(np.abs(u - 1) - 0.07, 0),
                lambda u: 0.1 * (u - 1),
                lambda u: np.zeros(u.size),
            )
        ),
        (
            lambda: divergence(EQUAL, lambda u: np.where(u > 2, np.inf, u - 1)),
            ValueError,
            r"phi: finite values expected, got inf at u = 2\.",
        ),
        (
            lambda: divergence(EQUAL, lambda u: 0.0),
            ValueError,
            r"phi: shape \(161,\) expected for as many u, got \(\)",
        ),
        (lambda: divergence_table(EQUAL, []), ValueError, r"which: at least one expected, got no"),
        (lambda: divergence_table(EQUAL, [1]), TypeError, r"which: names expected, got int"),
        (lambda: divergence_table(EQUAL, "x"), ValueError, f"which: {WORDS} expected, got 'x'"),
        (lambda: f1_score(EQUAL, "x"), TypeError, r"pi: float32, float64"),
    ],
)
def test_every_error_says_what_was_expected(call, error, message):
    with pytest.raises(error, match=f"^{message}"):
        call()
