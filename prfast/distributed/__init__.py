"""Partitioned samples, on one machine or on many, for the functions that take arrays.

    shards        files -> ranges of rows that workers read
    chunks        dask arrays -> their chunks
    samples       `PartitionedSamples`, validated on the workers
    partitions    parts of the rows of a set; the executor protocol
    dask          the executor protocol on dask.distributed; clients
    auto          the method "auto": folds in windows of rows
    block_engine  the engine of the neighbor search: sets in parts, bounded submission of tasks
    block_lists   its tasks that list the nearest in blocks and combine the lists

The core uses the interface of `prfast.samples.partitioned` alone.  Rows stay on the workers; a task
is a module-level function and runs on one thread.
"""

from prfast.distributed.chunks import Chunks
from prfast.distributed.shards import Shards, shards

__all__ = ["Chunks", "Shards", "shards"]
