"""Sums of the kernel k(x, y) = (x·y / d + 1)³, less what falls out, over blocks of pairs.

Neither the kernel distance nor its error changes where k(x, c) + k(c, y) − k(c, c) is taken away,
for any point c.  Near c, k is almost that: of samples whose mean is large beside their deviation
all digits would be those of k(c, c).  So c is the mean of the real samples, and what is left is
summed from its own terms, without a difference of large numbers.
"""

from __future__ import annotations

import math
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np

from prfast.balls.rows import Points
from prfast.inputs.arrays import Float64s
from prfast.inputs.blocks import blocks
from prfast.scalars.estimate import Hands
from prfast.scalars.parts import of_each, parts_of, rows_of

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


def centre(points: Points, hands: Hands) -> Float64s:
    """The mean; of samples that are all one point, that point."""
    _, parts = _blocks(points)
    mean = np.zeros(int(points.shape[1]))
    with hands.progress.work(2 * len(parts), share=0):
        for _ in range(2):  # what the first sum has lost is in the second
            tasks = [(part, mean) for part in parts]
            mean = mean + sum(of_each(points, _apart, tasks, hands, _numbers(points))) / len(points)
    return mean


def sums_within(points: Points, around: Float64s, hands: Hands) -> Sums:
    """Over the other samples of the set; every pair is looked at once."""
    rows, parts = _blocks(points)
    places = [(i, j) for i in range(len(rows)) for j in range(i, len(rows))]
    looks = [(parts[i], parts[j], around, i == j) for i, j in places]
    found = Sums.none(len(points))
    n = len(points)
    each = of_each(points, _look, looks, hands, _numbers(points))
    with hands.progress.work(len(looks), share=n * n), closing(each) as sums:
        for (i, j), (of_i, of_j) in zip(places, sums, strict=True):
            found.add(rows[i], of_i)
            if i != j:
                found.add(rows[j], of_j)
    return found


def sums_between(one: Points, other: Points, around: Float64s, hands: Hands) -> tuple[Sums, Sums]:
    """Of the samples of either set over those of the other."""
    (rows, parts), (others, other_parts) = _blocks(one), _blocks(other)
    places = [(a, b) for a in rows for b in others]
    looks = [(a, b, around, False) for a in parts for b in other_parts]
    found = Sums.none(len(one)), Sums.none(len(other))
    each = of_each(one, _look, looks, hands, _numbers(one))
    with hands.progress.work(len(looks), share=len(one) * len(other)), closing(each) as sums:
        for place, of_place in zip(places, sums, strict=True):
            for whole, some, part in zip(found, place, of_place, strict=True):
                whole.add(some, part)
    return found


def kernel(x: Float64s, y: Float64s, c: Float64s) -> Float64s:
    """k(x, y) − k(x, c) − k(c, y) + k(c, c) of all pairs.

    With u = x − c, v = y − c, g = u·v / d, a = c·u / d, b = c·v / d, t = c·c / d + 1 and
    s = t + a + b it is  g (3 s (s + g) + g²) + 3 a b (s + t).
    """
    d = len(c)
    u = x - c
    v = u if y is x else y - c  # BLAS takes half the time for u·u
    t, a, b = float(c @ c) / d + 1.0, u @ c / d, v @ c / d
    g = u @ v.T
    g /= d
    s = np.add.outer(a, b)
    s += t
    k = s + g
    k *= s
    k *= 3.0
    k += g * g
    k *= g
    s += t
    s *= 3.0 * a[:, None]
    s *= b
    k += s
    return k


def total(values: Float64s) -> float:
    """Correctly rounded; NaN where it is no number."""
    try:
        return math.fsum(values.tolist())
    except (OverflowError, ValueError):  # beyond float64, or ∞ − ∞
        return math.nan


def _apart(part: Any, mean: Float64s) -> Float64s:
    """A task: the sum of differences from a mean."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray((rows_of(part) - mean).sum(axis=0))


def _look(one: Any, other: Any, around: Float64s, same: bool) -> tuple[Sums, Sums]:
    """A task: sums of the samples of either part over the other; of one part, over the others."""
    with np.errstate(over="ignore", invalid="ignore"):  # who adds them up refuses what is no number
        rows = rows_of(one)
        k = kernel(rows, rows if same else rows_of(other), around)
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
    return rows * (5 * rows + 4 * int(points.shape[1]))
