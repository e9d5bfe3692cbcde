"""How many samples can be fitted to in so many bytes, and by how many threads."""

from __future__ import annotations

from prfast.inputs.errors import WrongValue
from prfast.scorers.auto.coordinates import AXES, GRAM, KEPT, MOST
from prfast.scorers.auto.ridge import left_out
from prfast.scorers.auto.sample import block_rows

_COLUMNS = 32  # of all bases
_LEAST = 1000  # samples


def most_rows(memory: int, width: int, folds: int) -> int:
    """Samples of both sets together, by one thread, so that a result depends on no number of
    threads; ValueError where the sums alone take more."""
    fixed = _sums(width, folds) + _block(width)
    rows = (memory - fixed) // _row(width)
    if rows < _LEAST:
        least = fixed + _LEAST * _row(width)
        raise WrongValue(
            "memory", f"at least {least} bytes expected for {width} features, got {memory}"
        )
    return rows


def most_threads(memory: int, width: int, folds: int, rows: int) -> int:
    """Threads, each with a block of its own, beside so many samples; at least one."""
    left = memory - _sums(width, folds) - rows * _row(width)
    return max(1, left // _block(width))


def _sums(width: int, folds: int) -> int:
    """Of the widest features, and the coordinates that are kept."""
    if width > MOST:
        square = 4 * width**2 if width <= GRAM else 0
        return square * (left_out(width, folds) + 3)
    return 8 * folds * (8 * min(width, 128)) ** 2 // 4 + 5 * 8 * KEPT // 2


def _block(width: int) -> int:
    return block_rows(width) * 8 * (4 * width + 8 * min(width, MOST) + 1000)


def _row(width: int) -> int:
    return 8 * (AXES + 7 * _COLUMNS)
