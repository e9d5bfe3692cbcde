"""φ by name: values to the last digits, duals, conjugates, derivatives."""

import math
from dataclasses import replace  # noqa: F401
from decimal import Decimal, localcontext

import numpy as np
import pytest
from domains import TABLED
from hypothesis import example, given, settings
from hypothesis import strategies as st
from refusals import refusals

from prfast.theory import phi_function

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
@settings(max_examples=40, deadline=None)
def test_tsallis_keeps_its_digits_near_1_and_far_from_it(order, u):
    actual, expected = phi_function(f"tsallis:{order!r}")(u), exact(order, u)
    if expected > Decimal("1.7e308"):
        assert actual == math.inf
    else:
        slack = 3e-14 * (1 + abs(order)) * (1 + abs(math.log(u)) / 20)
        assert actual == pytest.approx(float(expected), rel=slack, abs=1e-300)


CLOSED = [name for name in TABLED if name != "frontier_integral"]
FAR = [1e-300, 1e-20, 1e-3, 0.3, 1 - 1e-9, 1.0, 1 + 1e-9, 3.0, 1e3, 1e20, 1e300]


def exact_slope(name, u):
    """Table 1 in 700 digits."""
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 700, 10**9, -(10**9)
        u = Decimal(u)
        if name.startswith("tsallis"):
            a = Decimal(float(name.partition(":")[2]))
            return float((((a - 1) * u.ln()).exp() - 1) / (a - 1))
        return float(
            {
                "kl": lambda: u.ln(),
                "reverse_kl": lambda: 1 - 1 / u,
                "js": lambda: (2 * u / (1 + u)).ln(),
                "chi2": lambda: 2 * (u - 1),
                "hellinger": lambda: 1 - 1 / u.sqrt(),
                "tv": lambda: Decimal((u > 1) - (u < 1)),
            }[name]()
        )


@pytest.mark.parametrize("name", CLOSED)
def test_slopes_are_those_of_the_table_to_the_last_digits(name):
    phi = phi_function(name)
    expected = [exact_slope(name, u) for u in FAR]
    np.testing.assert_allclose(phi.derivative(FAR), expected, rtol=3e-13)
    assert phi.derivative(np.reshape(FAR[:10], (5, 2))).shape == (5, 2)


test_wrong_names_are_refused = refusals("""
phi_function(3)
    TypeError: phi: a name expected, got an int
phi_function("hell")
    ValueError: phi: one of kl, reverse_kl, js, chi2, hellinger, tv, frontier_integral or tsallis:a,
    a an order such as 0.5, expected,
phi_function("tsallis:1e7")
    ValueError: phi: the order of 'tsallis:1e7': a number in
phi_function(replace(phi_function("kl"), terms=np.add, name="sum"))
    ValueError: phi: φ(1) = 0 expected, got 2 of 'sum'
""")
