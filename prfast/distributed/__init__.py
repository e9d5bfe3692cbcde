"""Samples in pieces, on one machine or on many: its own functions, which the core never imports.

    api           pr_curve, pr_curves, metrics, realism, by_class, Evaluator with a client
    shards        files -> pieces that workers read: `shards`
    ranges        rows of .npy, .parquet, .h5 and .zarr, read without the others
    reading       arguments -> validated `PartitionedSamples`; memory checks before any work
    partitions    sets in pieces, ranges and parts of their rows; the executor protocol
    dask          the executor protocol on dask.distributed; clients; comparison of versions
    auto          the method "auto": folds in windows of rows
    block_engine  the engine of the neighbor search: which tasks are submitted for a query
    blocks        parts of sets, tasks on two of them, bounded submission
    block_lists   tasks that list the nearest in blocks and combine the lists

    paths ─► shards ─┐
                     ├─► reading ─► PartitionedSamples ─► the core, as for arrays
        dask array ──┘   a task a piece       │
                                       groups of pieces ─► submit ─► Group.load on the worker

The core knows the interface `prfast.inputs.samples.SampleSet` alone.  A piece is an argument of a
task: an array, an object that loads one on the worker, or the handle of a task that returns either.
The calling process holds counts and vectors of one number a sample; rows stay on the workers.  A
task is a module-level function and runs on one thread; as many tasks run at once as there are
threads.
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
