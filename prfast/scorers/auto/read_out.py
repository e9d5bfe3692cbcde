"""From scores to curves: the hull of their error rates, a smooth calibrated curve, and their mean.

    hull    α_λ = min_t λ fpr(t) + fnr(t): at each t too high in expectation, for any scorer, but
            the minimum of noise is low: the exact ratio itself, swept, has .93 of the area at
            n = 1000
    smooth  α_λ = Σ w min(λ η, 1 − η) / Σ …: η = σ(g(s)), g a monotone log-ratio; too high at cliffs
    mean    of the two, whose errors are of opposite signs

How stiff g is, is chosen by the log-likelihood of the folds that it was not fitted on.  Where they
ask for one of the two least stiff, the ratio has cliffs, which a hull follows and a smooth curve
cannot: "auto" is then the hull, otherwise the mean.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.folds import Flags, Ints, balanced
from prfast.scorers.auto.monotone import Monotone, Ranks, log_loss, masses

STIFFNESS = ((14, 3.0), (14, 0.3), (40, 0.1), (80, 0.01))  # segments, smoothness
_STEP = 1 / 128
READ_OUTS = ("auto", "mean", "hull", "smooth")


class ReadOut(NamedTuple):
    """The curves of scores."""

    hull: PRCurve
    smooth: PRCurve
    counts: dict[str, list[int]]
    """Of real and generated samples on the cells of the hull, by falling ratio."""

    cliffs: bool
    """Did held-out samples ask for one of the two least stiff ratios?"""

    @property
    def auto(self) -> PRCurve:
        return self.named("auto", {})

    def named(self, name: str, info: dict[str, Any]) -> PRCurve:
        """One of READ_OUTS; its record says which it is, and holds the hull."""
        if name == "auto":
            name = "hull" if self.cliffs else "mean"
        curves = {"hull": [self.hull], "smooth": [self.smooth], "mean": [self.hull, self.smooth]}
        return PRCurve.mean(curves[name], info=info | {"read_out": name, "hull": self.counts})


def read_out(s: Float64s, real: Flags, group: Ints) -> ReadOut:
    """Of scores of both sets, and the group of folds that each was in."""
    weight = balanced(real)
    ranks = Ranks(s, np.ones(len(s)))
    stiffness = _stiffness(ranks, real, group)
    g = Monotone(ranks, *masses(ranks, real, weight), *stiffness)(ranks.u)
    smooth = PRCurve.from_masses(*_pooled(g, weight))
    hull = PRCurve.from_scores(s[real], s[~real])
    n, m = int(real.sum()), int((~real).sum())
    p, q = (np.rint(size * x).astype(int) for size, x in zip((n, m), hull.masses, strict=True))
    counts = {"real": p.tolist(), "fake": q.tolist()}
    return ReadOut(hull, smooth, counts, stiffness in STIFFNESS[2:])


def _pooled(g: Float64s, weight: Float64s) -> tuple[Float64s, Float64s]:
    """Masses w σ(g) and w σ(−g) of samples, those pooled whose log-ratios g are within _STEP."""
    from scipy import special

    cell = np.rint(g / _STEP).astype(np.int64)
    cell -= cell.min()
    p, q = (np.bincount(cell, weight * special.expit(x)) for x in (g, -g))
    held = p + q > 0
    return np.asarray(p[held]), np.asarray(q[held])


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
