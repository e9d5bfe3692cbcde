"""The meta-learner: from the columns of bases to one log-ratio.

Each column is mapped to a log-ratio by a monotone function g_c, followed by a logistic regression,

    s = β₀ + Σ_c β_c g_c,   β_c ≥ 0,   minimizes   Σ w log(1 + e^{∓s}) + ½ PENALTY Σ β_c²,

∓: − for real samples.  Both are fitted for each bundle of folds on the others; a flexible
meta-learner could recover the labels of a fold from the columns.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

import prfast.kernels.monotone as monotone
from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.concurrency import Execute
from prfast.kernels.masses import coded
from prfast.methods.auto.coordinates import Data, normal_scores
from prfast.methods.auto.folds import Flags

CLIP = 12.0
PENALTY = 40.0  # of the slopes
_BINS, _SEGMENTS, _SMOOTHNESS = 400, 20, 1.0  # of the maps
_HESSIAN_ROWS = 1000  # whose columns stay in the cache


class MonotoneMap(NamedTuple):
    """Values ↦ log dP/dQ by a column, non-decreasing and within ±CLIP.

    It is a polyline in the normal scores u of ranks, with steps ≥ 0 between its knots and a penalty
    on changes of slope (`prfast.kernels.monotone`).  Ranks need no labels: they are those of all
    samples.  A bundle may have ranks that no other has, so its normal scores are interpolated, by
    their values, between those of the other bundles.
    """

    values: Float64s  # that the map was fitted to, each once, ascending
    u: Float64s  # their normal scores
    ends: tuple[float, float]
    heights: Float64s

    def __call__(self, x: Float64s, u: Float64s | None = None, new: Any = slice(None)) -> Float64s:
        """Return the log-ratios; u: normal scores, but for `new` values: these are interpolated."""
        u = np.empty(len(x)) if u is None else u.copy()
        end = np.searchsorted(self.values, x[new], side="right")
        right = self.u[np.minimum(end, len(self.u) - 1)]
        # `np.interp` may round a piece to above its right end.
        u[new] = np.minimum(np.interp(x[new], self.values, self.u), right)
        g = np.zeros(len(x))
        if self.ends[0] < self.ends[1]:
            monotone.interpolate(u, *self.ends, self.heights, CLIP, g)
        return g


class Learner(NamedTuple):
    """The meta-learner of a bundle of folds."""

    maps: list[MonotoneMap]
    slopes: Float64s
    intercept: float
    spread: Float64s  # the standard deviation of each mapped column

    def score(self, columns: Float64s) -> Float64s:
        mapped = np.column_stack([g(x) for g, x in zip(self.maps, columns.T, strict=True)])
        return np.clip(mapped @ self.slopes + self.intercept, -CLIP, CLIP)


def fit_stack(data: Data, columns: Float64s, execute: Execute) -> tuple[list[Learner], Float64s]:
    """Return the meta-learners of all bundles, and the scores of the rows that are fitted to."""
    maps_and_columns = execute(partial(_fit_maps, data), list(np.ascontiguousarray(columns.T)))

    def learn(bundle: int) -> Learner:
        maps = [maps[bundle] for maps, _ in maps_and_columns]
        mapped = np.column_stack([columns[bundle] for _, columns in maps_and_columns])
        outside = data.bundle != bundle
        slopes, intercept = _logistic(mapped[outside], data.real[outside], data.balanced(outside))
        scores[~outside] = np.clip(mapped[~outside] @ slopes + intercept, -CLIP, CLIP)
        return Learner(maps, slopes, intercept, mapped.std(axis=0))

    scores = np.empty(len(data.y))
    return execute(learn, range(data.bundles)), scores


def _fit_maps(data: Data, x: Float64s) -> tuple[list[MonotoneMap], list[Float64s]]:
    """Return the map of a column without each bundle of folds, and the column by each map."""
    values, place, counts = coded(x)
    twice = 2 * np.cumsum(counts) - counts  # the mean rank of each value
    u = normal_scores(twice / (2 * len(x)))
    bins = _BINS * twice // (2 * len(x))
    bins = np.cumsum(np.diff(bins, prepend=bins[0]) > 0)  # none empty
    number = int(bins[-1]) + 1
    middle = np.bincount(bins, counts * u) / np.bincount(bins, counts)
    cell = (2 * data.bundle.astype(np.int64) + ~data.real) * number + bins[place]
    masses = np.bincount(cell, data.given, 2 * data.bundles * number).reshape(-1, 2, number)
    range_of_u = float(u[0]), float(u[-1])
    masses = masses.sum(axis=0) - masses
    sizes = masses.sum(axis=2, keepdims=True)
    masses *= sizes.sum(axis=1, keepdims=True) / (2 * np.maximum(sizes, 1e-300))
    occurs = np.zeros((data.bundles, len(values)), bool)
    occurs[data.bundle, place] = True
    heights, maps, mapped = np.zeros((data.bundles, _SEGMENTS + 1)), [], []
    for bundle, outside in enumerate(occurs.sum(axis=0) > occurs):  # values outside the bundle
        if len(values) > 1:
            monotone.fit(middle, *masses[bundle], *range_of_u, _SMOOTHNESS, heights[bundle])
        maps.append(MonotoneMap(values[outside], u[outside], range_of_u, heights[bundle]))
        mapped.append(maps[-1](values, u, np.flatnonzero(~outside))[place])
    return maps, mapped


def softplus(x: Float64s) -> Float64s:
    """Return log(1 + eˣ), in much less time than `np.logaddexp`."""
    return np.asarray(np.maximum(x, 0.0) + np.log(1.0 + np.exp(-np.abs(x))))


def _logistic(x: Float64s, real: Flags, weight: Float64s) -> tuple[Float64s, float]:
    """Return slopes ≥ 0 and the intercept, by Newton steps."""
    columns = np.vstack([np.ones(len(x)), x.T])
    penalty = np.append(1e-6, np.full(x.shape[1], PENALTY))
    sign = np.where(real, -1.0, 1.0)

    def loss(beta: Float64s) -> float:
        fit = weight @ softplus(sign * (beta @ columns))
        return float(fit) + 0.5 * float(penalty @ beta**2)

    beta = np.append(0.0, np.full(x.shape[1], 1.0 / x.shape[1]))
    best = loss(beta)
    for _ in range(50):
        eta = 0.5 + 0.5 * np.tanh(0.5 * (beta @ columns))
        gradient = columns @ (weight * (eta - real)) + penalty * beta
        curvature, hessian = weight * np.maximum(eta * (1.0 - eta), 1e-9), np.diag(penalty)
        for part in blocks(len(weight), _HESSIAN_ROWS):
            inside = columns[:, part]
            hessian += (inside * curvature[part]) @ inside.T
        hessian.flat[:: len(beta) + 1] += 1e-9 * np.trace(hessian)
        step = minimize_nonnegative(hessian, hessian @ beta - gradient, beta > 0) - beta
        if -gradient @ step < 1e-7 * max(1.0, best):  # twice the decrease
            beta = beta + step
            break
        reached = loss(beta + step)
        while reached > best and np.abs(step).max() > 1e-9:
            step = step / 2
            reached = loss(beta + step)
        if best - reached < 1e-8 * max(1.0, best):
            break
        beta, best = beta + step, reached
    return beta[1:], float(beta[0])


def minimize_nonnegative(hessian: Float64s, right: Float64s, used: Flags) -> Float64s:
    """Return the minimum of ½ xᵀHx − rᵀx over x₁, x₂, … ≥ 0, with any x₀, by block pivoting (Kim
    and Park, 2011).  used: a guess of the x_j > 0."""
    used, fewest, trials = used.copy(), len(right) + 1, 3
    used[0] = True
    tolerance = 1e-10 * np.abs(right).max()
    for _ in range(100 * len(right)):
        at, x = np.flatnonzero(used), np.zeros(len(right))
        x[at] = np.linalg.solve(hessian[at[:, None], at], right[at])
        wrong = np.where(used, x < 0, hessian @ x - right < -tolerance)
        wrong[0] = False
        number = int(np.count_nonzero(wrong))
        if not number:
            break
        if number < fewest:
            fewest, trials = number, 3
        elif trials:
            trials -= 1
        else:  # one at a time: this ends
            wrong[: np.flatnonzero(wrong)[-1]] = False
        used ^= wrong
    x[1:] = np.maximum(x[1:], 0.0)
    return x
