"""The memory of fits of "auto": samples or threads for some bytes, and the bytes of tasks."""

from __future__ import annotations

from prfast.inputs.errors import WrongValue
from prfast.methods.auto.block import MANY
from prfast.methods.auto.coordinates import AXES, GRAM, KEPT, MOST
from prfast.methods.auto.counts import MOST as VALUES
from prfast.methods.auto.regressions import left_out
from prfast.methods.auto.sample import block_rows

_COLUMNS = 40  # of all bases
_LEAST = 1000  # samples of a fit


def most_rows(memory: int, width: int, folds: int) -> int:
    """Return the number of samples of both sets together that a fit by one thread has memory for;
    ValueError where it is below _LEAST.

    It is for one thread, so that no result depends on the number of threads.
    """
    fixed = _sums(width, folds) + _block(width)
    rows = (memory - fixed) // _row(width, kept=False)
    if _are_kept(rows, width):  # few enough to store their coordinates, which needs more
        rows = min((memory - fixed) // _row(width, kept=True), rows)
    if rows < _LEAST:
        least = fixed + _LEAST * _row(width, kept=_are_kept(_LEAST, width))
        raise WrongValue(
            "memory", f"at least {least} bytes expected for {width} features, got {memory}"
        )
    return rows


def fit_bytes(rows: int, width: int, folds: int, itemsize: int) -> int:
    """Return the bytes of one thread that fits to so many samples of both sets together, which it
    holds twice: as received, and concatenated."""
    held = 2 * rows * width * itemsize + rows * _row(width, kept=_are_kept(rows, width))
    return held + _sums(width, folds) + _block(width) + model_bytes(rows, width, folds)


def score_bytes(rows: int, window: int, width: int, folds: int, itemsize: int) -> int:
    """Return the bytes of one thread that scores `window` consecutive samples, which it holds twice
    (as loaded, and concatenated), with a model fitted to `rows`."""
    return 2 * window * width * itemsize + _block(width) + model_bytes(rows, width, folds)


def model_bytes(rows: int, width: int, folds: int) -> int:
    """Return an upper bound of the bytes of a model of so many samples of both sets together:
    references of `neighbors`, ranks of columns, slopes, ranges, trees, and `atoms` where rows
    repeat.  Each of `values` takes 48 bytes."""
    references = folds * 2 * 4000 * 24 * 4
    slopes = folds * 8 * (40 * min(width, MOST) ** 2 if width <= 16 else 60 * width)
    gaussians = folds * 4 * 8 * min(width, MOST) ** 2
    axes = 8 * width * (min(width, MOST) + 512)  # with the bands'
    references += (8 << 20) + 48 * min(VALUES, width * min(rows, 8000))  # trees, values
    return references + slopes + gaussians + axes + rows * (2 * 8 * _COLUMNS + 16 * folds)


def most_threads(memory: int, width: int, folds: int, rows: int) -> int:
    """Return the number of threads, at least one, with memory for a block beside `rows` samples."""
    used = rows * _row(width, kept=_are_kept(rows, width))
    return max(1, (memory - _sums(width, folds) - used) // (_block(width) + rows * _tree(width)))


def _are_kept(rows: int, width: int) -> bool:
    return width <= MOST and rows * width <= KEPT


def _sums(width: int, folds: int) -> int:
    """Return the bytes of the largest sums of ridge regression."""
    screened = 8 * folds * (6 * min(width, 100)) ** 2 if width > MANY else 0
    if width > MOST:
        square = 4 * width**2 if width <= GRAM else 0
        return max(square * (left_out(width, folds) + 3), screened)
    return max(8 * folds * (8 * min(width, 128)) ** 2 // 4, screened)


def _block(width: int) -> int:
    """Return the bytes of a block and its coordinates."""
    return block_rows(width) * 8 * (4 * width + 8 * min(width, MOST) + 1000)


def _row(width: int, *, kept: bool) -> int:
    """Return the bytes of a fitted sample; kept: whether its coordinates are stored."""
    return 8 * (AXES + 3 + 7 * _COLUMNS + (7 * width if kept else 0)) + _tree(width)


def _tree(width: int) -> int:
    """Return the bytes of a sample while trees are grown: columns and their bins."""
    return 9 * min(width, MANY)
