"""Partitioned samples, on one machine or on many: functions of their own, with a Dask client.

    api           pr_curve, pr_curves, metrics, realism, by_class, Evaluator with a client
    shards        files -> ranges of rows that workers read: `shards`
    reading       arguments -> validated `PartitionedSamples`
    partitions    sets in partitions, and parts of their rows; the executor protocol
    dask          the executor protocol on dask.distributed; clients
    auto          the method "auto": folds in windows of rows
    block_engine  the engine of the neighbor search: which tasks are submitted for a query
    blocks        sets in parts, tasks on two of them, bounded submission
    block_lists   tasks that list the nearest in blocks and combine the lists

    paths ─► shards ─┐
                     ├─► reading ─► PartitionedSamples ─► the core, as for arrays
        dask array ──┘   a task a partition   │
                                   parts of their rows ─► submit ─► Part.load on the worker

The core never imports this package; it knows the interface
`prfast.samples.partitioned.PartitionedRows`.  A partition is an argument of a task: an array, an
object that loads an array on the worker, or the handle of a task that returns either.  The calling
process holds counts and vectors of one number a sample; rows stay on the workers.  A task is a
module-level function and runs on one thread; as many tasks run at once as there are threads.
"""

from prfast.distributed.api import (
    Evaluator,
    by_class,
    metrics,
    pr_curve,
    pr_curves,
    realism,
)
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
