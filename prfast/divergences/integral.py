"""The φ of the frontier integral (Liu et al. 2021; 2023 paper, Remark 22).

    FI(P, Q) = 2 ∫₀¹ λ KL(P‖R_λ) + (1 − λ) KL(Q‖R_λ) dλ,   R_λ = λP + (1 − λ)Q

Of a cell the integral is (p + q)/2 − pq ln(p/q) / (p − q): with m = (p + q)/2 and
s = (p − q)/(p + q)

    q φ(p/q) = m (1 − (1 − s²) artanh(s)/s) = m Σ_{j>=1} 2 s^{2j} / (4j² − 1)

    φ(u)  = (u + 1)/2 − u ln u / (u − 1),     φ◇ = φ,   φ(0) = φ◇(0) = ½
    φ'(u) = ½ − (x − ln(1 + x)) / x² = Σ_{j>=1} (−x)^{j−1} x / (j + 2),   x = u − 1
    φ*(v) = −φ'(1/u) at the u where φ'(u) = v, on (−∞, ½)

The last has no closed form: u = e^y is found by bisection of y, where φ' rises.
"""

from __future__ import annotations

import numpy as np

from prfast.divergences.phi import Phi
from prfast.inputs.arrays import Float64s

_TERMS = np.arange(1, 31)
_EVEN = np.r_[0.0, 2 / (4.0 * _TERMS**2 - 1)]  # of s²
_SLOPE = np.r_[0.0, (-1.0) ** (_TERMS - 1) / (_TERMS + 2)]  # of x
_NEAR = 0.25  # s² or |x| below which the series has all its digits: 0.25³⁰ is 10⁻¹⁸


def _terms(p: Float64s, q: Float64s) -> Float64s:
    m = p / 2 + q / 2
    with np.errstate(all="ignore"):
        square = ((p - q) / m / 2) ** 2
        far = m - p * (q / (p - q)) * (np.log(p) - np.log(q))
    near = m * np.polynomial.polynomial.polyval(np.minimum(square, _NEAR), _EVEN)
    return np.where(square <= _NEAR, near, far)


def _slope_and_rest(x: Float64s, log: Float64s) -> tuple[Float64s, Float64s]:
    """φ' and ½ − φ' at 1 + x, of which the logarithm is given: each with its own digits."""
    with np.errstate(all="ignore"):
        rest = np.where(np.isinf(x), 0.0, (1 - log / x) / x)
    slope = 0.5 - rest
    near = np.abs(x) <= _NEAR
    slope[near] = np.polynomial.polynomial.polyval(x[near], _SLOPE)
    rest[near] = 0.5 - slope[near]
    return slope, rest


def _at(y: Float64s) -> tuple[Float64s, Float64s]:
    """The same at e^y."""
    with np.errstate(all="ignore"):
        return _slope_and_rest(np.expm1(y), y)


def _slope(u: Float64s) -> Float64s:
    return _slope_and_rest(u - 1, np.log(u))[0]


def _rest(y: Float64s) -> Float64s:
    return _at(y)[1]


def _log_u(v: Float64s) -> Float64s:
    """y with φ'(e^y) = v < ½: above v − 3/2, as −1 − y <= ½ − φ' where y < 0, and below
    ln(1 + 1/(½ − v)), as ½ − φ' <= 1/x where x > 0.  Near ½ the rest to it has more digits."""
    low, high = np.minimum(v, 0.0) - 2.5, np.log1p(1 / (0.5 - v))
    for _ in range(150):
        y = low / 2 + high / 2
        slope, rest = _at(y)
        below = np.where(v < 0.25, slope < v, rest > 0.5 - v)
        low, high = np.where(below, y, low), np.where(below, high, y)
    return np.where(v == 0, 0.0, high)


def _star(v: Float64s) -> Float64s:
    return -_at(-_log_u(v))[0]


FRONTIER_INTEGRAL = Phi(
    "frontier_integral",
    0.5,
    0.5,
    _terms,
    star=_star,
    slope=_slope,
    star_slope=lambda v: np.exp(_log_u(v)),
    rest=_rest,
)
