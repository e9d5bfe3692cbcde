"""The convex functions φ of φ-divergences, their duals and conjugates (2023 paper, §4.1, Table 1).

With φ(1) = 0, φ'(1) = 0, Csiszár dual φ◇(u) = u φ(1/u) and conjugate φ*(v) = sup_{u>=0} uv − φ(u):

    name         φ(u)                             φ(0)    φ◇(0)   φ*(v)             on
    kl           u ln u − u + 1                   1       ∞       e^v − 1           ℝ
    reverse_kl   −ln u + u − 1                    ∞       1       −ln(1 − v)        (−∞, 1)
    js           −(u+1) ln((1+u)/2) + u ln u      ln 2    ln 2    −ln(2 − e^v)      (−∞, ln 2)
    chi2         (u − 1)²                         1       ∞       v + v²/4          [−2, ∞)
    hellinger    (√u − 1)²                        1       1       v / (1 − v)       (−∞, 1)
    tv           |u − 1|                          1       1       v                 [−1, 1]
    tsallis:a    (u^a − a(u − 1) − 1) / (a(a−1))  1/a     1/(1−a) (w^a − 1) / a,    w real, >= 0
                                                                  w = (1 + (a−1)v)^(1/(a−1))

Tsallis (Eq. 17): φ(0) = ∞ for a <= 0, φ◇(0) = ∞ for a >= 1; kl is a = 1 and reverse_kl a = 0, both
by continuity, chi2 twice a = 2, hellinger half of a = 1/2; the dual of a is 1 − a.  Left of where a
conjugate is given it is −φ(0), right of it ∞; at its end φ◇(0) it is ∞ but for tv and a < 0 (−1/a).
Each φ is computed as q φ(p/q) from p and q, so that
neither nearly equal masses nor huge ratios lose digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from prfast.inputs.arrays import (
    Float64s,
    read_shaped,
    read_vector,
    read_weights,
    shaped,
)
from prfast.inputs.options import read_number

Terms = Callable[[Float64s, Float64s], Float64s]
Function = Callable[[Float64s], Float64s]

_NODES, _WEIGHTS = ((x / 2) for x in np.polynomial.legendre.leggauss(8))
_NODES = _NODES + 0.5
_NEAR = 0.25  # |u − 1| below which the closed forms cancel and quadrature is exact
_TOLERANCE = 1e-12  # of a given φ, relative to the size of its parts
_HUGE = 1e100  # what a given φ exceeds before it overflows


@dataclass(frozen=True)
class Phi:
    """A convex φ with φ(1) = 0: call it, its `dual`, its `conjugate`; see `prfast.phi_function`.

    `at_zero` is φ(0) = lim φ(u), `dual_at_zero` is φ◇(0) = lim φ(u)/u at ∞; None where they could
    not be found.
    """

    name: str
    at_zero: float | None
    dual_at_zero: float | None
    terms: Terms
    """q φ(p/q) cell by cell, for p, q > 0 that need not sum to 1."""
    low: float = -math.inf
    """φ'(0), left of which φ* is −φ(0)."""
    star: Function | None = None
    """φ* between φ'(0) and φ◇(0)."""
    star_at_end: float = math.inf
    """φ* at φ◇(0), if φ◇(0) is finite."""
    tsallis: tuple[float, float] | None = None
    """(c, a) where φ = c φ_a."""

    def __call__(self, u: Any) -> Any:
        """φ(u), finite u >= 0, any shape."""
        return self._values(u, self.terms, self.at_zero)

    def dual(self, u: Any) -> Any:
        """φ◇(u) = u φ(1/u), finite u >= 0, any shape; D_φ(P‖Q) = D_φ◇(Q‖P)."""
        return self._values(u, lambda p, q: self.terms(q, p), self.dual_at_zero)

    def conjugate(self, v: Any) -> Any:
        """φ*(v) = sup_{u>=0} uv − φ(u), finite v, any shape: Table 1, and ∞ right of its domain.

        Raises
        ------
        TypeError, ValueError
            Not finite numbers; a φ given as a function, of which the conjugate is not known.
        """
        if self.star is None:
            raise _without_conjugate()
        assert self.at_zero is not None
        assert self.dual_at_zero is not None
        flat, shape = read_shaped("v", v, read_vector)
        inside = np.clip(flat, self.low, self.dual_at_zero)
        with np.errstate(all="ignore"):
            found = np.where(flat < self.low, -self.at_zero, self.star(inside))
        found[flat == self.dual_at_zero] = self.star_at_end
        found[flat > self.dual_at_zero] = math.inf
        return shaped(found, shape)

    def _values(self, u: Any, terms: Terms, at_zero: float | None) -> Any:
        flat, shape = read_shaped("u", u, lambda name, u: read_weights(name, u, all_zero=True))
        found = np.empty(flat.size)
        inner = flat > 0
        if not inner.all():
            found[~inner] = known(at_zero, "its limit at 0", "at_zero or dual_at_zero")
        found[inner] = terms(flat[inner], np.ones(int(inner.sum())))
        return shaped(found, shape)


