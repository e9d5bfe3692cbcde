"""Definitions and lemmas of the four papers, each by its own words: which pairs of precision and
recall there are, which of them are the curve, which classifiers do worse.

P and Q are discrete.  What a definition says of a distribution μ, or of a function f in [0, 1], is
a linear program.
"""

from itertools import product

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from prfast import PRCurve
from prfast.theory import min_sums

PAIRS = hostile.mass_pairs(max_size=6)
WHOLE = hostile.mass_pairs(max_size=5, whole=True)
LAMS = np.concatenate([[0], np.geomspace(1e-4, 1e4, 33), [np.inf]])
FINITE = LAMS[1:-1]


def pair_of(masses):
    return tuple(abs(oracles.normalized(of)) for of in masses)  # no −0


def best_along(p, q, alpha, beta):
    """Return the largest s such that (sα, sβ) is in the PR set: there is a probability μ, of no
    mass where P or Q has none, with P >= sβμ and Q >= sαμ; ν = sμ is what the linear program
    moves.

    (Definition 2 of 2019, with the μ of 2023, whose (1, 0) and (0, 1) are not in the set by
    themselves.)
    """
    common = (p > 0) & (q > 0)
    rows = np.vstack([beta * np.eye(p.size), alpha * np.eye(p.size)])
    bounds = [(0, None if there else 0) for there in common]
    result = linprog(-np.ones(p.size), A_ub=rows, b_ub=np.concatenate([p, q]), bounds=bounds)
    return -result.fun


@given(WHOLE, st.floats(0.01, 0.99))
@settings(max_examples=40, deadline=None)
def test_definition_2_of_2019_the_set_by_its_measures(masses, angle):
    """Along any ray the set ends where `contains` does, to 1 part in 10⁹ on either side."""
    p, q = pair_of(masses)
    curve = PRCurve.from_masses(p, q)
    alpha, beta = np.sin(angle * np.pi / 2), np.cos(angle * np.pi / 2)
    s = best_along(p, q, alpha, beta)
    if s == 0:
        assert not curve.contains(1e-9 * alpha, 1e-9 * beta)
    else:
        assert curve.contains(s * alpha * (1 - 1e-9), s * beta * (1 - 1e-9))
        assert not curve.contains(s * alpha * (1 + 1e-9), s * beta * (1 + 1e-9))


@given(WHOLE, st.sampled_from(FINITE.tolist()))
@settings(max_examples=40, deadline=None)
def test_definition_3_of_2019_the_curve_is_the_pareto_front(masses, lam):
    """Each of its points is in the set, and no pair of the set is better in both."""
    p, q = pair_of(masses)
    curve = PRCurve.from_masses(p, q)
    alpha, beta = curve.at(lam)
    if alpha == 0 or beta == 0:
        assert not ((p > 0) & (q > 0)).any()
        return
    assert curve.contains(alpha, beta)
    assert best_along(p, q, alpha, beta) == pytest.approx(1, rel=1e-9)
    # Better in both by any two factors: still none.
    for factors in ((1.001, 1.1), (1.1, 1.001), (1.001, 1.001)):
        better = alpha * factors[0], beta * factors[1]
        assert best_along(p, q, *better) < 1
        assert not curve.contains(*better)


