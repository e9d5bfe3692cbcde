"""Real against generated among the nearest neighbours outside the fold.

A column for each k, with a and b the shares of the references of either class that the ball around
z to the k-th of them all holds, + ½ each:

    log (#real + ½) / n − log (#generated + ½) / m.

`neighbors` on the leading axes; `directions` on those axes of rows scaled to length 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from prfast.balls import Search
from prfast.inputs.arrays import Float64s, Floats
from prfast.scorers.auto.coordinates import Block, Coordinates
from prfast.scorers.auto.sample import stream

AXES = 24
_REFERENCES = 4000  # of a class


class Counts(NamedTuple):
    """A column for each k."""

    place: Callable[[Block], Floats]
    references: list[tuple[Floats, Floats]]
    """Of each fold, real and generated."""
    ks: Sequence[int]
    search: Search

    def score(self, block: Block) -> Float64s:
        a, b = self.references[block.fold]
        ks = [k for k in self.ks if k <= len(a) + len(b)] or [len(a) + len(b)]
        found = self.search.union(self.place(block), a, b, [], [], ks)
        p = np.log((found.of_a + 0.5) / len(a))
        q = np.log((found.of_b + 0.5) / len(b))
        return np.asarray(p - q)


def neighbors(made: Coordinates) -> Counts:
    size = max(float(np.abs(made.fitted_axes[:, :AXES]).max()), 1e-290)
    return _counts(made, lambda block: _axes(block.axes, size), (4, 16, 64))


def directions(made: Coordinates) -> Counts | None:
    """Only where there are more axes than `neighbors` sees."""
    if made.basis.shape[1] <= AXES:
        return None
    return _counts(made, lambda block: _unit(block.axes), (16, 64))


def _axes(axes: Float64s, size: float) -> Floats:
    return np.ascontiguousarray(axes[:, :AXES] / size, np.float32)


def _unit(axes: Float64s) -> Floats:
    length = np.sqrt((axes**2).sum(axis=1, keepdims=True))
    return np.ascontiguousarray(axes[:, :AXES] / np.maximum(length, 1e-290), np.float32)


def _counts(made: Coordinates, place: Callable[[Block], Floats], ks: Sequence[int]) -> Counts:
    sample = made.sample
    rng = stream(sample.seed, "references")
    where = np.concatenate([place(block) for _, block in made.again()])
    shuffled = rng.permutation(len(where))
    references = []
    for fold in range(sample.folds):
        outside = shuffled[sample.fitted_fold[shuffled] != fold]
        real = sample.fitted_real[outside]
        a, b = outside[real][:_REFERENCES], outside[~real][:_REFERENCES]
        references.append((where[np.sort(a)], where[np.sort(b)]))
    return Counts(place, references, ks, Search(n_jobs=1))
