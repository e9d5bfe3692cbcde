"""How many samples can be fitted to in so many bytes."""

from __future__ import annotations

from prfast.inputs.errors import WrongValue
from prfast.scorers.auto.coordinates import AXES, GRAM, MOST
from prfast.scorers.auto.sample import block_rows

_COLUMNS = 32  # of all bases
_LEAST = 1000  # samples


def most_rows(memory: int, width: int, folds: int, threads: int) -> int:
    """Samples of both sets together; ValueError where the sums alone take more."""
    axes = min(width, MOST)
    sums = folds * (width * width * 4 if MOST < width <= GRAM else 8 * (8 * min(axes, 128)) ** 2)
    block = threads * block_rows(width) * 8 * (4 * width + 8 * axes + 1000)
    fixed = sums // 4 + block
    a_row = 8 * (5 * axes + AXES + 5 * _COLUMNS)
    rows = (memory - fixed) // a_row
    if rows < _LEAST:
        least = fixed + _LEAST * a_row
        raise WrongValue(
            "memory", f"at least {least} bytes expected for {width} features, got {memory}"
        )
    return rows
