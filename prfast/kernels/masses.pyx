# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sorts, sweep, ratios, pooling, hull, vertices and min-sums: memoryviews in, status codes out.

Nothing is checked here beyond what keeps memory safe: callers validate.  All arrays are C-contiguous;
what a function returns is freshly allocated.
"""

import threading

import numpy as np

from cython.parallel cimport prange
from libc.stdint cimport int64_t

from prfast.kernels.contract cimport *
from prfast.kernels.part cimport part_of_table, prf_masses_part

# Functions of the public header that are compiled here, for prfast.kernels.capi.
_C_PART = part_of_table(&prf_masses_part)

ctypedef fused score_t:
    float
    double


# GNU OpenMP ends the process where the system refuses a thread.  So as many threads are started
# and ended before a team grows: their stacks stay mapped, and become those of the team.

cdef extern from *:
    """
    #ifdef _WIN32
    static int prf_startable(int threads) { return threads; }
    #else
    #include <pthread.h>
    #include <stdlib.h>
    static void *prf_wait_at(void *gate) {
        pthread_mutex_lock(gate);
        pthread_mutex_unlock(gate);
        return NULL;
    }
    static int prf_startable(int threads) {
        pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
        pthread_t *started = (pthread_t *)malloc((size_t)threads * sizeof *started);
        int count = 0, wanted = started ? threads - 1 : 0;
        pthread_mutex_lock(&gate);
        while (count < wanted && pthread_create(started + count, NULL, prf_wait_at, &gate) == 0) ++count;
        pthread_mutex_unlock(&gate);
        for (int i = 0; i < count; ++i) pthread_join(started[i], NULL);
        free(started);
        return count == threads - 1 ? threads : count > 3 ? count / 2 : 1;
    }
    #endif
    """
    int prf_startable(int threads)


_teams = threading.local()


def startable(int threads):
    """Return how many of the threads the system starts for this one, at most half where it refuses.

    OpenMP keeps a team for each Python thread, and ends what the next does not need.
    """
    if threads > 1:
        if threads > getattr(_teams, "size", 1):
            threads = prf_startable(threads)
        _teams.size = threads
    return threads


# Smaller classes take less time than a team of threads.
cdef enum:
    SERIAL_SORT = 32768


def sort(const score_t[::1] real, const score_t[::1] fake, int threads):
    """Return the scores of two classes, each ascending, on one or two threads."""
    cdef int64_t sizes[2]
    cdef const score_t *scores[2]
    cdef score_t *into[2]
    cdef prf_status status[2]
    cdef score_t[::1] real_into, fake_into
    cdef int i
    dtype = np.float32 if score_t is float else np.float64
    ascending = np.empty(real.shape[0], dtype), np.empty(fake.shape[0], dtype)
    real_into, fake_into = ascending
    sizes[0], sizes[1] = real.shape[0], fake.shape[0]
    scores[0], scores[1] = &real[0], &fake[0]
    into[0], into[1] = &real_into[0], &fake_into[0]
    threads = team(threads, sizes)
    for i in prange(2, nogil=True, num_threads=threads, schedule="static"):
        if score_t is float:
            status[i] = prf_sort_f32(scores[i], sizes[i], into[i])
        else:
            status[i] = prf_sort_f64(scores[i], sizes[i], into[i])
    check(status[0])
    check(status[1])
    return ascending


def sort_weighted(const double[::1] real, const double[::1] real_weight,
                  const double[::1] fake, const double[::1] fake_weight, int threads):
    """Return both classes ascending with their weights, the arguments of `sweep_weighted`.

    The sort is stable.
    """
    cdef int64_t sizes[2]
    cdef const double *scores[2]
    cdef const double *weights[2]
    cdef double *into[2]
    cdef double *weights_into[2]
    cdef prf_status status[2]
    cdef double[::1] column
    cdef int i
    same_length(real.shape[0], real_weight.shape[0])
    same_length(fake.shape[0], fake_weight.shape[0])
    sizes[0], sizes[1] = real.shape[0], fake.shape[0]
    columns = [np.empty(sizes[i // 2]) for i in range(4)]
    scores[0], scores[1] = &real[0], &fake[0]
    weights[0], weights[1] = &real_weight[0], &fake_weight[0]
    for i in range(2):
        column = columns[2 * i]
        into[i] = &column[0]
        column = columns[2 * i + 1]
        weights_into[i] = &column[0]
    threads = team(threads, sizes)
    for i in prange(2, nogil=True, num_threads=threads, schedule="static"):
        status[i] = prf_sort_weighted(scores[i], weights[i], sizes[i], into[i], weights_into[i])
    check(status[0])
    check(status[1])
    return tuple(columns)


def ascending(const double[:, :] points):
    """Return the columns of points, each ascending, (columns, rows)."""
    cdef int64_t i, j, first, n = points.shape[0], width = points.shape[1]
    cdef prf_status status = PRF_OK
    into_array = np.empty((width, n))
    cdef double[:, ::1] into = into_array, columns = np.empty((width, n))
    with nogil:
        for first in range(0, n, 64):  # a tile in the cache
            for j in range(width):
                for i in range(first, min(first + 64, n)):
                    columns[j, i] = points[i, j]
        for j in range(width):
            if status == PRF_OK:
                status = prf_sort_f64(&columns[j, 0], n, &into[j, 0])
    check(status)
    return into_array


def quantiles(const double[:, :] points, shares):
    """Return the quantiles of the columns of points, (shares, columns), equal to NumPy's."""
    columns = ascending(points).T
    at = (len(columns) - 1) * np.array(shares)
    place = at.astype(np.int64)
    low, high = columns[place], columns[np.minimum(place + 1, len(columns) - 1)]
    part, step = (at - place)[:, None], high - low
    return np.where(part < 0.5, low + step * part, high - step * (1.0 - part))


