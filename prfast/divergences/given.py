"""A convex function that a user gives, looked at on a grid: its checks and its limits; with its
conjugate if that is given too."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.divergences.conjugates import check_conjugate
from prfast.divergences.phi import Phi, known
from prfast.divergences.table import KNOWN
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import read_number

_TOLERANCE = 1e-12  # of a given φ, relative to the size of its parts
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
    if abs(at_one) > _TOLERANCE:
        raise WrongValue("phi", f"φ(1) = 0 expected, got {at_one:g}")
    u, values = u[kept], values[kept]
    size, step = np.abs(values) + u + 1, np.diff(u)
    slope, slack = np.diff(values) / step, _TOLERANCE * (size[1:] + size[:-1]) / step
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
