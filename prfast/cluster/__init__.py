"""Samples in pieces, on one machine or on many.

    shards     the public function: files -> pieces that workers read
    reading    an argument -> a set that has been looked at, or one line on what is wrong with it
    preflight  what does not fit in the workers' memory is refused before any work
    sharded    a set of samples in pieces, none of which the caller ever holds
    sources    some rows of a file, a hundred bytes that load them where a task runs
    looks      what one look at a piece finds, and chunks of dask arrays that tasks keep
    taken      some rows of a set, taken where they are
    flow       many tasks, a few of them at a time
    verbs      what a cluster can do: submit, gather, persist, cancel; and one that is right here
    dask       the verbs on the workers of dask.distributed
    versions   are the workers what this process is

    paths ─► shards ─┐
                     ├─► reading ─► Sharded ─► balls, scorers, metrics, estimate, as any other set
        dask array ──┘   a look a piece            │
                                           groups of pieces ─► tasks ─► submit ─► Group.load there

A piece is what a task is given: an array, something that loads one where the task runs, or the
handle of a task that gives either.  The caller holds numbers of samples, and vectors as long as a
set; rows stay where they are.  A task is a function of a module and runs on one thread: as many run
at once as there are threads.
"""

from prfast.cluster.shards import Shards, shards

__all__ = ["Shards", "shards"]
