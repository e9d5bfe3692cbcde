"""Inclusive divergence frontiers: MAUVE's, of Kullback-Leibler divergences.

The pairs (KL(Q‖R), KL(P‖R)) over the mixtures R of P and Q: an R of the frontier has mass wherever
P or Q has any (Djolonga et al. 2020; Pillutla et al. 2021).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.curve.picture import Frame, card
from prfast.divergences.numerics import NUMBERS_AT_ONCE, REACH, spaced
from prfast.inputs.arrays import Float64s, read_rates
from prfast.inputs.blocks import blocks
from prfast.inputs.options import read_count, read_positive
from prfast.results.frames import Framed


class _InclusiveFrontier(NamedTuple):
    fake: Float64s
    """exp(−c KL(Q‖R)): falls from 1."""
    real: Float64s
    """exp(−c KL(P‖R)): rises to 1."""


class InclusiveFrontier(Framed, _InclusiveFrontier):
    """Points of the inclusive frontier on the scale (0, 1], from (1, 0) to (0, 1)."""

    __slots__ = ()

    @property
    def area(self) -> float:
        """Area under the polyline: the MAUVE score.  1 for P = Q; small for disjoint supports."""
        return float(np.sum(-np.diff(self.fake) * (self.real[1:] + self.real[:-1])) / 2)

    def _repr_html_(self) -> str:
        sides = Frame("generated", "real")
        return card("Inclusive frontier", self, sides, [("area (MAUVE)", self.area)])


def mauve_frontier(
    curve: PRCurve, scale: float = 5.0, weights: Any = None, points: int = 1001
) -> InclusiveFrontier:
    """MAUVE's frontier: (exp(−c KL(Q‖R_λ)), exp(−c KL(P‖R_λ))), R_λ = λP + (1 − λ)Q.

    (Djolonga et al. 2020, the inclusive frontier of order 1; Pillutla et al. 2021.)  Its `area` is
    the MAUVE score of the two histograms.  Mixtures may be anywhere, so that mass which only one
    of the two has costs no more than its share: even disjoint supports have a finite frontier.

    Parameters
    ----------
    curve : PRCurve
    scale : float
        c, positive and finite; 5 in the package mauve-text.
    weights : array, shape (m,), optional
        λ in [0, 1], in any order; `np.linspace(1e-6, 1 - 1e-6, 25)` gives mauve-text's own curve
        and score.  By default `points` of them, densest in the middle, which reach both ends.
    points : int
        Number of the default weights, at least 2.

    Returns
    -------
    InclusiveFrontier
        Arrays of shape (weights + 2,): by rising λ, between the corners (1, 0) and (0, 1).

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; `scale` not in (0, ∞); weights outside [0, 1]; `points` below 2.
    """
    read_curve("curve", curve)
    scale = read_positive("scale", scale, finite=True)
    points = read_count("points", points, at_least=2, at_most=100_000_000)
    lam = None if weights is None else np.sort(read_rates("weights", weights))
    return _pairs(*curve.masses, scale, lam, points)


def _pairs(
    p: Float64s, q: Float64s, scale: float, lam: Float64s | None, points: int
) -> InclusiveFrontier:
    """The pairs at the λ, which rise, or at as many points by default."""
    with np.errstate(divide="ignore"):
        log_p, log_q = np.log(p), np.log(q)
        if lam is None:
            ratio = (log_q - log_p)[(p > 0) & (q > 0)]
            reach = REACH + np.abs(ratio).max(initial=0.0)
            u = spaced(-reach, reach, points)
            log_l, log_rest = -np.logaddexp(0, -u), -np.logaddexp(0, u)
        else:
            log_l, log_rest = np.log(lam), np.log1p(-lam)
    fake, real = np.empty(log_l.size), np.empty(log_l.size)
    for rows in blocks(log_l.size, NUMBERS_AT_ONCE // p.size):
        log_r = np.logaddexp(log_l[rows, None] + log_p, log_rest[rows, None] + log_q)
        for found, mass, log_mass in ((fake, q, log_q), (real, p, log_p)):
            own = mass > 0
            kl = (mass[own] * (log_mass[own] - log_r[:, own])).sum(axis=1)
            with np.errstate(over="ignore"):
                found[rows] = np.exp(-scale * np.maximum(kl, 0.0))
    return InclusiveFrontier(np.hstack([1.0, fake, 0.0]), np.hstack([0.0, real, 1.0]))
