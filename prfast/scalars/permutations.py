"""Permutation tests: the labels of two sets of samples, drawn anew.

If all assignments of the labels are equally likely, the share of assignments with as large a
statistic is a p-value, whatever the distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.options import stream

PERMUTATIONS = 20_000  # of the labels
WITH_DISTANCES = 5000  # of the labels where distances are used, with the true one
_OF_DISTANCES = 0.5  # weight of the energy distance, beside that of the scores
_AT_ONCE = 500  # permutations that fit in memory
_LEVELS = 16  # different values of the statistic; more are rounded, so that permutations are quick


def permuted_sums(weights: Float64s, n: int, seed: int) -> Float64s:
    """Return the sum of the weights, of few values, of n random samples for each permutation."""
    values, counts = np.unique(weights, return_counts=True)
    rng = stream(seed, "labels")
    draws = rng.multivariate_hypergeometric(counts, n, size=PERMUTATIONS, method="marginals")
    return np.asarray(draws @ values, np.float64)


def p_value(real: Any, fake: Any, are_log_ratios: bool, seed: int) -> float:
    """Return the share of permutations of the labels with as large a sum over the real samples."""
    from scipy.stats import rankdata  # here, to keep `import prfast` quick

    scores = np.concatenate([real, fake]).astype(np.float64)
    values = np.tanh(scores / 2) if are_log_ratios else rankdata(scores)
    if len(np.unique(values)) > _LEVELS:
        # Means of ranges of equally many; equal values stay equal: nothing depends on the labels.
        at = np.searchsorted(np.quantile(values, np.arange(1, _LEVELS) / _LEVELS), values)
        count = np.maximum(np.bincount(at, minlength=_LEVELS), 1)
        values = (np.bincount(at, values, minlength=_LEVELS) / count)[at]
    sums = permuted_sums(values, len(real), seed)
    as_large = int((sums >= values[: len(real)].sum() - 1e-9 * np.abs(values).sum()).sum())
    return (1 + as_large) / (1 + len(sums))


def p_value_with_distances(
    points: Sequence[Any], scores: Sequence[Any], seed: int
) -> tuple[float, bool]:
    """Return the share of permutations with as large a sum of both terms, and whether all have the
    same one."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    n, m = map(len, points)
    # Distances in normal scores of the ranks of each feature.
    rows, products = np.concatenate(points), np.zeros((n + m, n + m), np.float32)
    for part in blocks(rows.shape[1], 256):
        normal = ndtri((rankdata(rows[:, part], axis=0) - 0.5) / (n + m)).astype(np.float32)
        products += normal @ normal.T
    squares = np.diag(products)
    distances = np.sqrt(np.maximum(squares[:, None] + squares - 2 * products, 0))
    values = np.tanh(np.concatenate(scores).astype(np.float64) / 2)
    values -= values.min()  # exactly 0 where all are equal
    label = np.repeat(np.array([1.0 / n, -1.0 / m], np.float32), [n, m])
    rng = stream(seed, "labels")
    terms: list[list[Float64s]] = [[], []]
    for part in blocks(WITH_DISTANCES, _AT_ONCE):
        labels = rng.permuted(np.tile(label, (part.stop - part.start, 1)), axis=1)
        if part.start == 0:
            labels[0] = label
        terms[0].append(labels @ values)
        terms[1].append(-np.einsum("ij,ij->i", labels @ distances, labels, dtype=np.float64))
    statistic = np.zeros(WITH_DISTANCES)
    for of_term, weight in zip(map(np.concatenate, terms), (1.0, _OF_DISTANCES), strict=True):
        # All assignments count, the true one as well: none is treated in another way.
        spread = of_term.std()
        if spread > 1e-6 * np.abs(of_term).max():
            statistic += weight * (of_term - of_term.mean()) / spread
    as_large = int((statistic >= statistic[0] - 1e-4).sum())
    return as_large / WITH_DISTANCES, not statistic.any()