def known(limit: float | None, what: str, argument: str) -> float:
    """A limit of φ that is needed; a ValueError that asks for it where it could not be found."""
    if limit is None:
        raise ValueError(f"phi: {what} cannot be told from its values; give {argument}")
    return limit


def conjugable(phi: Any) -> Phi:
    """The φ of a name, of which φ* is known; a function is refused."""
    found = phi_function(phi)
    if found.star is None:
        raise _without_conjugate()
    return found


def _without_conjugate() -> ValueError:
    return ValueError(
        f"phi: one of {', '.join(NAMES)} or tsallis:a expected where φ* is needed, got a function"
    )


def phi_function(phi: Any, at_zero: Any = None, dual_at_zero: Any = None) -> Phi:
    """The φ of a name, of "tsallis:a" for any order a, or of a function: to call, φ, φ◇ and φ*.

    Parameters
    ----------
    phi : str, function or Phi
        A name of the table; or a convex function of float64 arrays, u > 0, with φ(1) = 0.
    at_zero, dual_at_zero : float, optional
        φ(0) and φ◇(0) = lim φ(u)/u at ∞ of a function; in (−∞, ∞].  Found if not given: φ(2⁻ʲ) and
        2⁻ʲφ(2ʲ) settle, or grow as a logarithm or faster (∞); anything between is not decided.

    Returns
    -------
    Phi
        φ(u) when called, `.dual(u)`, `.conjugate(v)`, `.at_zero`, `.dual_at_zero`.

    Raises
    ------
    TypeError, ValueError
        An unknown name; an order outside [−10⁶, 10⁶]; a function that does not give finite
        numbers, is not 0 at 1, or is not convex between 10⁻⁶ and 10⁶.
    """
    if isinstance(phi, str) or not callable(phi) or isinstance(phi, Phi):
        if at_zero is not None or dual_at_zero is not None:
            raise ValueError("at_zero and dual_at_zero: only for a phi that is a function")
        return named("phi", phi)
    return _given(phi, _read_limit("at_zero", at_zero), _read_limit("dual_at_zero", dual_at_zero))


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def named(name: str, phi: Any) -> Phi:
    """The φ of a name of the table or of "tsallis:a"; a Phi as it is."""
    if isinstance(phi, Phi):
        return phi
    if not isinstance(phi, str):
        raise TypeError(f"{name}: a name or a function expected, got {type(phi).__name__}")
    if phi in _TABLE:
        return _TABLE[phi]
    family, _, order = phi.partition(":")
    if family == "tsallis" and _NUMBER.fullmatch(order):
        return _tsallis(phi, read_number(f"{name}: the order of {phi!r}", float(order), -1e6, 1e6))
    raise ValueError(
        f"{name}: one of {', '.join(NAMES)} or tsallis:a, a an order such as 0.5, expected, "
        f"got {phi!r}"
    )


# ---- the table -----------------------------------------------------------------------------


def _powers(scale: Float64s, log: Float64s, e: float) -> Float64s:
    """scale (u^e − 1) / e for u = exp(log), and scale · log at e = 0; no overflow on the way."""
    if e == 0:
        return scale * log
    y = e * log
    return np.where(y < 700, scale * np.expm1(np.minimum(y, 700)), np.exp(y + np.log(scale))) / e


def _tsallis_terms(a: float, p: Float64s, q: Float64s) -> Float64s:
    """q φ_a(p/q).  With u = p/q and x = u − 1, either of

        φ_a = [u (u^{a−1} − 1)/(a−1) − x] / a = [x − (u^a − 1)/a] / (1 − a),
        φ_a = x² ∫₀¹ (1 − s) (1 + s x)^{a−2} ds     (u near 1: nothing cancels),

    whose limits at a = 1 and at a = 0 are kl and reverse_kl.
    """
    with np.errstate(all="ignore"):
        u, d = p / q, p - q
        log = np.where((u > 1e-300) & (u < 1e300), np.log(u), np.log(p) - np.log(q))
        by_p = a >= 0.5
        found = (_powers(p, log, a - 1) - d) / a if by_p else (d - _powers(q, log, a)) / (1 - a)
        x = d / q
        near = (np.abs(x) <= _NEAR) & (np.abs((a - 2) * log) <= 3)
        x, d = x[near], d[near]
        bend = np.zeros(x.size)
        for s, w in zip(_NODES.tolist(), _WEIGHTS.tolist(), strict=True):
            bend += w * (1 - s) * (1 + s * x) ** (a - 2)
        found[near] = x * d * bend
    return found


def _tsallis(name: str, a: float) -> Phi:
    def star(v: Float64s) -> Float64s:
        log = np.log1p((a - 1) * v) / (a - 1) if a != 1 else v  # ln w
        return np.expm1(a * log) / a if a != 0 else log

    return Phi(
        name,
        at_zero=1 / a if a > 0 else math.inf,
        dual_at_zero=1 / (1 - a) if a < 1 else math.inf,
        terms=lambda p, q: _tsallis_terms(a, p, q),
        low=-1 / (a - 1) if a > 1 else -math.inf,
        star=star,
        star_at_end=-1 / a if a < 0 else math.inf,
        tsallis=(1.0, a),
    )


