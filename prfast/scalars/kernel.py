"""The kernel distance: squared maximum mean discrepancy, unbiased, over all pairs or of subsets.

With k(x, y) = (x·y / d + 1)³ over n samples x and m samples y,

    KID = mean_{i≠j} k(xᵢ, xⱼ) + mean_{i≠j} k(yᵢ, yⱼ) − 2 mean k(xᵢ, yⱼ).

Over all pairs it comes with its standard error (`error`); of random subsets, as published, with
their standard deviation.

Sums over pairs are computed block by block from k(x, y) − k(x, c) − k(c, y) + k(c, c), where c is
the mean of the real samples: neither the distance nor its error changes by this, for any point c.
If the mean of samples is large beside their deviation, all digits of k are those of k(c, c); the
terms of the difference are expanded (`kernel`), so that no large numbers cancel.
"""

from __future__ import annotations

import math
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.concurrency import one_blas_thread
from prfast.inputs.errors import WrongValue
from prfast.neighbors import NeighborSearch, Points
from prfast.neighbors.tasks import largest_value, select
from prfast.scalars.moments import Estimate, Pair, map_blocks, parts_of, rows_of, undivided

FEWEST = 4  # samples of each set, for a standard error
_MOST, _FEWEST, _NUMBERS = 1 << 10, 1 << 4, 1 << 21  # rows of a block; float64 numbers in them


# ---- sums over blocks of pairs -------------------------------------------------------------------


class Sums(NamedTuple):
    """Sums of the kernel and of its square, for each sample, over the samples paired with it."""

    kernel: Float64s
    squared: Float64s

    @classmethod
    def zeros(cls, samples: int) -> Sums:
        return cls(np.zeros(samples), np.zeros(samples))

    def add(self, rows: slice, block: Sums) -> None:
        self.kernel[rows] += block.kernel
        self.squared[rows] += block.squared


def center(points: Points, search: NeighborSearch) -> Float64s:
    """Return the mean; of samples that are all equal it is exact."""
    _, parts = _blocks(points)
    mean = np.zeros(int(points.shape[1]))
    with search.progress.work(2 * len(parts), share=0):
        for _ in range(2):  # the second pass corrects the rounding of the first
            tasks = [(part, mean) for part in parts]
            sums = map_blocks(points, _difference_sum, tasks, search, _numbers(points))
            mean = mean + sum(sums) / len(points)
    return mean


def sums_within(points: Points, around: Float64s, search: NeighborSearch) -> Sums:
    """Return the sums of each sample over the other samples of the set; every pair is computed
    once."""
    rows, parts = _blocks(points)
    pairs = [(i, j) for i in range(len(rows)) for j in range(i, len(rows))]
    tasks = [(parts[i], parts[j], around, i == j) for i, j in pairs]
    within = Sums.zeros(len(points))
    n = len(points)
    results = map_blocks(points, _pair_sums, tasks, search, _numbers(points))
    with search.progress.work(len(tasks), share=n * n), closing(results) as sums:
        for (i, j), (of_i, of_j) in zip(pairs, sums, strict=True):
            within.add(rows[i], of_i)
            if i != j:
                within.add(rows[j], of_j)
    return within


def sums_between(
    one: Points, other: Points, around: Float64s, search: NeighborSearch
) -> tuple[Sums, Sums]:
    """Return the sums of each sample of either set over the samples of the other."""
    (rows, parts), (others, other_parts) = _blocks(one), _blocks(other)
    pairs = [(a, b) for a in rows for b in others]
    tasks = [(a, b, around, False) for a in parts for b in other_parts]
    between = Sums.zeros(len(one)), Sums.zeros(len(other))
    results = map_blocks(one, _pair_sums, tasks, search, _numbers(one))
    with search.progress.work(len(tasks), share=len(one) * len(other)), closing(results) as sums:
        for pair, of_pair in zip(pairs, sums, strict=True):
            for total_sums, block_rows, block in zip(between, pair, of_pair, strict=True):
                total_sums.add(block_rows, block)
    return between


def kernel(x: Float64s, y: Float64s, c: Float64s) -> Float64s:
    """Return k(x, y) − k(x, c) − k(c, y) + k(c, c) of all pairs.

    With u = x − c, v = y − c, g = u·v / d, a = c·u / d, b = c·v / d, t = c·c / d + 1 and
    s = t + a + b it is  g (3 s (s + g) + g²) + 3 a b (s + t).
    """
    d = len(c)
    u = x - c
    v = u if y is x else y - c  # BLAS computes u uᵀ in half the time
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
    """Return the correctly rounded sum; NaN where it is not a float64 number."""
    try:
        return math.fsum(values.tolist())
    except (OverflowError, ValueError):  # beyond float64, or ∞ − ∞
        return math.nan


