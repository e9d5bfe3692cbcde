"""φ-divergences of a curve, and their lower bound by the values of a critic, any function.

With the masses (p_i, q_i) of P (real) and Q (generated),

    D_φ(P‖Q) = Σ q_i φ(p_i/q_i) + φ(0) Q(p = 0) + φ◇(0) P(q = 0),   ∞ · 0 = 0

(2023 paper, Definition 15), and D_φ = ½ ∫ ΔF¹_π dΓ_φ(π) (Corollary 19): merging cells raises the
curve and lowers every D_φ.

The bound is the variational form: by Fenchel and Young uv <= φ(u) + φ*(v), so for every function f
and every number ρ (2023 paper, Eq. 23 and §5.3.1; Nguyen et al. 2010)

    D_φ(P‖λQ)  >=  ∫(f + ρ) dP − λ ∫φ*(f + ρ) dQ

with equality if f + ρ is in ∂φ(dP/(λ dQ)).  The best ρ moves the values of f into the domain of φ*.
(§5.3.1 has −ρ λ in place of ρ: the same for λ = 1, and without a supremum for any other λ.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.inputs.arrays import Float64s, read_masses, read_vector
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import read_list, read_number, read_positive
from prfast.results.values import Values
from prfast.theory.phi import NAMES, Phi, phi_by_name, phi_function, scales

_LARGEST = float(np.finfo(np.float64).max)
_LARGEST_VALUE = 1e300  # of critics and shifts, so that their sums are finite


# ---- divergences of a curve ---------------------------------------------------------------------


def phi_divergence(curve: PRCurve, phi: Any) -> float:
    """Return D_φ(P‖Q), P the real and Q the generated distribution; `curve.swap()` has D_φ(Q‖P).

    D_φ = Σ q_i φ(p_i/q_i) + φ(0) Q(p = 0) + φ◇(0) P(q = 0), with φ◇(0) = lim φ(u)/u at ∞ and
    ∞ · 0 = 0 (2023 paper, Definition 15).  For a curve estimated from samples it is the divergence
    of the level sets of its scorer: at most the true one, up to sampling noise.

    Parameters
    ----------
    curve : PRCurve
    phi : str or Phi
        "kl" Σ p ln(p/q), in [0, ∞]: ∞ if P has mass where Q has none;
        "reverse_kl" Σ q ln(q/p), in [0, ∞]: ∞ if Q has mass where P has none;
        "js" Σ p ln(p/m) + q ln(q/m), m = (p + q)/2, in [0, 2 ln 2]: twice the usual definition;
        "chi2" Σ (p − q)²/q, in [0, ∞]: ∞ as kl;
        "hellinger" Σ (√p − √q)², in [0, 2];
        "tv" Σ |p − q|, in [0, 2]: twice `curve.total_variation`;
        "frontier_integral" Σ (p + q)/2 − pq ln(p/q)/(p − q), in [0, 1]: Liu et al. (2021), twice
        the integral of λ KL(P‖R_λ) + (1 − λ) KL(Q‖R_λ) over λ, R_λ = λP + (1 − λ)Q (Remark 22);
        "tsallis:a" (Σ p^a q^{1−a} − 1) / (a(a−1)), any order a in [−10⁶, 10⁶]; kl at 1, reverse_kl
        at 0, which are limits; ∞ as kl for a >= 1, as reverse_kl for a <= 0.

    Returns
    -------
    float
        In [0, ∞]; 0 for P = Q.  Disjoint supports give φ(0) + φ◇(0).  Overflow gives ∞.

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; an unknown name.
    """
    read_curve("curve", curve)
    return divergence(curve, phi_function(phi))


def divergence(curve: PRCurve, phi: Phi) -> float:
    """Return D_φ(P‖Q) for checked arguments."""
    return max(0.0, measure_divergence(*curve.masses, phi))


def measure_divergence(p: Float64s, q: Float64s, phi: Phi, lam: float = 1.0) -> float:
    """Return D_φ(P‖λQ), 0 < λ < ∞, which rounding may make negative."""
    both = (p > 0) & (q > 0)
    with np.errstate(over="ignore", under="ignore"):
        # No mass of λQ may underflow to 0, where terms are not defined.
        total = float(phi.terms(p[both], np.maximum(lam * q[both], 5e-324)).sum())
    only_q, only_p = lam * float(q[p == 0].sum()), float(p[q == 0].sum())
    if only_q > 0:  # 0 · ∞ = 0
        total += phi.at_zero * only_q
    if only_p > 0:
        total += phi.dual_at_zero * only_p
    return total


class Divergences(Values[float]):
    """Mapping of names to divergences, in the order of the request; ``info`` is the curve's."""

    def notes(self) -> list[str]:
        """Return the note on scales below the table."""
        return [scales(self)] if scales(self) else []


