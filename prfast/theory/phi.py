"""The convex functions φ of φ-divergences, their duals and conjugates (2023, §4.1, Table 1).

They have φ(1) = 0, φ'(1) = 0, the Csiszár dual φ◇(u) = u φ(1/u) and the conjugate
φ*(v) = sup_{u>=0} uv − φ(u):

    name         φ(u)                             φ(0)    φ◇(0)   φ*(v)             on
    kl           u ln u − u + 1                   1       ∞       e^v − 1           ℝ
    reverse_kl   −ln u + u − 1                    ∞       1       −ln(1 − v)        (−∞, 1)
    js           −(u+1) ln((1+u)/2) + u ln u      ln 2    ln 2    −ln(2 − e^v)      (−∞, ln 2)
    chi2         (u − 1)²                         1       ∞       v + v²/4          [−2, ∞)
    hellinger    (√u − 1)²                        1       1       v / (1 − v)       (−∞, 1)
    tv           |u − 1|                          1       1       v                 [−1, 1]
    tsallis:a    (u^a − a(u − 1) − 1) / (a(a−1))  1/a     1/(1−a) (w^a − 1) / a,    w real, >= 0
                                                                  w = (1 + (a−1)v)^(1/(a−1))

Tsallis (Eq. 17): φ(0) = ∞ for a <= 0, φ◇(0) = ∞ for a >= 1; the dual of a is 1 − a.  The limits are
kl at a = 1 and reverse_kl at a = 0; chi2 is twice a = 2, hellinger half of a = 1/2.  Left of the
interval in the last column φ* is −φ(0), right of it ∞.  At its end φ◇(0) it is ∞ except for tv and
a < 0 (−1/a).  Each φ is computed as q φ(p/q) from p and q: nearly equal masses and huge ratios keep
digits.

The derivatives φ' and φ*', each the inverse of the other, stand in the rows of `_TABLE`.  Those of
tsallis:a are (u^(a−1) − 1) / (a − 1) and w.  At a corner, tv at u = 1, φ' is 0 (A2).

"frontier_integral" is the φ of Liu et al. (2021) (2023, Remark 22), with

    FI(P, Q) = 2 ∫₀¹ λ KL(P‖R_λ) + (1 − λ) KL(Q‖R_λ) dλ,   R_λ = λP + (1 − λ)Q

The integral of a cell is (p + q)/2 − pq ln(p/q) / (p − q): with m = (p + q)/2, s = (p − q)/(p + q)

    q φ(p/q) = m (1 − (1 − s²) artanh(s)/s) = m Σ_{j>=1} 2 s^{2j} / (4j² − 1)

    φ(u)  = (u + 1)/2 − u ln u / (u − 1),     φ◇ = φ,   φ(0) = φ◇(0) = ½
    φ'(u) = ½ − (x − ln(1 + x)) / x² = Σ_{j>=1} (−x)^{j−1} x / (j + 2),   x = u − 1
    φ*(v) = −φ'(1/u) at the u where φ'(u) = v, on (−∞, ½)

φ* has no closed form: u = e^y is the result of bisection of y, as φ' is increasing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, read_shaped, read_vector, read_weights, shaped
from prfast.inputs.errors import WrongType, WrongValue, kind_of
from prfast.inputs.options import read_number
from prfast.theory.renyi import powers

Terms = Callable[[Float64s, Float64s], Float64s]
Function = Callable[[Float64s], Float64s]


@dataclass(frozen=True, repr=False)
class Phi:
    """A convex function φ with φ(1) = 0, its `dual` and its `conjugate`, from `phi_function`.

    `at_zero` is φ(0) = lim φ(u), `dual_at_zero` is φ◇(0) = lim φ(u)/u at ∞.  A φ of the user's has
    functions of arrays: `terms` is q φ(p/q) for p, q > 0, `star` φ*, `slope` φ', `star_slope` φ*'.
    docs/theory.md has le Cam's as an example.
    See also `phi_function`.
    """

    name: str
    at_zero: float
    dual_at_zero: float
    terms: Terms  # q φ(p/q) cell by cell, for any p, q > 0, where floating-point errors are ignored
    star: Function  # φ* between φ'(0) and φ◇(0)
    slope: Function  # φ' at u > 0
    star_slope: Function  # φ*' between φ'(0) and φ◇(0)
    low: float = -math.inf  # φ'(0), left of which φ* is −φ(0)
    star_at_end: float = math.inf  # φ* at φ◇(0), if φ◇(0) is finite
    star_slope_at_end: float = math.inf  # φ*' there
    # φ◇(0) − φ'(e^y); it keeps its digits where φ' rounds to φ◇(0).  Only for a φ that is its own
    # dual and whose λ have no closed form.  φ* + φ(0) at φ'(e^y) is its value at −y.
    shortfall: Function | None = None
    tsallis: tuple[float, float] | None = None  # (c, a) where φ = c φ_a

    def __repr__(self) -> str:
        return f"Phi({self.name!r}, at_zero={self.at_zero}, dual_at_zero={self.dual_at_zero})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a φ by its name, as lambdas cannot be pickled; a user's by its functions."""
        if self in _TABLE.values() or self.tsallis:
            return phi_function, (self.name,)
        return Phi, tuple(getattr(self, field.name) for field in fields(self))

    def __call__(self, u: Any) -> Any:
        """Return φ(u), finite u >= 0, any shape."""
        return self._values(u, self.terms, self.at_zero)

    def dual(self, u: Any) -> Any:
        """Return φ◇(u) = u φ(1/u), finite u >= 0, any shape; D_φ(P‖Q) = D_φ◇(Q‖P)."""
        return self._values(u, lambda p, q: self.terms(q, p), self.dual_at_zero)

    def conjugate(self, v: Any) -> Any:
        """Return φ*(v) = sup_{u>=0} uv − φ(u), finite v, any shape; ∞ right of its domain."""
        return self._extended(v, self.star, -self.at_zero, self.star_at_end)

    @property
    def domain(self) -> tuple[float, float]:
        """(φ'(0), φ◇(0)): between them φ* is finite and rises (dom^{v0→}, 2023, Remark 17); an end
        belongs to the domain if `conjugate` is finite there."""
        return self.low, self.dual_at_zero

    def derivative(self, u: Any) -> Any:
        """Return φ'(u), finite u >= 0, any shape.  At 0 it is the limit φ'(0), possibly −∞, and at
        a corner of φ (tv at 1) the middle of the subdifferential, 0."""
        flat, shape = _read_ratios(u)
        with np.errstate(all="ignore"):
            values = np.where(flat > 0, self.slope(flat), self.low)
        return shaped(values, shape)

    def conjugate_derivative(self, v: Any) -> Any:
        """Return φ*'(v), finite v, any shape: the u with φ*(v) = uv − φ(u), the inverse of φ'.  It
        is 0 left of the domain, ∞ right of it, and at an end in the domain the slope from
        inside."""
        return self._extended(v, self.star_slope, 0.0, self.star_slope_at_end)

    def _extended(self, v: Any, inner: Function, below: float, at_end: float) -> Any:
        """Return φ* or its slope: `inner` on the domain, `below` left of it, ∞ right of it."""
        end = self.dual_at_zero
        flat, shape = read_shaped("v", v, read_vector)
        with np.errstate(all="ignore"):
            values = np.where(flat < self.low, below, inner(np.clip(flat, self.low, end)))
        values[flat == end] = at_end
        values[flat > end] = math.inf
        return shaped(values, shape)

    def _values(self, u: Any, terms: Terms, limit: float) -> Any:
        flat, shape = _read_ratios(u)
        values = np.full(flat.size, limit)
        positive = flat > 0
        with np.errstate(all="ignore"):
            values[positive] = terms(flat[positive], np.ones(int(positive.sum())))
        return shaped(values, shape)


