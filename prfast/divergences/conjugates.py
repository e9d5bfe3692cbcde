"""A conjugate that a user gives with a φ: looked at on a grid, does it fit?

Where the chords of a convex φ about u_0 < u_1 < u_2 < u_3 have the slopes s_0 <= s_1 <= s_2, the
conjugate at the middle one, v = s_1, is the supremum of uv − φ(u) over [u_1, u_2], and there φ lies
above the other two chords.  With L = u_1 v − φ(u_1) = u_2 v − φ(u_2), the equality of Fenchel and
Young is therefore

    L  <=  φ*(v)  <=  L + min(s_1 − s_0, s_2 − s_1) (u_2 − u_1)

Rounding of φ makes v wrong by some e; as φ* rises, the left is asked of φ*(v + e), the right of
φ*(v − e), so that nothing that fits is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.divergences.phi import KNOWN, Phi, known
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import read_number

_TOLERANCE = 1e-11  # relative to the parts of uv − φ(u)
_ROUNDING = 1e-14  # of values of φ, relative to its parts
_STEP = 2.0**-10  # between neighbouring u of a chord, relative to them


def check_conjugate(phi: Phi, star: Callable[[Float64s], Float64s], end: float) -> None:
    """φ >= 0, as 0 is in ∂φ(1) (A2), and φ* in the bounds above at slopes from 2⁻²⁰ to 2²⁰."""
    centres = 2.0 ** (np.arange(-80, 81) / 4)
    u = centres * (1 + _STEP * np.arange(4)[:, None])  # (4, centres)
    with np.errstate(all="ignore"):
        values = np.asarray(phi(u))
    _check_least(u, values)
    kept = np.isfinite(values).all(axis=0) & (np.abs(values) < 1e100).all(axis=0)
    u, values = u[:, kept], values[:, kept]
    slopes = np.diff(values, axis=0) / np.diff(u, axis=0)
    if np.isfinite(zero := float(phi(0.0))):
        # Left of every slope φ* is −φ(0), which the first chord still tells apart from its values.
        far = slopes[0, 0] - np.array([1.0, 10.0, 1e3]) * (1 + abs(slopes[0, 0]))
        rest = abs(zero - values[0, 0]) + abs(slopes[0, 0]) * u[0, 0] + _TOLERANCE * (1 + abs(zero))
        _compare(far, star(far), -zero - rest, -zero + rest)
    v, step = slopes[1], u[2] - u[1]
    size = 1 + u[3] + np.abs(values).max(axis=0)
    e = _ROUNDING * size / step
    low = np.maximum(u[1] * v - values[1], u[2] * v - values[2])
    turn = np.maximum(np.minimum(slopes[1] - slopes[0], slopes[2] - slopes[1]), 0.0) + 2 * e
    slack = _TOLERANCE * (size + np.abs(u[3] * v))
    right = np.where(v + e < end, v + e, -np.inf)
    inside = right > -np.inf  # φ* is ∞ beyond its end
    _compare(right[inside], star(right[inside]), (low - slack)[inside], np.inf)
    left = np.minimum(v - e, np.nextafter(end, -np.inf))
    _compare(left, star(left), -np.inf, low + turn * step + slack)


def _check_least(u: Float64s, values: Float64s) -> None:
    flat = int(np.nanargmin(values))
    if values.ravel()[flat] < -_TOLERANCE:
        raise WrongValue(
            "phi",
            "φ >= 0 expected where φ* is given, 0 being in ∂φ(1) (A2), got "
            f"{values.ravel()[flat]:.4g} at u = {u.ravel()[flat]:.4g}; take φ(u) − φ'(1)(u − 1)",
        )


def _compare(v: Float64s, found: Float64s, low: Any, high: Any) -> None:
    worst = np.maximum(low - found, found - high) / (1 + np.abs(v))
    if (worst > 0).any():
        at = int(worst.argmax())
        short = bool((low > found)[at])
        sense = "least" if short else "most"
        bound = float(np.broadcast_to(low if short else high, v.shape)[at])
        raise WrongValue(
            "conjugate",
            f"φ*(v) = sup uv − φ(u) over u >= 0 expected, so at {sense} {bound:.9g} at "
            f"v = {v[at]:.9g}, got {found[at]:.9g}",
        )


# A convex function that a user gives, looked at on a grid: its checks and its limits; with its
# conjugate if that is given too.


_GIVEN_TOLERANCE = 1e-12  # of a given φ, relative to the size of its parts
_STRAIGHT = 4e-15  # bends of a given φ below this, relative to its values, are rounding
_LARGEST = float(np.finfo(np.float64).max)
_HUGE = 1e100  # what a given φ exceeds before it overflows


class Given(Phi):
    """A φ of which only values are known, and those of φ* if these are given too."""

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, {'no' if self.star is None else 'its'} conjugate given)"

    def conjugate(self, v: Any) -> Any:
        """φ*(v) if it was given: ∞ right of φ◇(0); else refused, as values of φ do not tell it."""
        if self.star is None:
            raise without_conjugate()
        return super().conjugate(v)

    def derivative(self, u: Any) -> Any:
        """Refused: φ' cannot be told from values."""
        raise _without_slopes("φ'")

    def conjugate_derivative(self, v: Any) -> Any:
        """Refused: φ*' cannot be told from values."""
        raise _without_slopes("φ*'")