def divergence_table(curve: PRCurve, which: str | Sequence[str] | None = None) -> Divergences:
    """Return several φ-divergences; printed, a line each.

    Parameters
    ----------
    curve : PRCurve
    which : str or sequence of str, optional
        Names as for `phi_divergence`; by default those of Table 1: kl, reverse_kl, js, chi2,
        hellinger, tv.

    Returns
    -------
    Divergences
        A mapping of names to values.

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; an unknown name.
    """
    read_curve("curve", curve)
    phis = read_names(which)
    return Divergences({phi.name: divergence(curve, phi) for phi in phis}, curve.info)


def read_names(which: Any, name: str = "which") -> list[Phi]:
    """Return the φ of one or several names; "all" and None stand for those of Table 1."""
    phis = []
    for entry in NAMES if which is None else read_list(name, which, (str,)):
        if not isinstance(entry, str):
            raise WrongType(name, f"names expected, got {type(entry).__name__}")
        phis += [phi_by_name(name, phi) for phi in (NAMES if entry == "all" else [entry])]
    return phis


class CriticBound(NamedTuple):
    """D_φ(P‖λQ) >= value = real − fake."""

    value: float
    """Trivial below 0; −∞ if a generated value is right of the domain of φ*."""
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
    """Return the bound D_φ(P‖λQ) >= ∫(f + ρ) dP − λ ∫φ*(f + ρ) dQ of a critic f.

    (2023 paper, Eq. 23, §5.3.1.)  Equality holds for f = φ'(dP/(λ dQ)), which
    `phi_function(phi).derivative` computes.

    Parameters
    ----------
    real_values, fake_values : array, shapes (n,) and (m,)
        f at real and at generated samples, in [−10³⁰⁰, 10³⁰⁰].
    phi : str or Phi
        As for `phi_divergence`.
    shift : float or "best"
        ρ, 0 by default, in [−10³⁰⁰, 10³⁰⁰]; "best" is the maximizer of the bound, exactly, the one
        nearest 0 if there are several.  For kl the bound is then Donsker and Varadhan's, ∫f dP −
        ln ∫e^f dQ.
    lam : float
        λ, 1 by default, in (0, ∞).  The best shift is the best one for which φ* does not overflow,
        a restriction for kl below λ = 10⁻³⁰⁸ and for chi2 below 10⁻¹⁵⁴.
    real_weights, fake_weights : array, shapes (n,) and (m,), optional
        Masses of the samples, >= 0; samples of mass 0 do not count.

    Returns
    -------
    CriticBound
        For the distributions of the weighted samples.  A critic that was not fitted on these
        samples bounds the true divergence up to their noise; one that was may exceed it.

    Raises
    ------
    TypeError, ValueError
        Values that are not numbers in that range; weights of another shape or negative; an unknown
        name; a shift that is neither "best" nor in that range; λ not in (0, ∞).
    """
    resolved = phi_function(phi)
    real, p = _read_side("real", real_values, real_weights)
    fake, q = _read_side("fake", fake_values, fake_weights)
    lam = read_positive("lam", lam, finite=True)
    if isinstance(shift, str):
        if shift != "best":
            raise WrongValue("shift", f'a finite number or "best" expected, got {shift!r}')
        rho = best_shift(resolved, fake, q, lam)
    else:
        rho = read_number("shift", shift, -_LARGEST_VALUE, _LARGEST_VALUE)
    above = float(p @ real) + rho
    below = _conjugate_mean(resolved, fake, q, lam, rho)
    return CriticBound(above - below, rho, above, below)


