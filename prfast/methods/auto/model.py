"""The library of bases, the meta-learner, and the fitted model, which scores points of any sample.

A base is fitted on the coordinates, for each fold on the others, and scores a block of a fold with
one or several columns, each larger where more like real.  It is None where it does not apply to the
data.  Boosted trees (`trees`) are not in BASES, as they are fitted last, and only where a trial
shows that they add to the scores of all others.

The meta-learner combines the columns of all bases into one log-ratio: each column is mapped to a
log-ratio by a monotone function g_c, followed by a logistic regression,

    s = β₀ + Σ_c β_c g_c,   β_c ≥ 0,   minimizes   Σ w log(1 + e^{∓s}) + ½ PENALTY Σ β_c²,

∓: − for real samples.  It is fitted for each group of folds on the others.  The maps are monotone
and the slopes non-negative because a flexible meta-learner can recover the labels of a fold from
the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.methods.auto.coordinates import Block, Coordinates, Frame
from prfast.methods.auto.counts import duplicates, neighbors, ranges, values
from prfast.methods.auto.curve_estimator import (
    CLIP,
    MonotoneMap,
    NormalScores,
    RankBins,
    backtrack,
    class_masses,
    log_loss,
)
from prfast.methods.auto.densities import gaussians, mixtures, ranks
from prfast.methods.auto.regressions import (
    additive,
    kernel,
    linear,
    ppca_linear,
    products,
    quadratic,
    radial,
)
from prfast.methods.auto.resources import PHASES, Executor, skip_phases
from prfast.methods.auto.sample import Ints, Sample
from prfast.methods.auto.trees import trees

PENALTY = 40.0
_SEGMENTS, _SMOOTHNESS = 20, 1.0  # of the monotone maps

ALIKE = 0.98  # area from which on no difference is reported
_MIN_SHARE = 0.1  # of the score, below which a base is not named
_MAX_NAMED = 3  # bases that are named


class Base(Protocol):
    """A fitted base."""

    def score(self, block: Block) -> Float64s:
        """Return the columns of a block, (rows, columns)."""


class BaseEntry(NamedTuple):
    """A base of the library."""

    fit: Callable[[Coordinates], Base | None]
    difference: str
    """What differs where the base has a large share in the score."""


BASES = {
    "linear": BaseEntry(linear, "the means differ"),
    "ppca_linear": BaseEntry(ppca_linear, "the means differ, a little in many features"),
    "quadratic": BaseEntry(
        quadratic, "spread, correlations or, of many features, fine detail differ"
    ),
    "radial": BaseEntry(radial, "the distances from the center differ"),
    "additive": BaseEntry(additive, "the shapes of single features differ"),
    "products": BaseEntry(products, "two or three features depend on each other in another way"),
    "kernel": BaseEntry(kernel, "the shape of the cloud differs, in no simple way"),
    "gaussians": BaseEntry(gaussians, "the covariances differ as a whole"),
    "mixtures": BaseEntry(mixtures, "clusters have other weights"),
    "neighbors": BaseEntry(neighbors, "samples crowd in other places or lie too close to others"),
    "duplicates": BaseEntry(duplicates, "the same rows come more or less often"),
    "ranges": BaseEntry(ranges, "one set reaches beyond the other in single features"),
    "ranks": BaseEntry(
        ranks, "the distributions of single features, or their correlations, differ"
    ),
    "values": BaseEntry(
        values, "single features have other exact values: zeros, whole numbers or rounding"
    ),
}
_TREES = "thresholds and combinations of a few features differ"


def explain_bases(weights: Mapping[str, float], area: float) -> str:
    """Return a sentence on the bases that separate the two sets and the differences that they
    detect, the largest share first.

    weights: the share of each base in the score, >= 0, with any sum.
    """
    total = sum(weights.values())
    if not total > 0 or area >= ALIKE:
        return "No base separates the two sets."
    shares = {name: weight / total for name, weight in weights.items()}
    order = sorted(shares, key=lambda name: -shares[name])
    named = [name for name in order if shares[name] >= _MIN_SHARE][:_MAX_NAMED] or order[:1]
    differences = {"trees": _TREES} | {name: base.difference for name, base in BASES.items()}
    parts = [
        f"{name} ({shares[name]:.0%}): {differences.get(name, 'another base')}" for name in named
    ]
    return f"{'Mostly' if shares[order[0]] >= 0.5 else 'By several bases:'} {'; '.join(parts)}."


# ---- the fit -----------------------------------------------------------------------------------


class Model(NamedTuple):
    """All that is fitted, and can be pickled."""

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


def fit(coords: Coordinates, execute: Executor) -> Fit:
    """Return the fit to the fitted rows of a sample, the only ones that are read.

    As in scikit-learn's stacking, bases are cross-fitted, their columns on the folds that they were
    not fitted to are the features of the meta-learner, which is cross-fitted in turn.
    """
    sample = coords.sample

    # 1. Coordinates, without labels.
    coords.prepare()
    execute(_compute_shared, list(coords.stored_blocks.values()), PHASES["coordinates"])

    # 2. Bases, each for every fold on the others.
    fits = execute(lambda name: BASES[name].fit(coords), list(BASES), PHASES["bases"])
    bases = {name: base for name, base in zip(BASES, fits, strict=True) if base is not None}

    # 3. Columns of the fitted rows, each row by the fits without its fold.
    def columns(fold_and_part: tuple[int, slice]) -> list[Float64s]:
        block = coords.fitted_block(*fold_and_part)
        return [base.score(block) for base in bases.values()]

    parts = list(sample.parts(sample.fitted))
    scored = execute(columns, parts, PHASES["columns"])
    widths = [column.shape[1] for column in scored[0]]
    features = np.concatenate([np.hstack(of_part) for of_part in scored])
    del scored  # as large as the features

    # 4. Meta-learner.
    stack, scores = fit_stack(sample, features, execute)

    # 5. Trees, where they improve these scores, and the meta-learner once more.
    boosted = trees(coords, scores, execute)
    if boosted is None:
        skip_phases(execute, "trees", "trees' column", "second stack")
    else:
        bases["trees"] = boosted
        odds = execute(
            lambda fold_and_part: boosted.score(coords.fitted_block(*fold_and_part)),
            parts,
            PHASES["trees' column"],
        )
        features, widths = np.hstack([features, np.concatenate(odds)]), [*widths, 1]
        stack, scores = fit_stack(sample, features, execute, PHASES["second stack"])

    weights = _base_weights(stack, list(bases), widths)
    return Fit(Model(coords.frame(), list(bases.values()), stack), scores, weights)


def _compute_shared(block: Block) -> None:
    """Compute the coordinates that most bases share, before several threads need them."""
    block.axes, block.whitened, block.single, block.radial  # noqa: B018


def _base_weights(stack: Stack, names: list[str], widths: list[int]) -> dict[str, float]:
    """Return the share of each base in the contributions to the scores; 0 where all are 0."""
    shares = np.add.reduceat(stack.contributions, np.cumsum([0, *widths[:-1]]))
    total = float(shares.sum())
    return {
        name: float(np.round(share / total, 4)) if total > 0 else 0.0
        for name, share in zip(names, shares, strict=True)
    }


# ---- the meta-learner --------------------------------------------------------------------------


class MetaLearner(NamedTuple):
    """The meta-learner of one group of folds."""

    maps: list[MonotoneMap]
    slopes: Float64s
    intercept: float
    spread: Float64s
    """The standard deviation of each mapped column."""

    def score(self, u: Float64s) -> Float64s:
        """Return the log-ratio from the normal scores of the columns, (rows, columns)."""
        mapped = np.column_stack([g(column) for g, column in zip(self.maps, u.T, strict=True)])
        return np.clip(mapped @ self.slopes + self.intercept, -CLIP, CLIP)


class Stack(NamedTuple):
    """The meta-learners of all groups of folds."""

    normal_scores: list[NormalScores]
    """The normal scores of each column."""
    learners: list[MetaLearner]
    """One for each group of folds."""

    def score(self, columns: Float64s, fold: int) -> Float64s:
        pairs = zip(self.normal_scores, columns.T, strict=True)
        u = np.column_stack([scores.transform(column) for scores, column in pairs])
        return self.learners[fold % len(self.learners)].score(u)

    @property
    def contributions(self) -> Float64s:
        """The contribution of each column to the score: slope × spread, mean over the groups."""
        mean: Float64s = np.mean([one.slopes * one.spread for one in self.learners], axis=0)
        return mean


def fit_stack(
    sample: Sample, columns: Float64s, execute: Executor, share: float = PHASES["stack"]
) -> tuple[Stack, Float64s]:
    """Return the meta-learners, fitted to the columns of the fitted samples, and their scores."""
    group, real = sample.group_of(sample.fitted_fold), sample.fitted_real
    equal_weights = np.ones(len(sample.fitted))  # a weight by class would be a label
    bins = execute(lambda x: RankBins(x, equal_weights), list(columns.T), 0.1 * share)

    def learn(own: int) -> MetaLearner:
        outside = group != own
        weight = np.zeros(len(group))
        weight[outside] = total = sample.weights(sample.fitted[outside])
        maps = [
            MonotoneMap(b, *class_masses(b, real, weight), _SEGMENTS, _SMOOTHNESS) for b in bins
        ]
        mapped = np.column_stack([g(b.u[outside]) for g, b in zip(maps, bins, strict=True)])
        slopes, intercept = _logistic(mapped, np.where(real[outside], total, 0.0), total)
        return MetaLearner(maps, slopes, intercept, mapped.std(axis=0))

    learners = execute(learn, range(sample.groups), 0.9 * share)
    u = np.column_stack([b.u for b in bins])
    scores = [
        learners[fold % len(learners)].score(u[part]) for fold, part in sample.parts(sample.fitted)
    ]
    return Stack([b.normal_scores for b in bins], learners), np.concatenate(scores)


def _logistic(x: Float64s, p: Float64s, total: Float64s) -> tuple[Float64s, float]:
    """Return slopes ≥ 0 and the intercept, by Newton steps solved as non-negative least squares.

    p: the weights of real samples, 0 for generated ones; total: the weights of all.
    """
    from scipy import linalg, optimize, special

    size = x.shape[1]
    # Both signs of the intercept, then the slopes.
    signed = np.hstack([np.ones((len(x), 1)), -np.ones((len(x), 1)), x])
    penalty = np.concatenate([[1e-6, 1e-6], np.full(size, PENALTY)])

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
        # With the Cholesky factor R, the step minimizes |R β − (R β₀ − R⁻ᵀ ∇)|² over β ≥ 0.
        root = linalg.cholesky(hessian)
        right = root @ beta - linalg.solve_triangular(root, gradient, trans="T")
        step = optimize.nnls(root, right, maxiter=20_000)[0] - beta
        beta, reached = backtrack(beta, step, loss, best)
        if best - reached < 1e-8 * max(1.0, best):
            break
        best = reached
    return beta[2:], float(beta[0] - beta[1])