def without_conjugate() -> ValueError:
    return WrongValue(
        "phi",
        f"one of {', '.join(KNOWN)} or tsallis:a expected where φ* is needed, got a function; "
        "give its conjugate: phi_function(phi, conjugate=…)",
    )


def _without_slopes(what: str) -> ValueError:
    return WrongValue(
        "phi", f"one of {', '.join(KNOWN)} or tsallis:a expected for {what}, got a function"
    )


def given(
    function: Callable[[Any], Any],
    zero: float | None,
    slope: float | None,
    conjugate: Callable[[Any], Any] | None = None,
) -> Given:
    """A user's φ, looked at on a grid, with its limits, and its φ* if there is one."""
    name = getattr(function, "__name__", type(function).__name__).replace("<lambda>", "phi")

    _check_convex(function)

    def terms(p: Float64s, q: Float64s) -> Float64s:
        with np.errstate(over="ignore", under="ignore"):
            u = np.clip(p / q, 5e-324, _LARGEST)
            values = _evaluated(function, u)
            # Of all u on one side of 1 where φ is not finite, the nearest decides what that means.
            for side in (u < 1, u > 1):
                bad = side & ~np.isfinite(values)
                if bad.any():
                    at = np.flatnonzero(bad)[np.abs(np.log(u[bad])).argmin()]
                    _check_overflow(function, float(u[at]), float(values[at]))
                    values[bad] = math.inf
            # Where p/q is beyond float64, φ(u)/u is as near to φ◇(0) as numbers go.
            return np.where(u < _LARGEST, q * values, p * (values / u))

    if zero is None or slope is None:
        grid = np.ldexp(np.ones(1001), np.arange(1001))
        if zero is None:
            zero = _limit(_evaluated(function, 1 / grid))
        if slope is None:
            slope = _limit(_evaluated(function, grid) / grid)
    if conjugate is None:
        return Given(name, zero, slope, terms)
    return _conjugated(Given(name, zero, slope, terms), conjugate)


def _conjugated(phi: Given, conjugate: Callable[[Any], Any]) -> Given:
    """A φ with the φ* that a user gives, if it fits; both limits are needed."""
    known(phi.at_zero, "φ(0)", "at_zero")
    end = known(phi.dual_at_zero, "φ◇(0) = lim φ(u)/u at ∞", "dual_at_zero")

    def star(v: Float64s) -> Float64s:
        found = _evaluated(conjugate, v, "conjugate")
        # The last digit of the end may be wrong, and a formula not a number there.
        found[np.isnan(found) & (v >= end)] = math.inf
        if np.isnan(found).any():
            at = float(v[np.isnan(found)][0])
            raise WrongValue(
                "conjugate",
                f"numbers or ∞ expected up to φ◇(0) = {end:.9g}, got nan at v = {at:.9g}",
            )
        return found

    check_conjugate(phi, star, end)
    at_end = float(star(np.array([end]))[0]) if end < math.inf else math.inf
    return replace(phi, star=star, star_at_end=at_end)


