"""Sets in pieces as the tests make them, and a cluster that notices what cannot be sent."""

import pickle
from weakref import WeakSet

import numpy as np

from prfast.distributed.partitions import InProcess
from prfast.distributed.reading import PartitionedSamples


class Pickling(InProcess):
    """Sends every task, and what it returns, through pickle, as other processes would; it counts
    what the caller is sent, and knows which tasks nobody has
    fetched or forgotten."""

    def __init__(self, threads=1):
        self.threads = threads
        self.tasks, self.fetched, self.running = 0, [], WeakSet()

    def submit(self, function, *args):
        self.tasks += 1
        task = pickle.dumps((function, self._of_handles(args)))
        called, given = pickle.loads(task)
        handle = Handle(pickle.dumps(called(*given)))
        self.running.add(handle)
        return handle

    def _of_handles(self, value):
        if isinstance(value, Handle):
            return pickle.loads(value.result)
        if isinstance(value, dict):
            return {key: self._of_handles(one) for key, one in value.items()}
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(self._of_handles, value))
        return type(value)(map(self._of_handles, value)) if type(value) in (list, tuple) else value

    def gather(self, handles):
        self.fetched += [len(one.result) for one in handles]
        self.running -= set(handles)
        return [pickle.loads(one.result) for one in handles]

    def cancel(self, handles):
        self.running -= set(handles)


class Handle:
    """What a task has returned, pickled."""

    def __init__(self, result):
        self.result = result

    def __reduce__(self):
        raise TypeError("a handle is replaced by what it stands for")


def sharded(rows, cuts=(), cluster=None, **options):
    """An array cut before these rows."""
    pieces = np.split(rows, cuts)
    lengths = np.array([len(one) for one in pieces], np.int64)
    size = np.abs(rows.astype(np.float64))
    smallest = float(size[size > 0].min(initial=np.inf))
    of_all = float(size.max()), smallest, 0
    return PartitionedSamples(
        pieces, lengths, rows.shape[1], rows.dtype, cluster or InProcess(), *of_all, **options
    )