def _read_ratios(u: Any) -> tuple[Float64s, tuple[int, ...]]:
    """Return finite u >= 0 as a vector, and their shape."""
    return read_shaped("u", u, lambda name, u: read_weights(name, u, all_zero=True))


# The frontier integral.

_TERMS = np.arange(1, 31)
_INTEGRAL_SERIES = np.r_[0.0, 2 / (4.0 * _TERMS**2 - 1)]  # of q φ(p/q) / m, in s²
_SLOPE_SERIES = np.r_[0.0, (-1.0) ** (_TERMS - 1) / (_TERMS + 2)]  # of φ', in x
_SERIES_LIMIT = 0.25  # s² or |x| up to which the series is exact: 0.25³⁰ is 10⁻¹⁸


def _integral_terms(p: Float64s, q: Float64s) -> Float64s:
    m = p / 2 + q / 2
    square = ((p - q) / m / 2) ** 2
    far = m - p * (q / (p - q)) * (np.log(p) - np.log(q))
    near = m * np.polynomial.polynomial.polyval(np.minimum(square, _SERIES_LIMIT), _INTEGRAL_SERIES)
    return np.where(square <= _SERIES_LIMIT, near, far)


def _slope_and_shortfall(log: Float64s, x: Float64s | None = None) -> tuple[Float64s, Float64s]:
    """Return φ' and ½ − φ' at u = e^log, with all digits where x, u − 1, is given too."""
    with np.errstate(all="ignore"):
        x = np.expm1(log) if x is None else x
        shortfall = np.where(np.isinf(x), 0.0, (1 - log / x) / x)
    slope = 0.5 - shortfall
    near = np.abs(x) <= _SERIES_LIMIT
    slope[near] = np.polynomial.polynomial.polyval(x[near], _SLOPE_SERIES)
    shortfall[near] = 0.5 - slope[near]
    return slope, shortfall


