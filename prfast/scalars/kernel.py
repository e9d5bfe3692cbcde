"""The kernel distance: squared maximum mean discrepancy, unbiased, over all pairs or of subsets.

With k(x, y) = (x·y / d + 1)³ over n samples x and m samples y,

    KID = mean_{i≠j} k(xᵢ, xⱼ) + mean_{i≠j} k(yᵢ, yⱼ) − 2 mean k(xᵢ, yⱼ).

Over all pairs it comes with its standard error (`error`); of random subsets, as published, with
their standard deviation.

Sums over pairs are computed block by block from k(x, y) − k(x, c) − k(c, y) + k(c, c), where c is
the mean of the real samples: neither the distance nor its error changes by this, for any point c.
If the mean of samples is large beside their deviation, all digits of k are those of k(c, c); the
terms of the difference are expanded (`kernel`), so that no large numbers cancel.

Large sets, for which (n + m)² (d + 64) is at least 2³³, take products in float32 of the samples as
they are, and sums in float64 of k(x, y) − 1 = g (g (g + 3) + 3), g = x·y / d (`single_kernel`).
Rounding errors of the pairs are independent of each other and have no sign, so they move the
distance far less than other samples would: by less than 1e-3 of its standard error, where the part
h of the kernel that the standard error consists of is at least 2⁻⁷ of the kernel (root mean
squares; see "standard error" below).  Where it is less, as of clusters that are narrow beside their
distance from 0, or where a number is outside of float32, all is computed again in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import closing
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.concurrency import one_blas_thread
from prfast.inputs.errors import WrongValue
from prfast.neighbors import NeighborSearch, Points
from prfast.neighbors.tasks import largest_value, select
from prfast.scalars.moments import Estimate, Pair, map_blocks, parts_of, rows_of, undivided

FEWEST = 4  # samples of each set, for a standard error
_MOST, _FEWEST, _NUMBERS = 1 << 10, 1 << 4, 1 << 21  # rows of a block; float64 numbers in them
_MOST_SINGLE, _NUMBERS_SINGLE = 1 << 11, 1 << 22  # the same of float32
_CHUNK = 1 << 16  # pairs of a block whose kernel is computed at a time, in the cache of a core
_LARGE = 1 << 33  # (n + m)² (d + 64), from which on products are float32
_LEAST_SHARE = 2.0**-14  # of E h² in E k², for float32
_LEAST_SQUARE = 2.0**-80  # of E k², for float32


# ---- sums over blocks of pairs -------------------------------------------------------------------


class Sums(NamedTuple):
    """Sums of the kernel over the samples paired with each sample, and its squares over all
    pairs."""

    kernel: Float64s
    squared: float


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


# The point c; a kernel as a function of two blocks of rows, which can be pickled; None: float32, of
# k − 1.
Around: TypeAlias = Float64s | Callable[[Float64s, Float64s], Float64s] | None


def sums_within(points: Points, around: Around, search: NeighborSearch) -> Sums:
    """Return the sums of each sample over the other samples of the set; every pair is computed
    once."""
    single = around is None
    rows, parts = _blocks(points, single)
    pairs = [(i, j) for i in range(len(rows)) for j in range(i, len(rows))]
    tasks = [(parts[i], parts[j], around, i == j) for i, j in pairs]
    kernels, squares = np.zeros(len(points)), []
    n = len(points)
    results = map_blocks(points, _pair_sums, tasks, search, _numbers(points, single))
    with search.progress.work(len(tasks), share=n * n), closing(results) as sums:
        for (i, j), (of_i, of_j, squared) in zip(pairs, sums, strict=True):
            kernels[rows[i]] += of_i
            squares.append(squared)
            if i != j:
                kernels[rows[j]] += of_j
                squares.append(squared)
    return Sums(kernels, total(np.array(squares)))


def sums_between(
    one: Points, other: Points, around: Around, search: NeighborSearch
) -> tuple[Sums, Sums]:
    """Return the sums of each sample of either set over the samples of the other."""
    single = around is None
    (rows, parts), (others, other_parts) = _blocks(one, single), _blocks(other, single)
    pairs = [(a, b) for a in rows for b in others]
    tasks = [(a, b, around, False) for a in parts for b in other_parts]
    kernels, squares = (np.zeros(len(one)), np.zeros(len(other))), []
    results = map_blocks(one, _pair_sums, tasks, search, _numbers(one, single))
    with search.progress.work(len(tasks), share=len(one) * len(other)), closing(results) as sums:
        for (a, b), (of_a, of_b, squared) in zip(pairs, sums, strict=True):
            kernels[0][a] += of_a
            kernels[1][b] += of_b
            squares.append(squared)
    squared = total(np.array(squares))
    return Sums(kernels[0], squared), Sums(kernels[1], squared)


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


def single_kernel(g: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Write k(x, y) − 1 of the products g = x·y / d into `out`."""
    np.add(g, 3, out=out)
    out *= g
    out += 3
    out *= g


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


def _pair_sums(
    one: Any, other: Any, around: Around, same: bool
) -> tuple[Float64s, Float64s, float]:
    """Return the sums of the samples of either part over those of the other, and that of squares; a
    task of `map_blocks`.

    same: both are the same part, whose samples are not paired with themselves.
    """
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):  # the results are checked
        if around is None:
            return _single_sums(_single(one), None if same else _single(other))
        rows = rows_of(one)
        others = rows if same else rows_of(other)
        k = around(rows, others) if callable(around) else kernel(rows, others, around)
        if same:
            np.fill_diagonal(k, 0.0)
        return k.sum(axis=1), k.sum(axis=0), float(np.vdot(k, k))


