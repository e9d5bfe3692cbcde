"""A divergence from below, by the values of any function, a critic: the variational form.

By Fenchel and Young uv <= φ(u) + φ*(v), so for every function f and every number ρ (2023 paper,
Eq. 23 and §5.3.1; Nguyen et al. 2010)

    D_φ(P‖λQ)  >=  ∫(f + ρ) dP − λ ∫φ*(f + ρ) dQ

with equality where f + ρ is in ∂φ(dP/(λ dQ)).  The best ρ moves the values of f to where φ* has its
domain.  (§5.3.1 has −ρ λ in place of ρ: the same for λ = 1, and without a supremum for any other.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.divergences.conjugates import Given, given, read_limit, without_conjugate
from prfast.divergences.phi import NAMES, Phi, known, limits, named, scales
from prfast.inputs.arrays import Float64s, read_masses, read_vector
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import read_list, read_number, read_positive
from prfast.results.values import Values, aligned, as_text

# The minimum of a convex function of a number, of which only values are known.


_GOLDEN = (math.sqrt(5) - 1) / 2


def golden_section_minimum(
    function: Callable[[float], float], low: float, high: float
) -> tuple[float, float]:
    """(x, f(x)) where f, quasi-convex on [low, high], is least: by golden sections.

    f(x) is the minimum up to rounding; x is as good as values tell, about the square root of that.
    What is level to rounding is taken to fall: on the left f may saturate, on the right be ∞.
    """
    a, b = low, high
    x, y = b - _GOLDEN * (b - a), a + _GOLDEN * (b - a)
    f, g = function(x), function(y)
    best = min((f, x), (g, y))
    while a < x < y < b and y - x > 1e-15 * max(1.0, abs(x)):
        if f < g or g == math.inf:
            b, y, g = y, x, f
            x = b - _GOLDEN * (b - a)
            f = function(x)
            best = min(best, (f, x))
        else:
            a, x, f = x, y, g
            y = a + _GOLDEN * (b - a)
            g = function(y)
            best = min(best, (g, y))
    return best[1], best[0]


# The φ that a caller names or gives.


def phi_function(
    phi: Any, at_zero: Any = None, dual_at_zero: Any = None, *, conjugate: Any = None
) -> Phi:
    """The φ of a name, of "tsallis:a" for any order a, or of a function: to call, φ, φ◇ and φ*.

    (2023 paper, §4.1, Table 1.)

    Parameters
    ----------
    phi : str, function or Phi
        A name of the table; or a convex function of float64 arrays, u > 0, with φ(1) = 0 (A1),
        strictly convex at 1 (A3): a function on a line from 15/16 to 17/16 is refused, narrower
        lines are not seen.  (A2), 0 in the middle of ∂φ(1), is not needed: c (u − 1) changes no
        divergence of two distributions (Remark 16).
    at_zero, dual_at_zero : float, optional
        φ(0) and φ◇(0) = lim φ(u)/u at ∞ of a function; in (−∞, ∞].  Found if not given: φ(2⁻ʲ) and
        2⁻ʲφ(2ʲ) settle, or grow as a logarithm or faster (∞); anything between is not decided.
    conjugate : function, optional
        φ* of a function, of float64 arrays v <= φ◇(0), as far as that is finite: bounds and critics
        need it.  It is −φ(0) left of φ'(0).  Then φ >= 0 is asked for: 0 in ∂φ(1), as (A2) has it.

    Returns
    -------
    Phi
        φ(u) when called, `.dual(u)`, `.conjugate(v)`, `.at_zero`, `.dual_at_zero`; of a name also
        `.derivative(u)`, `.conjugate_derivative(v)` and `.domain`, where φ* is finite and rises.

    Raises
    ------
    TypeError, ValueError
        An unknown name; an order outside [−10⁶, 10⁶]; a function that does not give finite
        numbers, is not 0 at 1, is not strictly convex there, or is not convex between 10⁻⁶ and
        10⁶; a conjugate that breaks the
        equality of Fenchel and Young there, φ(u) + φ*(v) = uv for v in ∂φ(u), or that is given with
        a φ below 0 or with limits that cannot be told.
    """
    if isinstance(phi, str) or not callable(phi) or isinstance(phi, Phi):
        if at_zero is not None or dual_at_zero is not None or conjugate is not None:
            raise WrongValue(
                "at_zero, dual_at_zero and conjugate", "only for a phi that is a function"
            )
        return named("phi", phi)
    if conjugate is not None and not callable(conjugate):
        raise WrongType("conjugate", f"a function expected, got {type(conjugate).__name__}")
    zero, slope = read_limit("at_zero", at_zero), read_limit("dual_at_zero", dual_at_zero)
    return given(phi, zero, slope, conjugate)


def phi_with_conjugate(phi: Any) -> Phi:
    """The φ of a name, or one given with its conjugate: φ* is known; any other is refused."""
    found = phi_function(phi)
    if isinstance(found, Given) and found.star is None:
        raise without_conjugate()
    return found


# φ-divergences of the two distributions of a PR curve (2023 paper, §4.2).
#
# With the masses (p_i, q_i) of P (real) and Q (generated),
#
#     D_φ(P‖Q) = Σ q_i φ(p_i/q_i) + φ(0) Q(p = 0) + φ◇(0) P(q = 0),   ∞ · 0 = 0      (Definition 15)
# and D_φ = ½ ∫ ΔF¹_π dΓ_φ(π) (Corollary 19): merging cells raises the curve and lowers every D_φ.


def phi_divergence(
    curve: PRCurve, phi: Any, *, at_zero: float | None = None, dual_at_zero: float | None = None
) -> float:
    """D_φ(P‖Q), P the real and Q the generated distribution; `curve.swap()` gives D_φ(Q‖P).

    D_φ = Σ q_i φ(p_i/q_i) + φ(0) Q(p = 0) + φ◇(0) P(q = 0), with φ◇(0) = lim φ(u)/u at ∞ and
    ∞ · 0 = 0 (2023 paper, Definition 15).  Of a curve estimated from samples it is the divergence
    of the level sets of its scorer: at most the true one, up to the noise of the sample.

    Parameters
    ----------
    curve : PRCurve
    phi : str or function
        "kl" Σ p ln(p/q), in [0, ∞]: ∞ where P has mass that Q has not;
        "reverse_kl" Σ q ln(q/p), in [0, ∞]: ∞ where Q has mass that P has not;
        "js" Σ p ln(p/m) + q ln(q/m), m = (p + q)/2, in [0, 2 ln 2]: twice what is usual elsewhere;
        "chi2" Σ (p − q)²/q, in [0, ∞]: ∞ as kl;
        "hellinger" Σ (√p − √q)², in [0, 2];
        "tv" Σ |p − q|, in [0, 2]: twice `curve.total_variation`;
        "frontier_integral" Σ (p + q)/2 − pq ln(p/q)/(p − q), in [0, 1]: Liu et al. (2021), twice
        the integral of λ KL(P‖R_λ) + (1 − λ) KL(Q‖R_λ) over λ, R_λ = λP + (1 − λ)Q (Remark 22);
        "tsallis:a" (Σ p^a q^{1−a} − 1) / (a(a−1)), any order a in [−10⁶, 10⁶]; kl at 1, reverse_kl
        at 0, which are limits; ∞ as kl for a >= 1, as reverse_kl for a <= 0;
        or any convex function of float64 arrays u > 0 with φ(1) = 0 that is strictly convex at 1.
    at_zero, dual_at_zero : float, optional
        φ(0) and φ◇(0) of a function, in (−∞, ∞]; by default found from its values.

    Returns
    -------
    float
        In [0, ∞]; 0 for P = Q.  Disjoint supports give φ(0) + φ◇(0).  What is beyond float64 is ∞.

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; an unknown name; a function that is not 0 at 1, not finite, not convex or not
        strictly so at 1, or
        whose limit is needed but cannot be told from its values.
    """
    read_curve("curve", curve)
    return divergence(curve, phi_function(phi, at_zero, dual_at_zero))


def divergence(curve: PRCurve, phi: Phi) -> float:
    """D_φ of a φ that has been read."""
    p, q = curve.masses
    both = (p > 0) & (q > 0)
    with np.errstate(over="ignore"):
        parts = [float(phi.terms(p[both], q[both]).sum())]
    only_q, only_p = float(q[p == 0].sum()), float(p[q == 0].sum())
    if only_q > 0:
        parts.append(known(phi.at_zero, "φ(0)", "at_zero") * only_q)
    if only_p > 0:
        slope = known(phi.dual_at_zero, "φ◇(0) = lim φ(u)/u at ∞", "dual_at_zero")
        parts.append(slope * only_p)
    return max(0.0, sum(parts))


class Divergences(Values[float]):
    """Names and values, in the order asked for; ``info`` is the curve's."""

    def __str__(self) -> str:
        lines = [[name, as_text(value, ".6g")] for name, value in self.items()]
        return "\n".join(aligned(lines, least=12))

    def _below(self) -> list[str]:
        return [scales(self)] if scales(self) else []


def divergence_table(curve: PRCurve, which: str | Sequence[str] | None = None) -> Divergences:
    """Several φ-divergences at once; printed, a line each.

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
    wanted = read_names(which)
    return Divergences({phi.name: divergence(curve, phi) for phi in wanted}, curve.info)


def read_names(which: Any, name: str = "which") -> list[Phi]:
    """The φ of one or several names, "all" and None being those of Table 1."""
    found = []
    for one in NAMES if which is None else read_list(name, which, (str,)):
        if not isinstance(one, str):
            raise WrongType(name, f"names expected, got {type(one).__name__}")
        found += [named(name, each) for each in (NAMES if one == "all" else [one])]
    return found


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
    known = phi_with_conjugate(phi)
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
    return golden_section_minimum(loss, low - width, min(high + width, last))[0]


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