def coded(const double[::1] x):
    """Return the values of x ascending, the place among them of each number, and their counts."""
    cdef int64_t i, count = 0, n = x.shape[0]
    cdef prf_status status
    values_array, place_array, counts_array = np.empty(n), np.empty(n, np.int64), np.zeros(n, np.int64)
    cdef double[::1] values = values_array, rows = np.arange(n, dtype=np.float64), order = np.empty(n)
    cdef int64_t[::1] place = place_array, counts = counts_array
    with nogil:
        status = prf_sort_weighted(&x[0], &rows[0], n, &values[0], &order[0])
        for i in range(n if status == PRF_OK else 0):
            count += i == 0 or values[i] > values[count - 1]
            values[count - 1] = values[i]
            counts[count - 1] += 1
            place[<int64_t>order[i]] = count - 1
    check(status)
    return values_array[:count], place_array, counts_array[:count]


cdef int team(int threads, const int64_t *sizes) except -1:
    """Return how many threads two sorts use, at most 2."""
    return 1 if threads < 2 or min(sizes[0], sizes[1]) < SERIAL_SORT else startable(2)


def sweep(const score_t[::1] real, const score_t[::1] fake):
    """Return pooled counts (p, q), integers in float64, of two ascending score arrays without NaN."""
    cdef int64_t n = real.shape[0], m = fake.shape[0], cells = 0
    cdef prf_status status
    if not (0 < n < 2**31 and 0 < m < 2**31):
        raise ValueError(f"1 to 2**31 - 1 scores a class expected, got {n} and {m}")
    p_array = np.empty(min(n, m) + 2, np.int64)
    q_array = np.empty(min(n, m) + 2, np.int64)
    cdef int64_t[::1] p = p_array, q = q_array
    with nogil:
        if score_t is float:
            status = prf_sweep_f32(&real[0], n, &fake[0], m, &p[0], &q[0], &cells)
        else:
            status = prf_sweep_f64(&real[0], n, &fake[0], m, &p[0], &q[0], &cells)
    check(status)
    return p_array[:cells].astype(np.float64), q_array[:cells].astype(np.float64)


def sweep_weighted(const double[::1] real, const double[::1] real_weight,
                   const double[::1] fake, const double[::1] fake_weight):
    """Return pooled masses (p, q) of two ascending score arrays with a weight for each score."""
    cdef int64_t n = real.shape[0], m = fake.shape[0], cells = 0
    same_length(n, real_weight.shape[0])
    same_length(m, fake_weight.shape[0])
    if n == 0 or m == 0:
        raise ValueError(f"at least one score a class expected, got {n} and {m}")
    p_array = np.empty(min(n, m) + 2)
    q_array = np.empty(min(n, m) + 2)
    cdef double[::1] p = p_array, q = q_array
    cdef prf_status status
    with nogil:
        status = prf_sweep_weighted(&real[0], &real_weight[0], n, &fake[0], &fake_weight[0], m,
                                    &p[0], &q[0], &cells)
    check(status)
    return p_array[:cells].copy(), q_array[:cells].copy()


