"""The kernel distance: squared maximum mean discrepancy, unbiased, over all pairs or of subsets.

With k(x, y) = (x·y / d + 1)³ over n samples x and m samples y,

    KID = mean_{i≠j} k(xᵢ, xⱼ) + mean_{i≠j} k(yᵢ, yⱼ) − 2 mean k(xᵢ, yⱼ).

Over all pairs it comes with its standard error (`kernel_error`); of random subsets, as published,
with their deviation.
"""

from __future__ import annotations

import math
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np

from prfast.balls.resources import Points, select
from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.errors import WrongValue
from prfast.kernels.blas import one_blas_thread
from prfast.scalars.estimate import Estimate, Hands, Pair
from prfast.scalars.moments import largest, of_each, parts_of, rows_of, undivided

# Sums of the kernel k(x, y) = (x·y / d + 1)³, less what falls out, over blocks of pairs.
#
# Neither the kernel distance nor its error changes where k(x, c) + k(c, y) − k(c, c) is taken
# away, for any point c.  Near c, k is almost that: of samples whose mean is large beside their
# deviation all digits would be those of k(c, c).  So c is the mean of the real samples, and what
# is left is summed from its own terms, without a difference of large numbers.


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


# The standard error of the kernel distance over all pairs of n and m samples.
#
# Let p(z) = E k(X, z) and q(z) = E k(Y, z), and h what they leave of k: h(X, X') is
# k(X, X') − p(X) − p(X') + E p(X), and likewise in other places.  The parts of Hoeffding's
# decomposition do not correlate, so the variance is, for any n and m, without remainder
#
#     4/n Var (p − q)(X) + 4/m Var (p − q)(Y)
#         + 2/(n(n−1)) E h(X, X')² + 2/(m(m−1)) E h(Y, Y')² + 4/(nm) E h(X, Y)².
#
# Of equal distributions the first line is 0, and the second is all there is.  Both are estimated
# without bias, from sums of products over different samples (Sutherland and Deka 2019 do so for
# n = m); a line that comes out below 0 is taken as 0.
#
# Measured on normal and exponential draws, n and m from 60 to 300, d = 4 and 16, 300 draws each:
# the root mean square of the error is 1.01 to 1.09 times the deviation of the distances of
# different distributions, and 1.11 to 1.25 times that of equal ones.


FEWEST = 4  # samples of each set


class _Side(NamedTuple):
    """The samples X of one set: sums over the other samples of it, and over the other set.

    Below, X and X1, X2, X3 are different samples of this set, Y and Y1 of the other.
    """

    own: Sums
    other: Sums
    others: int
    """Samples of the other set."""

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
        found = _product(self.other, self.other) - total(self.other.squared)
        return found / (self.size * self.others * (self.others - 1))

    @property
    def p_p(self) -> float:
        """(E p(X))², from k(X, X1) k(X2, X3)."""
        found = total(self.own.kernel) * total(self.own.kernel)
        found -= 4 * _product(self.own, self.own) - 2 * total(self.own.squared)
        return found / (self.threes * (self.size - 3))

    @property
    def p_q(self) -> float:
        """E p(X) E q(X), from k(X, X1) k(X2, Y)."""
        found = total(self.own.kernel) * total(self.other.kernel)
        return (found - 2 * _product(self.own, self.other)) / (self.threes * self.others)

    def first(self, q_q: float) -> float:
        """Var (p − q)(X)."""
        return self.pp - 2 * self.pq + self.qq - (self.p_p - 2 * self.p_q + q_q)

    def second(self) -> float:
        """E h(X, X1)²."""
        return total(self.own.squared) / self.pairs - 2 * self.pp + self.p_p


