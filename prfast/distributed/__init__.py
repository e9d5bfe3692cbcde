"""Distributed sample sets: data partitioned into pieces, on one machine or on many.

    shards     the public function `shards`: files -> pieces that workers read
    sources    FileRows, a range of rows of a file; loads them on the worker
    sharded    Sharded, a set in pieces; the executor protocol `Cluster` and the local `Here`;
               bounded submission of tasks; gathering selected rows
    preflight  memory checks before any work; validation of one piece on its worker
    reading    arguments -> validated arrays or `Sharded`
    dask       the executor protocol on dask.distributed; clients; comparison of versions

    paths ─► shards ─┐
                     ├─► reading ─► Sharded ─► balls, scorers, scalars, estimate, as for arrays
        dask array ──┘   a task a piece            │
                                           groups of pieces ─► submit ─► Group.load on the worker

A piece is an argument of a task: an array, an object that loads one on the worker, or the handle of
a task that returns either.  The calling process holds counts and vectors of one number a sample;
rows stay on the workers.  A task is a module-level function and runs on one thread; as many tasks
run at once as there are threads.
"""

from prfast.distributed.shards import Shards, shards

__all__ = ["Shards", "shards"]
