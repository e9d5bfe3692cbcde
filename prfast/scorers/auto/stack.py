"""Level 2: the columns of all bases as one log-ratio.

Each column through a monotone map to a log-ratio, then a logistic regression on them,

    s = β₀ + Σ_c β_c g_c,   β_c ≥ 0,   minimises   Σ w log(1 + e^{∓s}) + ½ RIDGE Σ β_c²,

fitted on all groups of folds but one, for each.  Monotone and non-negative, because a flexible
second level can read the folds' labels back out of the columns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.monotone import CLIP, Monotone, Places, Ranks, log_loss, masses, shortened
from prfast.scorers.auto.sample import Sample
from prfast.scorers.auto.workers import SHARES, Run

RIDGE = 40.0
_SEGMENTS, _SMOOTHNESS = 20, 1.0


class _Level(NamedTuple):
    """Level 2 of one group of folds."""

    maps: list[Monotone]
    slopes: Float64s
    intercept: float
    spread: Float64s
    """The standard deviation of each mapped column."""

    def score(self, u: Float64s) -> Float64s:
        """Return the log-ratio, from the normal scores of the columns."""
        mapped = _mapped(self.maps, u)
        return np.clip(mapped @ self.slopes + self.intercept, -CLIP, CLIP)


class Stack(NamedTuple):
    ranks: list[Places]
    """The places of each column."""
    levels: list[_Level]
    """The level of each group of folds."""

    def score(self, columns: Float64s, fold: int) -> Float64s:
        u = np.column_stack([r.place(x) for r, x in zip(self.ranks, columns.T, strict=True)])
        return self.levels[fold % len(self.levels)].score(u)

    @property
    def shares(self) -> Float64s:
        """How far each column moves the score: slope × spread, mean over the groups."""
        moved: Float64s = np.mean([one.slopes * one.spread for one in self.levels], axis=0)
        return moved


def stacked(
    sample: Sample, columns: Float64s, run: Run, share: float = SHARES["stack"]
) -> tuple[Stack, Float64s]:
    """Return level 2, fitted to the columns of the fitted samples, and the scores of these."""
    group, real = sample.group_of(sample.fitted_fold), sample.fitted_real
    alike = np.ones(len(sample.fitted))  # a weight by class would be a label
    ranks = run(lambda x: Ranks(x, alike), list(columns.T), 0.1 * share)

    def level(one: int) -> _Level:
        outside = group != one
        weight = np.zeros(len(group))
        weight[outside] = total = sample.weights(sample.fitted[outside])
        maps = [Monotone(r, *masses(r, real, weight), _SEGMENTS, _SMOOTHNESS) for r in ranks]
        mapped = np.column_stack([g(r.u[outside]) for g, r in zip(maps, ranks, strict=True)])
        slopes, intercept = _logistic(mapped, np.where(real[outside], total, 0.0), total)
        return _Level(maps, slopes, intercept, mapped.std(axis=0))

    levels = run(level, range(sample.groups), 0.9 * share)
    u = np.column_stack([one.u for one in ranks])
    scores = [
        levels[fold % len(levels)].score(u[part]) for fold, part in sample.parts(sample.fitted)
    ]
    return Stack([one.places for one in ranks], levels), np.concatenate(scores)


def _mapped(maps: list[Monotone], u: Float64s) -> Float64s:
    return np.column_stack([one(x) for one, x in zip(maps, u.T, strict=True)])


def _logistic(x: Float64s, p: Float64s, total: Float64s) -> tuple[Float64s, float]:
    """Return slopes ≥ 0 and the intercept, by Newton's steps in non-negative least squares."""
    from scipy import linalg, optimize, special

    size = x.shape[1]
    # Both signs of the intercept, then the slopes.
    signed = np.hstack([np.ones((len(x), 1)), -np.ones((len(x), 1)), x])
    penalty = np.concatenate([[1e-6, 1e-6], np.full(size, RIDGE)])

    def loss(beta: Float64s) -> float:
        return log_loss(signed @ beta, p, total - p) + 0.5 * float(penalty @ beta**2)

    beta = np.concatenate([[0.0, 0.0], np.full(size, 1.0 / size)])
    best = loss(beta)
    for _ in range(50):
        eta = special.expit(signed @ beta)
        gradient = signed.T @ (total * eta - p) + penalty * beta
        curved = signed * (total * np.maximum(eta * (1.0 - eta), 1e-9))[:, None]
        hessian = signed.T @ curved
        hessian[np.diag_indices_from(hessian)] += penalty + 1e-9 * np.trace(hessian)
        root = linalg.cholesky(hessian)
        right = root @ beta - linalg.solve_triangular(root, gradient, trans="T")
        step = optimize.nnls(root, right, maxiter=20_000)[0] - beta
        beta, reached = shortened(beta, step, loss, best)
        if best - reached < 1e-8 * max(1.0, best):
            break
        best = reached
    return beta[2:], float(beta[0] - beta[1])
