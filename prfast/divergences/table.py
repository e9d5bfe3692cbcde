"""The φ that have names: Table 1 of the 2023 paper, Tsallis' family (Eq. 17), what came later."""

from __future__ import annotations

import copyreg
import math
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from prfast.divergences.integral import FRONTIER_INTEGRAL
from prfast.divergences.numerics import powers
from prfast.divergences.phi import Phi
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import read_number

_NODES, _WEIGHTS = ((x / 2) for x in np.polynomial.legendre.leggauss(8))
_NODES = _NODES + 0.5
_NEAR = 0.25  # |u − 1| below which the closed forms cancel and quadrature is exact
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def named(name: str, phi: Any) -> Phi:
    """The φ of a name of the table or of "tsallis:a"; a Phi as it is."""
    if isinstance(phi, Phi):
        return phi
    if not isinstance(phi, str):
        raise WrongType(name, f"a name or a function expected, got {type(phi).__name__}")
    if phi in _TABLE or phi in _OTHERS:
        return _TABLE.get(phi) or _OTHERS[phi]
    family, _, order = phi.partition(":")
    if family == "tsallis" and _NUMBER.fullmatch(order):
        return _tsallis(phi, read_number(f"{name}: the order of {phi!r}", float(order), -1e6, 1e6))
    raise WrongValue(
        name,
        f"one of {', '.join(KNOWN)} or tsallis:a, a an order such as 0.5, expected, got {phi!r}",
    )


def _tsallis_terms(a: float, p: Float64s, q: Float64s) -> Float64s:
    """q φ_a(p/q).  With u = p/q and x = u − 1, either of

        φ_a = [u (u^{a−1} − 1)/(a−1) − x] / a = [x − (u^a − 1)/a] / (1 − a),
        φ_a = x² ∫₀¹ (1 − s) (1 + s x)^{a−2} ds     (u near 1: nothing cancels),

    whose limits at a = 1 and at a = 0 are kl and reverse_kl.
    """
    with np.errstate(all="ignore"):
        u, d = p / q, p - q
        log = np.where((u > 1e-300) & (u < 1e300), np.log(u), np.log(p) - np.log(q))
        # Parts of a finite sum may overflow: masses beyond 2⁵¹² are scaled down by 2¹²⁸.
        shift = np.where(np.maximum(p, q) > 2.0**512, 2.0**-128, 1.0)
        e, scale, over = (a - 1, shift * p, a) if a >= 0.5 else (a, shift * q, a - 1)
        found = (powers(log, e, scale) - shift * d) / over
        huge = np.isinf(found)  # d <= 2⁸⁹⁶ is nothing beside a power that overflows
        found[huge] = powers(log[huge], e, scale[huge], over)
        found /= shift
        x = d / q
        near = (np.abs(x) <= _NEAR) & (np.abs((a - 2) * log) <= 3)
        x, d = x[near], d[near]
        bend = np.zeros(x.size)
        for s, w in zip(_NODES.tolist(), _WEIGHTS.tolist(), strict=True):
            bend += w * (1 - s) * (1 + s * x) ** (a - 2)
        found[near] = x * d * bend
    return found


def _tsallis(name: str, a: float) -> Phi:
    def log(v: Float64s) -> Float64s:  # ln w
        if a == 1:
            return v
        far = np.log(abs(a - 1)) + np.log(np.abs(v))  # where (a − 1) v overflows
        return np.where(np.abs(v) < 1e300, np.log1p((a - 1) * v), far) / (a - 1)

    def star(v: Float64s) -> Float64s:
        return powers(log(v), a)

    return Phi(
        name,
        at_zero=1 / a if a > 0 else math.inf,
        dual_at_zero=1 / (1 - a) if a < 1 else math.inf,
        terms=lambda p, q: _tsallis_terms(a, p, q),
        low=-1 / (a - 1) if a > 1 else -math.inf,
        star=star,
        star_at_end=-1 / a if a < 0 else math.inf,
        slope=lambda u: powers(np.log(u), a - 1),
        star_slope=lambda v: np.exp(log(v)),
        tsallis=(1.0, a),
    )


def _js(p: Float64s, q: Float64s) -> Float64s:
    """p ln(p/m) + q ln(q/m), m = (p + q)/2: two kl terms, which are smallest at this m."""
    m = 0.5 * (p + q)
    return _tsallis_terms(1.0, p, m) + _tsallis_terms(1.0, q, m)


def _js_slope(u: Float64s) -> Float64s:
    """ln(2u/(1 + u)), near 1 and near 0."""
    near = np.log1p((u - 1) / (u + 1))
    return np.where(u > 0.5, near, np.log(u) + math.log(2) - np.log1p(u))


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
            slope=_js_slope,
            star_slope=lambda v: np.exp(v) / (1 - np.expm1(v)),
            rest=lambda y: np.logaddexp(0.0, -y),
        ),
        Phi(
            "chi2",
            1.0,
            math.inf,
            _chi2,
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
            _hellinger,
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
_OTHERS = {phi.name: phi for phi in (FRONTIER_INTEGRAL,)}
KNOWN = (*NAMES, *_OTHERS)

# Pickled by name, as lambdas cannot be; of a user's function, a `Given`, this says nothing.
copyreg.pickle(Phi, lambda phi: (named, ("phi", phi.name)))

_SCALES = {
    "tv": "tv is Σ|p − q|, twice the total variation",
    "js": "js is twice the Jensen-Shannon divergence",
}


def scales(names: Iterable[str]) -> str:
    """What the divergences of Table 1 are of others that bear their names; empty of the rest."""
    return "; ".join(_SCALES[name] for name in names if name in _SCALES)
