"""The functions φ: values to the last digits, duals, conjugates and their domains."""

import copy
import math
import pickle
import sys
from decimal import Decimal, localcontext

import numpy as np
import oracles
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from prfast.theory import phi_function
from prfast.theory.phi import KNOWN

ALL = [*KNOWN, "tsallis:-1.5", "tsallis:0.3", "tsallis:2.5"]
ORDERS = st.one_of(
    st.sampled_from([-100, -1, -1e-9, 0, 1e-300, 1e-9, 0.5, 1 - 1e-9, 1, 1 + 1e-9, 2, 7, 100]),
    st.floats(-3, 4),
)
RATIOS = st.one_of(
    st.floats(1e-4, 1e4),
    st.sampled_from([1e-300, 1e-20, 1e20, 1e300, 1.0, 1 + 2**-52, 1 - 2**-53, 0.75, 1.25]),
    st.builds(lambda e, sign: 1 + sign * 10.0**-e, st.floats(0.1, 15), st.sampled_from([-1, 1])),
)


def exact(order, u):
    """φ_a(u) in 700 digits."""
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 700, 10**9, -(10**9)
        a, u = Decimal(order), Decimal(u)
        if a == 0:
            return -u.ln() + u - 1
        if a == 1:
            return u * u.ln() - u + 1
        return ((a * u.ln()).exp() - a * (u - 1) - 1) / (a * (a - 1))


@given(ORDERS, RATIOS)
@example(0.5, 1.2500001)
@example(1.0, 1 + 1e-8)
@settings(max_examples=60, deadline=None)
def test_tsallis_keeps_its_digits_near_1_and_far_from_it(order, u):
    found, expected = phi_function(f"tsallis:{order!r}")(u), exact(order, u)
    if expected > Decimal("1.7e308"):
        assert found == math.inf
    else:
        slack = 3e-14 * (1 + abs(order)) * (1 + abs(math.log(u)) / 20)
        assert found == pytest.approx(float(expected), rel=slack, abs=1e-300)


TABLE = {
    "kl": lambda u: exact(1, u),
    "reverse_kl": lambda u: exact(0, u),
    "js": lambda u: u * u.ln() - (u + 1) * ((u + 1) / 2).ln(),
    "chi2": lambda u: (u - 1) ** 2,
    "hellinger": lambda u: (u.sqrt() - 1) ** 2,
    "tv": lambda u: abs(u - 1),
    "frontier_integral": lambda u: (u + 1) / 2 - u * u.ln() / (u - 1) if u != 1 else Decimal(0),
} | {
    f"tsallis:{a!r}": lambda u, a=a: exact(a, u)
    for a in (
        -3,
        -1,
        -1e-3,
        -1e-17,
        1e-17,
        1e-9,
        0.3,
        0.49,
        0.5,
        0.7,
        1 - 2**-53,
        1 + 1e-9,
        1.01,
        4,
    )
}
LARGEST = sys.float_info.max
EXTREME = [5e-324, 1e-300, 1e-17, 0.5, 1 - 1e-9, 1.0, 1 + 1e-9, 2.0, 1e17, 1e300, 1.5e308, LARGEST]
EXTREME += [LARGEST / 709, LARGEST / 708.5]  # u ln u overflows at the second, kl at neither


@pytest.mark.parametrize("name", TABLE)
def test_values_are_exact_from_the_smallest_to_the_largest_number(name):
    """φ and φ◇ are >= 0 and have the digits of 700-digit arithmetic; ∞ beyond float64 only."""
    phi = phi_function(name)
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 700, 10**9, -(10**9)
        values = [TABLE[name](Decimal(u)) for u in EXTREME]
        duals = [Decimal(u) * TABLE[name](1 / Decimal(u)) for u in EXTREME]
    for found, exacts in ((phi(EXTREME), values), (phi.dual(EXTREME), duals)):
        expected = [float(min(x, Decimal(LARGEST))) for x in exacts]
        found = np.minimum(found, LARGEST)  # what rounds to the largest number may be ∞
        np.testing.assert_allclose(found, expected, rtol=3e-14, atol=5e-324)
        assert (found >= 0).all()


