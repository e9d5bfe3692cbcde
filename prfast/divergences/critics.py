"""A divergence from below, by the values of any function, a critic: the variational form.

By Fenchel and Young uv <= φ(u) + φ*(v), so for every function f and every number ρ (2023 paper,
Eq. 23 and §5.3.1; Nguyen et al. 2010)

    D_φ(P‖λQ)  >=  ∫(f + ρ) dP − λ ∫φ*(f + ρ) dQ

with equality where f + ρ is in ∂φ(dP/(λ dQ)).  The best ρ moves the values of f to where φ* has its
domain.  (§5.3.1 has −ρ λ in place of ρ: the same for λ = 1, and without a supremum for any other.)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from prfast.divergences.choose import conjugable
from prfast.divergences.given import Given
from prfast.divergences.least import least
from prfast.divergences.phi import Phi, limits
from prfast.inputs.arrays import Float64s, read_masses, read_vector
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_number, read_positive

_FLOAT_MAX = float(np.finfo(np.float64).max)
_LARGEST = 1e300  # of values and shifts, so that their sums are numbers


class CriticBound(NamedTuple):
    """D_φ(P‖λQ) >= value = real − fake."""

    value: float
    """Below 0 it says nothing; −∞ where a generated value is right of the domain of φ*."""
    shift: float
    """ρ, which was added to every value."""
    real: float
    """∫(f + ρ) dP."""
    fake: float
    """λ ∫φ*(f + ρ) dQ."""


def critic_bound(
    real_values: Any,
    fake_values: Any,
    phi: Any,
    *,
    shift: float | str = 0.0,
    lam: float = 1.0,
    real_weights: Any = None,
    fake_weights: Any = None,
) -> CriticBound:
    """D_φ(P‖λQ) >= ∫(f + ρ) dP − λ ∫φ*(f + ρ) dQ for any critic f (2023 paper, Eq. 23, §5.3.1).

    With equality where f = φ'(dP/(λ dQ)), which `phi_function(phi).derivative` gives.

    Parameters
    ----------
    real_values, fake_values : array, shapes (n,) and (m,)
        f at real and at generated samples, in [−10³⁰⁰, 10³⁰⁰].
    phi : str or Phi
        A name as for `phi_divergence`; a function with its conjugate, by `phi_function`.
    shift : float or "best"
        ρ, 0 by default, as large at most; "best" is the one that makes the bound largest, exactly:
        where several do, the one nearest 0.  For kl the bound then is Donsker and Varadhan's, ∫f dP
        − ln ∫e^f dQ.  Of a function it is searched for: the bound is right up to rounding, ρ to
        about 10⁻⁸.
    lam : float
        λ, 1 by default, in (0, ∞).  The best shift is the best of those where no φ* is beyond
        float64, which counts for kl below λ = 10⁻³⁰⁸ and for chi2 below 10⁻¹⁵⁴.
    real_weights, fake_weights : array, shapes (n,) and (m,), optional
        Masses of the samples, >= 0; samples without mass do not count.

    Returns
    -------
    CriticBound
        Of the distributions that the weighted samples are.  A critic that was not fitted on these
        samples has, up to their noise, a bound of the true divergence; one that was may exceed it.

    Raises
    ------
    TypeError, ValueError
        Values that are not such numbers; weights of another shape or negative; an unknown name, a
        function without its conjugate; a shift that is neither "best" nor such a number; λ not in
        (0, ∞).
    """
    known = conjugable(phi)
    real, p = _read_side("real", real_values, real_weights)
    fake, q = _read_side("fake", fake_values, fake_weights)
    lam = read_positive("lam", lam, finite=True)
    if isinstance(shift, str):
        if shift != "best":
            raise WrongValue("shift", f'a finite number or "best" expected, got {shift!r}')
        rho = best_shift(known, fake, q, lam)
    else:
        rho = read_number("shift", shift, -_LARGEST, _LARGEST)
    above = float(p @ real) + rho
    below = _conjugate_mean(known, fake, q, lam, rho)
    return CriticBound(above - below, rho, above, below)


def best_shift(phi: Phi, fake: Float64s, q: Float64s, lam: float) -> float:
    """The ρ nearest 0 that makes ρ − λ ∫φ*(f + ρ) dQ largest, a concave function of ρ."""
    end, top, bottom = limits(phi)[1], float(fake.max()), float(fake.min())
    last = min(end - top, _LARGEST)  # right of it φ* is ∞
    while top + last > end:
        last = math.nextafter(last, -math.inf)
    if isinstance(phi, Given):
        return _searched(phi, fake, q, lam, last)

    def falls(rho: float) -> float:
        """What ρ loses at its right over what it gains: λ ∫φ*' dQ − 1, rising."""
        if rho > last or _conjugate_mean(phi, fake, q, lam, rho) == math.inf:
            return math.inf
        with np.errstate(over="ignore"):
            return lam * float(q @ np.asarray(phi.conjugate_derivative(fake + rho))) - 1.0

    # φ*'(v) = 1/λ at v = φ'(1/λ), so that the root is where f + ρ is about v, or at the end.
    middle = float(np.clip(phi.derivative(min(1 / lam, _FLOAT_MAX)), -_LARGEST, _LARGEST))
    low, high = middle - top, min(middle - bottom, last)
    if phi.name == "tv":
        low, high = -1.0 - top, last
    # φ'(1/λ) may be an end of the domain up to rounding, or φ* beyond float64 there.
    step = 4e-16 * max(abs(low), abs(high), abs(top))
    while falls(low) == math.inf:
        low -= step
        step *= 2
    found, *others = (*_root(falls, low, high, max(abs(top), abs(bottom))), 0.0)
    # φ* may rise so steeply that the last digit of ρ counts: another is taken if better by more.
    for rho in others:
        loss, other = (_conjugate_mean(phi, fake, q, lam, one) - one for one in (found, rho))
        if loss == math.inf > other or loss - other > 1e-13 * (abs(loss + found) + abs(found)):
            found = rho
    return found


