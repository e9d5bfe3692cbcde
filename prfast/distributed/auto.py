"""The method "auto" on partitioned samples, as tasks of a cluster; and its limits by memory.

    fitted rows ─► fit on one worker ─► model ─► scores of the rest, a window of rows per task
                       └─► scores of the fitted rows

No process holds the sets.  A block has rows of one fold, as in one process, so every sum adds the
same numbers in the same order.  The rows of a block lie in a narrow range, and a task scores the
blocks of all folds that begin in one group of partitions.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from prfast.distributed.partitions import (
    Group,
    Partitions,
    bounded_map,
    check_memory,
    gather_rows,
    group_rows,
)
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.concurrency import one_blas_thread
from prfast.inputs.options import Progress
from prfast.inputs.samples import EqualRows, Keys, first_rows, row_keys
from prfast.methods.auto.coordinates import Coordinates
from prfast.methods.auto.estimator import fit_bytes, score_bytes
from prfast.methods.auto.model import PHASES, UNFITTED, Fit, fit, serial_executor, with_progress
from prfast.methods.auto.sample import Folds, Ints, Sample, block_rows

_TASKS = 4  # per thread, at least, where there are enough rows


class Window(NamedTuple):
    """Consecutive rows of both sets, and the blocks of them that a task scores."""

    real: slice
    fake: slice
    blocks: list[tuple[int, Ints]]
    """Fold and rows, numbered within the window."""
    rows: Ints
    """The rows of all blocks, numbered through both sets."""


def score_partitions(
    real: Partitions, fake: Partitions, folds: Folds, progress: Progress
) -> tuple[Float64s, dict[str, float]]:
    """Return the log-ratio of every row of both sets, and the share of each base."""
    cluster = real.cluster
    windows = windows_in_memory(real, fake, folds)
    s = np.empty(len(folds))
    fitted_rows = np.flatnonzero(folds.is_fitted)
    n = int(np.searchsorted(fitted_rows, len(real)))
    rows = gather_rows(real, fitted_rows[:n]), gather_rows(fake, fitted_rows[n:] - len(real))
    fitted = cluster.submit(_fitted, *rows, folds.only_fitted())
    try:
        of_fit = bounded_map(cluster, _scores_and_weights, [(fitted,)])
        ((s[folds.fitted], weights),) = with_progress(progress, of_fit, 1, sum(PHASES.values()))
        rows = [], []  # the cluster frees rows without handles
        begun: deque[Ints] = deque()

        def tasks() -> Iterator[tuple[Any, ...]]:
            for blocks in windows:
                one = _window(folds, blocks)
                begun.append(one.rows)
                yield fitted, *_arguments(real, fake, folds, one)

        share = UNFITTED * len(folds.unfitted) / len(folds.fitted)
        results = bounded_map(cluster, _scored, tasks())
        for scores in with_progress(progress, results, len(windows), share):
            s[begun.popleft()] = scores
    finally:
        cluster.cancel([*rows[0], *rows[1], fitted])
    return s, weights


def equal_rows(real: Partitions, fake: Partitions) -> EqualRows:
    """Return the groups of equal rows; only keys, 8 bytes per row, are fetched."""
    groups = ((group,) for points in (real, fake) for group in points.groups(group_rows(points)))
    keys = np.concatenate(list(bounded_map(real.cluster, _keys, groups)))
    return EqualRows(first_rows(keys), len(real))


def window_rows(real: Partitions, fake: Partitions, folds: Folds) -> int:
    """Return the number of rows of a set in which the blocks of a task begin: few enough for
    _TASKS tasks per thread, and not many fewer than the rows that these blocks span."""
    share = -(-len(folds) // (_TASKS * real.cluster.threads))
    most = min(group_rows(real), group_rows(fake), share)
    return max(most, folds.folds * block_rows(folds.width))


def windows_in_memory(
    real: Partitions, fake: Partitions, folds: Folds
) -> list[list[tuple[int, Ints]]]:
    """Return the blocks of each task, of fewer rows where these would need more than a thread's
    share of the memory, but at least one block.

    Raises
    ------
    ValueError
        The fit, or a task of one block, needs more than a thread's share of the memory.
    """
    memory, itemsize = real.cluster.task_memory, max(real.dtype.itemsize, fake.dtype.itemsize)
    fitted, width = len(folds.fitted), folds.width
    tasks = f"of 'auto', {width} features and {fitted} samples to fit to"
    remedy = "fewer of these samples (fitted=)"
    of_fit = fit_bytes(fitted, width, folds.folds, itemsize)
    check_memory(real.cluster, of_fit, f"the fit {tasks}", remedy)
    size, least = window_rows(real, fake, folds), folds.folds * block_rows(width)
    while True:
        windows = _windows(real, fake, folds, size)
        most = max((_loaded_rows(_window(folds, blocks)) for blocks in windows), default=0)
        needed = score_bytes(fitted, most, width, folds.folds, itemsize)
        if memory is None or needed <= memory or size <= least:
            break
        size = max(least, size // 2)
    if windows:
        check_memory(real.cluster, needed, f"scores of {most} samples {tasks}", remedy)
    return windows


def _loaded_rows(window: Window) -> int:
    """Return the number of rows of both sets that a task loads."""
    rows: int = window.real.stop - window.real.start + window.fake.stop - window.fake.start
    return rows


def _windows(
    real: Partitions, fake: Partitions, folds: Folds, size: int
) -> list[list[tuple[int, Ints]]]:
    """Return the blocks (fold, rows) of the rows that are not fitted to, by the windows of about
    `size` rows in which they begin."""
    rest, n = folds.unfitted, len(real)
    parts = list(folds.parts(rest))
    begins = [g.start for g in real.groups(size)] + [n + g.start for g in fake.groups(size)]
    windows: list[list[tuple[int, Ints]]] = [[] for _ in begins]
    for fold, part in parts:
        block = rest[part]
        windows[bisect_right(begins, int(block[0])) - 1].append((fold, block))
    return [blocks for blocks in windows if blocks]


def _window(folds: Folds, blocks: list[tuple[int, Ints]]) -> Window:
    """Return the window of the rows that some blocks span."""
    n = folds.n_real
    rows = np.concatenate([block for _, block in blocks])
    x, y = _span(rows[rows < n]), _span(rows[rows >= n] - n)
    after = x.stop - x.start - n - y.start  # generated rows follow the real ones of the window
    moved = [(fold, np.where(one < n, one - x.start, one + after)) for fold, one in blocks]
    return Window(x, y, moved, rows)


def _span(rows: Ints) -> slice:
    return slice(int(rows.min()), int(rows.max()) + 1) if rows.size else slice(0, 0)


def _arguments(
    real: Partitions, fake: Partitions, folds: Folds, one: Window
) -> tuple[Group | None, Group | None, Folds, list[tuple[int, Ints]]]:
    """Return the arguments of `_scored` for a window, without the fit."""
    groups = [
        points.span(rows.start, rows.stop) if rows.start < rows.stop else None
        for points, rows in ((real, one.real), (fake, one.fake))
    ]
    return groups[0], groups[1], folds.window(one.real, one.fake), one.blocks


# ---- functions that run on workers


def _keys(group: Group) -> Keys:
    """Return the keys of the rows of a group."""
    return row_keys(group.load())


def _fitted(real: list[Floats], fake: list[Floats], folds: Folds) -> Fit:
    """Return the fit to the rows of both sets."""
    with one_blas_thread():
        sample = Sample.from_folds(folds, np.concatenate(real), np.concatenate(fake))
        return fit(Coordinates(sample), serial_executor)


def _scores_and_weights(fitted: Fit) -> tuple[Float64s, dict[str, float]]:
    return fitted.scores, fitted.weights


def _scored(
    fitted: Fit,
    real: Group | None,
    fake: Group | None,
    folds: Folds,
    blocks: list[tuple[int, Ints]],
) -> Float64s:
    """Return the scores of the rows of some blocks, one block after the other."""
    none = np.empty((0, folds.width))
    x, y = (none if group is None else group.load() for group in (real, fake))
    with one_blas_thread():
        sample = Sample.from_folds(folds, x, y)
        return np.concatenate([fitted.model.score(sample, rows, fold) for fold, rows in blocks])
