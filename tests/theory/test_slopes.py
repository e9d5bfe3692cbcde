"""φ' and φ*' of Table 1: slopes of φ and of φ*, inverse of each other, decided at corners."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
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


@pytest.mark.parametrize("name", ALL)
def test_slopes_are_those_of_chords(name):
    """(f(x + h) − f(x − h)) / 2h, of φ and of φ*."""
    phi = phi_function(name)
    for u in (0.02, 0.5, 1.7, 40.0):
        h = 1e-5 * u
        chord = (phi(u + h) - phi(u - h)) / (2 * h)
        assert phi.derivative(u) == pytest.approx(chord, rel=1e-6, abs=1e-9), u
    top = min(phi.dual_at_zero, 3.0)
    for v in np.linspace(max(phi.low, -4.0), top, 12)[1:-1]:
        chord = (phi.conjugate(v + 1e-6) - phi.conjugate(v - 1e-6)) / 2e-6
        assert phi.conjugate_derivative(v) == pytest.approx(chord, rel=1e-6, abs=1e-9), v


@given(st.sampled_from([*SMOOTH, "tsallis:-1.5", "tsallis:0.3", "tsallis:2.5"]), st.floats(-7, 7))
def test_each_slope_is_the_inverse_of_the_other(name, log_u):
    phi, u = phi_function(name), math.exp(log_u)
    v = phi.derivative(u)
    assert phi.low <= v <= phi.dual_at_zero
    # An error of v by its last digit is one of u by φ*''(v) times it.
    slack = 1e-15 * (1 + abs(v)) / (phi.derivative(u * (1 + 1e-4)) - v) * 1e-4 * 8
    assert phi.conjugate_derivative(v) == pytest.approx(u, rel=1e-13 + slack)


@given(st.floats(-3, 4), st.floats(-5, 5))
@settings(max_examples=100)
def test_fenchel_and_young_are_equal_where_v_is_the_slope(order, log_u):
    """φ(u) + φ*(φ'(u)) = u φ'(u), and of any other v it is more."""
    phi, u = phi_function(f"tsallis:{order!r}"), math.exp(log_u)
    v = phi.derivative(u)
    if v < phi.dual_at_zero:
        parts = abs(u * v) + phi(u) + 1
        # φ*' = u is what an error of v is multiplied by; near its end φ* has fewer digits.
        gap = abs(phi.dual_at_zero - v)
        slack = 1e-13 * parts + 1e-15 * abs(phi.conjugate(v)) * (1 + abs(v)) / gap
        assert phi(u) + phi.conjugate(v) == pytest.approx(u * v, abs=slack)
    for other in (v - 1.0, v / 2, v + 0.1):
        assert phi(u) + phi.conjugate(other) >= u * other - 1e-12 * (abs(u * other) + phi(u) + 1)


def test_orders_beside_the_limits_are_continuous():
    for order, name in ((0.0, "reverse_kl"), (1.0, "kl")):
        limit = phi_function(name)
        for step in (-1e-9, 1e-9):
            beside = phi_function(f"tsallis:{order + step!r}")
            for u, v in ((0.1, -2.0), (1.0, 0.0), (7.0, 0.4)):
                assert beside.derivative(u) == pytest.approx(limit.derivative(u), rel=1e-7)
                found = beside.conjugate_derivative(v)
                assert found == pytest.approx(limit.conjugate_derivative(v), rel=1e-7)


def test_the_corner_of_tv_has_the_middle_of_its_subdifferential():
    tv = phi_function("tv")
    assert tv.derivative([0.0, 0.5, 1.0, 1.5]).tolist() == [-1, -1, 0, 1]
    # φ*(v) = max(v, −1) up to 1: level, then rising; at its ends the slope from inside.
    assert tv.conjugate_derivative([-1.5, -1.0, 0.0, 1.0, 1.5]).tolist() == [0, 1, 1, 1, math.inf]
    assert tv.domain == (-1.0, 1.0)


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
            lambda: phi_function("kl").conjugate_derivative(np.nan),
            "v: finite numbers expected, got nan",
        ),
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


@pytest.mark.parametrize("order", [5e-324, -5e-324, 1e-310, 1e-300])
def test_an_order_that_is_nearly_0_is_that_of_the_limit(order):
    """Times a logarithm it has no digits left; found by inputs of a fresh seed."""
    near, limit = phi_function(f"tsallis:{order!r}"), phi_function("reverse_kl")
    for u in (0.1, 0.9, 1.0, 1.2, 7.0):
        assert near(u) == pytest.approx(limit(u), rel=1e-12)
        v = limit.derivative(u)
        assert near.derivative(u) == pytest.approx(v, rel=1e-12)
        assert near.conjugate(v) == pytest.approx(limit.conjugate(v), rel=1e-12)


@pytest.mark.parametrize("name", ["js", "frontier_integral"])
def test_the_rest_of_a_slope_keeps_its_digits_where_the_slope_is_near_its_end(name):
    phi = phi_function(name)
    y = np.linspace(-30, 15, 400)
    np.testing.assert_allclose(
        phi.rest(y), phi.dual_at_zero - phi.derivative(np.exp(y)), rtol=1e-13, atol=3e-15
    )
    far = np.array([50.0, 300.0, 700.0])
    np.testing.assert_allclose(phi.rest(far), np.exp(-far), rtol=1e-12)
    assert phi.rest(np.array([0.0, np.inf, -np.inf])).tolist()[1:] == [0, np.inf]
    # φ* + φ(0) is the same on the other side, as φ is its own dual.
    v = phi.derivative(np.exp(y[y < 5]))
    np.testing.assert_allclose(
        phi.rest(-y[y < 5]), phi.conjugate(v) + phi.at_zero, rtol=1e-9, atol=1e-15
    )


def test_the_frontier_integral_near_its_end_has_all_digits():
    """½ − φ'(u) = (x − ln(1 + x))/x², x = u − 1, at the u of slopes just below ½."""
    phi = phi_function("frontier_integral")
    for v in (0.5 - 1e-9, 0.5 - 1e-12, 0.5 - 1e-15, np.nextafter(0.5, 0)):
        x = phi.conjugate_derivative(v) - 1
        assert (x - np.log1p(x)) / x**2 == pytest.approx(0.5 - v, rel=1e-13)
