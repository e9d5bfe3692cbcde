"""Fidelity and diversity against their definitions, in plain sums and by bisection."""

import hostile
import numpy as np
import oracles
import pytest
from curves import CURVES, DISJOINT, EQUAL, HALF
from hypothesis import example, given
from hypothesis import strategies as st

from prfast import PRCurve
from prfast.reference import GaussianShift

EXCESS = st.sampled_from([1.0, 2.0, 20.0, 1e3])
SHARE = st.sampled_from([0.1, 0.6, 0.9])


def diversity_by_bisection(p, q, excess, share):
    """β at the smallest λ at which α is the share of the fidelity: β falls, α rises with λ."""
    least = share * oracles.alpha(p, q, excess)
    lo, hi = -700.0, 700.0
    for _ in range(80):
        middle = (lo + hi) / 2
        enough = oracles.alpha(p, q, np.exp(middle)) >= least
        lo, hi = (lo, middle) if enough else (middle, hi)
    return min(oracles.beta(p, q, np.exp(hi)), oracles.beta(p, q, 1 / excess))


@given(hostile.mass_pairs(), EXCESS)
def test_fidelity_is_the_sum_of_its_definition(masses, excess):
    p, q = map(oracles.normalised, masses)
    found = PRCurve.from_masses(*masses).fidelity(excess)
    assert found == pytest.approx(oracles.alpha(p, q, excess), rel=1e-12, abs=1e-300)


@given(hostile.mass_pairs(), EXCESS, SHARE)
def test_diversity_is_what_bisection_finds(masses, excess, share):
    p, q = map(oracles.normalised, masses)
    curve = PRCurve.from_masses(*masses)
    if curve.fidelity(excess) < 1e-280:  # beyond the search
        return
    expected = diversity_by_bisection(p, q, excess, share)
    assert curve.diversity(excess, share) == pytest.approx(expected, rel=1e-9, abs=1e-300)


@given(CURVES, EXCESS, SHARE)
def test_order_and_ends(curve, excess, share):
    """Between the trade-offs 1 and ∞; less is asked for by a smaller share."""
    assert 1 - curve.total_variation <= curve.fidelity(excess) + 1e-12
    assert curve.fidelity(excess) <= curve.max_precision
    assert curve.fidelity(np.inf) == curve.max_precision
    assert curve.diversity(np.inf, 0) == curve.max_recall
    assert curve.diversity(excess, share) <= curve.diversity(excess, 0)
    assert (curve.fidelity() == 0) == (curve.diversity() == 0) == (curve.area == 0)


@given(CURVES, EXCESS, SHARE)
def test_the_dual_of_the_fidelity_bounds_the_diversity(curve, excess, share):
    assert curve.diversity(excess, share) <= curve.swap().fidelity(excess)
    assert curve.swap().diversity(excess, share) <= curve.fidelity(excess)


def test_the_simplest_curves():
    assert (EQUAL.fidelity(), EQUAL.diversity()) == (1, 1)
    assert (HALF.fidelity(), HALF.diversity()) == (1, 0.5)
    assert (HALF.swap().fidelity(), HALF.swap().diversity()) == (0.5, 1)
    assert (DISJOINT.fidelity(), DISJOINT.diversity()) == (0, 0)


@pytest.mark.parametrize(
    ("p", "q", "fidelity", "diversity"),
    [
        ([1] * 10, [1] + [0] * 9, 1, 0.1),  # a tenth of the modes, nothing else
        ([1] * 40, [1] + [0] * 39, 0.5, 1 / 40),  # collapsed beyond the excess that is forgiven
        ([1, 0], [0.7, 0.3], 0.7, 1),  # three tenths of noise
        ([1, 1, 0], [0.7, 0, 0.3], 0.7, 0.5),  # both
        ([0.9, 0.1], [0.1, 0.9], 1, 0.12),  # two modes whose weights are exchanged
    ],
)
def test_what_each_of_them_sees(p, q, fidelity, diversity):
    curve = PRCurve.from_masses(p, q)
    assert curve.fidelity() == pytest.approx(fidelity, rel=1e-12)
    assert curve.diversity() == pytest.approx(diversity, rel=1e-12)


def test_modes_that_are_too_wide_lower_the_diversity_and_leave_the_recall():
    wide = PRCurve.from_masses([4, 4, 1, 1, 0], [1, 1, 3, 3, 2])
    assert (wide.fidelity(), wide.max_recall) == (0.8, 1)
    assert wide.diversity() < 0.5


def test_the_ends_of_a_curve_do_not_see_what_these_see():
    far = GaussianShift(10.0).curve()
    assert far.max_precision > 0.999
    assert far.max_recall > 0.999
    assert far.fidelity() < 1e-4
    assert far.diversity() < 1e-4


