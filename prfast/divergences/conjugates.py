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

from collections.abc import Callable
from typing import Any

import numpy as np

from prfast.divergences.phi import Phi
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue

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
