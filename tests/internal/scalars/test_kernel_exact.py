"""The kernel distance and its error against exact fractions, where k has a large mean."""

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import prfast
from prfast.scalars.kernel import total


def exact_kernel(x, y):
    rows, points = ([[Fraction(float(v)) for v in row] for row in s] for s in (x, y))
    d = len(rows[0])
    return [
        [(sum(p * q for p, q in zip(a, b, strict=True)) / d + 1) ** 3 for b in points] for a in rows
    ]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def own_part(within, cross):
    """Var (p − q)(X) but for (E k(X, Y))², and E h(X, X1)², over samples that all differ."""
    n, m = len(cross), len(cross[0])
    twos, threes, fours = (list(permutations(range(n), size)) for size in (2, 3, 4))
    pp = mean(within[i][j] * within[i][k] for i, j, k in threes)
    pq = mean(within[i][j] * cross[i][y] for i, j in twos for y in range(m))
    qq = mean(cross[i][y] * cross[i][z] for i in range(n) for y, z in permutations(range(m), 2))
    p_p = mean(within[i][j] * within[k][h] for i, j, k, h in fours)
    p_q = mean(within[i][j] * cross[k][y] for i, j, k in threes for y in range(m))
    first = pp - 2 * pq + qq - p_p + 2 * p_q
    return first, mean(within[i][j] ** 2 for i, j in twos) - 2 * pp + p_p, qq


def exact(real, fake):
    """Return the distance and its standard error."""
    xx, yy, xy = exact_kernel(real, real), exact_kernel(fake, fake), exact_kernel(real, fake)
    yx = [list(column) for column in zip(*xy, strict=True)]
    n, m = len(real), len(fake)
    within = sum(mean(k[i][j] for i, j in permutations(range(len(k)), 2)) for k in (xx, yy))
    every = [(i, y) for i in range(n) for y in range(m)]
    q_q = mean(
        xy[i][y] * xy[j][z]
        for i, j in permutations(range(n), 2)
        for y, z in permutations(range(m), 2)
    )
    part_x, part_y = own_part(xx, xy), own_part(yy, yx)
    first = Fraction(4, n) * (part_x[0] - q_q) + Fraction(4, m) * (part_y[0] - q_q)
    mixed = mean(xy[i][y] ** 2 for i, y in every) - part_x[2] - part_y[2] + q_q
    second = part_x[1] * Fraction(2, n * (n - 1)) + part_y[1] * Fraction(2, m * (m - 1))
    second += mixed * Fraction(4, n * m)
    distance = within - 2 * mean(xy[i][y] for i, y in every)
    return float(distance), math.sqrt(max(first, 0) + max(second, 0))


@pytest.mark.parametrize("apart", [0.0, 1.0])
@pytest.mark.parametrize(("middle", "deviation"), [(0.0, 1.0), (1.0, 1e-9), (-50.0, 1e-3)])
def test_the_distance_and_its_error_are_those_of_fractions(middle, deviation, apart):
    """Values around 1 that differ by millionths have a k that is 8 to six digits."""
    rng = np.random.default_rng(0)
    real = middle + deviation * rng.normal(size=(6, 3))
    fake = middle + deviation * (1.5 * rng.normal(size=(5, 3)) + apart)
    distance, error = exact(real, fake)
    result = prfast.metrics(real, fake, which="kernel_distance")
    assert result.kernel_distance == pytest.approx(distance, rel=1e-9)
    assert result.errors["kernel_distance"] == pytest.approx(error, rel=1e-9)


def test_a_total_is_rounded_once():
    assert total(np.array([1e16, 1.0, -1e16, 1.0])) == 2.0
    assert np.isnan(total(np.array([np.inf, -np.inf])))
