"""Sums of the kernel k(x, y) = (x·y / d + 1)³, less its constant 1, over blocks of pairs.

A constant falls out of the kernel distance and of its error, and without it less cancels.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from prfast.balls.rows import Points
from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks
from prfast.metrics.estimate import Hands
from prfast.metrics.parts import of_each, parts_of, rows_of

_MOST, _FEWEST, _NUMBERS = 1 << 10, 1 << 4, 1 << 21  # rows of a block; numbers of its rows


class Sums(NamedTuple):
    """Of each sample over its partners: of the kernel, and of the square of the kernel."""

    kernel: Float64s
    squared: Float64s

    @classmethod
    def none(cls, samples: int) -> Sums:
        return cls(np.zeros(samples), np.zeros(samples))

    def add(self, rows: slice, found: Sums) -> None:
        self.kernel[rows] += found.kernel
        self.squared[rows] += found.squared


def sums_within(points: Points, hands: Hands) -> Sums:
    """Over the other samples of the set; every pair is looked at once."""
    rows, parts = _blocks(points)
    places = [(i, j) for i in range(len(rows)) for j in range(i, len(rows))]
    looks = [(parts[i], parts[j], i == j) for i, j in places]
    found = Sums.none(len(points))
    n = len(points)
    with hands.progress.work(len(looks), share=n * n):
        sums = of_each(points, _look, looks, hands, _numbers(points))
        for (i, j), (of_i, of_j) in zip(places, sums, strict=True):
            found.add(rows[i], of_i)
            if i != j:
                found.add(rows[j], of_j)
    return found


def sums_between(one: Points, other: Points, hands: Hands) -> tuple[Sums, Sums]:
    """Of the samples of either set over those of the other."""
    (rows, parts), (others, other_parts) = _blocks(one), _blocks(other)
    places = [(a, b) for a in rows for b in others]
    looks = [(a, b, False) for a in parts for b in other_parts]
    found = Sums.none(len(one)), Sums.none(len(other))
    with hands.progress.work(len(looks), share=len(one) * len(other)):
        sums = of_each(one, _look, looks, hands, _numbers(one))
        for place, of_place in zip(places, sums, strict=True):
            for whole, some, part in zip(found, place, of_place, strict=True):
                whole.add(some, part)
    return found


def kernel(x: Float64s, y: Float64s) -> Float64s:
    """k − 1 of all pairs, with t = x·y / d: t (t (t + 3) + 3)."""
    t = x @ y.T
    t /= x.shape[1]
    k = t + 3.0
    k *= t
    k += 3.0
    k *= t
    return k


def total(values: Float64s) -> float:
    """Correctly rounded; NaN where it is no number."""
    try:
        return math.fsum(values.tolist())
    except (OverflowError, ValueError):  # beyond float64, or ∞ − ∞
        return math.nan


def _look(one: Any, other: Any, same: bool) -> tuple[Sums, Sums]:
    """A task: sums of the samples of either part over the other; of one part, over the others."""
    with np.errstate(over="ignore", invalid="ignore"):  # who adds them up refuses what is no number
        k = kernel(rows_of(one), rows_of(other))
        if same:
            np.fill_diagonal(k, 0.0)
        return (
            Sums(k.sum(axis=1), np.einsum("ij,ij->i", k, k)),
            Sums(k.sum(axis=0), np.einsum("ij,ij->j", k, k)),
        )


def _blocks(points: Points) -> tuple[list[slice], list[Any]]:
    """Rows of each block, and the block."""
    size = _rows(points)
    return list(blocks(len(points), size)), parts_of(points, size)


def _rows(points: Points) -> int:
    return max(_FEWEST, min(_MOST, _NUMBERS // int(points.shape[1])))


def _numbers(points: Points) -> int:
    """That a look at two blocks takes."""
    rows = _rows(points)
    return rows * (3 * rows + 2 * int(points.shape[1]))
