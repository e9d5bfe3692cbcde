"""The fitted coordinates, bases and level 2, which score any point without a sample."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.bases import BASES, Base
from prfast.scorers.auto.block import Block, Frame
from prfast.scorers.auto.coordinates import Coordinates
from prfast.scorers.auto.folds import Ints
from prfast.scorers.auto.sample import Sample
from prfast.scorers.auto.stack import Stack, stacked
from prfast.scorers.auto.trees import trees
from prfast.scorers.auto.workers import SHARES, Run, skip


class Model(NamedTuple):
    """All that is fitted; small beside the samples (`memory.model_bytes`), and can be pickled."""

    frame: Frame
    bases: list[Base]
    stack: Stack

    def score(self, sample: Sample, rows: Ints, fold: int) -> Float64s:
        """Return the scores of rows of a fold, by the fits without it."""
        block = Block(self.frame, sample, rows, fold)
        columns = np.hstack([base.score(block) for base in self.bases])
        return self.stack.score(columns, fold)


class Fit(NamedTuple):
    model: Model
    scores: Float64s
    """The scores of the fitted rows, in their order."""
    weights: dict[str, float]
    """The share of each base in the scores."""


def fit(made: Coordinates, run: Run) -> Fit:
    """Fit to the fitted rows, the only ones that are read."""
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
    """Return the share of each base in all that moves the scores; 0 where nothing does."""
    shares = np.add.reduceat(stack.shares, np.cumsum([0, *widths[:-1]]))
    total = float(shares.sum())
    return {
        name: float(np.round(share / total, 4)) if total > 0 else 0.0
        for name, share in zip(names, shares, strict=True)
    }
