"""A φ that a user gives with its conjugate: taken where the two fit, refused in words elsewhere."""

import math

import numpy as np
import pytest

from prfast.theory import phi_function

KL = (lambda u: u * np.log(u) - u + 1, np.expm1)
CHI2 = (lambda u: (u - 1) ** 2, lambda v: np.where(v < -2, -1, v + v**2 / 4))
TV = (lambda u: np.abs(u - 1), lambda v: np.maximum(v, -1.0))
HELLINGER = (lambda u: (np.sqrt(u) - 1) ** 2, lambda v: v / (1 - v))
# What a formula of js loses at 2¹⁰⁰⁰ moves the end by its last digits, unless it is given.
PAIRS = {
    "kl": KL,
    "reverse_kl": (lambda u: u - 1 - np.log(u), lambda v: -np.log(1 - v)),
    "js": (
        lambda u: u * np.log(u) - (u + 1) * np.log((u + 1) / 2),
        lambda v: -np.log(2 - np.exp(v)),
    ),
    "chi2": CHI2,
    "hellinger": HELLINGER,
    "tv": TV,
    "tsallis:3": (
        lambda u: (u**3 - 3 * (u - 1) - 1) / 6,
        lambda v: np.expm1(1.5 * np.log1p(np.maximum(2 * v, -1.0))) / 3,
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_pair_of_the_table_fits_and_is_that_of_the_name(name):
    function, conjugate = PAIRS[name]
    known = phi_function(name)
    end = None if math.isinf(known.dual_at_zero) else known.dual_at_zero
    found = phi_function(function, dual_at_zero=end, conjugate=conjugate)
    v = np.append(np.linspace(-5, min(known.dual_at_zero, 3), 40), known.dual_at_zero + 1)
    v = v[np.isfinite(v)]
    np.testing.assert_allclose(found.conjugate(v), known.conjugate(v), rtol=1e-12, atol=1e-15)
    assert found.conjugate(v.reshape(-1, 1)).shape == (v.size, 1)


@pytest.mark.parametrize("name", ["kl", "chi2", "hellinger", "tv"])
@pytest.mark.parametrize("change", [1e-5, -1e-5])
def test_a_conjugate_that_is_wrong_in_its_fifth_digit_is_refused(name, change):
    function, conjugate = PAIRS[name]
    with pytest.raises(ValueError, match=r"^conjugate: φ\*\(v\) = sup uv − φ\(u\) over u >= 0 "):
        phi_function(function, conjugate=lambda v: conjugate(v) * (1 + change))


def test_it_is_infinite_right_of_its_domain_whatever_its_formula_gives():
    found = phi_function(TV[0], conjugate=TV[1])
    assert found.conjugate([1.0, 1.0 + 1e-15, 7.0]).tolist() == [1, math.inf, math.inf]
    assert found.domain == (-math.inf, 1.0)  # of values φ'(0) is not told
    hellinger = phi_function(HELLINGER[0], conjugate=HELLINGER[1])
    assert hellinger.conjugate([1.0, 2.0]).tolist() == [math.inf, math.inf]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: phi_function("kl", conjugate=np.expm1),
            ValueError,
            r"at_zero, dual_at_zero and conjugate: only for a phi that is a function$",
        ),
        (
            lambda: phi_function(KL[0], conjugate="kl"),
            TypeError,
            r"conjugate: a function expected, got str$",
        ),
        (
            lambda: phi_function(KL[0], conjugate=lambda v: 1.0),
            ValueError,
            r"conjugate: shape \(3,\) expected for as many v, got \(\)$",
        ),
        (
            lambda: phi_function(KL[0], conjugate=lambda v: "none"),
            TypeError,
            r"conjugate: a function of arrays of numbers expected: ",
        ),
        (  # Table 1 gives χ²'s on [−2, ∞) alone
            lambda: phi_function(CHI2[0], conjugate=lambda v: v + v**2 / 4),
            ValueError,
            r"conjugate: φ\*\(v\) = sup uv − φ\(u\) over u >= 0 expected, so at most -0.99999\d* "
            r"at v = -3001.99\d*, got 22499",
        ),
        (
            lambda: phi_function(KL[0], conjugate=CHI2[1]),
            ValueError,
            r"conjugate: φ\*\(v\) = sup uv − φ\(u\) over u >= 0 expected, so at least 1050110",
        ),
        (
            lambda: phi_function(KL[0], conjugate=lambda v: np.log(v)),
            ValueError,
            r"conjugate: numbers or ∞ expected up to φ◇\(0\) = inf, got nan at v = -",
        ),
        (
            lambda: phi_function(lambda u: u * np.log(u), conjugate=lambda v: np.exp(v - 1)),
            ValueError,
            r"phi: φ >= 0 expected where φ\* is given, 0 being in ∂φ\(1\) \(A2\), got -0.367\d at "
            r"u = 0.35\d*; take φ\(u\) − φ'\(1\)\(u − 1\)$",
        ),
        (
            lambda: phi_function(
                lambda u: np.where(u < 1, 1 - u**0.01, 0) + (u - 1) ** 2, conjugate=np.expm1
            ),
            ValueError,
            r"phi: φ\(0\) cannot be told from its values; give at_zero$",
        ),
    ],
)
def test_every_error_says_what_was_expected(call, error, message):
    with pytest.raises(error, match=f"^{message}"):
        call()
