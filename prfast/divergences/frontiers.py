"""Divergence frontiers of Rényi and of Tsallis, exclusive and inclusive, of any order (2023 paper,
§2.2 and §4.3; Djolonga et al. 2020).

Exclusive: the best pairs (D_a(μ‖Q), D_a(μ‖P)) over the distributions μ on the common support, the
cells where P and Q are both positive: what only one of the two has is excluded.  Inclusive: the
best pairs (D_a(Q‖R), D_a(P‖R)) over all R; an R of the frontier covers what either has.

The two mirror each other, as D̂_a(μ‖ν) = D̂_{1−a}(ν‖μ) for all real a (φ_a^◇ = φ_{1−a}, footnote 7):
the inclusive frontier of order a is the exclusive one of order 1 − a, but that for 0 < a < 1 the
latter is kept to the common support.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.curve.picture import Frame, card
from prfast.divergences import pairs
from prfast.divergences.numerics import order_of
from prfast.divergences.renyi import tsallis
from prfast.inputs.arrays import Float64s
from prfast.inputs.options import read_count, read_flag, read_number
from prfast.results.frames import Framed


class _Frontier(NamedTuple):
    to_fake: Float64s
    """Divergence between the compromise and the generated distribution, D(μ‖Q) or, inclusive,
    D(Q‖R): away from 0; −log α at order ∞, exclusive."""
    to_real: Float64s
    """Divergence between it and the real distribution, D(μ‖P) or D(P‖R): towards 0; −log β."""


class Frontier(Framed, _Frontier):
    """Points of a divergence frontier: arrays of one length, from θ = 0 (at Q) to 1 (at P)."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        finite = np.concatenate([x[np.isfinite(x)] for x in self])
        end = float(finite[np.abs(finite).argmax()]) if finite.any() else 1.0
        sides = Frame("divergence from generated", "divergence from real", end)
        ends = [("to real, at generated", self.to_real[0])]
        ends += [("to generated, at real", self.to_fake[-1])]
        return card("Divergence frontier", self, sides, ends)


def renyi_frontier(
    curve: PRCurve, order: float, points: int = 1001, *, inclusive: bool = False
) -> Frontier:
    """The Rényi divergence frontier of an order: the pairs (D_a(μ‖Q), D_a(μ‖P)) for μ = μ_θ, or
    inclusive (D_a(Q‖R), D_a(P‖R)) for R = R_θ.

        D_a(μ‖ν) = log(Σ μ^a ν^{1−a}) / (a − 1)
        μ_θ ∝ (θ p^{1−a} + (1−θ) q^{1−a})^{1/(1−a)},   R_θ ∝ (θ p^a + (1−θ) q^a)^{1/a}

    (2023 paper, Definitions 7 and 8, Proposition 21; inclusive: Djolonga et al. 2020.)  Order 1 is
    the Kullback-Leibler divergence, on the geometric path and, inclusive, on the mixtures.  Order ∞
    is the PR curve as (−log α_λ, −log β_λ) from its largest to its smallest ratio in (0, ∞), beyond
    which μ does not change (Theorem 11), and inclusive as (log(1 + λ − α_λ),
    log((1 + λ − α_λ) / λ)).

    Parameters
    ----------
    curve : PRCurve
    order : float
        a in [−∞, ∞].  Order 0, which only sees supports, is (−log Q(p > 0), −log P(q > 0)) all
        along, and inclusive (0, 0) but for its ends or, without a common support,
        (−log(1 − t), −log t).  Orders below 0 are
        D_a(μ‖ν) = a / (1 − a) · D_{1−a}(ν‖μ) <= 0, nearer to 0 for nearer distributions: the
        frontier of order 1 − a of the other kind, times a / (1 − a).  One between 0 and 10⁻²⁹⁰ is
        taken as 10⁻²⁹⁰, whose frontier is the same to as many digits.
    points : int
        How many, 1001 by default, at least 2; the log-odds of θ go far beyond all log-ratios,
        densest in the middle, and both ends are exact.
    inclusive : bool
        Compromises in the second argument, which may be anywhere, instead of the first;
        False by default.

    Returns
    -------
    Frontier
        Arrays of shape (points,), exclusive >= 0 and finite for a >= 0.  The ends are μ = Q and
        μ = P on the common support, so (−log α_∞, D_a(Q/α_∞‖P)) and (D_a(P/β_0‖Q), −log β_0): mass
        that only one of the two has moves the frontier away from the axes.  Inclusive they are
        R = Q and R = P, (0, D_a(P‖Q)) and (D_a(Q‖P), 0): ∞ for a >= 1 where one has mass alone.
        P = Q gives zeros.  Without a common support the exclusive frontier is the single point
        (∞, ∞), of shape (1,).

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; `order` not a number, `points` not an integer of at least 2; `inclusive` not
        True or False.

    Notes
    -----
    Time is points × cells.  Sums are taken of logarithms: no order overflows.  Nearly equal
    distributions keep their digits: divergences are of second order in what they differ by.
    """
    order = _read(curve, order, points, inclusive)
    if order >= 0:
        return _frontier(curve, order, points, inclusive)
    share = -1.0 if math.isinf(order) else order / (1 - order)
    return Frontier(*(share * x + 0.0 for x in _frontier(curve, 1 - order, points, not inclusive)))