def _single_sums(
    rows: NDArray[np.float32], others: NDArray[np.float32] | None
) -> tuple[Float64s, Float64s, float]:
    """Return the sums of k − 1 as `_pair_sums` does; others: None for the same samples.

    Runs of at most `_MOST_SINGLE` numbers are summed in float32, the sums of runs in float64.
    """
    products = rows @ (rows if others is None else others).T  # BLAS does half of it for the same
    if others is None:
        np.fill_diagonal(products, 0)
    n, m = products.shape
    step = max(1, _CHUNK // m)
    of_rows, of_columns, squared = np.empty(n), np.zeros(m), 0.0
    ones, out = np.ones(max(step, m), np.float32), np.empty((step, m), np.float32)
    for chunk in blocks(n, step):
        g = products[chunk]
        g *= np.float32(1 / rows.shape[1])
        k = out[: len(g)]
        single_kernel(g, k)
        of_rows[chunk] = k @ ones[:m]
        of_columns += ones[: len(g)] @ k
        squared += float(np.vdot(k, k))
    return of_rows, of_columns, squared


def _single(part: Any) -> NDArray[np.float32]:
    rows = np.asarray(part.load() if hasattr(part, "load") else part)
    return rows.astype(np.float32, copy=False)


def _blocks(points: Points, single: bool = False) -> tuple[list[slice], list[Any]]:
    """Return the rows of each block, and the blocks."""
    size = _rows(points, single)
    return list(blocks(len(points), size)), parts_of(points, size)


def _rows(points: Points, single: bool) -> int:
    n, d = len(points), int(points.shape[1])
    if not single:
        return max(_FEWEST, min(_MOST, _NUMBERS // d))
    most = max(_FEWEST, min(_MOST_SINGLE, _NUMBERS_SINGLE // d))
    return -(-n // -(-n // most))  # blocks of one size, which threads share evenly


def _numbers(points: Points, single: bool = False) -> int:
    """Return how many float64 numbers `_pair_sums` allocates."""
    rows = _rows(points, single)
    return rows * (rows + int(points.shape[1]) if single else 5 * rows + 4 * int(points.shape[1]))


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
        return (_product(self.own, self.own) - self.own.squared) / self.threes

    @property
    def pq(self) -> float:
        """E p(X) q(X), from k(X, X1) k(X, Y)."""
        return _product(self.own, self.other) / (self.pairs * self.others)

    @property
    def qq(self) -> float:
        """E q(X)², from k(X, Y) k(X, Y1)."""
        products = _product(self.other, self.other) - self.other.squared
        return products / (self.size * self.others * (self.others - 1))

    @property
    def p_p(self) -> float:
        """(E p(X))², from k(X, X1) k(X2, X3)."""
        products = total(self.own.kernel) * total(self.own.kernel)
        products -= 4 * _product(self.own, self.own) - 2 * self.own.squared
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
        return self.own.squared / self.pairs - 2 * self.pp + self.p_p


def error(within: tuple[Sums, Sums], between: tuple[Sums, Sums]) -> float:
    """Return the standard error, from the sums of real and of generated samples; NaN where sums of
    products are beyond float64."""
    n, m = (len(sums.kernel) for sums in within)
    x, y = _Side(within[0], between[0], m), _Side(within[1], between[1], n)
    squared, cross = between[0].squared, total(between[0].kernel)
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
    with one_blas_thread("scipy.linalg"), np.errstate(over="ignore", invalid="ignore"):
        result = _of_all(pair) if pair.subsets is None else _of_subsets(pair)
    if not (math.isfinite(result.value) and math.isfinite(result.error or 0.0)):
        most = max(map(largest_value, (pair.real, pair.fake)))
        raise WrongValue(
            "real and fake",
            "samples whose kernel (x·y / d + 1)³, and its square, are float64 numbers expected, "
            f"got values up to {most:.3g}",
        )
    return result


def _of_all(pair: Pair) -> Estimate:
    """Return the distance over all pairs, with its standard error if there are enough samples."""
    n, m = len(pair.real), len(pair.fake)
    if (n + m) ** 2 * (int(pair.real.shape[1]) + 64) >= _LARGE and min(n, m) >= FEWEST:
        result = _in_single(pair)
        if result is not None:
            return result
    with pair.search.progress.work(n * n + m * m + n * m):
        if "kernel" not in pair.cache:
            around = center(pair.real, pair.search)
            pair.cache["kernel"] = around, sums_within(pair.real, around, pair.search)
        around, of_real = pair.cache["kernel"]
        within = of_real, sums_within(pair.fake, around, pair.search)
        return estimate(within, sums_between(pair.real, pair.fake, around, pair.search))


def _in_single(pair: Pair) -> Estimate | None:
    """Return the estimate from products in float32; None where they are not accurate enough."""
    n, m = len(pair.real), len(pair.fake)
    with pair.search.progress.work(n * n + m * m + n * m):
        if "single kernel" not in pair.cache:
            pair.cache["single kernel"] = sums_within(pair.real, None, pair.search)
        of_real = pair.cache["single kernel"]
        if not _accurate(of_real):
            return None
        of_fake = sums_within(pair.fake, None, pair.search)
        if not _accurate(of_fake):
            return None
        between = sums_between(pair.real, pair.fake, None, pair.search)
    result = estimate((of_real, of_fake), between)
    return result if math.isfinite(result.value + (result.error or 0.0)) else None


def _accurate(own: Sums) -> bool:
    """Return whether the kernel within a set is not nearly the same for all pairs; False where it
    is not finite, or tiny."""
    side = _Side(own, own, len(own.kernel))
    square = own.squared / side.pairs
    return square >= _LEAST_SQUARE and side.second() >= _LEAST_SHARE * square


def estimate(within: tuple[Sums, Sums], between: tuple[Sums, Sums]) -> Estimate:
    n, m = (len(sums.kernel) for sums in within)
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
