"""Exclusive divergence frontiers: Rényi's and Tsallis' of an order (2023 paper, §2.2 and §4.3).

The frontier of order a: the best pairs (D_a(μ‖Q), D_a(μ‖P)) over the distributions μ on the common
support, the cells where P and Q are both positive; order 1 is the Kullback-Leibler divergence.  A μ
of the frontier has no mass where P or Q has none: what only one of the two has is excluded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.curve.picture import Frame, card
from prfast.divergences.path import path
from prfast.divergences.renyi import cost, renyi, tsallis
from prfast.inputs.arrays import Float64s
from prfast.inputs.options import read_count, read_positive
from prfast.results.frames import Framed


class _Frontier(NamedTuple):
    to_fake: Float64s
    """Divergence of μ from the generated distribution, D(μ‖Q): rises; −log α at order ∞."""
    to_real: Float64s
    """Divergence of μ from the real distribution, D(μ‖P): falls; −log β at order ∞."""


class Frontier(Framed, _Frontier):
    """Points of an exclusive frontier: arrays of one length, from θ = 0 (μ = Q) to 1 (μ = P)."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        end = max(float(x[np.isfinite(x)].max(initial=0.0)) for x in self) or 1.0
        sides = Frame("divergence from generated", "divergence from real", end)
        ends = [("of generated from real", self.to_real[0])]
        return card(
            "Divergence frontier",
            self,
            sides,
            [*ends, ("of real from generated", self.to_fake[-1])],
        )


def renyi_frontier(curve: PRCurve, order: float, points: int = 1001) -> Frontier:
    """The Rényi divergence frontier of an order: the pairs (D_a(μ‖Q), D_a(μ‖P)) for μ = μ_θ.

        D_a(μ‖ν) = log(Σ μ^a ν^{1−a}) / (a − 1)

    (2023 paper, Definitions 7 and 8, Proposition 21.)  Order 1 is the Kullback-Leibler divergence
    on the geometric path, order ∞ the PR curve as (−log α_λ, −log β_λ) from its largest to its
    smallest ratio in (0, ∞), beyond which μ does not change.

    Parameters
    ----------
    curve : PRCurve
    order : float
        a in (0, ∞].
    points : int
        How many, at least 2; the log-odds of θ go far beyond all log-ratios, densest in the
        middle, and both ends are exact.

    Returns
    -------
    Frontier
        Arrays of shape (points,), >= 0 and finite.  The ends are μ = Q and μ = P on the common
        support, so (−log α_∞, D_a(Q/α_∞‖P)) and (D_a(P/β_0‖Q), −log β_0): mass that only one of
        the two has moves the frontier away from the axes.  P = Q gives zeros.  Without a common
        support it is the single point (∞, ∞), of shape (1,).

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; `order` not in (0, ∞], `points` not an integer of at least 2.

    Notes
    -----
    Time is points × cells.  Sums are taken of logarithms: no order overflows.
    """
    read_curve("curve", curve)
    order = read_positive("order", order)
    points = read_count("points", points, at_least=2, at_most=100_000_000)
    return _pairs(*curve.masses, order, points)


def tsallis_frontier(curve: PRCurve, order: float, points: int = 1001) -> Frontier:
    """The Tsallis divergence frontier of an order: φ_a-divergences of the same μ_θ.

        D̂_a(μ‖ν) = (Σ μ^a ν^{1−a} − 1) / (a (a − 1)) = (exp((a − 1) D_a(μ‖ν)) − 1) / (a (a − 1))

    (2023 paper, §4.3, Proposition 21, Eq. 19; φ_a as in Eq. 17.)  A monotone transform of the Rényi
    frontier, in which it is convex.

    Parameters
    ----------
    curve : PRCurve
    order : float
        a in (0, ∞]; 1 is the Kullback-Leibler divergence, ∞ the limit, which is 0 where the Rényi
        divergence is 0 and ∞ elsewhere.
    points : int
        As for `renyi_frontier`.

    Returns
    -------
    Frontier
        As `renyi_frontier`; ∞ where (a − 1) D_a is beyond about 709, and the single point (∞, ∞)
        without a common support whatever the order.

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; `order` not in (0, ∞], `points` not an integer of at least 2.
    """
    order = read_positive("order", order)
    renyi = renyi_frontier(curve, order, points)
    if np.isinf(renyi.to_fake).all():
        return renyi
    return Frontier(*(tsallis(divergence, order) for divergence in renyi))


def _pairs(p: Float64s, q: Float64s, order: float, points: int) -> Frontier:
    common = (p > 0) & (q > 0)
    if not common.any():
        return Frontier(np.array([np.inf]), np.array([np.inf]))
    log_p, log_q = np.log(p[common]), np.log(q[common])
    p_alone, q_alone = float(p[~common].sum()), float(q[~common].sum())
    to_fake, to_real = [], []
    for log_mu in path(log_p, log_q, order, points):
        to_fake.append(renyi(log_mu, log_q, q_alone, order))
        to_real.append(renyi(log_mu, log_p, p_alone, order))
    # Where μ is the distribution itself on the common support, whatever the order.
    to_fake[0][:] = cost(log_q, q_alone)
    to_real[-1][:] = cost(log_p, p_alone)
    return Frontier(np.concatenate(to_fake), np.concatenate(to_real))