def _evaluated(function: Callable[[Any], Any], u: Float64s, name: str = "phi") -> Float64s:
    """A user's function of an array; what it gives must be an array of that many numbers."""
    if not u.size:
        return np.empty(0)
    with np.errstate(all="ignore"):
        try:
            found = function(u.copy())
            if np.iscomplexobj(found):
                raise TypeError("got complex numbers")
            values = np.array(found, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise WrongType(name, f"a function of arrays of numbers expected: {error}") from None
    if values.shape != u.shape:
        what = "u" if name == "phi" else "v"
        raise WrongValue(name, f"shape {u.shape} expected for as many {what}, got {values.shape}")
    return values


def _check_overflow(function: Callable[[Any], Any], u: float, value: float) -> None:
    """Is φ(u), which is not finite, +∞ after huge values, that is beyond float64?"""
    low, high, last = 0.0, 1.0, 0.0  # exponents of u: finite at the first, not so at the second
    if value == math.inf:
        for _ in range(60):
            middle = (low + high) / 2
            (found,) = _evaluated(function, np.array([u**middle])).tolist()
            if math.isfinite(found):
                low, last = middle, found
            else:
                high = middle
    if last <= _HUGE:
        raise _not_finite(u, value)


def _not_finite(u: float, value: float) -> ValueError:
    return WrongValue("phi", f"finite values expected, got {value} at u = {u:g}")


def _check_convex(function: Callable[[Any], Any]) -> None:
    """(A1), φ(1) = 0, convexity by chords from 10⁻⁶ to 10⁶ up to rounding and overflow, (A3)."""
    u = 2.0 ** (np.arange(-80, 81) / 4)
    values = _evaluated(function, u)
    kept = np.isfinite(values)
    # An overflow comes after huge values; anything else that is not finite is refused.
    overflow = np.isposinf(values) & (np.max(values[kept], initial=0.0) > _HUGE)
    if not (kept | overflow).all():
        at = int((kept | overflow).argmin())
        raise _not_finite(float(u[at]), float(values[at]))
    at_one = float(values[80])
    if abs(at_one) > _GIVEN_TOLERANCE:
        raise WrongValue("phi", f"φ(1) = 0 expected, got {at_one:g}")
    u, values = u[kept], values[kept]
    size, step = np.abs(values) + u + 1, np.diff(u)
    slope, slack = np.diff(values) / step, _GIVEN_TOLERANCE * (size[1:] + size[:-1]) / step
    falls = np.diff(slope) < -(slack[1:] + slack[:-1])
    if falls.any():
        at = int(falls.argmax()) + 1
        raise WrongValue("phi", f"a convex function expected, its slope falls at u = {u[at]:g}")
    _check_strict(function)


def _check_strict(function: Callable[[Any], Any]) -> None:
    """Strict convexity at 1, without which D_φ is 0 for different distributions (A3)."""
    u = np.array([15 / 16, 1.0, 17 / 16])
    low, middle, high = _evaluated(function, u).tolist()
    # The bend of a φ >= 0 is no rounding of its own values, however flat φ is.
    if (low + high) / 2 - middle <= _STRAIGHT * (abs(low) + abs(high)):
        raise WrongValue(
            "phi",
            "a function that is strictly convex at 1 expected ((A3), 2023 paper), got one on a "
            f"line from u = {u[0]:g} to u = {u[2]:g}, φ(u) = {low:.4g} and {high:.4g}",
        )


def _limit(values: Float64s) -> float | None:
    """The limit of y_j, j = 0, 1, 2 …, of which y_j may overflow: found, ∞, or None if undecided.

    From j/4 to j/2 to j: what settles to 10 digits is finite; what grows by at least half as much
    again in the last step grows as a power of j (of ln u) or faster.
    """
    finite = np.isfinite(values)
    last = values.size - 1 if finite.all() else int((~finite).argmax()) - 1
    end, half, quarter = values[last], values[last // 2], values[last // 4]
    if last < values.size - 1 and not np.isposinf(values[last + 1]):
        return None
    if abs(end - half) <= 1e-10 * (1 + abs(end)):
        return float(end)
    return math.inf if end - half >= 1.5 * (half - quarter) > 0 else None


def read_limit(name: str, value: Any) -> float | None:
    if value is None:
        return None
    number = read_number(name, value, -math.inf, math.inf)
    if number == -math.inf:
        raise WrongValue(name, f"a number in (−∞, ∞] expected, got {value}")
    return number