def _log_u(v: Float64s) -> Float64s:
    """Return y with φ'(e^y) = v < ½, by bisection.

    y is above v − 3/2, as −1 − y <= ½ − φ' for y < 0.  It is below ln(1 + 1/(½ − v)): ½ − φ' <= 1/x
    for x > 0.
    """
    low, high = np.minimum(v, 0.0) - 2.5, np.log1p(1 / (0.5 - v))
    for _ in range(150):
        y = low / 2 + high / 2
        slope, shortfall = _slope_and_shortfall(y)
        # Near ½ the difference to it has more digits.
        below = np.where(v < 0.25, slope < v, shortfall > 0.5 - v)
        low, high = np.where(below, y, low), np.where(below, high, y)
    return np.where(v == 0, 0.0, high)


FRONTIER_INTEGRAL = Phi(
    "frontier_integral",
    0.5,
    0.5,
    _integral_terms,
    star=lambda v: -_slope_and_shortfall(-_log_u(v))[0],
    slope=lambda u: _slope_and_shortfall(np.log(u), u - 1)[0],
    star_slope=lambda v: np.exp(_log_u(v)),
    shortfall=lambda y: _slope_and_shortfall(y)[1],
)


# Table 1 of the 2023 paper and Tsallis' family (Eq. 17).

_NODES, _WEIGHTS = ((x / 2) for x in np.polynomial.legendre.leggauss(8))
_NODES = _NODES + 0.5
_QUADRATURE_LIMIT = 0.25  # |u − 1| up to which closed forms cancel and quadrature is exact
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def phi_function(phi: Any) -> Phi:
    """Return the φ of a name, or of "tsallis:a" for any order a.

    (2023, §4.1; 2023, Table 1; 2023, Remark 16; 2023, Remark 20; 2023, Eq. 17; 2023, Footnote 7.)
    Example: ``prfast.theory.phi_function("tsallis:0.5")``.  See also `phi_divergence`.

    Parameters
    ----------
    phi : str or Phi
        A name of the table, "frontier_integral" or "tsallis:a", a in [−10⁶, 10⁶]; or a `Phi`, also
        one of the user's.

    Returns
    -------
    Phi
        φ(u) when called, `.dual(u)`, `.at_zero`, `.dual_at_zero`, `.conjugate(v)`,
        `.derivative(u)`, `.conjugate_derivative(v)` and `.domain`, where φ* is finite and rises.
    """
    if isinstance(phi, Phi):
        if not abs(at_1 := phi(1.0)) <= 1e-12:
            raise WrongValue("phi", f"φ(1) = 0 expected, got {at_1:g} of {phi.name!r}")
        return phi
    if not isinstance(phi, str):
        raise WrongType("phi", f"a name expected, got {kind_of(phi)}")
    family, _, order = phi.partition(":")
    if phi in _TABLE:
        return _TABLE[phi]
    if family == "tsallis" and _NUMBER.fullmatch(order):
        return _tsallis(phi, read_number(f"phi: the order of {phi!r}", float(order), -1e6, 1e6))
    accepted = f"one of {', '.join(KNOWN)} or tsallis:a, a an order such as 0.5, expected"
    raise WrongValue("phi", f"{accepted}, got {phi!r}")