@given(WHOLE, st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_definition_3_of_2023_no_measure_is_better_in_both_than_the_curve(masses, seed):
    """κ*(Q|μ) = inf Q(A)/μ(A), κ*(P|μ): of random μ on the common support, below the curve; of
    μ = λP ∧ Q, divided by its mass, at λ or, in one of the two, beyond: the front is weak, so that
    a level stretch of the curve belongs to it."""
    p, q = pair_of(masses)
    curve = PRCurve.from_masses(p, q)
    common = (p > 0) & (q > 0)
    assume(common.any())
    rng = np.random.default_rng(seed)
    for lam in (*rng.choice(FINITE, 4), None):
        weight = np.minimum(lam * p, q) if lam else rng.random(p.size) ** 8 * (p + q)
        mu = np.where(common, weight, 0) / weight[common].sum()
        alpha, beta = (of[common] / mu[common] for of in (q, p))
        alpha, beta = alpha.min(), beta.min()
        assert curve.contains(alpha, beta)
        if lam:
            gains = np.divide((alpha, beta), curve.at(lam))
            assert gains.min() == pytest.approx(1, rel=1e-12)


@given(WHOLE, st.floats(1e-3, 1), st.floats(1e-3, 1))
@settings(max_examples=40)
def test_lemma_1_of_2018_a_pair_is_attained_if_p_and_q_hold_its_measure(masses, alpha, beta):
    """P = βμ + (1 − β)ν_P and Q = αμ + (1 − α)ν_Q, of distributions: the ν of the proof."""
    p, q = pair_of(masses)
    curve = PRCurve.from_masses(p, q)
    room = np.minimum(p / beta, q / alpha)
    assume(abs(room.sum() - 1) > 1e-9)
    assert curve.contains(alpha, beta) == (room.sum() > 1)
    if room.sum() > 1:
        mu = room / room.sum()
        for whole, share in ((p, beta), (q, alpha)):
            rest = whole - share * mu
            assert rest.min() >= -1e-16
            if share < 1:
                nu = rest / (1 - share)
                np.testing.assert_allclose(share * mu + (1 - share) * nu, whole, atol=1e-15)
                assert nu.sum() == pytest.approx(1, abs=1e-15 / (1 - share))


@given(PAIRS, st.data(), st.sampled_from(FINITE.tolist()))
@settings(max_examples=40)
def test_lemma_1_of_2019_a_lower_error_of_one_kind_costs_more_of_the_other(masses, data, lam):
    """U′ says real on a set of cells.  Where it accepts no more of Q than the ratio classifier Ũ
    does (type II), its α′_λ and β′_λ are no lower; and the same where it rejects no more of P."""
    p, q = pair_of(masses)
    curve = PRCurve.from_masses(p, q)
    best = lam * p >= q
    own = np.array(data.draw(st.lists(st.booleans(), min_size=p.size, max_size=p.size)))
    alpha, beta = curve.at(lam)
    type_1, type_2 = p[~own].sum(), q[own].sum()
    assume(type_2 <= q[best].sum() or type_1 <= p[~best].sum())
    assert lam * type_1 + type_2 >= alpha * (1 - 1e-12)
    assert type_1 + type_2 / lam >= beta * (1 - 1e-12)
    # and so the other error is no lower, but for ties, on which both may lie anywhere
    gain = q[best].sum() - type_2
    assert lam * (type_1 - p[~best].sum()) >= gain * (1 - 1e-12) - 1e-15 * (1 + lam)


@given(PAIRS, st.sampled_from(LAMS[:-1].tolist()) | st.sampled_from([1e-300, 1e-30, 1e30]))
@settings(max_examples=40)
def test_theorem_37_of_2023_alpha_is_the_minimum_over_all_sets(masses, lam):
    """min over A of λ(1 − P(A)) + Q(A): all 2ⁿ sets of cells."""
    p, q = pair_of(masses)
    sets = np.array(list(product([0, 1], repeat=p.size)))
    least = (lam * (1 - sets) @ p + sets @ q).min()
    assert PRCurve.from_masses(p, q).at(lam)[0] == pytest.approx(least, rel=1e-11, abs=0)


@given(WHOLE, st.sampled_from(LAMS[1:-1:4].tolist()))
@settings(max_examples=40, deadline=None)
def test_lemma_12_of_2023_alpha_is_the_minimum_over_all_functions(masses, lam):
    """min over 0 <= f <= 1 of λ(1 − ∫f dP) + ∫f dQ: a linear program, and so at a set."""
    p, q = pair_of(masses)
    result = linprog(q - lam * p, bounds=(0, 1))
    alpha = PRCurve.from_masses(p, q).at(lam)[0]
    assert alpha == pytest.approx(lam + result.fun, rel=1e-9, abs=1e-9 * lam)


@given(WHOLE)
@settings(max_examples=40)
def test_lemma_10_of_2023_the_largest_ratio_of_sets_is_that_of_cells(masses):
    """sup over A of μ(A)/ν(A), of all sets of cells, is the largest ratio of densities where μ > 0,
    ∞ where ν is 0 there; and on curves of μ and ν, 1 / it is where the curve stops being level."""
    mu, nu = pair_of(masses)
    sets = np.array(list(product([0, 1], repeat=mu.size)))[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        of_sets = (sets @ mu) / (sets @ nu)
        of_cells = mu / nu
    largest = np.nanmax(of_sets)
    assert largest == pytest.approx(np.nanmax(of_cells[mu > 0]), rel=1e-12)
    # P = ν, Q = μ: α_λ = 1 from λ = largest on, and not before.
    curve = PRCurve.from_masses(nu, mu)
    if np.isinf(largest):
        assert curve.max_precision < 1
    else:
        assert curve.at(largest * (1 + 1e-12))[0] == pytest.approx(1, abs=1e-15)
        if largest > 1:
            assert curve.at(largest * 0.99)[0] < 1 - 1e-4


@given(PAIRS)
@settings(max_examples=40)
def test_proposition_2_2_of_2024_every_cosupport_has_the_mass_of_the_largest_precision(masses):
    """A cosupport (Definition 2.1): no common mass outside of it, and inside of it no set of which
    one of P and Q has mass and the other none."""
    p, q = pair_of(masses)
    curve = PRCurve.from_masses(p, q)
    result = []
    for chosen in product([False, True], repeat=p.size):
        of = np.array(chosen)
        if not np.minimum(p, q)[~of].any() and ((p > 0) == (q > 0))[of].all():
            result.append((q[of].sum(), p[of].sum()))
    assert result
    expected = [(curve.max_precision, curve.max_recall)] * len(result)
    np.testing.assert_allclose(result, expected, rtol=1e-12)


# ---- the smaller of two measures -----------------------------------------------------------------


CLOSE = {"rel": 1e-12, "abs": 1e-15}


def sets_of(n):
    """Every set of n cells, as a mask."""
    return [np.array(mask, bool) for mask in product((False, True), repeat=n)]


@given(PAIRS, st.floats(0, 1e3))
def test_it_is_half_the_sum_less_the_difference(masses, lam):
    """2019, Definition 1: μ ∧ ν = ½ (μ + ν − |μ − ν|), of μ = λP and ν = Q."""
    p, q = map(oracles.normalized, masses)
    expected = (lam * p + q - np.abs(lam * p - q)).sum() / 2
    assert min_sums(p, q, lam) == pytest.approx(expected, rel=1e-11, abs=1e-13)


@given(PAIRS, st.floats(1e-3, 1e3))
def test_on_any_set_it_is_one_measure_on_each_part(masses, lam):
    """2019, Corollary 1: (μ ∧ ν)(A) = μ(A ∩ {μ < ν}) + ν(A ∩ {μ ≥ ν}), for every set A."""
    p, q = map(oracles.normalized, masses)
    less = lam * p < q
    for a in sets_of(p.size):
        expected = lam * p[a & less].sum() + q[a & ~less].sum()
        assert min_sums(p * a, q * a, lam) == pytest.approx(expected, **CLOSE)


@given(PAIRS)
def test_a_level_set_and_the_rest_are_a_hahn_decomposition(masses):
    """2019, Theorem 1: between two ratios, λP − Q is nowhere negative on the cells of smaller
    ratio, whose masses a vertex of the curve counts, and nowhere positive on the others."""
    p, q = map(oracles.normalized, masses)
    fpr, fnr, ratio = PRCurve.from_masses(p, q).vertices
    inner = zip(fpr[1:-1], fnr[1:-1], ratio[1:-1], ratio[2:], strict=True)
    for a, b, above, below in inner:
        if below > above * (1 - 1e-9):
            continue  # one ratio, but for rounding
        lam = np.sqrt(above) * np.sqrt(below) if np.isfinite(above) else 2 * below + 1
        there = lam * p >= q
        assert p[~there].sum() == pytest.approx(a, **CLOSE)
        assert q[there].sum() == pytest.approx(b, **CLOSE)
        for subset in sets_of(p.size):
            assert lam * p[subset & there].sum() >= q[subset & there].sum()
            assert lam * p[subset & ~there].sum() <= q[subset & ~there].sum()
