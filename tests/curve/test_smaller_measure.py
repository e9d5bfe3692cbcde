"""The smaller of two measures, μ ∧ ν, of which every curve is made: what the papers say of it
before they come to curves (2019, Definition 1, Theorem 1, Corollary 1)."""

from itertools import product

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prfast import PRCurve
from prfast.theory import min_sums

PAIRS = hostile.mass_pairs(max_size=6)
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
