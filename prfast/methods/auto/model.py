"""The library of bases, level 2, and the fitted model, which scores points of any sample.

A base is fitted on the coordinates, for each fold on the others, and scores a block of a fold with
one or several columns, each larger where more like real.  It is None where it does not apply to the
data.  Boosted trees (`trees`) have no row in BASES, as they are fitted last, and only where a trial
shows that they add to the scores of all others.

Level 2 combines the columns of all bases into one log-ratio: each column is mapped to a log-ratio
by a monotone function g_c, followed by a logistic regression,

    s = β₀ + Σ_c β_c g_c,   β_c ≥ 0,   minimizes   Σ w log(1 + e^{∓s}) + ½ RIDGE Σ β_c²,

∓: − for real samples.  It is fitted for each group of folds on the others.  The maps are monotone
and the slopes non-negative because a flexible second level can recover the labels of a fold from
the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.methods.auto.block import Block, Frame
from prfast.methods.auto.coordinates import Coordinates
from prfast.methods.auto.counts import atoms, neighbors, ranges, values
from prfast.methods.auto.gaussians import gaussians, mixtures, ranks
from prfast.methods.auto.read_out import CLIP, Monotone, Places, Ranks, log_loss, masses, shortened
from prfast.methods.auto.regressions import (
    additive,
    kernel,
    linear,
    plain,
    products,
    quadratic,
    radial,
)
from prfast.methods.auto.sample import Ints, Sample
from prfast.methods.auto.trees import trees
from prfast.methods.auto.workers import SHARES, Run, skip

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
        """Return the log-ratio from the normal scores of the columns, (rows, columns)."""
        mapped = _mapped(self.maps, u)
        return np.clip(mapped @ self.slopes + self.intercept, -CLIP, CLIP)


class Stack(NamedTuple):
    """Level 2 of all groups of folds."""

    ranks: list[Places]
    """The normal scores of each column."""
    levels: list[_Level]
    """One for each group of folds."""

    def score(self, columns: Float64s, fold: int) -> Float64s:
        u = np.column_stack([r.place(x) for r, x in zip(self.ranks, columns.T, strict=True)])
        return self.levels[fold % len(self.levels)].score(u)

    @property
    def shares(self) -> Float64s:
        """The contribution of each column to the score: slope × spread, mean over the groups."""
        moved: Float64s = np.mean([one.slopes * one.spread for one in self.levels], axis=0)
        return moved


def stacked(
    sample: Sample, columns: Float64s, run: Run, share: float = SHARES["stack"]
) -> tuple[Stack, Float64s]:
    """Return level 2, fitted to the columns of the fitted samples, and their scores."""
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
    """Return slopes ≥ 0 and the intercept, by Newton steps solved as non-negative least squares."""
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


class Base(Protocol):
    """A fitted base."""

    def score(self, block: Block) -> Float64s:
        """Return the columns of a block, (rows, columns)."""


BASES: dict[str, Callable[[Coordinates], Base | None]] = {
    "linear": linear,
    "plain": plain,
    "quadratic": quadratic,
    "radial": radial,
    "additive": additive,
    "products": products,
    "kernel": kernel,
    "gaussians": gaussians,
    "mixtures": mixtures,
    "neighbors": neighbors,
    "atoms": atoms,
    "ranges": ranges,
    "ranks": ranks,
    "values": values,
}

ALIKE = 0.98  # area from which on no difference is reported
LEAST = 0.1  # share of the score, below which a base is not named
MOST = 3  # bases that are named

# What differs where a base has a large share in the score.
WORDS = {
    "linear": "the means differ",
    "plain": "the means differ, a little in many features",
    "quadratic": "spread, correlations or, of many features, fine detail differ",
    "radial": "the distances from the center differ",
    "additive": "the shapes of single features differ",
    "products": "two or three features depend on each other in another way",
    "kernel": "the shape of the cloud differs, in no simple way",
    "gaussians": "the covariances differ as a whole",
    "mixtures": "clusters have other weights",
    "neighbors": "samples crowd in other places or lie too close to others",
    "atoms": "the same rows come more or less often",
    "ranges": "one set reaches beyond the other in single features",
    "ranks": "the distributions of single features, or their correlations, differ",
    "values": "single features have other exact values: zeros, whole numbers or rounding",
    "trees": "thresholds and combinations of a few features differ",
}


def told_apart(weights: Mapping[str, float], area: float) -> str:
    """Return a sentence on the bases that separate the two sets and the differences that they
    detect, the largest share first.

    weights: the share of each base in the score, >= 0, with any sum.
    """
    total = sum(weights.values())
    if not total > 0 or area >= ALIKE:
        return "Nothing told the two apart."
    shares = {name: weight / total for name, weight in weights.items()}
    order = sorted(shares, key=lambda name: -shares[name])
    named = [name for name in order if shares[name] >= LEAST][:MOST] or order[:1]
    said = [f"{name} ({shares[name]:.0%}): {WORDS.get(name, 'another base')}" for name in named]
    return f"{'Mostly' if shares[order[0]] >= 0.5 else 'By several bases:'} {'; '.join(said)}."


class Model(NamedTuple):
    """All that is fitted, and can be pickled; its size is `pieces.model_bytes` at most."""

    frame: Frame
    bases: list[Base]
    stack: Stack

    def score(self, sample: Sample, rows: Ints, fold: int) -> Float64s:
        """Return the scores of rows of a fold, by the fits without it."""
        block = Block(self.frame, sample, rows, fold)
        columns = np.hstack([base.score(block) for base in self.bases])
        return self.stack.score(columns, fold)


class Fit(NamedTuple):
    """A model, and the cross-fitted scores of the rows that it is fitted to."""

    model: Model
    scores: Float64s
    """The scores of the fitted rows, in their order."""
    weights: dict[str, float]
    """The share of each base in the scores."""


def fit(made: Coordinates, run: Run) -> Fit:
    """Return the fit to the fitted rows of a sample, the only ones that are read."""
    sample = made.sample
    made.prepare(run)
    fits = run(lambda name: BASES[name](made), list(BASES), SHARES["bases"])
    bases = {name: base for name, base in zip(BASES, fits, strict=True) if base is not None}

    def columns(fold_and_part: tuple[int, slice]) -> list[Float64s]:
        block = made.fitted_block(*fold_and_part)
        return [base.score(block) for base in bases.values()]

    parts = list(sample.parts(sample.fitted))
    scored = run(columns, parts, SHARES["columns"])
    widths = [one.shape[1] for one in scored[0]]
    fitted = np.concatenate([np.hstack(one) for one in scored])
    del scored
    stack, scores = stacked(sample, fitted, run)
    grown = trees(made, scores, run)
    if grown is None:
        skip(run, "trees", "odds", "second stack")
    else:
        bases["trees"] = grown
        odds = run(lambda one: grown.score(made.fitted_block(*one)), parts, SHARES["odds"])
        fitted, widths = np.hstack([fitted, np.concatenate(odds)]), [*widths, 1]
        stack, scores = stacked(sample, fitted, run, SHARES["second stack"])
    weights = _weights(stack, list(bases), widths)
    return Fit(Model(made.frame(), list(bases.values()), stack), scores, weights)


def _weights(stack: Stack, names: list[str], widths: list[int]) -> dict[str, float]:
    """Return the share of each base in the contributions to the scores; 0 where all are 0."""
    shares = np.add.reduceat(stack.shares, np.cumsum([0, *widths[:-1]]))
    total = float(shares.sum())
    return {
        name: float(np.round(share / total, 4)) if total > 0 else 0.0
        for name, share in zip(names, shares, strict=True)
    }
