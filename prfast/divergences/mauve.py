"""MAUVE's frontier: an inclusive frontier on the scale (0, 1], and its area.

The pairs exp(−c D_a(Q‖R)), exp(−c D_a(P‖R)) of the inclusive frontier of Rényi's order a; order 1,
Kullback-Leibler's on mixtures, is MAUVE (Djolonga et al. 2020; Pillutla et al. 2021).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.curve.picture import Frame, card
from prfast.divergences import pairs
from prfast.divergences.numerics import order_of
from prfast.inputs.arrays import Float64s, read_rates
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_count, read_positive
from prfast.results.frames import Framed


class _InclusiveFrontier(NamedTuple):
    fake: Float64s
    """exp(−c D(Q‖R)): falls from 1."""
    real: Float64s
    """exp(−c D(P‖R)): rises to 1."""


class InclusiveFrontier(Framed, _InclusiveFrontier):
    """Points of the inclusive frontier on the scale (0, 1], from (1, 0) to (0, 1)."""

    __slots__ = ()

    @property
    def area(self) -> float:
        """Area under the polyline, of order 1 the MAUVE score.  1 for P = Q; small for disjoint
        supports."""
        return float(np.sum(-np.diff(self.fake) * (self.real[1:] + self.real[:-1])) / 2)

    def _repr_html_(self) -> str:
        sides = Frame("generated", "real")
        return card("Inclusive frontier", self, sides, [("area", self.area)])


def mauve_frontier(
    curve: PRCurve,
    scale: float = 5.0,
    weights: Any = None,
    points: int = 1001,
    *,
    order: float = 1.0,
) -> InclusiveFrontier:
    """MAUVE's frontier: (exp(−c KL(Q‖R_λ)), exp(−c KL(P‖R_λ))), R_λ = λP + (1 − λ)Q.

    (Djolonga et al. 2020, the inclusive frontier of order 1; Pillutla et al. 2021.)  Its `area` is
    the MAUVE score of the two histograms.  Mixtures may be anywhere, so that mass which only one
    of the two has costs no more than its share: even disjoint supports have a finite frontier.

    Parameters
    ----------
    curve : PRCurve
    scale : float
        c, positive and finite; 5 by default, as in the package mauve-text.
    weights : array, shape (m,), optional
        λ in [0, 1], in any order; `np.linspace(1e-6, 1 - 1e-6, 25)` gives mauve-text's own curve
        and score.  By default those of `renyi_frontier`, densest in the middle, with both ends.
    points : int
        Number of the default weights, 1001 by default, at least 2.
    order : float
        a in (0, ∞] of Rényi's divergence D_a instead of KL, with the compromises
        R_λ ∝ (λ p^a + (1−λ) q^a)^{1/a} of `renyi_frontier(curve, a, inclusive=True)`; 1
        (default) is MAUVE.

    Returns
    -------
    InclusiveFrontier
        Arrays of shape (weights + 2,): by rising λ, between the corners (1, 0) and (0, 1).

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; `scale` not in (0, ∞); weights outside [0, 1], or with order ∞, where no λ
        but 0 and 1 moves a compromise; `points` below 2; `order` not in (0, ∞].
    """
    read_curve("curve", curve)
    scale = read_positive("scale", scale, finite=True)
    points = read_count("points", points, at_least=2, at_most=100_000_000)
    order = read_positive("order", order)
    if weights is None:
        found = pairs.inclusive(*curve.masses, order_of(order), points)
    else:
        lam = np.sort(read_rates("weights", weights))
        if np.isinf(order):
            raise WrongValue("weights", "a finite order expected with them, got order ∞")
        found = pairs.inclusive_at(*curve.masses, order, lam)
    with np.errstate(over="ignore"):
        fake, real = (np.exp(-scale * divergence) for divergence in found)
    return InclusiveFrontier(np.hstack([1.0, fake, 0.0]), np.hstack([0.0, real, 1.0]))
