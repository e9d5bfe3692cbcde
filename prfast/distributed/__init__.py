"""Partitioned samples, on one machine or on many: functions of their own, with a Dask client.

    api           functions with a client; arguments -> validated `PartitionedSamples`
    shards        files -> ranges of rows that workers read
    partitions    parts of the rows of a set; the executor protocol
    dask          the executor protocol on dask.distributed; clients
    auto          the method "auto": folds in windows of rows
    block_engine  the engine of the neighbor search: sets in parts, bounded submission of tasks
    block_lists   its tasks that list the nearest in blocks and combine the lists

The core recognizes samples by their base `prfast.samples.partitioned.PartitionedRows`.  Rows stay
on the workers; a task is a module-level function and runs on one thread.
"""

from prfast.distributed.api import Evaluator, by_class, metrics, pr_curve, pr_curves, realism
from prfast.distributed.shards import Shards, shards

__all__ = [
    "Evaluator",
    "Shards",
    "by_class",
    "metrics",
    "pr_curve",
    "pr_curves",
    "realism",
    "shards",
]
