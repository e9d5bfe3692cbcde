"""Partitioned samples, on one machine or on many: functions of their own, with a Dask client.

    api           pr_curve, pr_curves, metrics, realism, by_class, Evaluator with a client
    shards        files -> ranges of rows that workers read
    reading       arguments -> validated `PartitionedSamples`
    partitions    sets in partitions, and parts of their rows; the executor protocol
    dask          the executor protocol on dask.distributed; clients
    auto          the method "auto": folds in windows of rows
    block_engine  the engine of the neighbor search: sets in parts, bounded submission of tasks
    block_lists   its tasks that list the nearest in blocks and combine the lists

The core knows the interface `prfast.samples.partitioned.PartitionedRows` alone.  Rows stay on the
workers; a task is a module-level function and runs on one thread.
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
