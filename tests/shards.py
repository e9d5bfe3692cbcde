"""Partitioned sets in this process, and executors that run their tasks here."""

import pickle
from weakref import WeakSet

import numpy as np

from prfast.distributed.samples import PartitionedSamples


class InProcess:
    """An executor that runs each task at once, in `submit`."""

    threads = 1
    task_memory = None

    def submit(self, function, *args):
        return function(*args)

    def gather(self, handles):
        return list(handles)

    def wait(self, handle):
        pass

    def cancel(self, handles):
        pass


class Pickling(InProcess):
    """Sends tasks and results through pickle, as to other processes.

    It counts what the caller fetches, and knows the tasks that are neither fetched nor cancelled.
    """

    def __init__(self, threads=1):
        self.threads = threads
        self.tasks, self.fetched, self.running = 0, [], WeakSet()

    def submit(self, function, *args):
        self.tasks += 1
        task = pickle.dumps((function, self._with_results(args)))
        called, given = pickle.loads(task)
        handle = Handle(pickle.dumps(called(*given)))
        self.running.add(handle)
        return handle

    def _with_results(self, value):
        if isinstance(value, Handle):
            return pickle.loads(value.result)
        if isinstance(value, dict):
            return {key: self._with_results(entry) for key, entry in value.items()}
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(self._with_results, value))
        return (
            type(value)(map(self._with_results, value)) if type(value) in (list, tuple) else value
        )

    def gather(self, handles):
        self.fetched += [len(handle.result) for handle in handles]
        self.running -= set(handles)
        return [pickle.loads(handle.result) for handle in handles]

    def cancel(self, handles):
        self.running -= set(handles)


class Handle:
    """The pickled result of a task."""

    def __init__(self, result):
        self.result = result

    def __reduce__(self):
        raise TypeError("a handle is replaced by its result")


def sharded(rows, cuts=(), cluster=None, **options):
    """Return an array as partitions, cut before these rows."""
    return PartitionedSamples(
        partitions=(partitions := np.split(rows, cuts)),
        lengths=np.array([len(part) for part in partitions], np.int64),
        width=rows.shape[1],
        dtype=rows.dtype,
        cluster=cluster or InProcess(),
        largest=float(np.abs(rows).max()),
        checksum=0,
        **options,
    )
