"""From scores to curves: the hull of their error rates, a smooth calibrated curve, and their mean.

    hull    α_λ = min_t λ fpr(t) + fnr(t): over-estimates in expectation, for any scorer, but
            noise pulls it down: the exact ratio itself, swept, has .93 of the area at n = 1000
    smooth  α_λ = Σ w min(λ η, 1 − η) / Σ …: η = σ(g(s)), g a monotone log-ratio; too high at cliffs
    mean    of the two, whose errors are of opposite signs

How stiff g is, is chosen by the log-likelihood of the folds that it was not fitted on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.monotone import Monotone, Ranks, log_loss, masses
from prfast.scorers.auto.sample import Flags, Ints, balanced

STIFFNESS = ((14, 3.0), (14, 0.3), (40, 0.1), (80, 0.01))  # segments, smoothness
READ_OUTS = ("mean", "hull", "smooth")


class ReadOut(NamedTuple):
    """The curves of scores."""

    hull: PRCurve
    smooth: PRCurve

    @property
    def mean(self) -> PRCurve:
        return PRCurve.mean([self.hull, self.smooth])


def hull_of(s: Float64s, real: Flags) -> PRCurve:
    return PRCurve.from_scores(s[real], s[~real])


def read_out(s: Float64s, real: Flags, group: Ints) -> ReadOut:
    """Of scores of both sets, and the group of folds that each was in."""
    from scipy import special

    weight = balanced(real)
    ranks = Ranks(s, weight)
    stiffness = _stiffness(ranks, real, group)
    g = Monotone(ranks, *masses(ranks, real, weight), *stiffness)(ranks.u)
    smooth = PRCurve.from_masses(weight * special.expit(g), weight * special.expit(-g))
    return ReadOut(hull_of(s, real), smooth)


def _stiffness(ranks: Ranks, real: Flags, group: Ints) -> tuple[int, float]:
    """The one that held-out groups find likeliest; the stiffest where a group has all of a set."""
    loss = np.zeros(len(STIFFNESS))
    for one in np.unique(group):
        held = group == one
        if not (real[~held].any() and (~real[~held]).any()):
            return STIFFNESS[0]
        weight = np.zeros(len(real))
        weight[~held] = balanced(real[~held])
        fitted = masses(ranks, real, weight)
        left = balanced(real)[held]
        p = np.where(real[held], left, 0.0)
        for i, stiffness in enumerate(STIFFNESS):
            g = Monotone(ranks, *fitted, *stiffness)
            loss[i] += log_loss(g(ranks.u[held]), p, left - p)
    return STIFFNESS[int(np.argmin(loss))]
