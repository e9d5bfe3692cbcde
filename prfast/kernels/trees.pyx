# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Columns in bins, and boosted trees on them: memoryviews in, status codes out.

Nothing is checked here beyond what keeps memory safe: callers validate.  All arrays are C-contiguous;
what a function returns is freshly allocated.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t

from prfast.kernels.contract cimport *

# Bins that a call of C reads for the roots of its trees, so that it ends, and an interrupt is noticed,
# within about a tenth of a second.
WORK = 50_000_000


def edges(const double[:, ::1] values, int64_t most):
    """Return up to `most` edges of bins for each ascending row of values, then inf.

    most: 2**k - 1, at most 255.
    """
    cdef int64_t i
    if not (0 < most <= 255 and (most & (most + 1)) == 0 and values.shape[1]):
        raise ValueError(f"1, 3, 7, … or 255 edges of some values expected, got {most}")
    edges_array = np.empty((values.shape[0], most))
    cdef double[:, ::1] into = edges_array
    with nogil:
        for i in range(values.shape[0]):
            prf_tree_edges(&values[i, 0], values.shape[1], most, &into[i, 0])
    return edges_array


def binned(const double[:, ::1] x, const double[:, ::1] edges):
    """Return the bin of each number, the number of edges of its column that are not above it."""
    cdef int64_t rows = x.shape[0], columns = x.shape[1], most = edges.shape[1]
    same_length(columns, edges.shape[0])
    if not 0 < most <= 255 or most & (most + 1):
        raise ValueError(f"1, 3, 7, … or 255 edges expected, got {most}")
    bins_array = np.empty((rows, columns), np.uint8)
    cdef uint8_t[:, ::1] bins = bins_array
    if rows and columns:
        with nogil:
            prf_tree_bins(&x[0, 0], rows, columns, &edges[0, 0], most, &bins[0, 0])
    return bins_array


def boost(const uint8_t[:, ::1] bins, const uint8_t[::1] labels, int64_t trees, int64_t leaves,
          int64_t least, double rate, double l2, start, const double[::1] weights=None, int64_t work=WORK):
    """Return the splits and the values of the nodes of boosted trees, (trees, nodes) each.

    labels: 0 or 1.  least: samples of a leaf.  start: the log-odds that the first tree is added to,
    one number or one for each row.
    weights: of the rows, >= 0, with a sum in (0, 2**31); None where all are 1.
    """
    cdef prf_boosting of
    cdef prf_status status
    cdef int64_t rows = bins.shape[0], columns = bins.shape[1], first, step
    same_length(rows, labels.shape[0])
    if weights is not None:
        same_length(rows, weights.shape[0])
        if not 0 < np.sum(weights) < 2**31:
            raise ValueError("weights with a sum in (0, 2**31) expected")
    if not (0 < rows < 2**31 and 0 < columns < 2**16 and 1 <= leaves <= 128 and least > 0):
        raise ValueError(f"rows, columns and 1 to 128 leaves expected, got {leaves}")
    odds_array = np.array(np.broadcast_to(start, rows), np.float64)
    splits_array = np.empty((trees, 2 * leaves - 1), np.uint32)
    values_array = np.empty((trees, 2 * leaves - 1))
    cdef double[::1] odds = odds_array
    cdef uint32_t[:, ::1] splits = splits_array
    cdef double[:, ::1] values = values_array
    of.binned, of.rows, of.columns, of.bins = &bins[0, 0], rows, columns, int(np.max(bins)) + 1
    of.labels, of.leaves, of.least, of.rate, of.l2 = &labels[0], leaves, least, rate, l2
    of.odds = &odds[0]
    of.weights = NULL
    if weights is not None:
        of.weights = &weights[0]
    step = max(1, work // (rows * columns))
    for first in range(0, trees, step):
        with nogil:
            status = prf_boost(&of, min(step, trees - first), &splits[first, 0], &values[first, 0])
        check(status)
    return splits_array, values_array


def add_trees(const uint32_t[:, ::1] splits, const double[:, ::1] values,
              const uint8_t[:, ::1] bins, double[::1] odds):
    """Add the values of the trees to the log-odds of each row."""
    cdef int64_t rows = bins.shape[0], trees = splits.shape[0], nodes = splits.shape[1]
    same_length(rows, odds.shape[0])
    same_length(trees, values.shape[0])
    same_length(nodes, values.shape[1])
    if trees and int(np.max(splits)) >> 16 >= bins.shape[1]:
        raise ValueError(f"bins of more than {bins.shape[1]} columns expected")
    if rows and trees:
        with nogil:
            prf_boosted(&splits[0, 0], &values[0, 0], trees, nodes, &bins[0, 0], rows,
                        bins.shape[1], &odds[0])
