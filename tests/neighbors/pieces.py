"""A search that partitions every set."""

import numpy as np
from shards import sharded

from prfast.neighbors import NeighborSearch, Rows


def even(length):
    """Return where partitions of one length begin, of any set."""
    return lambda n: range(length, n, length)


class InPieces(NeighborSearch):
    """A search of partitioned sets, in parts of about so many rows."""

    def __init__(self, cuts, rows, **settings):
        super().__init__(**settings)
        self.cuts, self.part_rows = cuts, rows

    def run(self, queries, refs, tasks):
        cut = {id(one): self.pieces(one) for one in (queries, *refs)}
        super().run(cut[id(queries)], [cut[id(one)] for one in refs], tasks)

    def pieces(self, points):
        points = np.asarray(points)
        return sharded(points, self.cuts(len(points)), part_rows=self.part_rows)


class HalfInPieces(InPieces):
    """The same, of sets that are some rows of larger ones, in order or not."""

    def __init__(self, *args, order="sorted", **settings):
        super().__init__(*args, **settings)
        self.order = order

    def pieces(self, points):
        points = np.asarray(points)
        n = len(points)
        rng = np.random.default_rng(n)
        index = rng.permutation(2 * n)[:n]
        index = np.sort(index) if self.order == "sorted" else index
        base = np.zeros((2 * n, points.shape[1]), points.dtype)
        base[index] = points
        return Rows(super().pieces(base), index)
