"""Decimals of numbers, and whether some of the numbers are rounded."""

from __future__ import annotations

import numpy as np

from prfast.inputs.arrays import Flags, Float64s, Ints

_EPS = float(np.finfo(np.float64).eps)
DECIMALS = 6  # the most that are counted
_LARGEST = 0.1 / _EPS / 10 ** (DECIMALS - 1)  # beyond it float64 has too few digits for decimals
_ROUNDED = 0.02  # share of numbers, below which it does not matter whether they are rounded


def are_short(cells: Float64s, digits: int = DECIMALS - 1) -> Flags:
    """Return whether finite numbers have at most so many decimals, up to rounding."""
    with np.errstate(over="ignore", invalid="ignore"):  # those beyond have no decimals
        scaled = cells * 10.0**digits
        return np.asarray(np.abs(scaled - np.round(scaled)) <= 4 * _EPS * np.abs(scaled))


def decimals_of(cells: Float64s) -> Ints:
    """Return the number of decimals of each number, at most DECIMALS, up to rounding; negative for
    multiples of 10, 100 and 1000.  That of 0, missing and infinite cells is 0."""
    cells = np.where(np.isfinite(cells), cells, 0.0)
    decimals = np.full(len(cells), DECIMALS)
    with np.errstate(over="ignore", invalid="ignore"):
        for digits in range(DECIMALS - 1, -4, -1):
            decimals[are_short(cells, digits) | ~np.isfinite(cells * 10.0**digits)] = digits
    return np.where(cells == 0, 0, decimals)


def fine_decimals(cells: Float64s) -> Ints:
    """Return the same, but DECIMALS where float64 has too few digits for decimals."""
    return np.where(np.abs(cells) < _LARGEST, decimals_of(cells), DECIMALS)


def may_be_rounded(rows: Float64s) -> Flags:
    """Return of each row whether enough of its numbers have few decimals, beside zeros."""
    varies = rows != 0
    short = np.count_nonzero(are_short(rows) & varies, axis=-1)
    return np.asarray(short >= np.maximum(_ROUNDED * np.count_nonzero(varies, axis=-1), 1))


def rounding_of(cells: Float64s) -> int | None:
    """Return the number of decimals to which some of the numbers are rounded and others are not;
    None where all may be rounded alike.

    One in ten numbers of a common number of decimals has a decimal less by chance; twice as many
    are rounded.
    """
    cells = cells[np.isfinite(cells) & (cells != 0)]
    if not may_be_rounded(cells):  # mostly; saves most of the time
        return None
    decimals = fine_decimals(cells)
    shares = np.array([(decimals <= k).mean() for k in range(DECIMALS)])
    excess = shares - 0.2 * np.append(shares[1:], 1.0)
    excess[(shares < _ROUNDED) | (shares > 1.0 - _ROUNDED)] = 0.0
    return int(excess.argmax()) if excess.max() > 0 else None
