"""From scores to curves: the hull of their error rates, a smooth calibrated curve, and their mean.

    hull    α_λ = min_t λ fpr(t) + fnr(t): over-estimates in expectation, for any scorer, but
            noise pulls it down: the exact ratio itself, swept, has .93 of the area at n = 1000
    smooth  α_λ = Σ w min(λ η, 1 − η) / Σ …: η = σ(g(s)), g a monotone log-ratio; too high at cliffs
    mean    of the two, whose errors are of opposite signs

How stiff g is, is chosen by the log-likelihood of the folds that it was not fitted on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.monotone import Monotone, log_loss
from prfast.scorers.auto.sample import Flags, Ints

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
    n = int(real.sum())
    weight = np.where(real, len(s) / (2 * n), len(s) / (2 * (len(s) - n)))
    stiffness = _stiffness(s, real, weight, group)
    g = Monotone(s, real, weight, *stiffness)(s)
    from scipy import special

    smooth = PRCurve.from_masses(weight * special.expit(g), weight * special.expit(-g))
    return ReadOut(hull_of(s, real), smooth)


def _stiffness(s: Float64s, real: Flags, weight: Float64s, group: Ints) -> Any:
    """The stiffness that held-out groups find likeliest."""
    p = np.where(real, weight, 0.0)
    loss = np.zeros(len(STIFFNESS))
    for one in np.unique(group):
        held = group == one
        if not (real[~held].any() and (~real[~held]).any()):
            return STIFFNESS[0]
        for i, stiffness in enumerate(STIFFNESS):
            g = Monotone(s[~held], real[~held], weight[~held], *stiffness)
            loss[i] += log_loss(g(s[held]), p[held], (weight - p)[held])
    return STIFFNESS[int(np.argmin(loss))]