def error(within: tuple[Sums, Sums], between: tuple[Sums, Sums]) -> float:
    """The standard error, from the sums of real and of generated samples; NaN where those of
    products are no numbers."""
    n, m = (len(one.kernel) for one in within)
    x, y = _Side(within[0], between[0], m), _Side(within[1], between[1], n)
    squared, cross = total(between[0].squared), total(between[0].kernel)
    # (E k(X, Y))², from k(X, Y) k(X1, Y1).
    q_q = cross * cross - sum(_product(one, one) for one in between) + squared
    q_q /= x.pairs * y.pairs
    mixed = squared / (n * m) - x.qq - y.qq + q_q
    first = 4 / n * x.first(q_q) + 4 / m * y.first(q_q)
    second = 2 / x.pairs * x.second() + 2 / y.pairs * y.second() + 4 / (n * m) * mixed
    if not math.isfinite(first + second):
        return math.nan
    return math.sqrt(max(0.0, first) + max(0.0, second))


def _product(one: Sums, other: Sums) -> float:
    return total(one.kernel * other.kernel)


def kernel_distance(pair: Pair) -> Estimate:
    """The row `kernel_distance` of the table."""
    with one_blas_thread(), np.errstate(over="ignore", invalid="ignore"):
        found = _of_all(pair) if pair.wanted.kernel_subsets is None else _of_subsets(pair)
    if not all(math.isfinite(one) for one in (found.value, found.error or 0.0)):
        most = max(map(largest, (pair.real, pair.fake)))
        raise WrongValue(
            "real and fake",
            "samples whose kernel (x·y / d + 1)³, and its square, are float64 numbers expected, "
            f"got values up to {most:.3g}",
        )
    return found


def _of_all(pair: Pair) -> Estimate:
    """Over all pairs, with its standard error where there are samples enough."""
    real, fake, hands = pair.real, pair.fake, pair.hands
    n, m = len(real), len(fake)
    with hands.progress.work(n * n + m * m + n * m):
        if "kernel" not in pair.known:
            around = centre(real, hands)
            pair.known["kernel"] = around, sums_within(real, around, hands)
        around, of_real = pair.known["kernel"]
        within = of_real, sums_within(fake, around, hands)
        between = sums_between(real, fake, around, hands)
    value = total(within[0].kernel) / (n * (n - 1)) + total(within[1].kernel) / (m * (m - 1))
    value -= 2 * total(between[0].kernel) / (n * m)
    return Estimate(value, error(within, between) if min(n, m) >= FEWEST else None)


def _of_subsets(pair: Pair) -> Estimate:
    """As published: the mean over random subsets of both sets, and the deviation of these.

    They are drawn as torch-fidelity does with its `rng_seed`, the real ones first.
    """
    wanted = pair.wanted
    size = wanted.kernel_subset_size
    rng = np.random.RandomState(wanted.seed)
    drawn = [
        tuple(_drawn(one, rng, size) for one in (pair.real, pair.fake))
        for _ in range(wanted.kernel_subsets or 0)
    ]
    numbers = size * (5 * size + 4 * int(pair.real.shape[1]))
    with pair.hands.progress.work(len(drawn)):
        found = list(of_each(pair.real, _of_subset, drawn, pair.hands, numbers))
    deviation = float(np.std(found))
    return Estimate(total(np.array(found)) / len(found), None, {"kernel_deviation": deviation})


def _drawn(points: Points, rng: np.random.RandomState, size: int) -> Any:
    chosen = rng.choice(len(points), size, replace=False)
    return undivided(select(points, chosen.copy()))  # it is a part of numbers for all samples


def _of_subset(real: Any, fake: Any) -> float:
    """A task: the distance of two subsets of one size."""
    with np.errstate(over="ignore", invalid="ignore"):  # who adds them up refuses what is no number
        x, y = rows_of(real), rows_of(fake)
        size, around = len(x), x.mean(axis=0)
        around += (x - around).mean(axis=0)  # what the first sum has lost
        sums = (float(k.sum() - np.trace(k)) for k in (kernel(one, one, around) for one in (x, y)))
        return sum(sums) / (size * (size - 1)) - 2 * float(kernel(x, y, around).mean())