@pytest.mark.parametrize("name", ALL)
def test_values_and_duals_are_those_of_the_table(name):
    phi, u = phi_function(name), np.geomspace(1e-3, 1e3, 25)
    table = np.array([oracles.PHI[name](x) for x in u])
    np.testing.assert_allclose(phi(u), table, rtol=1e-11, atol=1e-15)
    dual = np.array([x * oracles.PHI[name](1 / x) for x in u])
    np.testing.assert_allclose(phi.dual(u), dual, rtol=1e-11, atol=1e-15)
    assert phi(1.0) == 0
    assert (phi.at_zero, phi.dual_at_zero) == (phi(0), phi.dual(0))
    assert phi.at_zero == pytest.approx(oracles.AT_ZERO[name])
    assert phi.dual_at_zero == pytest.approx(oracles.DUAL_AT_ZERO[name])
    assert phi(u.reshape(5, 5)).shape == (5, 5)


# ---- conjugates ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_the_conjugate_is_the_supremum(name):
    phi = phi_function(name)
    u = np.concatenate([[1e-300], np.geomspace(1e-9, 1e9, 40001)])
    top = min(phi.dual_at_zero, 5.0)
    for v in np.linspace(-6, top - 0.1 * (top < 5), 23):
        supremum = (u * v - phi(u)).max()
        assert phi.conjugate(v) == pytest.approx(supremum, rel=1e-5, abs=1e-5), v
    if math.isfinite(phi.dual_at_zero):
        assert phi.conjugate(phi.dual_at_zero * (1 + 1e-15)) == math.inf
    assert phi.conjugate(0.0) == 0
    if phi.low > -math.inf:
        assert phi.conjugate(phi.low - 1) == phi.conjugate(phi.low) == -phi.at_zero


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("kl", lambda v: math.exp(v) - 1),
        ("reverse_kl", lambda v: -math.log(1 - v)),
        ("js", lambda v: -math.log(2 - math.exp(v))),
        ("chi2", lambda v: v**2 / 4 + v),
        ("hellinger", lambda v: v / (1 - v)),
        ("tv", lambda v: v),
    ],
)
def test_table_1_of_2023_conjugates(name, table):
    for v in (-0.9, -0.1, 0.0, 1e-9, 0.3, 0.69):
        assert phi_function(name).conjugate(v) == pytest.approx(table(v), rel=1e-7, abs=1e-15)


# ---- functions that overflow -----------------------------------------------------------------


@pytest.mark.parametrize("name", [*KNOWN, "tsallis:0.25"])
def test_a_phi_with_a_name_is_pickled_as_its_name(name):
    phi = phi_function(name)
    same = pickle.loads(pickle.dumps(phi))
    u = np.array([0.0, 0.3, 1.0, 7.0])
    assert (same.name, same.domain) == (phi.name, phi.domain)
    np.testing.assert_array_equal(same(u), phi(u))
    np.testing.assert_array_equal(copy.deepcopy(phi).conjugate(0.25), phi.conjugate(0.25))


# ---- errors --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: phi_function("kl")(-1), ValueError, r"u: numbers >= 0 expected, got -1.0"),
        (lambda: phi_function("kl").conjugate(np.nan), ValueError, r"v: finite numbers expected,"),
        (
            lambda: phi_function(lambda u: 1 - u**0.01)(0),
            ValueError,
            r"phi: its limit at 0 cannot be told from its values; give at_zero or dual_at_zero",
        ),
        (
            lambda: phi_function(lambda u: u * np.maximum(1 - u**-0.01, 0)).domain,
            ValueError,
            r"phi: φ◇\(0\) = lim φ\(u\)/u at ∞ cannot be told from its values; give dual_at_zero$",
        ),
    ],
)
def test_every_error_says_what_was_expected(call, error, message):
    with pytest.raises(error, match=f"^{message}"):
        call()
