"""The estimator: folds, coordinates, bases, level 2, scores of every sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import MEMORY, read_count
from prfast.scorers.auto.bases import BASES, Base
from prfast.scorers.auto.coordinates import Block, Coordinates
from prfast.scorers.auto.read_out import READ_OUTS, ReadOut, read_out
from prfast.scorers.auto.sample import Flags, Sample, in_folds
from prfast.scorers.auto.stack import group_of, stacked

FITTED = 20_000


@dataclass(frozen=True)
class Scored:
    """Log-ratios of every sample, each by a fit that has not seen it."""

    sample: Sample
    s: Float64s
    """The real ones first."""
    weights: dict[str, float]
    """The share of each base in the scores."""

    def read_out(self, rows: Flags | slice = slice(None)) -> ReadOut:
        """The curves of all samples, or of some."""
        real = self.sample.of_real(np.arange(len(self.s)))
        group = group_of(self.sample.fold, self.sample.folds)
        return read_out(self.s[rows], real[rows], group[rows])


class Auto:
    """..."""

    def __init__(
        self,
        *,
        folds: int = 10,
        fitted: int = FITTED,
        read_out: str = "mean",
        memory: int = MEMORY,
        progress: bool = False,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.folds = read_count("folds", folds, at_least=2, at_most=100)
        self.fitted = read_count("fitted", fitted, at_least=100)
        if read_out not in READ_OUTS:
            known = ", ".join(map(repr, READ_OUTS))
            raise WrongValue("read_out", f"one of {known} expected, got {read_out!r}")
        self.read_out = read_out
        self.memory = memory
        self.progress = progress
        self.random_state = random_state
        self.n_jobs = n_jobs

    def scores(self, real: Floats, fake: Floats) -> Scored:
        from threadpoolctl import threadpool_limits

        sample = in_folds(real, fake, self.folds, self.fitted, self.random_state)
        with threadpool_limits(1):
            return _scored(Coordinates(sample))


def _scored(made: Coordinates) -> Scored:
    sample = made.sample
    bases = {name: base for name, fit in BASES.items() if (base := fit(made)) is not None}
    columns = np.concatenate([_columns(bases, block) for _, block in made.again()])
    stack = stacked(sample, columns)
    s = np.empty(len(sample))
    if len(sample.fitted) == len(sample):
        for part, block in made.again():
            s[sample.fitted[part]] = stack.score(columns[part], block.fold)
        return Scored(sample, s, {})
    for part, block in made.blocks(sample.order):
        s[sample.order[part]] = stack.score(_columns(bases, block), block.fold)
    return Scored(sample, s, {})


def _columns(bases: dict[str, Base], block: Block) -> Float64s:
    return np.hstack([base.score(block) for base in bases.values()])