@pytest.mark.parametrize("excess", [1.0, 20.0])
def test_the_shift_of_two_gaussians(excess):
    """α_λ = λ Φ(−ln λ/Δ − Δ/2) + Φ(ln λ/Δ − Δ/2)."""
    from scipy.stats import norm

    delta, log = 2.0, np.log(excess)
    exact = excess * norm.cdf(-log / delta - delta / 2) + norm.cdf(log / delta - delta / 2)
    assert GaussianShift(delta).curve().fidelity(excess) == pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: EQUAL.fidelity(0.5), ValueError, r"excess: a number in \[1, ∞\] expected"),
        (lambda: EQUAL.fidelity(np.nan), ValueError, r"excess: a number in \[1, ∞\] .* got nan"),
        (lambda: EQUAL.fidelity("20"), TypeError, "excess: a number expected, got"),
        (lambda: EQUAL.diversity(0.5), ValueError, r"excess: a number in \[1, ∞\] expected"),
        (lambda: EQUAL.diversity(20, 1.5), ValueError, r"share: a number in \[0, 1\] expected"),
        (lambda: EQUAL.diversity(share=True), TypeError, "share: a number expected, got"),
    ],
)
def test_errors(call, error, message):
    with pytest.raises(error, match=message):
        call()


# ---- monotone numbers ------------------------------------------------------------------------


def recall_within(curve, excess):
    """β at λ = 1 / excess: Σ min(p, excess · q), the dual of the fidelity."""
    return curve.swap().fidelity(excess)


@given(hostile.mass_pairs(), EXCESS)
def test_the_dual_of_the_fidelity_is_the_sum_of_its_definition(masses, excess):
    p, q = map(oracles.normalised, masses)
    expected = oracles.beta(p, q, 1 / excess)
    found = recall_within(PRCurve.from_masses(*masses), excess)
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-300)


@given(CURVES, CURVES, EXCESS)
def test_a_curve_that_is_nowhere_lower_has_no_lower_fidelity_nor_its_dual(one, two, excess):
    below = one.intersection(two)
    for above in (one, two):
        assert below.fidelity(excess) <= above.fidelity(excess) + 1e-12
        assert recall_within(below, excess) <= recall_within(above, excess) + 1e-12


@given(hostile.mass_pairs(), EXCESS)
@example(([0.1, 0.9, 0], [0.03, 0.27, 0.7]), 20.0)  # the diversity falls from 1 to 0.2
def test_merging_cells_lowers_neither_the_fidelity_nor_its_dual(masses, excess):
    fine = PRCurve.from_masses(*masses)
    merged = PRCurve.from_masses(*(np.append(sum(x[::2]), x[1::2]) for x in masses))
    assert merged.fidelity(excess) >= fine.fidelity(excess) - 1e-12
    assert recall_within(merged, excess) >= recall_within(fine, excess) - 1e-12


def test_the_diversity_falls_although_the_curve_is_nowhere_lower():
    """Of P with seven tenths of noise, and of two modes whose weights are all but exchanged."""
    noisy = PRCurve.from_masses([0.1, 0.9, 0], [0.03, 0.27, 0.7])
    swapped = PRCurve.from_masses([0.1, 0.9], [0.7, 0.3])
    lam = np.geomspace(1e-3, 1e3, 1001)
    assert (noisy.at(lam)[0] <= swapped.at(lam)[0] + 1e-15).all()
    assert (noisy.diversity(), swapped.diversity()) == pytest.approx((1, 0.2), abs=1e-12)
    found = recall_within(noisy, 2), recall_within(swapped, 2)
    assert found == pytest.approx((0.6, 0.7), rel=1e-12)


@given(hostile.mass_pairs(), st.sampled_from([0.05, 0.3, 0.5, 1.0]))
def test_what_a_monotone_diversity_gives_up(masses, share):
    """Of all Q ≥ share · P the lowest curve is that of P with 1 − share of noise: a monotone number
    that is 1 for the noise is 1 for all of them."""
    p, other = map(oracles.normalised, masses)
    noisy = PRCurve.from_masses([1, 0], [share, 1 - share])
    curve = PRCurve.from_masses(p, share * p + (1 - share) * other)
    lam = np.geomspace(1e-3, 1e3, 61)
    assert (curve.at(lam)[0] >= noisy.at(lam)[0] * (1 - 1e-12)).all()
    assert recall_within(noisy, 1 / share) == pytest.approx(1, rel=1e-12)


@given(CURVES)
def test_the_least_monotone_number_above_the_diversity_is_the_dual_of_the_fidelity(curve):
    """The rectangle of the point at λ = 1 / 20 lies below the curve, and this is its diversity."""
    precision, recall = curve.at(1 / 20)
    if precision < 1e-280:
        return
    corner = PRCurve.from_masses([recall, 1 - recall, 0], [precision, 0, 1 - precision])
    assert corner.diversity() == pytest.approx(curve.swap().fidelity(), rel=1e-9)
    assert curve.diversity() <= curve.swap().fidelity()
    lam = np.geomspace(1e-3, 1e3, 61)
    assert (corner.at(lam)[0] <= curve.at(lam)[0] * (1 + 1e-9) + 1e-300).all()
