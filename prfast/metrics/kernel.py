"""The kernel distance: squared maximum mean discrepancy, unbiased, over all pairs or of subsets.

With k(x, y) = (x·y / d + 1)³ over n samples x and m samples y,

    KID = mean_{i≠j} k(xᵢ, xⱼ) + mean_{i≠j} k(yᵢ, yⱼ) − 2 mean k(xᵢ, yⱼ).

Its error.  Let p(z) = E k(X, z) and q(z) = E k(Y, z), and h what they leave of k: h(X, X') is
k(X, X') − p(X) − p(X') + E p(X), and likewise for other places.  The parts of Hoeffding's
decomposition do not correlate, so the variance of KID is, for any n and m,

    4/n Var (p − q)(X) + 4/m Var (p − q)(Y)
        + 2/(n(n−1)) E h(X, X')² + 2/(m(m−1)) E h(Y, Y')² + 4/(nm) E h(X, Y)².

Of equal distributions the first two are 0, and the others are all there is.  All are estimated
without bias from sums over different samples (Sutherland and Deka 2019 do so for n = m); where the
first two together come out below 0 they are taken as 0.

Measured, normal and exponential draws, n = 60 to 300, d = 4 and 16, 300 draws each: the root mean
square of the error told is ~MEASURED~.
"""

from __future__ import annotations

import math

import numpy as np

from prfast.balls.scale import largest_value
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.kernels.blas import one_blas_thread
from prfast.metrics.estimate import Estimate, Pair
from prfast.metrics.sums import Sums, kernel, sums_between, sums_within

FEWEST = 4  # samples that the error needs


def kernel_distance(pair: Pair) -> Estimate:
    """The row `kernel_distance` of the table."""
    with one_blas_thread(), np.errstate(over="ignore", invalid="ignore"):
        found = _of_all(pair) if pair.wanted.kernel_subsets is None else _of_subsets(pair)
    if not all(math.isfinite(one) for one in (found.value, found.error or 0.0)):
        largest = max(largest_value(points) for points in (pair.real, pair.fake))
        raise WrongValue(
            "real and fake",
            "samples whose kernel (x·y / d + 1)³, and its square, are float64 numbers expected, "
            f"got values up to {largest:.3g}",
        )
    return found


def _of_all(pair: Pair) -> Estimate:
    """Over all pairs, with its standard error where there are samples enough."""
    real, fake, share = pair.real, pair.fake, (pair.threads, pair.memory)
    if "kernel" not in pair.known:
        pair.known["kernel"] = sums_within(real, *share)
    within = pair.known["kernel"], sums_within(fake, *share)
    between = sums_between(real, fake, *share)
    n, m = len(real), len(fake)
    value = _mean(within[0].kernel, n - 1) + _mean(within[1].kernel, m - 1)
    value -= 2 * _mean(between[0].kernel, m)
    return Estimate(value, error(within, between) if min(n, m) >= FEWEST else None)


def _of_subsets(pair: Pair) -> Estimate:
    """As published: the mean over random subsets of both sets, and the deviation of these.

    They are drawn as torch-fidelity does with its `rng_seed`, the real ones first.
    """
    wanted, found = pair.wanted, []
    size = wanted.kernel_subset_size
    rng = np.random.RandomState(wanted.seed)
    for _ in range(wanted.kernel_subsets or 0):
        x, y = (one[rng.choice(len(one), size, replace=False)] for one in (pair.real, pair.fake))
        within = kernel(x, x), kernel(y, y)
        value = sum(float(k.sum() - np.trace(k)) for k in within) / (size * (size - 1))
        found.append(value - 2 * float(kernel(x, y).mean()))
    deviation = float(np.std(found))
    return Estimate(math.fsum(found) / len(found), None, {"kernel_deviation": deviation})


def error(within: tuple[Sums, Sums], between: tuple[Sums, Sums]) -> float:
    """The standard error, from sums of each sample with those of its own set and of the other."""
    (x, y), (n, m) = within, (len(one.kernel) for one in within)
    # Means of products of two kernels over different samples: of one sample with two others,
    # or of two pairs.
    cross = math.fsum(between[0].kernel)
    both = [math.fsum(one.kernel) for one in within]
    squares = [math.fsum(one.squared) for one in within]
    of_cross = math.fsum(between[0].squared)
    first, second = 0.0, 0.0
    pq_pq = cross**2 - sum(_square(one.kernel) for one in between) + of_cross
    pq_pq /= n * (n - 1) * m * (m - 1)
    mixed = of_cross / (n * m) + pq_pq
    for own, other, total, squared, size, others in (
        (x, between[0], both[0], squares[0], n, m),
        (y, between[1], both[1], squares[1], m, n),
    ):
        three = size * (size - 1) * (size - 2)
        pp = (_square(own.kernel) - squared) / three
        pq = _product(own.kernel, other.kernel) / (size * (size - 1) * others)
        qq = (_square(other.kernel) - of_cross) / (size * others * (others - 1))
        pp_pp = (total**2 - 4 * _square(own.kernel) + 2 * squared) / (three * (size - 3))
        pp_pq = (total * cross - 2 * _product(own.kernel, other.kernel)) / (three * others)
        first += 4 / size * (pp - 2 * pq + qq - (pp_pp - 2 * pp_pq + pq_pq))
        pairs = size * (size - 1)
        second += 2 / pairs * (squared / pairs - 2 * pp + pp_pp)
        mixed -= qq
    second += 4 / (n * m) * mixed
    return math.sqrt(max(0.0, first) + max(0.0, second))


def _mean(sums: Float64s, partners: int) -> float:
    return math.fsum(sums.tolist()) / (len(sums) * partners)


def _square(values: Float64s) -> float:
    return _product(values, values)


def _product(one: Float64s, other: Float64s) -> float:
    return math.fsum((one * other).tolist())
