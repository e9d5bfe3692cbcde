"""Real against generated among the nearest neighbours outside the fold.

Radii of z are its distances to the k-th nearest of a few of the references of both classes; a
column for each k, of the references of either class within that radius:

    log (#real + ½) / n − log (#generated + ½) / m.

and one column of the distances to the nearest of these few of either class, which sees samples that
lie too close to some of the other class, or of their own,

    log d(generated) − log d(real).

On the leading axes.  The few stand for all: the k-th of 2000 is about the 4k-th of 8000, at half of
the cost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.balls import Search
from prfast.balls.tasks import Count
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.streams import stream
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates

AXES = 24
_REFERENCES = 4000  # of a class
_FEW = 1000  # of a class, that radii are computed from
_KS = (1, 4, 16)
_TINY = 1e-12  # squared distances of coordinates up to 1: those below are rounding in float32


class Counts(NamedTuple):
    """A column for each k, and one of the nearest distances."""

    size: float
    """The largest coordinate, by which all are divided."""
    references: list[tuple[Floats, Floats]]
    """The real and the generated references of each fold, in random order."""

    def place(self, block: Block) -> Floats:
        return _placed(block, self.size)

    def score(self, block: Block) -> Float64s:
        sets = self.references[block.fold]
        queries = self.place(block)
        a, b = (one[:_FEW] for one in sets)
        ks = sorted({min(k, len(a) + len(b)) for k in _KS})
        search = Search(n_jobs=1, progress=False)
        near = search.union(queries, a, b, [1], [1], ks)
        radii = near.d2_both
        logs = []
        for one in sets:
            tasks = [Count(t, None, True, np.zeros(len(queries), np.int64)) for t in radii.T]
            search.count(queries, one, tasks)
            counts = np.column_stack([task.rows for task in tasks])
            logs.append(np.log((counts + 0.5) / len(one)))
        nearest = 0.5 * (np.log(near.d2_b + _TINY) - np.log(near.d2_a + _TINY))
        return np.hstack([logs[0] - logs[1], nearest])


def neighbors(made: Coordinates) -> Counts:
    """Draw the references of each fold from all others."""
    sample = made.sample
    size = max(float(np.abs(made.fitted_axes[:, :AXES]).max()), 1e-290)
    where = np.concatenate([_placed(block, size) for _, block in made.again()])
    shuffled = stream(sample.seed, "references").permutation(len(where))
    references = []
    for fold in range(sample.folds):
        outside = shuffled[sample.fitted_fold[shuffled] != fold]
        real = sample.fitted_real[outside]
        a, b = outside[real][:_REFERENCES], outside[~real][:_REFERENCES]
        references.append((where[a], where[b]))
    return Counts(size, references)


def _placed(block: Block, size: float) -> Floats:
    return np.ascontiguousarray(block.axes[:, :AXES] / size, np.float32)
