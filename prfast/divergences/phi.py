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

The frontier integral's, which is not in the table, is in `integral`.
Tsallis (Eq. 17): φ(0) = ∞ for a <= 0, φ◇(0) = ∞ for a >= 1; kl is a = 1 and reverse_kl a = 0, both
by continuity, chi2 twice a = 2, hellinger half of a = 1/2; the dual of a is 1 − a.  Left of where a
conjugate is given it is −φ(0), right of it ∞; at its end φ◇(0) it is ∞ but for tv and a < 0 (−1/a).
Each φ is computed as q φ(p/q) from p and q, so that
neither nearly equal masses nor huge ratios lose digits.

Derivatives, each the inverse of the other (Table 1):

    name         φ'(u)                    φ*'(v)
    kl           ln u                     e^v
    reverse_kl   1 − 1/u                  1 / (1 − v)
    js           ln(2u / (1 + u))         e^v / (2 − e^v)
    chi2         2 (u − 1)                1 + v/2
    hellinger    1 − 1/√u                 1 / (1 − v)²
    tv           sign(u − 1)              1
    tsallis:a    (u^(a−1) − 1) / (a − 1)  w

At a corner, tv at u = 1, φ' is the middle of the subdifferential, 0 (A2).  φ*' is 0 left of φ'(0),
where φ* is constant, ∞ right of φ◇(0), where φ* is; at an end that belongs to the domain it is the
slope from inside.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, read_shaped, read_vector, read_weights, shaped
from prfast.inputs.errors import WrongValue

Terms = Callable[[Float64s, Float64s], Float64s]
Function = Callable[[Float64s], Float64s]


@dataclass(frozen=True, repr=False)
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
    slope: Function | None = None
    """φ' at u > 0."""
    star_slope: Function | None = None
    """φ*' between φ'(0) and φ◇(0)."""
    star_slope_at_end: float = math.inf
    """φ*' at φ◇(0), if φ◇(0) is finite."""
    rest: Function | None = None
    """φ◇(0) − φ'(e^y), of which no digit is lost where φ' rounds to φ◇(0), if φ is its own dual and
    its λ have no closed form; then φ* + φ(0) at φ'(e^y) is that of −y."""
    tsallis: tuple[float, float] | None = None
    """(c, a) where φ = c φ_a."""

    def __repr__(self) -> str:
        limits = f"at_zero={self.at_zero}, dual_at_zero={self.dual_at_zero}"
        return f"{type(self).__name__}({self.name!r}, {limits})"

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
        assert self.star is not None
        return self._starred(v, self.star, -limits(self)[0], self.star_at_end)

    @property
    def domain(self) -> tuple[float, float]:
        """(φ'(0), φ◇(0)): between them φ* is finite and rises (dom^{v0→}, 2023 paper, Remark 17).

        An end belongs to the domain where `conjugate` is finite there.  Of a φ that is a function
        the left end is not known: −∞, and its own φ* has all that is left of φ'(0).

        Raises
        ------
        ValueError
            A φ given as a function whose φ◇(0) cannot be told from its values.
        """
        end = known(self.dual_at_zero, "φ◇(0) = lim φ(u)/u at ∞", "dual_at_zero")
        return self.low, end

    def derivative(self, u: Any) -> Any:
        """φ'(u), finite u >= 0, any shape: Table 1; at 0 its limit φ'(0), −∞ where φ falls upright.

        Where φ has a corner (tv at 1) the middle of its subdifferential, 0.

        Raises
        ------
        TypeError, ValueError
            Not finite numbers >= 0; a φ given as a function, of which only values are known.
        """
        assert self.slope is not None
        flat, shape = read_shaped("u", u, lambda name, u: read_weights(name, u, all_zero=True))
        with np.errstate(all="ignore"):
            found = np.where(flat > 0, self.slope(flat), self.low)
        return shaped(found, shape)

    def conjugate_derivative(self, v: Any) -> Any:
        """φ*'(v), finite v, any shape: the u at which φ*(v) = uv − φ(u), inverse of φ' (Table 1).

        0 left of the domain, ∞ right of it; at an end that belongs to it the slope from inside.

        Raises
        ------
        TypeError, ValueError
            Not finite numbers; a φ given as a function, of which only values are known.
        """
        assert self.star_slope is not None
        return self._starred(v, self.star_slope, 0.0, self.star_slope_at_end)

    def _starred(self, v: Any, inner: Function, below: float, at_end: float) -> Any:
        """φ* or its slope: `inner` on the domain, what it is left of it and at its right end."""
        end = limits(self)[1]
        flat, shape = read_shaped("v", v, read_vector)
        with np.errstate(all="ignore"):
            found = np.where(flat < self.low, below, inner(np.clip(flat, self.low, end)))
        found[flat == end] = at_end
        found[flat > end] = math.inf
        return shaped(found, shape)

    def _values(self, u: Any, terms: Terms, at_zero: float | None) -> Any:
        flat, shape = read_shaped("u", u, lambda name, u: read_weights(name, u, all_zero=True))
        found = np.empty(flat.size)
        inner = flat > 0
        if not inner.all():
            found[~inner] = known(at_zero, "its limit at 0", "at_zero or dual_at_zero")
        found[inner] = terms(flat[inner], np.ones(int(inner.sum())))
        return shaped(found, shape)


def limits(phi: Phi) -> tuple[float, float]:
    """φ(0) and φ◇(0) of a φ with a name, which are known."""
    assert phi.at_zero is not None
    assert phi.dual_at_zero is not None
    return phi.at_zero, phi.dual_at_zero


def known(limit: float | None, what: str, argument: str) -> float:
    """A limit of φ that is needed; a ValueError that asks for it where it could not be found."""
    if limit is None:
        raise WrongValue("phi", f"{what} cannot be told from its values; give {argument}")
    return limit