def ratios(const double[::1] p, const double[::1] q):
    """Return q / p of each cell; inf exactly where p = 0 < q, NaN where both are 0."""
    cdef int64_t cells = p.shape[0]
    same_length(cells, q.shape[0])
    out_array = np.empty(cells)
    cdef double[::1] out = out_array
    if cells:
        with nogil:
            prf_ratios(&p[0], &q[0], cells, &out[0])
    return out_array


def pool_rows(double[:, ::1] p, double[:, ::1] q):
    """Merge, in place, neighbors in each row whose ratio q / p does not fall; return the numbers of
    cells left."""
    cdef int64_t rows = p.shape[0], cells = p.shape[1], i
    cdef prf_status status = PRF_OK
    same_length(rows, q.shape[0])
    same_length(cells, q.shape[1])
    left_array = np.full(rows, cells)
    cdef int64_t[::1] left = left_array
    if cells:
        with nogil:
            for i in range(rows):
                status = prf_pool(&p[i, 0], &q[i, 0], &left[i])
                if status != PRF_OK:
                    break
        check(status)
    return left_array


def hull(double[::1] fpr, double[::1] fnr):
    """Keep, in place, the lower convex hull of sorted points; return the number of its vertices."""
    cdef int64_t points = fpr.shape[0]
    same_length(points, fnr.shape[0])
    if points:
        with nogil:
            prf_hull(&fpr[0], &fnr[0], &points)
    return points


def vertices_of_rows(const double[:, ::1] p, const double[:, ::1] q):
    """Return fpr, fnr (cells + 1 each) and the totals Σp, Σq, (rows, 1), of each row of pooled
    cells."""
    cdef int64_t rows = p.shape[0], cells = p.shape[1], i
    cdef double totals[2]
    same_length(rows, q.shape[0])
    same_length(cells, q.shape[1])
    if cells == 0:
        raise ValueError("at least one cell expected")
    fpr_array, fnr_array = np.empty((rows, cells + 1)), np.empty((rows, cells + 1))
    total_p_array, total_q_array = np.empty((rows, 1)), np.empty((rows, 1))
    cdef double[:, ::1] fpr = fpr_array, fnr = fnr_array
    cdef double[:, ::1] total_p = total_p_array, total_q = total_q_array
    with nogil:
        for i in range(rows):
            prf_vertices(&p[i, 0], &q[i, 0], cells, &fpr[i, 0], &fnr[i, 0], totals)
            total_p[i, 0], total_q[i, 0] = totals[0], totals[1]
    return fpr_array, fnr_array, total_p_array, total_q_array


# The number of blocks of cells does not depend on the number of threads, and the blocks are added in
# order, so that the result does not depend on it either.
cdef enum:
    MINSUM_BLOCKS = 16
    MINSUM_BLOCKED_CELLS = 65536
    MINSUM_BLOCKED_LAMS = 16384


def minsum(const double[::1] p, const double[::1] q, const double[::1] lam, int threads):
    """Return alpha[l] = Σ_i min(lam[l] p_i, q_i) for ascending lam, in O(cells log lams)."""
    cdef int64_t cells = p.shape[0], lams = lam.shape[0], block, start, stop
    cdef int64_t blocks = 1
    same_length(cells, q.shape[0])
    alpha_array = np.zeros(lams)
    if cells == 0 or lams == 0:
        return alpha_array
    if cells >= MINSUM_BLOCKED_CELLS and lams <= MINSUM_BLOCKED_LAMS:
        blocks = MINSUM_BLOCKS
    bins_array = np.zeros((blocks, lams + 1, 4))
    cdef double[:, :, ::1] bins = bins_array
    cdef double[::1] alpha = alpha_array
    threads = startable(<int>min(threads, blocks))  # starting surplus threads takes time
    for block in prange(blocks, nogil=True, num_threads=threads, schedule="static"):
        start = cells * block // blocks
        stop = cells * (block + 1) // blocks
        if stop > start:
            prf_minsum_add(&p[start], &q[start], stop - start, &lam[0], lams,
                           &bins[block, 0, 0])
    prf_minsum_finish(&bins[0, 0, 0], blocks, &lam[0], lams, &alpha[0])
    return alpha_array
