"""Samples with their labels: the pair (sample, label) as points of one space."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from prfast.methods.auto.folds import Ints
from prfast.samples.pair import Pair

_APART = 10.0  # distance of two classes, in the largest deviation within classes
_TINY = 1e-30  # distance where no column varies within a class
_SOME_ROWS = 1000  # of a set, to find columns that repeat values


def labelled(pair: Pair, labels: tuple[Ints, Ints]) -> Pair:
    """Return the samples with their labels, whose units stay; labels: numbers of classes.

    A point has the sample minus the median of its class in both sets, since a difference within
    classes is small beside that between them.  It also has a code: a class can differ in its own
    way.  Columns that repeat values also stay: minus medians they would no longer be equal.
    """
    real, fake = (points.copy() for points in pair.points)
    classes = 1 + max(int(numbers.max()) for numbers in labels)
    square = np.zeros(pair.width)
    for label in range(classes):
        rows = [np.flatnonzero(numbers == label) for numbers in labels]
        inside = np.concatenate([real[rows[0]], fake[rows[1]]])
        # An attained value: integers stay integers, and equal values equal.
        middle = (len(inside) - 1) // 2
        center = np.partition(inside, middle, axis=0)[middle]
        real[rows[0]] -= center
        fake[rows[1]] -= center
        square += ((inside - center).astype(np.float64) ** 2).sum(axis=0)
    reach = _APART * max(float(np.sqrt(square.max() / sum(pair.sizes))), _TINY)
    # The bits of the number of a class, two of which differ in a bit, and the number, whose shares
    # the base `values` estimates.
    numbers = np.arange(classes)
    bits = numbers[:, None] >> np.arange(max(classes - 1, 1).bit_length()) & 1
    codes = np.column_stack([bits, numbers / classes]).astype(real.dtype) * real.dtype.type(reach)
    exact = np.zeros(pair.width, bool)  # columns with at most half as many values as rows
    for points in pair.points:
        values = np.sort(points[:: -(-len(points) // _SOME_ROWS)], axis=0)
        exact |= 2 * (np.diff(values, axis=0) > 0).sum(axis=0) + 2 <= len(values)
    parts = zip((real, fake), pair.points, labels, strict=True)
    joint = pair.with_points(
        *(np.hstack([x, given[:, exact], codes[of]]) for x, given, of in parts)
    )
    first, second = (replace(samples, names=None) for samples in joint.sets)
    return replace(joint, real=first, fake=second)
