"""What does not fit is refused before any work: a worker whose memory is full thrashes for long
before it dies.

A task with two pieces holds each as it was read, as contiguous numbers, and packed, with lists of
neighbours beside: eight pieces together are more than that.  Chunks of dask arrays are kept by the
workers as well, for as long as the set is in use.
"""

from __future__ import annotations

from prfast.cluster.verbs import Cluster
from prfast.inputs.errors import WrongValue

_PIECES = 8  # in memory at once, of a task


def check_piece(name: str, rows: int, width: int, itemsize: int, cluster: Cluster) -> None:
    """Can every thread work on pieces of so many samples?"""
    needed = _piece_task(rows, width, itemsize)
    if cluster.room is not None and needed > cluster.room:
        fits = max(1, cluster.room // _piece_task(1, width, itemsize))
        raise WrongValue(
            name,
            f"pieces of {rows} samples × {width} features take {_words(needed)} of a task, and "
            f"workers have {_words(cluster.room)} a thread: at most {fits} samples a piece expected"
            " (rows= of prfast.shards, rechunk of a dask array), or more memory or fewer threads",
        )


def check_kept(
    name: str, kept: int, rows: int, width: int, itemsize: int, cluster: Cluster
) -> None:
    """Is there room for so many bytes of chunks, and for tasks on pieces of so many samples?"""
    needed = kept + cluster.threads * _piece_task(rows, width, itemsize)
    if cluster.memory is not None and needed > cluster.memory:
        raise WrongValue(
            name,
            f"{_words(kept)} of chunks that workers keep, and {_words(needed - kept)} of tasks, do "
            f"not fit in the {_words(cluster.memory)} that they have: write them to files "
            "(dask.array.to_npy_stack, to_zarr) for prfast.shards, or start more workers",
        )


def check_task(needed: int, rows: int, k: int, cluster: Cluster) -> None:
    """Has every thread so many bytes, for a task on so many samples of two sets?"""
    if cluster.room is not None and needed > cluster.room:
        raise WrongValue(
            "client",
            f"workers with {_words(needed)} a thread expected for tasks on {rows} × {rows} samples "
            f"with k = {k}, got {_words(cluster.room)}: more memory, fewer threads or a smaller k",
        )


def check_auto(needed: int, what: str, width: int, fitted: int, cluster: Cluster) -> None:
    """Has every thread so many bytes, for a task of the automatic estimator?"""
    if cluster.room is not None and needed > cluster.room:
        raise WrongValue(
            "client",
            f"workers with {_words(needed)} a thread expected for {what} of 'auto', {width} "
            f"features and {fitted} samples to fit to, got {_words(cluster.room)}: more memory, "
            "fewer threads, or fewer of these samples (fitted=)",
        )


def _piece_task(rows: int, width: int, itemsize: int) -> int:
    """Of a task that looks at two pieces of so many samples."""
    return _PIECES * rows * width * itemsize


def _words(size: int) -> str:
    return f"{size / 1e9:.3g} GB" if size >= 10**9 else f"{size / 1e6:.3g} MB"
