"""φ by name or as a Python function, with validation of the function and of its conjugate.

A conjugate φ* is compared with φ as follows.  If the chords of a convex φ through u_0 < u_1 < u_2 <
u_3 have the slopes s_0 <= s_1 <= s_2, the conjugate at v = s_1 is the supremum of uv − φ(u) over
[u_1, u_2], where φ lies above the extensions of the other two chords.  With L = u_1 v − φ(u_1) =
u_2 v − φ(u_2), the equality of Fenchel and Young therefore implies

    L  <=  φ*(v)  <=  L + min(s_1 − s_0, s_2 − s_1) (u_2 − u_1)

Rounding of φ gives v an error e.  As φ* is increasing, the left inequality is checked for φ*(v + e)
and the right one for φ*(v − e), so that no correct conjugate is rejected.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import read_number
from prfast.theory.phi import Phi, missing_conjugate, phi_by_name, required_limit

_TOLERANCE = 1e-11  # of φ*, relative to the terms of uv − φ(u)
_ROUNDING = 1e-14  # of values of φ, relative to its terms
_STEP = 2.0**-10  # relative distance of the ends of a chord
_PHI_TOLERANCE = 1e-12  # of φ in the checks of (A1) and convexity, relative to its terms
_STRAIGHT = 4e-15  # smaller curvatures of φ at 1, relative to its values, are rounding
_LARGEST = float(np.finfo(np.float64).max)
_HUGE = 1e100  # φ exceeds this before it overflows


def phi_function(
    phi: Any, at_zero: Any = None, dual_at_zero: Any = None, *, conjugate: Any = None
) -> Phi:
    """Return the φ of a name, of "tsallis:a" for any order a, or of a function.

    (2023 paper, §4.1, Table 1.)

    Parameters
    ----------
    phi : str, function or Phi
        A name of the table; or a convex function of float64 arrays, u > 0, with φ(1) = 0 (A1),
        strictly convex at 1 (A3): a function that is linear from 15/16 to 17/16 is rejected,
        shorter linear pieces are not detected.  (A2), 0 in the middle of ∂φ(1), is not needed:
        c (u − 1) changes no divergence of two distributions (Remark 16).
    at_zero, dual_at_zero : float, optional
        φ(0) and φ◇(0) = lim φ(u)/u at ∞ of a function, in (−∞, ∞].  By default determined from
        φ(2⁻ʲ) and 2⁻ʲφ(2ʲ): finite if these converge, ∞ if they grow as a logarithm or faster,
        undecided otherwise.
    conjugate : function, optional
        φ* of a function, for float64 arrays v <= φ◇(0), if that is finite: bounds and critics need
        it.  It is −φ(0) left of φ'(0).  φ >= 0 is then required: 0 in ∂φ(1), as in (A2).

    Returns
    -------
    Phi
        φ(u) when called, `.dual(u)`, `.conjugate(v)`, `.at_zero`, `.dual_at_zero`; for a name also
        `.derivative(u)`, `.conjugate_derivative(v)` and `.domain`, where φ* is finite and rises.

    Raises
    ------
    TypeError, ValueError
        An unknown name; an order outside [−10⁶, 10⁶]; a function that does not return finite
        numbers, is not 0 at 1, is not strictly convex there, or is not convex between 10⁻⁶ and
        10⁶; a conjugate that violates the equality of Fenchel and Young there, φ(u) + φ*(v) = uv
        for v in ∂φ(u), or that comes with a φ below 0 or with undecided limits.
    """
    if isinstance(phi, str) or not callable(phi) or isinstance(phi, Phi):
        if at_zero is not None or dual_at_zero is not None or conjugate is not None:
            raise WrongValue(
                "at_zero, dual_at_zero and conjugate", "only for a phi that is a function"
            )
        return phi_by_name("phi", phi)
    if conjugate is not None and not callable(conjugate):
        raise WrongType("conjugate", f"a function expected, got {type(conjugate).__name__}")
    zero, slope = _read_limit("at_zero", at_zero), _read_limit("dual_at_zero", dual_at_zero)
    return _phi_from_function(phi, zero, slope, conjugate)


def phi_with_conjugate(phi: Any) -> Phi:
    """Return the φ of a name, or of a function with its conjugate; raise if φ* is not known."""
    resolved = phi_function(phi)
    if resolved.star is None:
        raise missing_conjugate()
    return resolved


def _check_conjugate(phi: Phi, star: Callable[[Float64s], Float64s], end: float) -> None:
    """Raise unless φ >= 0 (A2) and φ* is in the bounds of the module docstring.

    Checked at chords about u from 2⁻²⁰ to 2²⁰; `end` is φ◇(0), beyond which φ* is ∞.
    """
    centers = 2.0 ** (np.arange(-80, 81) / 4)
    u = centers * (1 + _STEP * np.arange(4)[:, None])  # (4, centers)
    with np.errstate(all="ignore"):
        values = np.asarray(phi(u))
    flat = int(np.nanargmin(values))
    if values.ravel()[flat] < -_TOLERANCE:
        raise WrongValue(
            "phi",
            "φ >= 0 expected where φ* is given, 0 being in ∂φ(1) (A2), got "
            f"{values.ravel()[flat]:.4g} at u = {u.ravel()[flat]:.4g}; take φ(u) − φ'(1)(u − 1)",
        )
    usable = np.isfinite(values).all(axis=0) & (np.abs(values) < _HUGE).all(axis=0)
    u, values = u[:, usable], values[:, usable]
    slopes = np.diff(values, axis=0) / np.diff(u, axis=0)
    if np.isfinite(zero := float(phi(0.0))):
        # To the left of all slopes φ* is −φ(0), up to the change of φ below the first chord.
        left = slopes[0, 0] - np.array([1.0, 10.0, 1e3]) * (1 + abs(slopes[0, 0]))
        slack = abs(zero - values[0, 0]) + abs(slopes[0, 0]) * u[0, 0]
        slack += _TOLERANCE * (1 + abs(zero))
        _check_bounds(left, star(left), -zero - slack, -zero + slack)
    v, step = slopes[1], u[2] - u[1]
    size = 1 + u[3] + np.abs(values).max(axis=0)
    e = _ROUNDING * size / step
    low = np.maximum(u[1] * v - values[1], u[2] * v - values[2])
    bend = np.maximum(np.minimum(slopes[1] - slopes[0], slopes[2] - slopes[1]), 0.0) + 2 * e
    slack = _TOLERANCE * (size + np.abs(u[3] * v))
    right = np.where(v + e < end, v + e, -np.inf)
    inside = right > -np.inf
    _check_bounds(right[inside], star(right[inside]), (low - slack)[inside], np.inf)
    left = np.minimum(v - e, np.nextafter(end, -np.inf))
    _check_bounds(left, star(left), -np.inf, low + bend * step + slack)


def _check_bounds(v: Float64s, values: Float64s, low: Any, high: Any) -> None:
    """Raise unless low <= φ*(v) <= high, with the bound that is violated most."""
    excess = np.maximum(low - values, values - high) / (1 + np.abs(v))
    if (excess > 0).any():
        at = int(excess.argmax())
        too_low = bool((low > values)[at])
        sense = "least" if too_low else "most"
        bound = float(np.broadcast_to(low if too_low else high, v.shape)[at])
        raise WrongValue(
            "conjugate",
            f"φ*(v) = sup uv − φ(u) over u >= 0 expected, so at {sense} {bound:.9g} at "
            f"v = {v[at]:.9g}, got {values[at]:.9g}",
        )


def _phi_from_function(
    function: Callable[[Any], Any],
    zero: float | None,
    slope: float | None,
    conjugate: Callable[[Any], Any] | None = None,
) -> Phi:
    """Return the φ of a user's function, after its validation, with its limits and conjugate.

    zero and slope: φ(0) and φ◇(0), determined from values of φ where they are None.
    """
    name = getattr(function, "__name__", type(function).__name__).replace("<lambda>", "phi")

    _check_convex(function)

    def terms(p: Float64s, q: Float64s) -> Float64s:
        with np.errstate(over="ignore", under="ignore"):
            u = np.clip(p / q, 5e-324, _LARGEST)
            values = _evaluate(function, u)
            # On each side of 1 the nearest u where φ is not finite decides whether it overflows.
            for side in (u < 1, u > 1):
                bad = side & ~np.isfinite(values)
                if bad.any():
                    at = np.flatnonzero(bad)[np.abs(np.log(u[bad])).argmin()]
                    _check_overflow(function, float(u[at]), float(values[at]))
                    values[bad] = math.inf
            # If p/q overflows, φ(u)/u at the largest float is as close to φ◇(0) as possible.
            return np.where(u < _LARGEST, q * values, p * (values / u))

    if zero is None or slope is None:
        grid = np.ldexp(np.ones(1001), np.arange(1001))
        if zero is None:
            zero = _limit(_evaluate(function, 1 / grid))
        if slope is None:
            slope = _limit(_evaluate(function, grid) / grid)
    if conjugate is None:
        return Phi(name, zero, slope, terms)
    return _with_conjugate(Phi(name, zero, slope, terms), conjugate)


def _with_conjugate(phi: Phi, conjugate: Callable[[Any], Any]) -> Phi:
    """Return φ with a user's φ*, after its validation, which needs both limits of φ."""
    required_limit(phi.at_zero, "φ(0)", "at_zero")
    end = required_limit(phi.dual_at_zero, "φ◇(0) = lim φ(u)/u at ∞", "dual_at_zero")

    def star(v: Float64s) -> Float64s:
        values = _evaluate(conjugate, v, "conjugate")
        # The last digit of `end` may be wrong, and formulas often give NaN right of the domain.
        values[np.isnan(values) & (v >= end)] = math.inf
        if np.isnan(values).any():
            at = float(v[np.isnan(values)][0])
            raise WrongValue(
                "conjugate",
                f"numbers or ∞ expected up to φ◇(0) = {end:.9g}, got nan at v = {at:.9g}",
            )
        return values

    _check_conjugate(phi, star, end)
    at_end = float(star(np.array([end]))[0]) if end < math.inf else math.inf
    return replace(phi, star=star, star_at_end=at_end)