def _root(
    falls: Callable[[float], float], low: float, high: float, size: float
) -> tuple[float, float]:
    """About where a rising function is 0 between low and high; first the one to be preferred.

    `size` is that of the numbers to which it is added.
    """
    rounding = 1e-14
    if low <= 0 <= high and abs(falls(0.0)) <= rounding:
        return 0.0, 0.0
    # Of an interval of roots the end nearest 0: its left end where it is right of 0.
    rightwards = low > 0 or (high > 0 and falls(max(low, 0.0)) < 0)
    while (rho := low + (high - low) / 2) not in (low, high):
        if high - low <= 4e-16 * max(abs(low), abs(high), size):
            break
        gain = falls(rho)
        if gain < -rounding or (gain <= rounding and not rightwards):
            low = rho
        else:
            high = rho
    return (high, low) if rightwards else (low, high)


def _searched(phi: Phi, fake: Float64s, q: Float64s, lam: float, last: float) -> float:
    """Of a φ of which only values are known: outwards from 0, then by golden sections."""

    def loss(rho: float) -> float:
        return _conjugate_mean(phi, fake, q, lam, rho) - rho

    start = min(0.0, last)
    width = 1.0 + float(np.abs(fake).max())
    low, high = start - width, min(start + width, last)
    while loss(low - width) < loss(low) and width < 1e300:
        width *= 2
        low -= width
    while high < last and loss(min(high + width, last)) < loss(high) and width < 1e300:
        width *= 2
        high = min(high + width, last)
    return least(loss, low - width, min(high + width, last))[0]


def _conjugate_mean(phi: Phi, fake: Float64s, q: Float64s, lam: float, rho: float) -> float:
    with np.errstate(over="ignore"):
        return lam * float(q @ np.asarray(phi.conjugate(fake + rho)))


def _read_side(name: str, values: Any, weights: Any) -> tuple[Float64s, Float64s]:
    """Values of one side and their masses, of those that have any."""
    values = read_vector(f"{name}_values", values).astype(np.float64, copy=False)
    if (np.abs(values) > _LARGEST).any():
        at = int(np.abs(values).argmax())
        raise WrongValue(
            f"{name}_values", f"numbers in [−1e300, 1e300] expected, got {values[at]} at index {at}"
        )
    masses = read_masses(f"{name}_weights", weights, values.size)
    return values[masses > 0], masses[masses > 0]
