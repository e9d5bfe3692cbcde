"""Real against generated among the nearest neighbours outside the fold.

Radii of z are its distances to the k-th nearest of a few of the references of both classes; a
column for each k, of the references of either class within that radius:

    log (#real + ½) / n − log (#generated + ½) / m.

`neighbors` on the leading axes; `directions` on those axes of rows scaled to length 1.  The few
stand for all: the k-th of 2000 is about the 4k-th of 8000, at half of the cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from prfast.balls import Search
from prfast.balls.tasks import Count
from prfast.inputs.arrays import Float64s, Floats
from prfast.scorers.auto.coordinates import Block, Coordinates
from prfast.scorers.auto.sample import stream

AXES = 24
_REFERENCES = 4000  # of a class


class Counts(NamedTuple):
    """A column for each k."""

    place: Callable[[Block], Floats]
    references: list[tuple[Floats, Floats]]
    """Of each fold, real and generated, in random order."""
    few: int
    """Of a class."""
    ks: Sequence[int]
    search: Search

    def score(self, block: Block) -> Float64s:
        sets = self.references[block.fold]
        queries = self.place(block)
        a, b = (one[: self.few] for one in sets)
        ks = [min(k, len(a) + len(b)) for k in self.ks]
        radii = self.search.union(queries, a, b, [], [], sorted(set(ks))).d2_both
        logs = []
        for one in sets:
            tasks = [Count(t, None, True, np.zeros(len(queries), np.int64)) for t in radii.T]
            self.search.count(queries, one, tasks)
            counts = np.column_stack([task.rows for task in tasks])
            logs.append(np.log((counts + 0.5) / len(one)))
        return np.asarray(logs[0] - logs[1])


def neighbors(made: Coordinates) -> Counts:
    size = max(float(np.abs(made.fitted_axes[:, :AXES]).max()), 1e-290)
    return _counts(made, lambda block: _axes(block.axes, size), 1000, (1, 4, 16))


def directions(made: Coordinates) -> Counts | None:
    """Only where there are more axes than `neighbors` sees."""
    if made.basis.shape[1] <= AXES:
        return None
    return _counts(made, lambda block: _unit(block.axes), 500, (2, 8))


def _axes(axes: Float64s, size: float) -> Floats:
    return np.ascontiguousarray(axes[:, :AXES] / size, np.float32)


def _unit(axes: Float64s) -> Floats:
    length = np.sqrt((axes**2).sum(axis=1, keepdims=True))
    return np.ascontiguousarray(axes[:, :AXES] / np.maximum(length, 1e-290), np.float32)


def _counts(
    made: Coordinates, place: Callable[[Block], Floats], few: int, ks: Sequence[int]
) -> Counts:
    sample = made.sample
    rng = stream(sample.seed, "references")
    where = np.concatenate([place(block) for _, block in made.again()])
    shuffled = rng.permutation(len(where))
    references = []
    for fold in range(sample.folds):
        outside = shuffled[sample.fitted_fold[shuffled] != fold]
        real = sample.fitted_real[outside]
        a, b = outside[real][:_REFERENCES], outside[~real][:_REFERENCES]
        references.append((where[a], where[b]))
    return Counts(place, references, few, ks, Search(n_jobs=1))
