"""φ' and φ*' of Table 1: slopes of φ and of φ*, inverse of each other, decided at corners."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prfast.theory import phi_function
from prfast.theory.phi import NAMES

SMOOTH = [name for name in NAMES if name != "tv"]
ALL = [*NAMES, "tsallis:-1.5", "tsallis:0.3", "tsallis:2.5"]
EXTREME = [1e-300, 1e-20, 1e-3, 0.3, 1 - 1e-9, 1.0, 1 + 1e-9, 3.0, 1e3, 1e20, 1e300]


def decimal_slope(name, u):
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


@pytest.mark.parametrize("name", ALL)
def test_slopes_are_those_of_the_table_to_the_last_digits(name):
    phi = phi_function(name)
    expected = [decimal_slope(name, u) for u in EXTREME]
    np.testing.assert_allclose(phi.derivative(EXTREME), expected, rtol=3e-13)
    assert phi.derivative(np.reshape(EXTREME[:10], (5, 2))).shape == (5, 2)


@given(st.sampled_from([*SMOOTH, "tsallis:-1.5", "tsallis:0.3", "tsallis:2.5"]), st.floats(-7, 7))
def test_each_slope_is_the_inverse_of_the_other(name, log_u):
    phi, u = phi_function(name), math.exp(log_u)
    v = phi.derivative(u)
    assert phi.low <= v <= phi.dual_at_zero
    # An error of v by its last digit is one of u by φ*''(v) times it.
    slack = 1e-15 * (1 + abs(v)) / (phi.derivative(u * (1 + 1e-4)) - v) * 1e-4 * 8
    assert phi.conjugate_derivative(v) == pytest.approx(u, rel=1e-13 + slack)


def test_the_ends_of_the_domain():
    """dom^{v0→} of Table 1 is (φ'(0), φ◇(0)) = (φ'(0), φ'(∞))."""
    ln2 = math.log(2)
    table = {
        "kl": (-math.inf, math.inf),
        "reverse_kl": (-math.inf, 1),
        "js": (-math.inf, ln2),
        "chi2": (-2, math.inf),
        "hellinger": (-math.inf, 1),
        "tsallis:-1.5": (-math.inf, 0.4),
        "tsallis:2.5": (-2 / 3, math.inf),
    }
    for name, ends in table.items():
        phi = phi_function(name)
        assert phi.domain == pytest.approx(ends)
        assert phi.derivative(0.0) == phi.domain[0] == phi.low
        if math.isfinite(phi.low):
            assert phi.conjugate_derivative([phi.low - 1, phi.low]).tolist() == [0, 0]
        if math.isfinite(phi.dual_at_zero):
            beyond = [phi.dual_at_zero, phi.dual_at_zero + 1]
            assert phi.conjugate_derivative(beyond).tolist() == [math.inf, math.inf]
            assert phi.derivative(1e300) == pytest.approx(phi.dual_at_zero)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: phi_function("kl").derivative(-1), "u: numbers >= 0 expected, got -1.0"),
        (
            lambda: phi_function(lambda u: (u - 1) ** 2).derivative(1),
            "phi: one of kl, .* or tsallis:a expected for φ', got a function",
        ),
        (
            lambda: phi_function(lambda u: (u - 1) ** 2).conjugate_derivative(1),
            r"phi: one of kl, .* or tsallis:a expected for φ\*', got a function",
        ),
    ],
)
def test_every_error_says_what_was_expected(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
