"""Samples in pieces, on one machine or on many.

    verbs      what a cluster can do: submit, gather, persist, cancel; and one that is right here
    sharded    a set of samples in pieces, none of which the caller ever holds
    dask       the verbs on the workers of dask.distributed
    versions   are the workers what this process is
    flow       many tasks, a few of them at a time
    taken      some rows of a set, taken where they are

A piece is what a task is given: an array, something that loads one where the task runs, or the
handle of a task that gives either.  The caller holds numbers of samples, and vectors as long as a
set; rows stay where they are.  A task is a function of a module and runs on one thread: as many run
at once as there are threads.
"""
