"""Samples in the chunks of a dask array: the public class `Chunks`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from prfast.distributed.dask import cluster_of
from prfast.distributed.samples import PartitionedSamples, check_memory, validated
from prfast.inputs.arrays import Floats, read_numbers
from prfast.inputs.errors import WrongType, kind_of
from prfast.samples.partitioned import PartitionedSource
from prfast.samples.samples import check_shape


@dataclass(frozen=True, eq=False, repr=False)
class Chunks(PartitionedSource):
    """Samples in the chunks of rows of a dask array.  The chunks stay on the workers.

    See also `shards`.

    >>> import dask.array, distributed
    >>> client = distributed.Client(processes=False)
    >>> real, fake = map(prfast.distributed.Chunks, dask.array.random.normal(size=(2, 500, 4)))
    >>> print(prfast.pr_curve(real, fake, "knn"))

    Parameters
    ----------
    array : dask array, shape (n, d)
        The samples; n may be unknown.  Chunks of columns are joined.
    client : distributed.Client, optional
        As for `shards`.

    Raises
    ------
    TypeError
        Anything but a dask array.
    """

    array: Any
    client: Any = None

    def __post_init__(self) -> None:
        is_of_dask = type(self.array).__module__.partition(".")[0] in ("dask", "dask_expr")
        if not (is_of_dask and hasattr(self.array, "chunks")):
            hint = "; its method to_dask_array makes one" if is_of_dask else ""
            raise WrongType("array", f"a dask array expected, got {kind_of(self.array)}{hint}")

    def __repr__(self) -> str:
        return f"Chunks({self.array!r})"

    def read(self, name: str, cluster: Any) -> PartitionedSamples:
        array, cluster = self.array, cluster or cluster_of(self.client)
        is_known = not math.isnan(sum(array.shape))  # dask may have no lengths
        if array.ndim != 2 or is_known:
            check_shape(name, array.shape, 0)
        if array.numblocks[1] > 1:
            array = array.rechunk({1: -1})
        most = max(array.chunks[0]) if is_known else 0
        check_memory(cluster, most, array.shape[1], array.dtype)
        return validated(self, name, cluster, [Chunk(name, rows) for rows in cluster.chunks(array)])


class Chunk(NamedTuple):
    """A chunk of rows; tasks have it in place of its handle `rows`."""

    name: str
    rows: Any

    def raw(self) -> Any:
        return self.rows

    def load(self) -> Floats:
        return read_numbers(self.name, self.rows)

    def place(self, row: int) -> str:
        return ""
