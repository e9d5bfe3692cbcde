# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Distances and what is counted of them: memoryviews in, OpenMP over blocks, status codes out.

Nothing is checked here beyond what keeps memory safe: callers validate.  All arrays are C-contiguous;
what a function returns is freshly allocated.
"""

import numpy as np

from cython.parallel cimport prange, threadid
from libc.stdint cimport int32_t, int64_t, uint8_t

from prfast.kernels.contract cimport *
from prfast.kernels.points cimport points_of


cdef dict running():
    """The instruction sets that this machine runs, the plainest first: name -> row of the table."""
    cdef int64_t i = 0
    cdef const prf_isa *isa = prf_isa_at(0)
    found = {}
    while isa != NULL:
        if isa.runs != NULL and isa.runs():
            found[isa.name.decode()] = i
        i += 1
        isa = prf_isa_at(i)
    return found


ISAS = running()

# Multiply-adds of int8 for one of float32, by instruction set; 0: not in hardware.
INT8_GAINS = {name: prf_isa_at(row).engine.int8_gain for name, row in ISAS.items()}

# Queries that the engine takes together: parts of a set are whole blocks of them.
BLOCK = PRF_QUERY_BLOCK


def useless(int64_t refined, int64_t pairs):
    """Has the filter left so many of the pairs undecided that computing every D is cheaper?"""
    return prf_useless(refined, pairs)


cdef int pieces(int64_t threads, int64_t count, int64_t size):
    """Not more threads than there are pieces of work."""
    return <int>max(1, min(threads, (count + size - 1) // size))


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
    cdef prf_int8 int8
    cdef const prf_engine *engine
    cdef object keep, int8_keep
    cdef readonly int64_t refined, unfiltered, redone

    def __init__(self, queries, refs, const double[::1] centre, double scale, int64_t room,
                 str isa, bint self_, bint exact):
        cdef float[::1] panels, half_lo, half_hi
        cdef double[::1] norms
        self.c.queries, self.c.refs = points_of(queries), points_of(refs)
        same_length(self.c.queries.dim, self.c.refs.dim)
        same_length(self.c.refs.dim, centre.shape[0])
        if isa not in ISAS:
            raise ValueError(f"an instruction set of this machine expected, got {isa!r}")
        self.engine = prf_isa_at(ISAS[isa]).engine
        self.c.panel = self.engine.panel
        room = (room + self.c.panel - 1) // self.c.panel * self.c.panel
        arrays = (np.empty(room * self.c.refs.dim, np.float32), np.empty(room),
                  np.empty(room, np.float32), np.empty(room, np.float32))
        panels, norms, half_lo, half_hi = arrays
        self.keep = (queries, refs, centre, arrays)
        self.c.centre, self.c.scale = &centre[0], scale
        self.c.panels, self.c.norms = &panels[0], &norms[0]
        self.c.half_lo, self.c.half_hi = &half_lo[0], &half_hi[0]
        self.c.self, self.c.exact = self_, exact

    def use_int8(self, bint cauchy):
        """Pack references for the int8 filter too, from the next `load` on; cauchy: which of its
        bounds is tested (csrc/filter/int8.h), (B) or (A)."""
        cdef uint8_t[::1] codes, points
        cdef float[:, ::1] terms
        cdef int64_t room = self.keep[3][1].size, width = (self.c.refs.dim + 3) // 4 * 4
        if not (0 < width <= PRF_INT8_WIDEST and room):
            raise ValueError(f"room, and at most {PRF_INT8_WIDEST} columns expected, got {width}")
        self.int8_keep = (np.empty(room * width, np.uint8), np.empty((4, room), np.float32),
                          np.empty(room * sizeof(prf_int8_point), np.uint8))
        codes, terms, points = self.int8_keep
        self.int8.width, self.int8.cauchy = width, cauchy
        self.int8.codes, self.int8.points = &codes[0], <prf_int8_point *>&points[0]
        self.int8.half, self.int8.inverse = &terms[0, 0], &terms[1, 0]
        self.int8.first, self.int8.second = &terms[2, 0], &terms[3, 0]
        self.c.int8 = &self.int8
        self.c.ref_count = 0  # what is loaded is not packed for it

    def counters(self):
        """(refined, unfiltered, redone) since the last call."""
        counted = self.refined, self.unfiltered, self.redone
        self.refined = self.unfiltered = self.redone = 0
        return counted

    @property
    def exact(self):
        """Is the filter off?"""
        return bool(self.c.exact)

    cdef bint over_blocks(self, prf_reduction *f, void *into, size_t stride, int64_t first,
                          int64_t count, int threads, int64_t size=PRF_QUERY_BLOCK) except -1:
        """Do f with [first, first + count), `size` at a time.  `into` of a thread lies `stride` bytes
        behind that of the thread before; 0: they share it.  False: f gave up somewhere."""
        cdef int64_t start, no_memory = 0, gave_up = 0
        cdef prf_status status
        threads = pieces(threads, count, size)
        work_array = np.zeros((threads, sizeof(prf_work) // sizeof(int64_t)), np.int64)
        cdef int64_t[:, ::1] work = work_array
        for start in prange(first, first + count, size, nogil=True, num_threads=threads,
                            schedule="dynamic", chunksize=1):
            status = f(&self.c, start, min(size, first + count - start),
                       <char *>into + threadid() * stride, <prf_work *>&work[threadid(), 0])
            no_memory += status == PRF_NO_MEMORY
            gave_up += status == PRF_GAVE_UP
        refined, unfiltered, redone = work_array.sum(axis=0)  # the members of prf_work
        self.refined += refined
        self.unfiltered += unfiltered
        self.redone += redone
        check(PRF_NO_MEMORY if no_memory else PRF_OK)
        return gave_up == 0

    cdef int within(self, int64_t first, int64_t count, Nearest state) except -1:
        if not (0 <= first and 0 < count and first + count <= self.c.queries.count):
            raise ValueError("queries within the set expected")
        if state is not None and not (state.c.first_query <= first and
                                      first + count <= state.c.first_query + len(state.keep[3])):
            raise ValueError("queries of the state expected")
        return 0

    cdef int a_set(self, Nearest state, int64_t first, int64_t count) except -1:
        if not (self.c.self and not self.c.exact and self.c.ref_first == 0
                and self.c.ref_count == self.c.refs.count == self.c.queries.count
                and state.c.first_query == 0 and len(state.keep[3]) == self.c.queries.count
                and state.c.k < self.c.queries.count):
            raise ValueError("one set, all of it loaded, and k below its size expected")
        return self.within(first, count, state)

    def load(self, int64_t first, int64_t count, int threads):
        """Pack the references [first, first + count); at most `room` of them."""
        cdef int64_t step = 8 * self.c.panel, start
        threads = pieces(threads, count, step)
        if not (0 <= first and 0 < count <= self.keep[3][1].size
                and first + count <= self.c.refs.count):
            raise ValueError("references within the set and the room expected")
        self.c.ref_first, self.c.ref_count = first, count
        for start in prange(0, count, step, nogil=True, num_threads=threads):
            prf_pack(&self.c, start, min(step, count - start))
        if self.c.int8 != NULL:
            self.over_blocks(self.engine.int8_pack, NULL, 0, 0, count, threads, step)

    def unload(self):
        """Give the packed references back; what was kept of them can still be finished."""
        self.c.ref_count = 0
        self.c.panels = NULL
        self.c.norms = NULL
        self.c.half_lo = self.c.half_hi = NULL
        self.c.int8 = NULL
        self.int8_keep = None
        self.keep = (*self.keep[:3], (np.empty(0, np.float32), np.empty(0)))

    def nearest(self, Nearest state, int64_t first, int64_t count, int threads):
        """Offer the loaded references to the queries [first, first + count)."""
        self.within(first, count, state)
        self.over_blocks(self.engine.nearest, &state.c, 0, first, count, threads)

    def within_start(self, Nearest state, int64_t first, int64_t count, int threads):
        """First thresholds of the points [first, first + count) of a set, which are queries and
        loaded references."""
        self.a_set(state, first, count)
        self.over_blocks(self.engine.within_start, &state.c, 0, first, count, threads)

    def within_pairs(self, Nearest state, const int64_t[:, ::1] parts, int threads):
        """Offer each other the points of pairs of parts, rows (first, end, first, end) of `parts`:
        a part with itself or with a later one; no part is in two rows.  False: the filter decides
        too little, and the state is of no use."""
        cdef int64_t pair, rows = parts.shape[0]
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
        cdef prf_pairs pairs = prf_pairs(&parts[0, 0], &state.c)
        return bool(self.over_blocks(self.engine.within_pairs, &pairs, 0, 0, rows, threads, 1))

    def within_end(self, Nearest state, int64_t first, int64_t count, int threads):
        """Do again what a first threshold of the points [first, first + count) kept out."""
        self.a_set(state, first, count)
        self.over_blocks(self.engine.within_end, &state.c, 0, first, count, threads)

    def finish(self, Nearest state, int64_t first, int64_t count, const int64_t[::1] ks,
               int threads, Pass other_pass=None, Nearest other=None):
        """The k-th smallest D for each of ks: (count, len(ks)), of one set or of a union."""
        cdef int64_t number = ks.shape[0]
        cdef prf_kth kth
        self.within(first, count, state)
        kth.state, kth.other, kth.other_pass = &state.c, NULL, NULL
        kept = state.keep[3][first - state.c.first_query:][:count].astype(np.int64)
        if other is not None:
            other_pass.within(first, count, other)
            kth.other, kth.other_pass = &other.c, &other_pass.c
            kept += other.keep[3][first - other.c.first_query:][:count]
        if number == 0 or min(ks) < 1 or kept.min() < max(ks):
            raise ValueError("k from 1 to the number of references expected")
        d2_array = np.empty((count, number))
        cdef double[:, ::1] d2 = d2_array
        kth.ks, kth.ks_count, kth.first_query, kth.d2 = &ks[0], number, first, &d2[0, 0]
        self.over_blocks(prf_kth_of_kept, &kth, 0, first, count, threads)
        return d2_array

    def kept_within(self, Nearest state, int64_t first, int64_t count, const double[:, ::1] t,
                    bint closed, int threads):
        """How many references of the state have D <= t (closed) or D < t: (count, columns of t);
        −1 where some that were not kept might."""
        self.within(first, count, state)
        same_length(t.shape[0], count)
        counts_array = np.empty((count, t.shape[1]), np.int64)
        cdef int64_t[:, ::1] counts = counts_array
        cdef prf_among among
        if t.shape[1]:
            among = prf_among(&state.c, &t[0, 0], t.shape[1], first, closed, &counts[0, 0])
            self.over_blocks(prf_among_kept, &among, 0, first, count, threads)
        return counts_array

    cdef prf_count task_of(self, query_t, ref_t, bint closed, row_counts) except *:
        """A count without its bounds and columns."""
        cdef const double[::1] thresholds = ref_t if query_t is None else query_t
        cdef int64_t[::1] rows
        cdef prf_count task = prf_count(NULL, NULL, closed, NULL, NULL, NULL, NULL)
        if query_t is not None:
            same_length(thresholds.shape[0], self.c.queries.count)
            task.query_t = &thresholds[0]
        else:
            same_length(thresholds.shape[0], self.c.refs.count)
            task.ref_t = &thresholds[0]
        if row_counts is not None:
            rows = row_counts
            same_length(rows.shape[0], self.c.queries.count)
            task.rows = &rows[0]
        return task

    def count(self, tasks, int64_t first, int64_t count, int threads):
        """Count pairs of the queries [first, first + count) and the loaded references.

        tasks: (query_t, ref_t, closed, rows, cols): thresholds of D per query or per reference of
        all, one of them None; int64 counts to add to, of all queries and of all references, None
        for those not wanted.
        """
        cdef int64_t number = len(tasks), room = self.keep[3][1].size, t, thread
        self.within(first, count, None)
        threads = pieces(threads, count, PRF_QUERY_BLOCK)
        wanted = [t for t in range(number) if tasks[t][4] is not None]
        cols_array = np.zeros((threads, number, self.c.ref_count if wanted else 0), np.int32)
        cdef int32_t[:, :, ::1] cols = cols_array
        cdef float[:, :, ::1] bounds = np.empty((number, 2, room), np.float32)
        cdef char[::1] copies = np.empty(threads * number * sizeof(prf_count), np.int8)
        cdef char[::1] memory = np.empty(threads * sizeof(prf_counts), np.int8)
        cdef prf_counts *into = <prf_counts *>&memory[0]
        cdef prf_count task
        for thread in range(threads):
            into[thread] = prf_counts(<prf_count *>&copies[0] + thread * number, number)
        for t in range(number):
            query_t, ref_t, closed, row_counts, col_counts = tasks[t]
            task = self.task_of(query_t, ref_t, closed, row_counts)
            task.ref_lo, task.ref_hi = &bounds[t, 0, 0], &bounds[t, 1, 0]
            prf_count_prepare(&self.c, &task)
            for thread in range(threads):
                into[thread].tasks[t] = task
                if col_counts is not None:
                    into[thread].tasks[t].cols = &cols[thread, t, 0]
        self.over_blocks(self.engine.counts, into, sizeof(prf_counts), first, count, threads)
        refs = slice(self.c.ref_first, self.c.ref_first + self.c.ref_count)
        for t in wanted:
            tasks[t][4][refs] += cols_array[:, t].sum(axis=0)

    def logsum(self, double t, double[::1] total, int64_t first, int64_t count, int threads):
        """Add Σ ½ ln(D / t) over the loaded references with D < t to total, of all queries."""
        self.within(first, count, None)
        same_length(total.shape[0], self.c.queries.count)
        cdef prf_logsum into = prf_logsum(t, &total[0])
        self.over_blocks(self.engine.logsum, &into, 0, first, count, threads)

    def ratio(self, const double[::1] ref_t, double[::1] best, int64_t first, int64_t count,
              int threads):
        """Raise best, of all queries, to the largest ref_t / D over the loaded references."""
        self.within(first, count, None)
        same_length(best.shape[0], self.c.queries.count)
        same_length(ref_t.shape[0], self.c.refs.count)
        cdef prf_ratio into = prf_ratio(&ref_t[0], &best[0])
        self.over_blocks(self.engine.ratio, &into, 0, first, count, threads)

    def intervals(self, int64_t count):
        """What the filter knows of the first `count` (at most a block) queries and the loaded
        references: lo <= D <= hi."""
        self.within(0, count, None)
        if count > PRF_QUERY_BLOCK:
            raise ValueError(f"at most {PRF_QUERY_BLOCK} queries expected, got {count}")
        lo_array = np.empty((count, self.c.ref_count))
        hi_array = np.empty((count, self.c.ref_count))
        cdef double[:, ::1] lo = lo_array, hi = hi_array
        cdef prf_intervals into = prf_intervals(&lo[0, 0], &hi[0, 0])
        self.over_blocks(self.engine.intervals, &into, 0, 0, count, 1)
        return lo_array, hi_array

    def possible(self, query_t, ref_t, int threads, int64_t size=960, bint pairs=True, by=None):
        """Pairs of all queries and the loaded references of which the int8 filter does not rule out
        that D <= query_t or D <= ref_t, thresholds of all or None: how many a query, which, and
        lo <= D <= hi of those by one of the bounds, 1: (A), 2: (B), or 0: both.

        size: queries that are taken together; pairs=False: only how many.
        """
        cdef int64_t queries = self.c.queries.count, refs = self.c.ref_count
        cdef const double[::1] of_queries, of_refs
        cdef uint8_t[:, ::1] possible
        cdef double[:, :, ::1] ends
        cdef prf_possible into = prf_possible(NULL, NULL, NULL, NULL, NULL, 0, NULL)
        if self.c.int8 == NULL or refs == 0:
            raise ValueError("references loaded for the int8 filter expected")
        if query_t is not None:
            of_queries = query_t
            same_length(of_queries.shape[0], queries)
            into.query_t = &of_queries[0]
        if ref_t is not None:
            of_refs = ref_t
            same_length(of_refs.shape[0], self.c.refs.count)
            into.ref_t = &of_refs[0]
        candidates_array = np.zeros(queries, np.int64)
        cdef int64_t[::1] candidates = candidates_array
        into.candidates = &candidates[0]
        found = ends_array = None
        if pairs:
            found = np.zeros((queries, refs), bool)
            possible = found.view(np.uint8)
            into.possible = &possible[0, 0]
        if by is not None:
            ends_array = np.full((2, queries, refs), np.nan)
            ends = ends_array
            into.lo, into.hi, into.by = &ends[0, 0, 0], &ends[1, 0, 0], by
        self.over_blocks(self.engine.possible, &into, 0, 0, queries, threads, max(1, size))
        return candidates_array, found, ends_array

    def differences(self):
        """lo <= D <= hi of all queries and the loaded references, from float32 differences; both sets
        of float32."""
        if self.c.queries.wide or self.c.refs.wide:
            raise ValueError("sets of float32 expected")
        ends_array = np.empty((2, self.c.queries.count, self.c.ref_count))
        cdef double[:, :, ::1] ends = ends_array
        cdef prf_intervals into
        if self.c.ref_count:
            into = prf_intervals(&ends[0, 0, 0], &ends[1, 0, 0])
            self.over_blocks(self.engine.differences, &into, 0, 0, self.c.queries.count, 1,
                             self.c.queries.count)
        return ends_array[0], ends_array[1]