def _tsallis_terms(a: float, p: Float64s, q: Float64s) -> Float64s:
    """Return q φ_a(p/q).  For u = p/q and x = u − 1, either of

        φ_a = [u (u^{a−1} − 1)/(a−1) − x] / a = [x − (u^a − 1)/a] / (1 − a),
        φ_a = x² ∫₀¹ (1 − s) (1 + s x)^{a−2} ds     (u near 1: nothing cancels),

    whose limits at a = 1 and at a = 0 are kl and reverse_kl.
    """
    u, d = p / q, p - q
    log = np.where((u > 1e-300) & (u < 1e300), np.log(u), np.log(p) - np.log(q))
    # Masses beyond 2⁵¹² are scaled down by 2¹²⁸, as terms of a finite sum may overflow.
    shift = np.where(np.maximum(p, q) > 2.0**512, 2.0**-128, 1.0)
    e, scale, over = (a - 1, shift * p, a) if a >= 0.5 else (a, shift * q, a - 1)
    terms = (powers(log, e, scale) - shift * d) / over
    huge = np.isinf(terms)  # d <= 2⁸⁹⁶ is negligible beside a power that overflows
    terms[huge] = powers(log[huge], e, scale[huge], over)
    terms /= shift
    x = d / q
    near = (np.abs(x) <= _QUADRATURE_LIMIT) & (np.abs((a - 2) * log) <= 3)
    x, d = x[near], d[near]
    bend = np.zeros(x.size)
    for s, w in zip(_NODES.tolist(), _WEIGHTS.tolist(), strict=True):
        bend += w * (1 - s) * (1 + s * x) ** (a - 2)
    terms[near] = x * d * bend
    return terms


def _tsallis(name: str, a: float) -> Phi:
    def log(v: Float64s) -> Float64s:  # ln w
        if a == 1:
            return v
        far = np.log(abs(a - 1)) + np.log(np.abs(v))  # (a − 1) v may overflow
        return np.where(np.abs(v) < 1e300, np.log1p((a - 1) * v), far) / (a - 1)

    return Phi(
        name,
        at_zero=1 / a if a > 0 else math.inf,
        dual_at_zero=1 / (1 - a) if a < 1 else math.inf,
        terms=lambda p, q: _tsallis_terms(a, p, q),
        low=-1 / (a - 1) if a > 1 else -math.inf,
        star=lambda v: powers(log(v), a),
        star_at_end=-1 / a if a < 0 else math.inf,
        slope=lambda u: powers(np.log(u), a - 1),
        star_slope=lambda v: np.exp(log(v)),
        tsallis=(1.0, a),
    )


def _js(p: Float64s, q: Float64s) -> Float64s:
    """Return p ln(p/m) + q ln(q/m), m = (p + q)/2, as two kl terms; this m minimizes their sum."""
    m = 0.5 * (p + q)
    return _tsallis_terms(1.0, p, m) + _tsallis_terms(1.0, q, m)


def _js_slope(u: Float64s) -> Float64s:
    """Return ln(2u/(1 + u)); it keeps its digits near 1 and near 0."""
    near = np.log1p((u - 1) / (u + 1))
    return np.where(u > 0.5, near, np.log(u) + math.log(2) - np.log1p(u))


_TABLE = {
    phi.name: phi
    for phi in (
        _tsallis("kl", 1.0),
        _tsallis("reverse_kl", 0.0),
        Phi(
            "js",
            math.log(2),
            math.log(2),
            _js,
            star=lambda v: -np.log1p(-np.expm1(v)),
            slope=_js_slope,
            star_slope=lambda v: np.exp(v) / (1 - np.expm1(v)),
            shortfall=lambda y: np.logaddexp(0.0, -y),
        ),
        Phi(
            "chi2",
            1.0,
            math.inf,
            lambda p, q: ((p - q) / np.sqrt(q)) ** 2,
            low=-2.0,
            star=lambda v: v * (1 + v / 4),
            slope=lambda u: 2 * (u - 1),
            star_slope=lambda v: 1 + v / 2,
            tsallis=(2.0, 2.0),
        ),
        Phi(
            "hellinger",
            1.0,
            1.0,
            lambda p, q: ((p - q) / (np.sqrt(p) + np.sqrt(q))) ** 2,
            star=lambda v: v / (1 - v),
            slope=lambda u: (u - 1) / (u + np.sqrt(u)),
            star_slope=lambda v: (1 - v) ** -2.0,
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
            slope=lambda u: np.sign(u - 1),
            star_slope=lambda v: np.ones(v.size),
            star_slope_at_end=1.0,
        ),
    )
}


NAMES = tuple(_TABLE)
_TABLE[FRONTIER_INTEGRAL.name] = FRONTIER_INTEGRAL
KNOWN = tuple(_TABLE)
# Divergences whose usual definitions differ from Table 1 by a factor.
SCALES = {
    "tv": "tv is Σ|p − q|, twice the total variation",
    "js": "js is twice the Jensen-Shannon divergence",
    "hellinger": "hellinger is twice the squared Hellinger distance",
}
