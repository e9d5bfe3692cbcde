"""Relations of columns: sums, and with logarithms products and ratios, that determine a column.

A total that is quantity × price in real rows, and nearly so in generated ones, differs in no column
and no pair.  What the terms leave of it does, by least squares: z_k − Σ_j b_j z_j.  z are the
columns as they are, or the logarithms of positive ones.  Relations are found in the joint rows of
both sets; those that are exact in both sets are none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Ints
from prfast.samples.noise import FENCE, medians_and_reaches
from prfast.samples.order import GOLDEN

LINE = 0.99  # correlation of a column with its logarithm, above which it is a line
MOST = 128  # columns, beyond which no relations are looked for
_POSITIVE = 0.8  # share of a column that is positive, where none is negative
_PRESENT = 0.5  # share of the cells of a column that are not missing
LEAST_ROWS = 20  # of each column, without which a relation is chance
_LEFT = 0.1, 1e-9  # share of the variance that a relation leaves, at most and at least
_TERM = 0.05  # standard deviations of a column that one standard deviation of a term makes
_RIDGE = 1e-12  # of columns that are equal
_FILL = (np.arange(100) + 0.5) / 100  # shares of rows, whose quantiles fill what is missing
_SAME = 0.9  # correlation of what two relations leave, above which they are one


def positive_columns(x: Float64s) -> Ints:
    """Return the columns that have logarithms: none of a column is negative, and few are 0."""
    least = x.min(axis=0)
    are_positive = (x > 0).mean(axis=0) > _POSITIVE
    return np.flatnonzero((least >= 0) & (least < x.max(axis=0)) & are_positive)


def with_logarithms(x: Float64s, columns: Ints) -> Float64s:
    """Return points with these columns as logarithms, NaN of what has none."""
    z = np.array(x)
    z[:, columns] = np.log(np.where(z[:, columns] > 0, z[:, columns], np.nan))
    return z


class Relation(NamedTuple):
    """A column that its terms nearly determine."""

    columns: list[int]  # this one, and then the terms of the sum or product
    logarithms: Ints  # places among these columns of those that are logarithms
    center: Float64s
    reach: Float64s
    slopes: Float64s
    fill: Float64s  # quantiles of what is left in the rows of both sets

    def left(self, x: Float64s) -> Float64s:
        """Return what the terms leave of the column, (rows,).  Rows without a cell or a logarithm
        have values as the rows of both sets together, evenly spread: no evidence."""
        z = with_logarithms(x[:, self.columns], self.logarithms)
        left = np.asarray(_scaled(z, self.center, self.reach) @ self.slopes)
        absent = np.isnan(left)
        left[absent] = self.fill[(GOLDEN * np.arange(absent.sum()) % 1 * len(_FILL)).astype(int)]
        return left


def _scaled(z: Float64s, center: Float64s, reach: Float64s) -> Float64s:
    return np.clip((z - center) / np.where(reach > 0, reach, np.inf), -FENCE, FENCE)


def relations(x: Float64s) -> list[Relation]:
    """Return the relations in rows of both sets, the narrowest first; NaN is a missing cell."""
    shares = np.isfinite(x).mean(axis=0)
    order = np.argsort(-shares, kind="stable")[: np.sum(shares > _PRESENT)]
    # The columns with the fewest missing cells, as many as leave enough rows without one.
    complete = np.logical_and.accumulate(np.isfinite(x[:, order]), axis=1).sum(axis=0)
    enough = np.minimum(LEAST_ROWS * np.arange(1, len(order) + 1), len(x))
    present = np.sort(order[complete >= enough])
    rows = x[np.isfinite(x[:, present]).all(axis=1)]
    if not (2 < len(present) <= MOST and len(rows)):
        return []
    found = _found(rows, present, np.zeros(0, np.int64))
    if (positive := present[positive_columns(rows[:, present])]).size:
        found += _found(rows, present, positive)
    kept: list[tuple[Relation, Float64s]] = []
    for _, relation in sorted(found, key=lambda pair: pair[0]):
        left = relation.left(rows)
        if not any(abs(np.corrcoef(left, before)[0, 1]) > _SAME for _, before in kept):
            kept.append((relation, left))
    return [relation for relation, _ in kept]


def _found(x: Float64s, present: Ints, positive: Ints) -> list[tuple[float, Relation]]:
    """Return relations of columns, with the share of the variance that each leaves."""
    z = with_logarithms(x, positive)[:, present]
    z = z[~np.isnan(z).any(axis=1)]
    if len(z) < LEAST_ROWS * len(present):
        return []
    center, reach = medians_and_reaches(z)
    z = _scaled(z, center, reach)
    center = center + reach * (mean := z.mean(axis=0))
    z -= mean
    deviation = np.maximum(z.std(axis=0), 1e-9)  # of a constant column
    correlation = z.T @ z / len(z) / np.outer(deviation, deviation)
    precision = np.linalg.inv(correlation + _RIDGE * np.eye(len(present)))
    found = []
    for k in np.flatnonzero(_LEFT[0] * np.diagonal(precision) > 1):
        slopes = np.abs(precision[k] / precision[k, k])
        terms = [j for j in np.argsort(-slopes) if j != k and slopes[j] > _TERM]
        fit = np.linalg.lstsq(z[:, terms], z[:, k], rcond=None)[0]
        left = z[:, k] - z[:, terms] @ fit
        share = float(np.var(left) / deviation[k] ** 2)
        if len(terms) > 1 and _LEFT[1] < share < _LEFT[0]:
            used = [k, *terms]
            logarithms = np.flatnonzero(np.isin(present[used], positive))
            columns, slopes = present[used].tolist(), np.array([1.0, *-fit])
            fill = np.quantile(left, _FILL)
            relation = Relation(columns, logarithms, center[used], reach[used], slopes, fill)
            found.append((share, relation))
    return found
