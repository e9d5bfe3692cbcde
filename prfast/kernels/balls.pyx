# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Distances and what is counted of them: memoryviews in, OpenMP over blocks, status codes out.

Nothing is checked here beyond what keeps memory safe: callers validate.  All arrays are C-contiguous;
what a function returns is freshly allocated.
"""

import numpy as np

from cython.parallel cimport prange, threadid
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free

from prfast.kernels.contract cimport *

ISAS = {"base": PRF_BASE, "avx2": PRF_AVX2, "avx512": PRF_AVX512}


def isa_runs(int isa):
    """Does this machine run the instruction set?"""
    return bool(prf_isa_runs(isa))


# Queries that the engine takes together: parts of a set are whole blocks of them.
BLOCK = PRF_QUERY_BLOCK

# Numbers of a prf_work: refined, unfiltered, redone.
cdef enum:
    WORK = 3


cdef int pieces(int64_t threads, int64_t count, int64_t size):
    """Not more threads than there are pieces of work."""
    return <int>max(1, min(threads, (count + size - 1) // size))


cdef prf_points points_of(rows) except *:
    """The rows of a 2-D float32 or float64 array whose rows are contiguous, or of a Rows of one
    (prfast/balls/rows.py); not kept alive."""
    cdef prf_points points
    cdef const double[:, :] wide
    cdef const int64_t[::1] index
    array = getattr(rows, "base", rows) if hasattr(rows, "index") else rows
    cdef const float[:, :] narrow
    if array.ndim != 2 or array.shape[0] == 0 or array.shape[1] == 0:
        raise ValueError(f"a non-empty 2-D array expected, got shape {array.shape}")
    if array.strides[1] != array.itemsize and array.shape[1] > 1:
        raise ValueError("contiguous rows expected")
    if array.strides[0] % array.itemsize:
        raise ValueError("whole numbers between rows expected")
    if array.shape[0] >= 2**31:
        raise ValueError(f"at most 2**31 - 1 rows expected, got {array.shape[0]}")
    points.wide = array.dtype == np.float64
    if points.wide:
        wide = array
        points.rows = &wide[0, 0]
    else:
        narrow = array
        points.rows = &narrow[0, 0]
    points.count, points.dim = array.shape[0], array.shape[1]
    points.stride = array.strides[0] // array.itemsize
    points.index = NULL
    if array is not rows:
        index = rows.index
        if not (len(index) and 0 <= rows.index.min() and rows.index.max() < array.shape[0]):
            raise ValueError("rows of the set expected")
        points.index = &index[0]
        points.count = index.shape[0]
    return points


cdef class Nearest:
    """What is kept of the references for a super-block of queries: scratch of one pass."""

    cdef prf_nearest c
    cdef object keep

    def __init__(self, int64_t first_query, int64_t queries, int64_t k, int64_t capacity):
        cdef double[:, ::1] lo, hi
        cdef double[::1] tau
        cdef int32_t[:, ::1] ref
        cdef int32_t[::1] fill
        cdef float[::1] reach
        if capacity <= k or k < 1 or queries < 1:
            raise ValueError("queries, k >= 1 and a capacity above k expected")
        shape = (queries, capacity)
        self.keep = (np.empty(shape), np.empty(shape), np.empty(shape, np.int32),
                     np.zeros(queries, np.int32), np.full(queries, np.inf),
                     np.full(queries + PRF_QUERY_BLOCK, np.inf, np.float32))
        lo, hi, ref, fill, tau, reach = self.keep
        self.c.first_query, self.c.k, self.c.capacity = first_query, k, capacity
        self.c.lo, self.c.hi, self.c.ref = &lo[0, 0], &hi[0, 0], &ref[0, 0]
        self.c.fill, self.c.tau, self.c.reach = &fill[0], &tau[0], &reach[0]


cdef class Pass:
    """Queries against references, one packed super-block of references at a time."""

    cdef prf_pass c
    cdef object keep
    cdef readonly int64_t refined, unfiltered, redone

    def __init__(self, queries, refs, const double[::1] centre, double scale, int64_t room,
                 int isa, bint self_, bint exact):
        cdef float[::1] panels, half_lo, half_hi
        cdef double[::1] norms
        self.c.queries, self.c.refs = points_of(queries), points_of(refs)
        same_length(self.c.queries.dim, self.c.refs.dim)
        same_length(self.c.refs.dim, centre.shape[0])
        if not prf_isa_runs(isa):
            raise ValueError(f"an instruction set of this machine expected, got {isa}")
        panel = prf_panel(isa)
        room = (room + panel - 1) // panel * panel
        arrays = (np.empty(room * self.c.refs.dim, np.float32), np.empty(room),
                  np.empty(room, np.float32), np.empty(room, np.float32))
        panels, norms, half_lo, half_hi = arrays
        self.keep = (queries, refs, centre, arrays)
        self.c.centre, self.c.scale = &centre[0], scale
        self.c.panels, self.c.norms = &panels[0], &norms[0]
        self.c.half_lo, self.c.half_hi = &half_lo[0], &half_hi[0]
        self.c.self, self.c.isa, self.c.exact = self_, isa, exact

    def counters(self):
        """(refined, unfiltered, redone) since the last call."""
        counted = self.refined, self.unfiltered, self.redone
        self.refined = self.unfiltered = self.redone = 0
        return counted

    @property
    def exact(self):
        """Is the filter off?"""
        return bool(self.c.exact)

    def load(self, int64_t first, int64_t count, int threads):
        """Pack the references [first, first + count); at most `room` of them."""
        cdef int64_t step = 8 * prf_panel(self.c.isa), start
        threads = pieces(threads, count, step)
        if not (0 <= first and 0 < count <= self.keep[3][1].size
                and first + count <= self.c.refs.count):
            raise ValueError("references within the set and the room expected")
        self.c.ref_first, self.c.ref_count = first, count
        for start in prange(0, count, step, nogil=True, num_threads=threads):
            prf_pack(&self.c, start, min(step, count - start))

    def nearest(self, Nearest state, int64_t first, int64_t count, int threads):
        """Offer the loaded references to the queries [first, first + count)."""
        cdef int64_t start, size, failed = 0
        threads = pieces(threads, count, PRF_QUERY_BLOCK)
        cdef int64_t[:, ::1] work = np.zeros((threads, WORK), np.int64)
        self.within(first, count, state)
        for start in prange(first, first + count, PRF_QUERY_BLOCK, nogil=True,
                            num_threads=threads, schedule="dynamic", chunksize=1):
            size = min(PRF_QUERY_BLOCK, first + count - start)
            if prf_nearest_block(&self.c, start, size, &state.c,
                                 <prf_work *>&work[threadid(), 0]) != PRF_OK:
                failed += 1
        self.finished(failed, work)

    def within_start(self, Nearest state, int64_t first, int64_t count, int threads):
        """First thresholds of the points [first, first + count) of a set, which are queries and
        loaded references."""
        cdef int64_t start, failed = 0
        threads = pieces(threads, count, PRF_QUERY_BLOCK)
        self.a_set(state, first, count)
        for start in prange(first, first + count, PRF_QUERY_BLOCK, nogil=True,
                            num_threads=threads, schedule="dynamic", chunksize=1):
            if prf_within_start(&self.c, start, min(PRF_QUERY_BLOCK, first + count - start),
                                &state.c) != PRF_OK:
                failed += 1
        check(PRF_NO_MEMORY if failed else PRF_OK)

    def within_pairs(self, Nearest state, const int64_t[:, ::1] parts, int threads):
        """Offer each other the points of pairs of parts, rows (first, end, first, end) of `parts`:
        a part with itself or with a later one; no part is in two rows.  False: the filter decides
        too little, and the state is of no use."""
        cdef int64_t pair, start, rows = parts.shape[0], failed = 0, stopped = 0
        cdef prf_status status
        threads = pieces(threads, rows, 1)
        cdef int64_t[:, ::1] work = np.zeros((threads, WORK), np.int64)
        self.a_set(state, 0, self.c.refs.count)
        taken = set()
        for pair in range(rows):
            if not (0 <= parts[pair, 0] < parts[pair, 1] <= parts[pair, 3] <= self.c.ref_count
                    and parts[pair, 0] <= parts[pair, 2] < parts[pair, 3]
                    and parts[pair, 0] % PRF_QUERY_BLOCK == 0
                    and parts[pair, 2] % PRF_QUERY_BLOCK == 0):
                raise ValueError("parts of whole blocks within the set expected")
            taken |= {(parts[pair, 0], parts[pair, 1]), (parts[pair, 2], parts[pair, 3])}
        ends = np.array(sorted(taken), np.int64).reshape(-1, 2)
        diagonal = sum(parts[pair, 0] == parts[pair, 2] for pair in range(rows))
        if len(taken) != 2 * rows - diagonal or (ends[1:, 0] < ends[:-1, 1]).any():
            raise ValueError("parts that do not meet expected")
        for pair in prange(rows, nogil=True, num_threads=threads, schedule="dynamic",
                           chunksize=1):
            start = parts[pair, 0]
            while start < parts[pair, 1]:
                status = prf_within_block(
                    &self.c, start, min(PRF_QUERY_BLOCK, parts[pair, 1] - start),
                    max(start, parts[pair, 2]), parts[pair, 3], &state.c,
                    <prf_work *>&work[threadid(), 0])
                failed += status == PRF_NO_MEMORY
                stopped += status == PRF_GAVE_UP
                start = start + PRF_QUERY_BLOCK if status == PRF_OK else parts[pair, 1]
        self.finished(failed, work)
        return stopped == 0

    def within_end(self, Nearest state, int64_t first, int64_t count, int threads):
        """Do again what a first threshold of the points [first, first + count) kept out."""
        cdef int64_t start, failed = 0
        threads = pieces(threads, count, PRF_QUERY_BLOCK)
        cdef int64_t[:, ::1] work = np.zeros((threads, WORK), np.int64)
        self.a_set(state, first, count)
        for start in prange(first, first + count, PRF_QUERY_BLOCK, nogil=True,
                            num_threads=threads, schedule="dynamic", chunksize=1):
            if prf_within_end(&self.c, start, min(PRF_QUERY_BLOCK, first + count - start),
                              &state.c, <prf_work *>&work[threadid(), 0]) != PRF_OK:
                failed += 1
        self.finished(failed, work)

    cdef int a_set(self, Nearest state, int64_t first, int64_t count) except -1:
        if not (self.c.self and not self.c.exact and self.c.ref_first == 0
                and self.c.ref_count == self.c.refs.count == self.c.queries.count
                and state.c.first_query == 0 and len(state.keep[3]) == self.c.queries.count
                and state.c.k < self.c.queries.count):
            raise ValueError("one set, all of it loaded, and k below its size expected")
        return self.within(first, count, state)

    def unload(self):
        """Give the packed references back; what was kept of them can still be finished."""
        self.c.ref_count = 0
        self.c.panels = NULL
        self.c.norms = NULL
        self.c.half_lo = self.c.half_hi = NULL
        self.keep = (*self.keep[:3], (np.empty(0, np.float32), np.empty(0)))

    cdef int finished(self, int64_t failed, int64_t[:, ::1] work) except -1:
        # a row a thread: the members of prf_work
        for row in work:
            self.refined += row[0]
            self.unfiltered += row[1]
            self.redone += row[2]
        return check(PRF_NO_MEMORY if failed else PRF_OK)

    cdef int within(self, int64_t first, int64_t count, Nearest state) except -1:
        if not (0 <= first and 0 < count and first + count <= self.c.queries.count):
            raise ValueError("queries within the set expected")
        if state is not None and not (state.c.first_query <= first and
                                      first + count <= state.c.first_query + len(state.keep[3])):
            raise ValueError("queries of the state expected")
        return 0

    def finish(self, Nearest state, int64_t first, int64_t count, const int64_t[::1] ks,
               int threads, Pass other_pass=None, Nearest other=None):
        """The k-th smallest D for each of ks: (count, len(ks)), of one set or of a union."""
        cdef int64_t start, size, failed = 0, number = ks.shape[0]
        threads = pieces(threads, count, PRF_QUERY_BLOCK)
        cdef int64_t[:, ::1] work = np.zeros((threads, WORK), np.int64)
        cdef const prf_pass *second_pass = NULL
        cdef const prf_nearest *second = NULL
        self.within(first, count, state)
        kept = state.keep[3][first - state.c.first_query:][:count].astype(np.int64)
        if other is not None:
            other_pass.within(first, count, other)
            second_pass, second = &other_pass.c, &other.c
            kept += other.keep[3][first - other.c.first_query:][:count]
        if number == 0 or min(ks) < 1 or kept.min() < max(ks):
            raise ValueError("k from 1 to the number of references expected")
        d2_array = np.empty((count, number))
        cdef double[:, ::1] d2 = d2_array
        for start in prange(first, first + count, PRF_QUERY_BLOCK, nogil=True,
                            num_threads=threads, schedule="dynamic", chunksize=1):
            size = min(PRF_QUERY_BLOCK, first + count - start)
            if prf_nearest_finish(&self.c, &state.c, second_pass, second, start, size, &ks[0],
                                  number, &d2[start - first, 0],
                                  <prf_work *>&work[threadid(), 0]) != PRF_OK:
                failed += 1
        self.finished(failed, work)
        return d2_array

    def kept_within(self, Nearest state, int64_t first, int64_t count, const double[:, ::1] t,
                    bint closed, int threads):
        """How many references of the state have D <= t (closed) or D < t: (count, columns of t);
        −1 where some that were not kept might."""
        cdef int64_t start, size, failed = 0
        threads = pieces(threads, count, PRF_QUERY_BLOCK)
        cdef int64_t[:, ::1] work = np.zeros((threads, WORK), np.int64)
        self.within(first, count, state)
        same_length(t.shape[0], count)
        counts_array = np.empty((count, t.shape[1]), np.int64)
        cdef int64_t[:, ::1] counts = counts_array
        if t.shape[1] == 0:
            return counts_array
        for start in prange(first, first + count, PRF_QUERY_BLOCK, nogil=True,
                            num_threads=threads, schedule="dynamic", chunksize=1):
            size = min(PRF_QUERY_BLOCK, first + count - start)
            if prf_nearest_within(&self.c, &state.c, start, size, &t[start - first, 0],
                                  t.shape[1], closed, &counts[start - first, 0],
                                  <prf_work *>&work[threadid(), 0]) != PRF_OK:
                failed += 1
        self.finished(failed, work)
        return counts_array

    def count(self, tasks, int64_t first, int64_t count, int threads):
        """Count pairs of the queries [first, first + count) and the loaded references.

        tasks: (query_t, ref_t, closed, rows, cols): thresholds of D per query or per reference of
        all, one of them None; int64 counts to add to, of all queries and of all references, None
        for those not wanted.
        """
        cdef int64_t number = len(tasks), start, size, failed = 0
        threads = pieces(threads, count, PRF_QUERY_BLOCK)
        cdef int64_t[:, ::1] work = np.zeros((threads, WORK), np.int64)
        cdef int64_t t, room = self.keep[3][1].size
        cdef int thread
        cdef const double[::1] thresholds
        cdef int64_t[::1] rows
        cdef float[:, :, ::1] bounds
        cdef int32_t[:, ::1] cols
        self.within(first, count, None)
        wanted = [task for task in tasks if task[4] is not None]
        bounds_array = np.empty((number, 2, room), np.float32)
        cols_array = np.zeros((threads * max(1, len(wanted)), self.c.ref_count), np.int32)
        bounds, cols = bounds_array, cols_array
        cdef prf_count *copies = <prf_count *>calloc(<size_t>(threads * number), sizeof(prf_count))
        if copies == NULL:
            raise MemoryError("prfast: no memory for scratch")
        try:
            column = 0
            for t, (query_t, ref_t, closed, row_counts, col_counts) in enumerate(tasks):
                if query_t is not None:
                    thresholds = query_t
                    same_length(thresholds.shape[0], self.c.queries.count)
                    copies[t].query_t = &thresholds[0]
                else:
                    thresholds = ref_t
                    same_length(thresholds.shape[0], self.c.refs.count)
                    copies[t].ref_t = &thresholds[0]
                copies[t].closed = closed
                copies[t].ref_lo, copies[t].ref_hi = &bounds[t, 0, 0], &bounds[t, 1, 0]
                if row_counts is not None:
                    rows = row_counts
                    same_length(rows.shape[0], self.c.queries.count)
                    copies[t].rows = &rows[0]
                prf_count_prepare(&self.c, &copies[t])
                for thread in range(threads):
                    copies[thread * number + t] = copies[t]
                    if col_counts is not None:
                        copies[thread * number + t].cols = &cols[
                            thread * len(wanted) + column, 0]
                column += col_counts is not None
            for start in prange(first, first + count, PRF_QUERY_BLOCK, nogil=True,
                                num_threads=threads, schedule="dynamic", chunksize=1):
                size = min(PRF_QUERY_BLOCK, first + count - start)
                if prf_count_block(&self.c, start, size, copies + threadid() * number, number,
                                   <prf_work *>&work[threadid(), 0]) != PRF_OK:
                    failed += 1
        finally:
            free(copies)
        self.finished(failed, work)
        refs = slice(self.c.ref_first, self.c.ref_first + self.c.ref_count)
        for column, task in enumerate(wanted):
            task[4][refs] += cols_array[column :: len(wanted)].sum(axis=0)

    def logsum(self, double t, double[::1] total, int64_t first, int64_t count, int threads):
        """Add Σ ½ ln(D / t) over the loaded references with D < t to total, of all queries."""
        cdef int64_t start, failed = 0
        threads = pieces(threads, count, PRF_QUERY_BLOCK)
        cdef int64_t[:, ::1] work = np.zeros((threads, WORK), np.int64)
        self.within(first, count, None)
        same_length(total.shape[0], self.c.queries.count)
        for start in prange(first, first + count, PRF_QUERY_BLOCK, nogil=True,
                            num_threads=threads, schedule="dynamic", chunksize=1):
            if prf_logsum_block(&self.c, start, min(PRF_QUERY_BLOCK, first + count - start), t,
                                &total[0], <prf_work *>&work[threadid(), 0]) != PRF_OK:
                failed += 1
        self.finished(failed, work)

    def ratio(self, const double[::1] ref_t, double[::1] best, int64_t first, int64_t count,
              int threads):
        """Raise best, of all queries, to the largest ref_t / D over the loaded references."""
        cdef int64_t start, failed = 0
        threads = pieces(threads, count, PRF_QUERY_BLOCK)
        cdef int64_t[:, ::1] work = np.zeros((threads, WORK), np.int64)
        self.within(first, count, None)
        same_length(best.shape[0], self.c.queries.count)
        same_length(ref_t.shape[0], self.c.refs.count)
        for start in prange(first, first + count, PRF_QUERY_BLOCK, nogil=True,
                            num_threads=threads, schedule="dynamic", chunksize=1):
            if prf_ratio_block(&self.c, start, min(PRF_QUERY_BLOCK, first + count - start),
                               &ref_t[0], &best[0], <prf_work *>&work[threadid(), 0]) != PRF_OK:
                failed += 1
        self.finished(failed, work)

    def intervals(self, int64_t count):
        """What the filter knows of the first `count` (at most a block) queries and the loaded
        references: lo <= D <= hi."""
        self.within(0, count, None)
        if count > PRF_QUERY_BLOCK:
            raise ValueError(f"at most {PRF_QUERY_BLOCK} queries expected, got {count}")
        lo_array = np.empty((count, self.c.ref_count))
        hi_array = np.empty((count, self.c.ref_count))
        cdef double[:, ::1] lo = lo_array, hi = hi_array
        check(prf_intervals_block(&self.c, 0, count, &lo[0, 0], &hi[0, 0]))
        return lo_array, hi_array