def _evaluate(function: Callable[[Any], Any], u: Float64s, name: str = "phi") -> Float64s:
    """Return a user's function of an array; raise unless it is an array of as many numbers."""
    if not u.size:
        return np.empty(0)
    with np.errstate(all="ignore"):
        try:
            result = function(u.copy())
            if np.iscomplexobj(result):
                raise TypeError("got complex numbers")
            values = np.array(result, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise WrongType(name, f"a function of arrays of numbers expected: {error}") from None
    if values.shape != u.shape:
        symbol = "u" if name == "phi" else "v"
        raise WrongValue(name, f"shape {u.shape} expected for as many {symbol}, got {values.shape}")
    return values


def _check_overflow(function: Callable[[Any], Any], u: float, value: float) -> None:
    """Raise unless φ(u), which is not finite, is +∞ by overflow, so after huge values."""
    # Bisection of exponents of u: φ is finite at low, with the value `last`, not at high.
    low, high, last = 0.0, 1.0, 0.0
    if value == math.inf:
        for _ in range(60):
            middle = (low + high) / 2
            (value_there,) = _evaluate(function, np.array([u**middle])).tolist()
            if math.isfinite(value_there):
                low, last = middle, value_there
            else:
                high = middle
    if last <= _HUGE:
        raise _not_finite(u, value)


def _not_finite(u: float, value: float) -> ValueError:
    return WrongValue("phi", f"finite values expected, got {value} at u = {u:g}")


def _check_convex(function: Callable[[Any], Any]) -> None:
    """Raise unless φ(1) = 0 (A1), φ is convex from 10⁻⁶ to 10⁶, and strictly so at 1 (A3).

    Convexity is checked by the slopes of chords, up to rounding and overflow.
    """
    u = 2.0 ** (np.arange(-80, 81) / 4)
    values = _evaluate(function, u)
    finite = np.isfinite(values)
    # Only +∞ after huge values, an overflow, may be infinite.
    overflow = np.isposinf(values) & (np.max(values[finite], initial=0.0) > _HUGE)
    if not (finite | overflow).all():
        at = int((finite | overflow).argmin())
        raise _not_finite(float(u[at]), float(values[at]))
    at_one = float(values[80])
    if abs(at_one) > _PHI_TOLERANCE:
        raise WrongValue("phi", f"φ(1) = 0 expected, got {at_one:g}")
    u, values = u[finite], values[finite]
    size, step = np.abs(values) + u + 1, np.diff(u)
    slope, slack = np.diff(values) / step, _PHI_TOLERANCE * (size[1:] + size[:-1]) / step
    falls = np.diff(slope) < -(slack[1:] + slack[:-1])
    if falls.any():
        at = int(falls.argmax()) + 1
        raise WrongValue("phi", f"a convex function expected, its slope falls at u = {u[at]:g}")
    # Otherwise D_φ is 0 for different distributions (A3).
    u = np.array([15 / 16, 1.0, 17 / 16])
    low, middle, high = _evaluate(function, u).tolist()
    # Relative to the values of φ, as the curvature of a flat φ >= 0 is no rounding error.
    if (low + high) / 2 - middle <= _STRAIGHT * (abs(low) + abs(high)):
        raise WrongValue(
            "phi",
            "a function that is strictly convex at 1 expected ((A3), 2023 paper), got one on a "
            f"line from u = {u[0]:g} to u = {u[2]:g}, φ(u) = {low:.4g} and {high:.4g}",
        )


def _limit(values: Float64s) -> float | None:
    """Return the limit of y_j, j = 0, 1, 2 …, ∞ included, or None if it is not decided.

    Values are compared at j/4, j/2 and j, the last index before an overflow: if they agree to 10
    digits, the limit is finite; if the last step is at least 1.5 times the one before, they grow as
    a power of j (of ln u) or faster.
    """
    finite = np.isfinite(values)
    last = values.size - 1 if finite.all() else int((~finite).argmax()) - 1
    end, half, quarter = values[last], values[last // 2], values[last // 4]
    if last < values.size - 1 and not np.isposinf(values[last + 1]):
        return None
    if abs(end - half) <= 1e-10 * (1 + abs(end)):
        return float(end)
    return math.inf if end - half >= 1.5 * (half - quarter) > 0 else None


def _read_limit(name: str, value: Any) -> float | None:
    """Check a limit of φ, a number in (−∞, ∞] or None."""
    if value is None:
        return None
    number = read_number(name, value, -math.inf, math.inf)
    if number == -math.inf:
        raise WrongValue(name, f"a number in (−∞, ∞] expected, got {value}")
    return number
