"""Sets in pieces that are right here, and a search that cuts every set it is asked about."""

import numpy as np

from prfast.distributed.partitions import InProcess
from prfast.distributed.reading import PartitionedSamples
from prfast.neighbors import NeighborSearch, Rows


def sharded(points, lengths, cluster=None, part_rows=None):
    """The points in pieces of such lengths."""
    lengths = np.asarray(lengths, np.int64)
    assert lengths.sum() == len(points)
    pieces = np.split(points, np.cumsum(lengths)[:-1])
    size = np.abs(points)
    return PartitionedSamples(
        partitions=pieces,
        lengths=lengths,
        width=points.shape[1],
        dtype=points.dtype,
        cluster=cluster or InProcess(),
        largest=float(size.max()),
        smallest=float(size[size > 0].min(initial=np.inf)),
        checksum=0,
        part_rows=part_rows,
    )


def even(length):
    """Pieces of one length, and a shorter one at the end."""

    def lengths(n):
        return [length] * (n // length) + [n % length]

    return lengths


class InPieces(NeighborSearch):
    """A search whose sets are cut into pieces, and parts of about so many rows."""

    def __init__(self, lengths, rows, cluster=None, **settings):
        super().__init__(**settings)
        self.lengths, self.cluster, self.part_rows = lengths, cluster, rows

    def run(self, queries, refs, tasks):
        cut = {id(one): self.pieces(one) for one in (queries, *refs)}
        super().run(cut[id(queries)], [cut[id(one)] for one in refs], tasks)

    def pieces(self, points):
        points = np.asarray(points)
        return sharded(points, self.lengths(len(points)), self.cluster, self.part_rows)


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
