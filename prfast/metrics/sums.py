"""Sums of the kernel k(x, y) = (x·y / d + 1)³, less its constant 1, over blocks of pairs.

A constant falls out of the kernel distance and of its error, and without it less cancels.  Blocks
have a size that the width alone decides, and are added up in one order: the number of threads does
not change a bit.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.blocks import blocks
from prfast.metrics.threads import in_threads

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


def sums_within(points: Floats, threads: int, memory: int) -> Sums:
    """Over the other samples of the set; every pair is looked at once."""
    parts = _parts(points)
    places = [(a, b) for i, a in enumerate(parts) for b in parts[i:]]

    def look(place: tuple[slice, slice]) -> tuple[Sums, Sums]:
        a, b = place
        k = kernel(points[a], points[b])
        if a == b:
            np.fill_diagonal(k, 0.0)
        return _summed(k)

    found = Sums.none(len(points))
    share = _fitting(points, threads, memory)
    for (a, b), (of_a, of_b) in zip(places, in_threads(look, places, share), strict=True):
        found.add(a, of_a)
        if a != b:
            found.add(b, of_b)
    return found


def sums_between(one: Floats, other: Floats, threads: int, memory: int) -> tuple[Sums, Sums]:
    """Of the samples of either set over those of the other."""
    places = [(a, b) for a in _parts(one) for b in _parts(other)]

    def look(place: tuple[slice, slice]) -> tuple[Sums, Sums]:
        return _summed(kernel(one[place[0]], other[place[1]]))

    found = Sums.none(len(one)), Sums.none(len(other))
    share = _fitting(one, threads, memory)
    for place, sums in zip(places, in_threads(look, places, share), strict=True):
        for whole, rows, part in zip(found, place, sums, strict=True):
            whole.add(rows, part)
    return found


def kernel(x: Floats, y: Floats) -> Float64s:
    """k − 1 of all pairs, with t = x·y / d: t (t (t + 3) + 3)."""
    t = x.astype(np.float64) @ y.astype(np.float64).T
    with np.errstate(
        over="ignore", invalid="ignore"
    ):  # who adds them up refuses what is not finite
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


def _summed(k: Float64s) -> tuple[Sums, Sums]:
    with np.errstate(over="ignore", invalid="ignore"):
        return (
            Sums(k.sum(axis=1), np.einsum("ij,ij->i", k, k)),
            Sums(k.sum(axis=0), np.einsum("ij,ij->j", k, k)),
        )


def _rows(points: Floats) -> int:
    return max(_FEWEST, min(_MOST, _NUMBERS // int(points.shape[1])))


def _parts(points: Floats) -> list[slice]:
    return list(blocks(len(points), _rows(points)))


def _fitting(points: Floats, threads: int, memory: int) -> int:
    """So many threads as the memory has room for."""
    rows, width = _rows(points), int(points.shape[1])
    return max(1, min(threads, memory // (8 * rows * (2 * rows + 2 * width))))