def best_shift(phi: Phi, fake: Float64s, q: Float64s, lam: float) -> float:
    """Return the maximizer of ρ − λ ∫φ*(f + ρ) dQ, concave in ρ, that is nearest 0."""
    end, top, bottom = phi.dual_at_zero, float(fake.max()), float(fake.min())
    last = min(end - top, _LARGEST_VALUE)  # right of it φ* is ∞
    while top + last > end:
        last = math.nextafter(last, -math.inf)

    def loss_slope(rho: float) -> float:
        """Return λ ∫φ*'(f + ρ) dQ − 1, the right derivative of the negative objective."""
        if rho > last or _conjugate_mean(phi, fake, q, lam, rho) == math.inf:
            return math.inf
        with np.errstate(over="ignore"):
            return lam * float(q @ np.asarray(phi.conjugate_derivative(fake + rho))) - 1.0

    # φ*'(v) = 1/λ at v = φ'(1/λ): at the root v is in the range of f + ρ, or ρ is `last`.
    middle = float(np.clip(phi.derivative(min(1 / lam, _LARGEST)), -_LARGEST_VALUE, _LARGEST_VALUE))
    low, high = middle - top, min(middle - bottom, last)
    if phi.name == "tv":
        low, high = -1.0 - top, last
    # φ'(1/λ) may round to an end of the domain, or φ* overflow there.
    step = 4e-16 * max(abs(low), abs(high), abs(top))
    while loss_slope(low) == math.inf:
        low -= step
        step *= 2
    best, *others = (*_root(loss_slope, low, high, max(abs(top), abs(bottom))), 0.0)
    # φ* may be so steep that the last digit of ρ matters: take the other end of the final bracket,
    # or 0, if its loss is smaller by more than rounding.
    for rho in others:
        loss, other = (_conjugate_mean(phi, fake, q, lam, x) - x for x in (best, rho))
        if loss == math.inf > other or loss - other > 1e-13 * (abs(loss + best) + abs(best)):
            best = rho
    return best


def _root(
    function: Callable[[float], float], low: float, high: float, size: float
) -> tuple[float, float]:
    """Return the ends of a bracket of a zero of a non-decreasing function, the preferred one first.

    `size` is the size of the numbers to which the zero is added: bisection stops at their rounding.
    """
    rounding = 1e-14
    if low <= 0 <= high and abs(function(0.0)) <= rounding:
        return 0.0, 0.0
    # Of an interval of zeros the end nearest 0 is preferred: the left end if it is right of 0.
    right_of_zero = low > 0 or (high > 0 and function(max(low, 0.0)) < 0)
    while (rho := low + (high - low) / 2) not in (low, high):
        if high - low <= 4e-16 * max(abs(low), abs(high), size):
            break
        value = function(rho)
        if value < -rounding or (value <= rounding and not right_of_zero):
            low = rho
        else:
            high = rho
    return (high, low) if right_of_zero else (low, high)


def _conjugate_mean(phi: Phi, fake: Float64s, q: Float64s, lam: float, rho: float) -> float:
    with np.errstate(over="ignore"):
        return lam * float(q @ np.asarray(phi.conjugate(fake + rho)))


def _read_side(name: str, values: Any, weights: Any) -> tuple[Float64s, Float64s]:
    """Return the values of one side and their masses, without those of mass 0."""
    values = read_vector(f"{name}_values", values).astype(np.float64, copy=False)
    if (np.abs(values) > _LARGEST_VALUE).any():
        at = int(np.abs(values).argmax())
        raise WrongValue(
            f"{name}_values", f"numbers in [−1e300, 1e300] expected, got {values[at]} at index {at}"
        )
    masses = read_masses(f"{name}_weights", weights, values.size)
    return values[masses > 0], masses[masses > 0]
