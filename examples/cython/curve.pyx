# cython: boundscheck=False, wraparound=False
"""The job of examples/README.md by the table of an installed prfast, on OpenMP threads of our own."""

import numpy as np

from cython.parallel cimport prange
from libc.stdint cimport int64_t

from prfast cimport PRFAST_OK, prfast_api, prfast_import, prfast_points

# Found once, checked once; an ImportError says what does not fit.
cdef const prfast_api *api = prfast_import()


cdef int ok(int status) except -1:
    if status != PRFAST_OK:
        raise ValueError(api.status_text(status).decode())
    return 0


cdef prfast_points points_of(const double[:, ::1] x):
    return prfast_points(&x[0, 0], x.shape[0], x.shape[1], x.shape[1], 1, 0)


def kth(const double[:, ::1] queries, const double[:, ::1] refs, bint within, int64_t k):
    """D of the k-th nearest reference of each query; a block of queries is a call."""
    cdef prfast_points q = points_of(queries), r = points_of(refs)
    cdef int64_t n = queries.shape[0], block, first
    cdef int statuses = 1 << PRFAST_OK  # a bit for each: threads keep no other's answer
    result = np.empty(n)
    cdef double[::1] d2 = result
    for block in prange((n + 99) // 100, nogil=True, num_threads=2, schedule="dynamic"):
        first = 100 * block
        statuses |= 1 << api.kth_distances(&q, &r, within, &k, 1, first, min(n - first, 100),
                                           &d2[first])
    ok((<object>statuses).bit_length() - 1)
    return result


def count(const double[:, ::1] queries, const double[:, ::1] refs, const double[::1] ref_t):
    """How many balls hold each query, and how many queries each ball holds."""
    cdef prfast_points q = points_of(queries), r = points_of(refs)
    rows_array, cols_array = np.empty(len(queries), np.int64), np.zeros(len(refs), np.int64)
    cdef int64_t[::1] rows = rows_array, cols = cols_array
    cdef int status
    with nogil:
        status = api.count(&q, &r, NULL, &ref_t[0], True, 0, q.count, &rows[0], &cols[0])
    ok(status)
    return rows_array, cols_array


def curve(const double[::1] real, const double[::1] fake):
    """p, q, fpr, fnr, ratio of scores."""
    cdef int64_t cells, room = api.sweep_room(real.shape[0], fake.shape[0])
    masses = np.empty((2, room))
    cdef double[:, ::1] of = masses
    ok(api.sweep(&real[0], real.shape[0], &fake[0], fake.shape[0], &of[0, 0], &of[1, 0], &cells))
    vertices = np.empty((3, cells + 1))
    cdef double[:, ::1] at = vertices
    ok(api.vertices(&of[0, 0], &of[1, 0], cells, &at[0, 0], &at[1, 0], &at[2, 0]))
    return [*masses[:, :cells].copy(), *vertices]


def min_sums(const double[::1] p, const double[::1] q, const double[::1] lam):
    alpha_array = np.empty(len(lam))
    cdef double[::1] alpha = alpha_array
    ok(api.min_sums(&p[0], &q[0], p.shape[0], &lam[0], lam.shape[0], &alpha[0]))
    return alpha_array
