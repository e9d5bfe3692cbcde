"""A score as a log-ratio: the monotone polyline that labels are likeliest under.

x is first replaced by the normal score u of its rank, so that the knots lie where the samples do;
with the hats h_j of the knots and steps b_j ≥ 0

    g(u) = a + Σ_j (Σ_{i ≤ j} b_i) h_j(u)   minimises   Σ w log(1 + e^{∓g}) + ½ s Σ (Δ² g)²,

∓: − of real samples; Δ² are the changes of slope at the knots.  Newton's steps are non-negative
least squares, on BINS bins of the ranks.  Ranks need no labels: they are those of all samples,
of whichever folds g is fitted on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.folds import Flags

CLIP = 12.0
BINS = 400
_ROUNDS = 30


class Places(NamedTuple):
    """Values, ascending, and the normal score of each: all that other values are placed by."""

    values: Float64s
    u: Float64s

    def place(self, x: Float64s) -> Float64s:
        """Return the normal scores of other values, interpolated."""
        return rising(x, self.values, self.u)


class Ranks:
    """Normal scores of ranks, and bins of them.

    weight: of each sample; all alike in the estimator, as a weight by class would be a label.
    """

    def __init__(self, x: Float64s, weight: Float64s) -> None:
        from scipy import special

        values, place = np.unique(x, return_inverse=True)
        mass = np.bincount(place, weight)
        rank = (np.cumsum(mass) - 0.5 * mass) / mass.sum()
        self.places = Places(values, special.ndtri(np.clip(rank, 1e-9, 1.0 - 1e-9)))
        self.flat = len(values) < 2
        self.u = self.places.u[place]
        bins = np.minimum((BINS * rank).astype(np.int64), BINS - 1)
        _, self.bin = np.unique(bins[place], return_inverse=True)
        self.bins = int(self.bin.max()) + 1
        total = np.bincount(self.bin, weight, self.bins)
        self.middle = np.bincount(self.bin, weight * self.u, self.bins) / total

    def knots(self, segments: int) -> Float64s:
        u = self.places.u
        return np.asarray(np.linspace(u[0], u[-1], segments + 1))


class Monotone:
    """Normal score ↦ log dP/dQ, non-decreasing, within ±CLIP; 0 where there is but one value."""

    def __init__(
        self,
        ranks: Ranks,
        p: Float64s,
        total: Float64s,
        segments: int,
        smoothness: float,
    ) -> None:
        """Fit to the masses p of real and `total` of all samples in each bin."""
        self._flat = ranks.flat
        if self._flat:
            return
        held = total > 0
        self._knots = ranks.knots(segments)
        self._heights = _fit(ranks.middle[held], p[held], total[held], self._knots, smoothness)

    def __call__(self, u: Float64s) -> Float64s:
        if self._flat:
            return np.zeros(len(u))
        return np.clip(rising(u, self._knots, self._heights), -CLIP, CLIP)


def rising(x: Float64s, knots: Float64s, heights: Float64s) -> Float64s:
    """Return the polyline of heights that do not fall, which does not fall either: `np.interp` may
    round a piece to above its right end, where the next one begins."""
    end = np.searchsorted(knots, x, side="right")
    right = heights[np.minimum(end, knots.size - 1)]
    return np.asarray(np.minimum(np.interp(x, knots, heights), right))


def masses(ranks: Ranks, real: Flags, weight: Float64s) -> tuple[Float64s, Float64s]:
    """Return the masses of real and of all samples in each bin; a weight of 0 excludes a sample."""
    p = np.bincount(ranks.bin, np.where(real, weight, 0.0), ranks.bins)
    return p.astype(np.float64), np.bincount(ranks.bin, weight, ranks.bins).astype(np.float64)


def log_loss(g: Float64s, p: Float64s, q: Float64s) -> float:
    """Return Σ p log(1 + e^{−g}) + q log(1 + e^g) for masses p real and q generated."""
    return float(p @ np.logaddexp(0.0, -g) + q @ np.logaddexp(0.0, g))


def _fit(u: Float64s, p: Float64s, total: Float64s, knots: Float64s, smooth: float) -> Float64s:
    """Return the heights at the knots, from masses p of real and `total` of all samples at u."""
    from scipy import optimize, special

    k = len(knots)
    hats = np.column_stack([np.interp(u, knots, one) for one in np.eye(k)])
    steps = np.tril(np.ones((k, k)))[:, 1:]
    # Parameters are non-negative: both signs of a, and the steps.
    design = np.hstack([np.ones((len(u), 1)), -np.ones((len(u), 1)), hats @ steps])
    bends = np.zeros((k - 2, k + 1))
    bends[:, 2:] = np.diff(np.eye(k - 1), axis=0)
    ties = np.vstack([np.sqrt(smooth) * bends, 1e-4 * np.eye(k + 1)])

    def loss(beta: Float64s) -> float:
        return log_loss(design @ beta, p, total - p) + 0.5 * float(((ties @ beta) ** 2).sum())

    beta = np.zeros(k + 1)
    best = loss(beta)
    for _ in range(_ROUNDS):
        g = design @ beta
        eta = special.expit(g)
        curvature = np.sqrt(np.maximum(total * eta * (1.0 - eta), 1e-9 * total))
        target = curvature * g + (p - total * eta) / curvature
        system = np.vstack([design * curvature[:, None], ties])
        right = np.concatenate([target, np.zeros(len(ties))])
        step = optimize.nnls(system, right, maxiter=20_000)[0] - beta
        beta, reached = shortened(beta, step, loss, best)
        if best - reached < 1e-7 * max(1.0, best):
            break
        best = reached
    heights: Float64s = beta[0] - beta[1] + steps @ beta[2:]
    return np.maximum.accumulate(heights)  # which sums may round to fall


def shortened(
    beta: Float64s, step: Float64s, loss: Callable[[Float64s], float], best: float
) -> tuple[Float64s, float]:
    """Return the end of the step, halved until the loss falls, and the loss there; the start and
    `best` where it never does."""
    for _ in range(20):
        reached = loss(beta + step)
        if reached <= best:
            return beta + step, reached
        step = step / 2
    return beta, best
