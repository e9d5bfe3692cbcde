"""The method "auto" on partitioned samples, as tasks of a cluster.

    fitted rows ─► fit on one worker ─► model ─► scores of the rest, a window of rows per task
                       └─► scores of the fitted rows

A block has rows of one fold, as in one process, so every sum adds the same numbers in the same
order.  Its rows lie in a narrow range; a task scores the blocks that begin in a window.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.distributed.block_engine import pick
from prfast.distributed.partitions import Part, gather_rows, group_rows, map_tasks
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.concurrency import execution, with_progress
from prfast.inputs.options import Progress
from prfast.methods.auto.folds import Folds, Ints, block_rows, blocks_of_folds
from prfast.methods.auto.model import fit_both
from prfast.samples.partitioned import JointRows

_TASKS = 4  # per thread, at least, where there are enough rows

FoldBlocks = list[tuple[int, Ints]]
"""Blocks of rows of one fold each: (fold, rows)."""


def score_partitions(
    real: Any, fake: Any, folds: Folds, bases: dict[str, Any], progress: Progress
) -> tuple[Float64s, dict[str, float], tuple[Ints, Float64s, float]]:
    """Return the log-ratio of every row, the share of each base, and the scores of smaller fits."""
    cluster, s = real.cluster, np.empty(len(folds.fold))
    fitted_rows = np.sort(folds.fitted)
    n = int(np.searchsorted(fitted_rows, len(real)))
    rows = gather_rows(real, fitted_rows[:n]), gather_rows(fake, fitted_rows[n:] - len(real))
    # The folds of these rows alone, renumbered in the same order.
    fold = folds.fold[fitted_rows]
    folds_of_fit = replace(
        folds,
        n_real=n,
        fold=fold,
        fitted=np.argsort(fold, kind="stable"),
        unfitted=fitted_rows[:0],
        unlabelled=folds.unlabelled[fitted_rows],
        weight=folds.weight[fitted_rows],
    )
    arguments = *rows, folds_of_fit, bases
    fitted = cluster.submit(_fitted, *arguments)
    try:
        found = map_tasks(cluster, pick, [(fitted, slice(1, None))])
        ((s[folds.fitted], weights, smaller),) = with_progress(progress, found, 1, 2)
        del arguments
        rows = [], []  # the cluster frees rows without handles
        windows = _windows(real, fake, folds)
        tasks = ((fitted, *_arguments(real, fake, folds, blocks)) for blocks in windows)
        results = map_tasks(cluster, _scored, tasks)
        scores_of_windows = with_progress(progress, results, len(windows), 1)
        for blocks, scores in zip(windows, scores_of_windows, strict=True):
            s[np.concatenate([block for _, block in blocks])] = scores
    finally:
        cluster.cancel([*rows[0], *rows[1], fitted])
    return s, weights, (fitted_rows[smaller[0]], *smaller[1:])


def _windows(real: Any, fake: Any, folds: Folds) -> list[FoldBlocks]:
    """Return the blocks of the rows that are not fitted to, by the windows in which they begin.

    A window has few enough rows of a set for _TASKS windows per thread, and not many fewer than its
    blocks span.
    """
    share = -(-len(folds.fold) // (_TASKS * real.cluster.threads))
    most = min(group_rows(real), group_rows(fake), share)
    size = max(most, folds.folds * block_rows(folds.width))
    unfitted, n = folds.unfitted, len(real)
    begins = [g.start for g in real.parts(size)] + [n + g.start for g in fake.parts(size)]
    windows: list[FoldBlocks] = [[] for _ in begins]
    for fold, part in blocks_of_folds(folds.fold[unfitted], folds.width):
        block = unfitted[part]
        windows[bisect_right(begins, int(block[0])) - 1].append((fold, block))
    return [blocks for blocks in windows if blocks]


def _arguments(
    real: Any, fake: Any, folds: Folds, blocks: FoldBlocks
) -> tuple[Part | None, Part | None, int, FoldBlocks]:
    """Return the arguments of `_scored` after the fit, with blocks numbered within the rows that
    they span; None for no rows."""
    n = folds.n_real
    rows = np.concatenate([block for _, block in blocks])
    parts = [rows[rows < n], rows[rows >= n] - n]
    x, y = (slice(int(r.min()), int(r.max()) + 1) if r.size else slice(0, 0) for r in parts)
    after = x.stop - x.start - n - y.start  # generated rows follow the real ones of the window
    moved = [(fold, np.where(block < n, block - x.start, block + after)) for fold, block in blocks]
    x_rows, y_rows = real.block(x) if x.stop else None, fake.block(y) if y.stop else None
    return x_rows, y_rows, folds.width, moved


# ---- functions that run on workers


def _fitted(
    real: list[Floats], fake: list[Floats], folds: Folds, bases: dict[str, Any]
) -> tuple[Any, ...]:
    """Return the fit and the smaller fit to the rows of both sets."""
    with execution(1, Progress(False)) as execute:
        return fit_both(folds, (np.concatenate(real), np.concatenate(fake)), bases, execute)


def _scored(
    fitted: Any, real: Part | None, fake: Part | None, width: int, blocks: FoldBlocks
) -> Float64s:
    """Return the scores of the rows of the blocks, one block after the other."""
    none = np.empty((0, width))
    x, y = (none if part is None else part.load() for part in (real, fake))
    with execution(1, Progress(False)) as execute:
        read = [(fold, JointRows((x, y), rows)[:]) for fold, rows in blocks]
        return np.concatenate(execute(lambda part: fitted[0].score(part[1], part[0]), read))