def _difference_sum(part: Any, mean: Float64s) -> Float64s:
    """Return the sum of differences from a mean; a task of `map_blocks`."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray((rows_of(part) - mean).sum(axis=0))


def _pair_sums(one: Any, other: Any, around: Float64s, same: bool) -> tuple[Sums, Sums]:
    """Return the sums of the samples of either part over those of the other; a task of
    `map_blocks`.

    same: both are the same part, whose samples are not paired with themselves.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # `kernel_distance` checks the result
        rows = rows_of(one)
        k = kernel(rows, rows if same else rows_of(other), around)
        if same:
            np.fill_diagonal(k, 0.0)
        return (
            Sums(k.sum(axis=1), np.einsum("ij,ij->i", k, k)),
            Sums(k.sum(axis=0), np.einsum("ij,ij->j", k, k)),
        )


def _blocks(points: Points) -> tuple[list[slice], list[Any]]:
    """Return the rows of each block, and the blocks."""
    size = _rows(points)
    return list(blocks(len(points), size)), parts_of(points, size)


def _rows(points: Points) -> int:
    return max(_FEWEST, min(_MOST, _NUMBERS // int(points.shape[1])))


def _numbers(points: Points) -> int:
    """Return how many float64 numbers `_pair_sums` allocates."""
    rows = _rows(points)
    return rows * (5 * rows + 4 * int(points.shape[1]))


# ---- standard error ------------------------------------------------------------------------------
#
# Let p(z) = E k(X, z) and q(z) = E k(Y, z), and h the degenerate rest of k: h(X, X') is
# k(X, X') − p(X) − p(X') + E p(X), and likewise for other arguments.  The terms of Hoeffding's
# decomposition are uncorrelated, so the variance is, for any n and m, without remainder
#
#     4/n Var (p − q)(X) + 4/m Var (p − q)(Y)
#         + 2/(n(n−1)) E h(X, X')² + 2/(m(m−1)) E h(Y, Y')² + 4/(nm) E h(X, Y)².
#
# For equal distributions the first line is 0.  Both lines are estimated without bias, from sums of
# products over different samples (Sutherland and Deka 2019 do so for n = m); an estimate of a line
# that is below 0 is replaced by 0.
#
# Measured on normal and exponential samples, n and m from 60 to 300, d = 4 and 16, 300 replications
# each: the root mean square of the error is 1.01 to 1.09 times the deviation of the distances of
# different distributions, and 1.11 to 1.25 times that of equal ones.


class _Side(NamedTuple):
    """Sums of the samples X of one set over the other samples of it, and over the other set.

    Below, X and X1, X2, X3 are different samples of this set, Y and Y1 of the other.
    """

    own: Sums
    other: Sums
    others: int
    """Number of samples of the other set."""

    @property
    def size(self) -> int:
        return len(self.own.kernel)

    @property
    def pairs(self) -> int:
        return self.size * (self.size - 1)

    @property
    def threes(self) -> int:
        return self.pairs * (self.size - 2)

    @property
    def pp(self) -> float:
        """E p(X)², from k(X, X1) k(X, X2)."""
        return (_product(self.own, self.own) - total(self.own.squared)) / self.threes

    @property
    def pq(self) -> float:
        """E p(X) q(X), from k(X, X1) k(X, Y)."""
        return _product(self.own, self.other) / (self.pairs * self.others)

    @property
    def qq(self) -> float:
        """E q(X)², from k(X, Y) k(X, Y1)."""
        products = _product(self.other, self.other) - total(self.other.squared)
        return products / (self.size * self.others * (self.others - 1))

    @property
    def p_p(self) -> float:
        """(E p(X))², from k(X, X1) k(X2, X3)."""
        products = total(self.own.kernel) * total(self.own.kernel)
        products -= 4 * _product(self.own, self.own) - 2 * total(self.own.squared)
        return products / (self.threes * (self.size - 3))

    @property
    def p_q(self) -> float:
        """E p(X) E q(X), from k(X, X1) k(X2, Y)."""
        products = total(self.own.kernel) * total(self.other.kernel)
        return (products - 2 * _product(self.own, self.other)) / (self.threes * self.others)

    def first(self, q_q: float) -> float:
        """Var (p − q)(X)."""
        return self.pp - 2 * self.pq + self.qq - (self.p_p - 2 * self.p_q + q_q)

    def second(self) -> float:
        """E h(X, X1)²."""
        return total(self.own.squared) / self.pairs - 2 * self.pp + self.p_p


def error(within: tuple[Sums, Sums], between: tuple[Sums, Sums]) -> float:
    """Return the standard error, from the sums of real and of generated samples; NaN where sums of
    products are beyond float64."""
    n, m = (len(sums.kernel) for sums in within)
    x, y = _Side(within[0], between[0], m), _Side(within[1], between[1], n)
    squared, cross = total(between[0].squared), total(between[0].kernel)
    # (E k(X, Y))², from k(X, Y) k(X1, Y1).
    q_q = cross * cross - sum(_product(sums, sums) for sums in between) + squared
    q_q /= x.pairs * y.pairs
    mixed = squared / (n * m) - x.qq - y.qq + q_q
    first = 4 / n * x.first(q_q) + 4 / m * y.first(q_q)
    second = 2 / x.pairs * x.second() + 2 / y.pairs * y.second() + 4 / (n * m) * mixed
    if not math.isfinite(first + second):
        return math.nan
    return math.sqrt(max(0.0, first) + max(0.0, second))


def _product(one: Sums, other: Sums) -> float:
    return total(one.kernel * other.kernel)


# ---- the distance --------------------------------------------------------------------------------


def kernel_distance(pair: Pair) -> Estimate:
    """Return the metric `kernel_distance` of the table."""
    with one_blas_thread(), np.errstate(over="ignore", invalid="ignore"):
        estimate = _of_all(pair) if pair.subsets is None else _of_subsets(pair)
    if not (math.isfinite(estimate.value) and math.isfinite(estimate.error or 0.0)):
        most = max(map(largest_value, (pair.real, pair.fake)))
        raise WrongValue(
            "real and fake",
            "samples whose kernel (x·y / d + 1)³, and its square, are float64 numbers expected, "
            f"got values up to {most:.3g}",
        )
    return estimate


def _of_all(pair: Pair) -> Estimate:
    """Return the distance over all pairs, with its standard error if there are enough samples."""
    real, fake, search = pair.real, pair.fake, pair.search
    n, m = len(real), len(fake)
    with search.progress.work(n * n + m * m + n * m):
        if "kernel" not in pair.cache:
            around = center(real, search)
            pair.cache["kernel"] = around, sums_within(real, around, search)
        around, of_real = pair.cache["kernel"]
        within = of_real, sums_within(fake, around, search)
        between = sums_between(real, fake, around, search)
    value = total(within[0].kernel) / (n * (n - 1)) + total(within[1].kernel) / (m * (m - 1))
    value -= 2 * total(between[0].kernel) / (n * m)
    return Estimate(value, error(within, between) if min(n, m) >= FEWEST else None)


def _of_subsets(pair: Pair) -> Estimate:
    """Return the distance as published: the mean over random subsets of both sets, with the
    standard deviation of these.

    Subsets are drawn as torch-fidelity does with its `rng_seed`, the real ones first.
    """
    size = pair.subset_size
    rng = np.random.RandomState(pair.seed)
    subsets = [
        tuple(_subset(points, rng, size) for points in (pair.real, pair.fake))
        for _ in range(pair.subsets or 0)
    ]
    numbers = size * (5 * size + 4 * int(pair.real.shape[1]))
    with pair.search.progress.work(len(subsets)):
        distances = list(map_blocks(pair.real, _of_subset, subsets, pair.search, numbers))
    mean, deviation = total(np.array(distances)) / len(distances), float(np.std(distances))
    return Estimate(mean, None, {"kernel_deviation": deviation})


def _subset(points: Points, rng: np.random.RandomState, size: int) -> Any:
    rows = rng.choice(len(points), size, replace=False)
    return undivided(select(points, rows.copy()))  # `rows` is a view of a permutation of all


def _of_subset(real: Any, fake: Any) -> float:
    """Return the distance of two subsets of the same size; a task of `map_blocks`."""
    with np.errstate(over="ignore", invalid="ignore"):  # `kernel_distance` checks the result
        x, y = rows_of(real), rows_of(fake)
        size, around = len(x), x.mean(axis=0)
        around += (x - around).mean(axis=0)  # corrects the rounding of the first mean
        sums = (float(k.sum() - np.trace(k)) for k in (kernel(z, z, around) for z in (x, y)))
        return sum(sums) / (size * (size - 1)) - 2 * float(kernel(x, y, around).mean())