def tsallis_frontier(
    curve: PRCurve, order: float, points: int = 1001, *, inclusive: bool = False
) -> Frontier:
    """The Tsallis divergence frontier of an order: φ_a-divergences of the same μ_θ or R_θ.

        D̂_a(μ‖ν) = (Σ μ^a ν^{1−a} − 1) / (a (a − 1)) = (exp((a − 1) D_a(μ‖ν)) − 1) / (a (a − 1))

    (2023 paper, §4.3, Proposition 21, Eq. 19, footnote 7; φ_a as in Eq. 17.)  A monotone transform
    of the Rényi frontier, in which it is convex.

    Parameters
    ----------
    curve : PRCurve
    order : float
        a in [−∞, ∞]; 1 is the Kullback-Leibler divergence, 0 the reverse one, ∞ the limit, which is
        0 where the Rényi divergence is 0 and ∞ elsewhere.  Of order a <= 0 it is the frontier of
        order 1 − a of the other kind: an exclusive one asks for μ that cover what P or Q has, an
        inclusive one for R on the common support, as everything else is infinitely far.  One
        between 0 and 10⁻²⁹⁰ is taken as 10⁻²⁹⁰: what grows as 1/a stays below about 10²⁹⁰.
    points : int
        As for `renyi_frontier`.
    inclusive : bool
        As for `renyi_frontier`.

    Returns
    -------
    Frontier
        As `renyi_frontier`, all >= 0; ∞ where it is beyond float64.  Without a common
        support it is the single point (∞, ∞) where compromises are kept to it: exclusive of order
        a > 0, inclusive of order a <= 0.

    Raises
    ------
    TypeError, ValueError
        As `renyi_frontier`.
    """
    order = _read(curve, order, points, inclusive)
    if order <= 0:
        order, inclusive = 1 - order, not inclusive
    found = _frontier(curve, order, points, inclusive)
    if not inclusive and np.isinf(found.to_fake).all():
        return found
    return Frontier(*(tsallis(divergence, order) for divergence in found))


def _read(curve: PRCurve, order: float, points: int, inclusive: bool) -> float:
    """The order; all arguments are checked."""
    read_curve("curve", curve)
    number = read_number("order", order, -math.inf, math.inf)
    read_count("points", points, at_least=2, at_most=100_000_000)
    read_flag("inclusive", inclusive)
    return order_of(number)


def _frontier(curve: PRCurve, order: float, points: int, inclusive: bool) -> Frontier:
    of_kind = pairs.inclusive if inclusive else pairs.exclusive
    return Frontier(*of_kind(*curve.masses, order, points))