def _js(p: Float64s, q: Float64s) -> Float64s:
    """p ln(p/m) + q ln(q/m), m = (p + q)/2: two kl terms, which are smallest at this m."""
    m = 0.5 * (p + q)
    return _tsallis_terms(1.0, p, m) + _tsallis_terms(1.0, q, m)


def _chi2(p: Float64s, q: Float64s) -> Float64s:
    with np.errstate(all="ignore"):
        return np.asarray(((p - q) / np.sqrt(q)) ** 2)


def _hellinger(p: Float64s, q: Float64s) -> Float64s:
    with np.errstate(all="ignore"):
        return np.asarray(((p - q) / (np.sqrt(p) + np.sqrt(q))) ** 2)


_KL, _REVERSE = _tsallis("kl", 1.0), _tsallis("reverse_kl", 0.0)
_TABLE = {
    phi.name: phi
    for phi in (
        _KL,
        _REVERSE,
        Phi(
            "js",
            math.log(2),
            math.log(2),
            _js,
            star=lambda v: -np.log1p(-np.expm1(v)),
        ),
        Phi(
            "chi2",
            1.0,
            math.inf,
            _chi2,
            low=-2.0,
            star=lambda v: v * (1 + v / 4),
            tsallis=(2.0, 2.0),
        ),
        Phi(
            "hellinger",
            1.0,
            1.0,
            _hellinger,
            star=lambda v: v / (1 - v),
            tsallis=(0.5, 0.5),
        ),
        Phi(
            "tv",
            1.0,
            1.0,
            lambda p, q: np.abs(p - q),
            low=-1.0,
            star=lambda v: v,
            star_at_end=1.0,
        ),
    )
}
NAMES = tuple(_TABLE)


# ---- a function that a user gives ----------------------------------------------------------


def _given(function: Callable[[Any], Any], zero: float | None, slope: float | None) -> Phi:
    """A user's φ, looked at on a grid, with its limits."""
    name = getattr(function, "__name__", type(function).__name__).replace("<lambda>", "phi")

    _check_convex(function)

    def terms(p: Float64s, q: Float64s) -> Float64s:
        with np.errstate(over="ignore", under="ignore"):
            u = np.clip(p / q, 5e-324, np.finfo(np.float64).max)
            values = _evaluated(function, u)
            # Of all u on one side of 1 where φ is not finite, the nearest decides what that means.
            for side in (u < 1, u > 1):
                bad = side & ~np.isfinite(values)
                if bad.any():
                    at = np.flatnonzero(bad)[np.abs(np.log(u[bad])).argmin()]
                    _check_overflow(function, float(u[at]), float(values[at]))
                    values[bad] = math.inf
            return q * values

    if zero is None or slope is None:
        grid = np.ldexp(np.ones(1001), np.arange(1001))
        if zero is None:
            zero = _limit(_evaluated(function, 1 / grid))
        if slope is None:
            slope = _limit(_evaluated(function, grid) / grid)
    return Phi(name, zero, slope, terms)


def _evaluated(function: Callable[[Any], Any], u: Float64s) -> Float64s:
    """A user's function of an array; what it gives must be an array of that many numbers."""
    if not u.size:
        return np.empty(0)
    with np.errstate(all="ignore"):
        try:
            given = function(u.copy())
            if np.iscomplexobj(given):
                raise TypeError("got complex numbers")
            values = np.array(given, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise TypeError(f"phi: a function of arrays of numbers expected: {error}") from None
    if values.shape != u.shape:
        raise ValueError(f"phi: shape {u.shape} expected for as many u, got {values.shape}")
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
    return ValueError(f"phi: finite values expected, got {value} at u = {u:g}")


def _check_convex(function: Callable[[Any], Any]) -> None:
    """φ(1) = 0, and chords whose slopes rise from 10⁻⁶ to 10⁶, up to rounding and overflow."""
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
        raise ValueError(f"phi: φ(1) = 0 expected, got {at_one:g}")
    u, values = u[kept], values[kept]
    size, step = np.abs(values) + u + 1, np.diff(u)
    slope, slack = np.diff(values) / step, _TOLERANCE * (size[1:] + size[:-1]) / step
    falls = np.diff(slope) < -(slack[1:] + slack[:-1])
    if falls.any():
        at = int(falls.argmax()) + 1
        raise ValueError(f"phi: a convex function expected, its slope falls at u = {u[at]:g}")


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


def _read_limit(name: str, value: Any) -> float | None:
    if value is None:
        return None
    number = read_number(name, value, -math.inf, math.inf)
    if number == -math.inf:
        raise ValueError(f"{name}: a number in (−∞, ∞] expected, got {value}")
    return number
