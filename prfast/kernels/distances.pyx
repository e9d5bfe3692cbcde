# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Reductions over distances: memoryviews in, OpenMP over blocks, status codes out.

Callers validate: only lengths and ranges of rows are checked here.  All arrays are C-contiguous; what
a function returns is freshly allocated.
"""

import numpy as np

from cython.parallel cimport prange, threadid
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memcpy, memset

from prfast.kernels.contract cimport *
from prfast.kernels.part cimport part_of_table, prf_distances_part
from prfast.kernels.points cimport points_of

from prfast.kernels.masses import startable

# Functions of the public header that are compiled here, for prfast.kernels.capi.
_C_PART = part_of_table(&prf_distances_part)


cdef dict supported_isas():
    """Return {name: row of the table} of the instruction sets of this CPU, the plainest first."""
    cdef int64_t i = 0
    cdef const prf_isa *isa = prf_isa_at(0)
    rows = {}
    while isa != NULL:
        if isa.runs != NULL and isa.runs():
            rows[isa.name.decode()] = i
        i += 1
        isa = prf_isa_at(i)
    return rows


ISAS = supported_isas()

# Multiply-adds of int8 for one of float32, by instruction set; 0: not in hardware.
INT8_GAINS = {name: prf_isa_at(row).engine.int8_gain() for name, row in ISAS.items()}

INT8_WIDEST = PRF_INT8_WIDEST

# The members of prf_work, in order: pairs by the step that decided them, and blocks of queries for
# which heads or the int8 filter were abandoned.
WORK = ("head", "int8", "float32", "differences", "refined", "unfiltered", "abandoned_filter")

# Queries per block of the engine, and references that are packed together at most.
BLOCK, PANEL = PRF_QUERY_BLOCK, PRF_PANEL

# With heads or the int8 filter blocks may be larger, so that rows of references are read less often.
_BLOCKS = 10
INT8_BLOCK = _BLOCKS * PRF_QUERY_BLOCK

# Halvings that are counted side by side.
HALVINGS = PRF_HALVINGS

# Number of references from which lists get their first limits.
SAMPLE = PRF_SAMPLE

FAR_UNREFINED, ALL_BUT_KTH_UNREFINED = PRF_FAR_UNREFINED, PRF_ALL_BUT_KTH_UNREFINED


cdef int team_size(int64_t threads, int64_t count, int64_t size) except -1:
    """Return the number of threads: at most one per block, and what the system starts."""
    return startable(<int>max(1, min(threads, (count + size - 1) // size)))


include "lists.pxi"


cdef class Pass:
    """Queries and references, of which one super-block at a time is packed for the filters.

    Methods reduce the distances of some queries to the loaded references.
    """

    cdef prf_pass c
    cdef prf_int8 int8
    cdef const prf_engine *engine
    cdef object keep, int8_keep
    cdef Pass head
    cdef object work
    cdef int64_t block, blocks

    def __init__(self, queries, refs, const double[::1] center, double scale, bint exact,
                 int64_t capacity, str isa, bint self_, const int64_t[::1] own, int64_t block,
                 work):
        """Allocate packed references for `capacity` rows.

        own: the row of each query among the references, or None.  block: queries that a thread
        handles together, with its own scratch; above PRF_QUERY_BLOCK a multiple of it, used by the
        int8 filter and heads only.  work: {name of WORK: number} to add to.
        """
        cdef float[::1] panels, half_lo
        cdef double[::1] norms
        self.c.queries, self.c.refs = points_of(queries), points_of(refs)
        same_length(self.c.queries.dim, self.c.refs.dim)
        same_length(self.c.refs.dim, center.shape[0])
        if not 0 < block <= INT8_BLOCK:
            raise ValueError(f"blocks of 1 to {INT8_BLOCK} queries expected, got {block}")
        self.block, self.blocks = min(block, PRF_QUERY_BLOCK), block // PRF_QUERY_BLOCK
        if isa not in ISAS:
            raise ValueError(f"an instruction set of this machine expected, got {isa!r}")
        self.engine = prf_isa_at(ISAS[isa]).engine
        self.c.panel = self.engine.panel
        capacity = (capacity + self.c.panel - 1) // self.c.panel * self.c.panel
        floats = np.empty(capacity * self.c.refs.dim + 16, np.float32)
        aligned = -(floats.ctypes.data // 4) % 16  # a panel's vectors lie in lines of the cache
        arrays = (floats[aligned:], np.empty(capacity),
                  np.empty(capacity, np.float32))
        panels, norms, half_lo = arrays
        self.keep = (queries, refs, center, arrays)
        self.c.center, self.c.scale = &center[0], scale
        self.c.panels, self.c.norms = &panels[0], &norms[0]
        self.c.half_lo = &half_lo[0]
        self.c.self, self.c.exact, self.c.own, self.c.int8 = self_, exact, NULL, NULL
        self.c.head, self.c.slack, self.c.forced = NULL, False, False
        self.work = work
        if own is not None:
            same_length(own.shape[0], self.c.queries.count)
            self.c.own = &own[0]
            self.keep = (*self.keep, own)

    def use_int8(self, bint forced):
        """Pack references for the int8 filter too, from the next `load` on; forced: never abandon it."""
        cdef uint8_t[::1] codes, points
        cdef float[:, ::1] terms
        cdef int64_t capacity = self.keep[3][1].size, width = prf_int8_width(self.c.refs.dim)
        if not (0 < width <= PRF_INT8_WIDEST and capacity):
            raise ValueError(f"1 to {PRF_INT8_WIDEST} columns expected, got {self.c.refs.dim}")
        self.int8_keep = (np.empty(capacity * width, np.uint8), np.empty((5, capacity), np.float32),
                          np.empty(capacity * sizeof(prf_int8_point), np.uint8))
        codes, terms, points = self.int8_keep
        self.int8.width, self.int8.forced = width, forced
        self.int8.codes, self.int8.points = &codes[0], <prf_int8_point *>&points[0]
        self.int8.half, self.int8.inverse = &terms[0, 0], &terms[1, 0]
        self.int8.first, self.int8.second = &terms[2, 0], &terms[3, 0]
        self.int8.step = &terms[4, 0]
        self.c.int8 = &self.int8
        self.c.ref_count = 0  # the loaded references are not packed for int8

    def use_head(self, Pass head, bint forced):
        """Take the heads of the same points before their products, from the next `load` on.

        head: a pass of rows of a head and a slack (csrc/filter/head.h); forced: never abandon them.
        """
        same_length(head.c.queries.count, self.c.queries.count)
        same_length(head.c.refs.count, self.c.refs.count)
        same_length(head.keep[3][1].size, self.keep[3][1].size)
        head.c.queries.dim = head.c.refs.dim = head.c.refs.dim - 1
        head.c.slack, self.c.forced = True, forced
        self.head, self.c.head, self.c.ref_count = head, &head.c, 0

    @property
    def dim(self):
        """Number of features."""
        return self.c.refs.dim

    cdef int over_blocks(self, prf_reduction *f, void *into, size_t stride, int64_t first,
                         int64_t count, int threads, int64_t size=0) except -1:
        """Run a reduction over [first, first + count) in blocks of `size`, by default of queries.

        Threads have their own arguments, `stride` bytes apart from `into` on, or share one if
        stride is 0.
        """
        cdef int64_t start, no_memory = 0
        cdef prf_status status
        size = size or self.block
        threads = team_size(threads, count, size)
        work_array = np.zeros((threads, sizeof(prf_work) // sizeof(int64_t)), np.int64)
        cdef int64_t[:, ::1] work = work_array
        for start in prange(first, first + count, size, nogil=True, num_threads=threads,
                            schedule="dynamic", chunksize=1):
            status = f(&self.c, start, min(size, first + count - start),
                       <char *>into + threadid() * stride, <prf_work *>&work[threadid(), 0])
            no_memory += status == PRF_NO_MEMORY
        for name, number in zip(WORK, work_array.sum(axis=0).tolist(), strict=True):
            self.work[name] += number
        if work_array[:, WORK.index("abandoned_filter")].any():  # too slow for the rest as well
            self.c.int8, self.c.head = NULL, NULL
        check(PRF_NO_MEMORY if no_memory else PRF_OK)
        return 0

    cdef int within(self, int64_t first, int64_t count, Nearest state) except -1:
        if not (0 <= first and 0 < count and first + count <= self.c.queries.count):
            raise ValueError("queries within the set expected")
        if state is not None and not (state.c.first_query <= first and
                                      first + count <= state.c.first_query + len(state.keep[3])):
            raise ValueError("queries of the state expected")
        return 0

    def load(self, int64_t first, int64_t count, int threads):
        """Pack the references [first, first + count); at most `capacity` of them."""
        cdef int64_t step = 8 * self.c.panel, start
        threads = team_size(threads, count, step)
        if not (0 <= first and 0 < count <= self.keep[3][1].size
                and first + count <= self.c.refs.count):
            raise ValueError("references within the set and the capacity expected")
        self.c.ref_first, self.c.ref_count = first, count
        for start in prange(0, count, step, nogil=True, num_threads=threads):
            prf_pack(&self.c, start, min(step, count - start))
        if self.c.head != NULL:
            self.head.load(first, count, threads)
        if self.c.int8 != NULL:
            self.over_blocks(self.engine.int8_pack, NULL, 0, 0, count, threads, step)

    def limits(self, const double[::1] d2):
        """Return limits with which lists contain all references with D <= d2; none for d2 < 0."""
        limit_array = np.empty(d2.shape[0], np.float32)
        cdef float[::1] limit = limit_array
        if d2.shape[0]:
            prf_limits(&self.c, &d2[0], d2.shape[0], &limit[0])
        return limit_array

    def nearest(self, Nearest state, int64_t first, int64_t count, int threads):
        """Offer the loaded references to the reservoirs of the queries [first, first + count)."""
        self.within(first, count, state)
        self.over_blocks(self.engine.nearest, &state.c, 0, first, count, threads)

    def symmetric(self, Lists lists, const int64_t[:, ::1] parts, float[::1] bounds8, int threads):
        """Offer each other the points of pairs of parts, each pair of points once.

        parts: rows (first, end, first, end), a part with itself or with a later one; no part is
        in two rows.  bounds8: from `lower_limits`.
        """
        cdef prf_symmetric into = prf_symmetric(&parts[0, 0], &lists.c, &bounds8[0],
                                                self.head is None)
        self.over_blocks(self.engine.symmetric, &into, 0, 0, parts.shape[0], threads, 1)

    def int8_bounds(self):
        """Return an array for the thresholds of all loaded points; padding admits nothing."""
        nothing = np.inf if self.c.head == NULL else -np.inf
        return np.full(self.keep[3][1].size, nothing, np.float32)

    def lower_limits(self, Lists lists, const int64_t[::1] seen, float[::1] bounds8, int threads):
        """Lower the limits of all points of a set; seen: references offered to each so far."""
        cdef prf_symmetric within = prf_symmetric(NULL, &lists.c, &bounds8[0], self.head is None)
        cdef prf_lower into = prf_lower(&seen[0], &within)
        same_length(seen.shape[0], self.c.refs.count)
        self.over_blocks(self.engine.lower, &into, 0, 0, self.c.refs.count, threads)

    def answer(self, Lists lists, int64_t first, int64_t count, task, uint8_t[::1] failed,
               int threads, Pass other_pass=None, Lists other=None, const double[::1] values=None):
        """Write into a task the answers that the lists of the queries [first, first + count) give.

        task: a `Nearest` of prfast/neighbors/tasks.py, opened; failed: of all queries, 1 where a
        list does not reach so far; values: a number of each reference, where `least` is wanted.
        """
        cdef prf_finish what
        cdef const int64_t[::1] ks
        cdef int64_t s
        cdef double[:, ::1] d2
        cdef double[::1] least
        cdef int64_t[:, ::1] counts
        self.within(first, count, None)
        if not (lists.holds(first, count) and (other is None or other.holds(first, count))):
            raise ValueError("queries of the lists expected")
        same_length(failed.shape[0], self.c.queries.count)
        what.closed, what.failed = task.closed, &failed[0]
        what.lists[0], what.passes[0] = &lists.c, &self.c
        what.lists[1], what.passes[1] = NULL, NULL
        if other is not None:
            what.lists[1], what.passes[1] = &other.c, &other_pass.c
        # An empty array has an address, at which nothing is read or written.
        for s, (ks, d2) in enumerate(((task.ks_a, task.d2_a), (task.ks_b, task.d2_b),
                                      (task.ks_both, task.d2_both))):
            same_length(d2.shape[0], self.c.queries.count)
            same_length(d2.shape[1], ks.shape[0])
            what.ks_count[s], what.ks[s], what.d2[s] = ks.shape[0], &ks[0], &d2[0, 0]
        for s, counts in enumerate((task.of_a, task.of_b)):
            same_length(counts.shape[0], self.c.queries.count)
            what.of[s] = &counts[0, 0]
        for s, (k, counts) in enumerate(((task.ks_b, task.across_a), (task.ks_a, task.across_b))):
            same_length(counts.shape[0], self.c.queries.count)
            if task.across:
                same_length(counts.shape[1], len(k))
            what.across[s] = &counts[0, 0] if task.across and other is not None else NULL
        what.values, what.least = NULL, NULL
        if values is not None:
            least = task.least
            same_length(values.shape[0], self.c.refs.count)
            same_length(least.shape[0], self.c.queries.count)
            what.values, what.least = &values[0], &least[0]
        self.over_blocks(self.engine.finish, &what, 0, first, count, threads)

    def half_kth(self, Lists lists, int64_t first, int64_t count, const int64_t[::1] ks,
                 int64_t halvings, sides, int threads):
        """Return the k-th smallest D in the half of each of the queries [first, first + count).

        sides: uint16 arrays of all queries and of all references, a bit for each halving.  The
        result is (count, len(ks), HALVINGS), NaN where lists do not tell, and beyond `halvings`.
        """
        cdef prf_half_kth what
        cdef const uint16_t[::1] of_queries, of_refs
        of_queries, of_refs = sides
        self.within(first, count, None)
        same_length(of_queries.shape[0], self.c.queries.count)
        same_length(of_refs.shape[0], self.c.refs.count)
        if not (lists.holds(first, count) and ks.shape[0] and min(ks) >= 1
                and 0 < halvings <= PRF_HALVINGS):
            raise ValueError("queries of the lists, k >= 1 and halvings expected")
        d2_array = np.full((count, ks.shape[0], PRF_HALVINGS), np.nan)
        cdef double[:, :, ::1] d2 = d2_array
        what = prf_half_kth(&lists.c, &of_queries[0], &of_refs[0], &ks[0], ks.shape[0], halvings,
                            first, &d2[0, 0, 0])
        self.over_blocks(self.engine.half_kth, &what, 0, first, count, threads)
        return d2_array

    def finish(self, Nearest state, int64_t first, int64_t count, const int64_t[::1] ks,
               int threads, Pass other_pass=None, Nearest other=None):
        """Return the k-th smallest D in one set or in a union, for each of ks: (count, len(ks))."""
        cdef int64_t number = ks.shape[0]
        cdef prf_kth kth
        self.within(first, count, state)
        kth.state, kth.other, kth.other_pass = &state.c, NULL, NULL
        filled = state.keep[3][first - state.c.first_query:][:count].astype(np.int64)
        if other is not None:
            other_pass.within(first, count, other)
            kth.other, kth.other_pass = &other.c, &other_pass.c
            filled += other.keep[3][first - other.c.first_query:][:count]
        if number == 0 or min(ks) < 1 or filled.min() < max(ks):
            raise ValueError("k from 1 to the number of references expected")
        d2_array = np.empty((count, number))
        cdef double[:, ::1] d2 = d2_array
        kth.ks, kth.ks_count, kth.first_query, kth.d2 = &ks[0], number, first, &d2[0, 0]
        self.over_blocks(prf_reservoir_kth, &kth, 0, first, count, threads)
        return d2_array

    def count_within(self, Nearest state, int64_t first, int64_t count, const double[:, ::1] t,
                    bint closed, int threads):
        """Return the number of references with D <= t (closed) or D < t: (count, columns of t).

        It is −1 where references that the reservoir has dropped may be among them.
        """
        self.within(first, count, state)
        same_length(t.shape[0], count)
        counts_array = np.empty((count, t.shape[1]), np.int64)
        cdef int64_t[:, ::1] counts = counts_array
        cdef prf_within among
        if t.shape[1]:
            among = prf_within(&state.c, &t[0, 0], t.shape[1], first, closed, &counts[0, 0])
            self.over_blocks(prf_reservoir_count, &among, 0, first, count, threads)
        return counts_array

    cdef prf_count task_of(self, query_t, ref_t, bint closed, row_counts) except *:
        """Return a count task without bounds and columns."""
        cdef const double[::1] thresholds = ref_t if query_t is None else query_t
        cdef int64_t[::1] rows
        cdef prf_count task = prf_count(NULL, NULL, closed, NULL, NULL, NULL, NULL, NULL)
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

    cdef object largest_ref_t(self, tasks):
        """Return the largest T of each reference over all tasks; None without heads and int8 filter
        or without a task with T per reference."""
        per_ref = [task[1] for task in tasks if task[1] is not None]
        if (self.c.int8 == NULL and self.c.head == NULL) or not per_ref:
            return None
        for one in per_ref:
            same_length(len(one), self.c.refs.count)
        return np.ascontiguousarray(np.maximum.reduce(per_ref))

    cdef object begin_halves(self, tasks, sides, prf_halves *what, int64_t threads):
        """Fill in the counts of halves of each thread and task; return the arrays of each task that
        they use, of which the last are counts of the loaded references, a thread each."""
        cdef int64_t capacity = self.keep[3][1].size, number = len(tasks), task, thread
        cdef const uint16_t[::1] of_queries, of_refs
        cdef const double[:, ::1] t
        cdef float[:, ::1] possible, certain
        cdef int32_t[:, ::1] rows
        cdef int32_t[:, :, ::1] cols
        cdef prf_halves *one
        of_queries, of_refs = sides
        same_length(of_queries.shape[0], self.c.queries.count)
        same_length(of_refs.shape[0], self.c.refs.count)
        keep = []
        for task, (query_t, ref_t, closed, row_counts, col_counts) in enumerate(tasks):
            t = ref_t if query_t is None else query_t
            same_length(t.shape[0], self.c.refs.count if query_t is None else self.c.queries.count)
            room = capacity if query_t is None else 1
            possible = np.empty((room, PRF_HALVINGS), np.float32)
            certain = np.empty((room, PRF_HALVINGS), np.float32)
            cols = np.zeros((threads, 1 if col_counts is None else capacity, PRF_HALVINGS), np.int32)
            for array in (t, row_counts, col_counts):
                if array is not None:
                    same_length(array.shape[1], PRF_HALVINGS)
            if col_counts is not None:
                same_length(col_counts.shape[0], self.c.refs.count)
            keep.append((t, possible, certain, np.asarray(cols)))
            for thread in range(threads):
                one = what + thread * number + task
                one[0] = prf_halves(&t[0, 0], &of_queries[0], &of_refs[0], &possible[0, 0],
                                    &certain[0, 0], NULL, NULL)
                if row_counts is not None:
                    rows = row_counts
                    same_length(rows.shape[0], self.c.queries.count)
                    one.rows = &rows[0, 0]
                if col_counts is not None:
                    one.cols = &cols[thread, 0, 0]
        return keep

    def scan(self, tasks, int64_t first, int64_t count, int threads, Lists lists=None,
             sides=None):
        """Count pairs of the queries [first, first + count) and the loaded references, and offer the
        references to the lists of the queries.

        tasks: (query_t, ref_t, closed, rows, cols): thresholds of D per query or per reference of
        all, one of them None; int64 counts to add to, of all queries and of all references, None
        where they are not needed.  sides: the halves of all queries and of all references, as for
        `half_kth`; then thresholds and counts, of int32, have a column for each of HALVINGS
        halvings, and pairs of the same half are counted.
        """
        halved = tasks
        if sides is not None:
            tasks = [(*[None if part is None else part.max(axis=1) for part in counted[:2]],
                      counted[2], None, None) for counted in tasks]
        cdef int64_t number = len(tasks), capacity = self.keep[3][1].size, t, thread
        self.within(first, count, None)
        if lists is not None and not lists.holds(first, count):
            raise ValueError("queries of the lists expected")
        cdef int64_t block = self.block
        if (self.c.int8 != NULL or self.c.head != NULL) and self.blocks > 1:  # four blocks per thread balance the load
            block *= max(1, min(self.blocks, count // (4 * PRF_QUERY_BLOCK * threads)))
        threads = team_size(threads, count, block)
        cdef float[::1] bounds8 = np.empty(capacity, np.float32)
        cdef const double[::1] largest = self.largest_ref_t(tasks)
        with_cols = [t for t in range(number) if tasks[t][4] is not None]
        cols_array = np.zeros((threads, number, self.c.ref_count if with_cols else 0), np.int32)
        cdef int32_t[:, :, ::1] cols = cols_array
        cdef float[:, :, ::1] bounds = np.empty((number, 2, capacity), np.float32)
        cdef char[::1] copies = np.empty(threads * number * sizeof(prf_count) + 1, np.int8)
        cdef char[::1] memory = np.empty(threads * sizeof(prf_fused), np.int8)
        cdef prf_fused *into = <prf_fused *>&memory[0]
        cdef prf_count task
        cdef prf_lists *of = NULL
        cdef char[::1] half_memory = np.empty(threads * number * sizeof(prf_halves) + 1, np.int8)
        cdef prf_halves *of_halves = <prf_halves *>&half_memory[0]
        if sides is not None:
            halves = self.begin_halves(halved, sides, of_halves, threads)
        if lists is not None:
            of = &lists.c
        for thread in range(threads):
            into[thread] = prf_fused(of, <prf_count *>&copies[0] + thread * number, number, NULL)
            if largest is not None:
                into[thread].ref_half = &bounds8[0]
        if largest is not None:
            (prf_int8_arm if self.c.head == NULL else prf_head_arm)(&self.c, &largest[0], &bounds8[0])
        for t in range(number):
            query_t, ref_t, closed, row_counts, col_counts = tasks[t]
            task = self.task_of(query_t, ref_t, closed, row_counts)
            task.possible, task.certain = &bounds[t, 0, 0], &bounds[t, 1, 0]
            if sides is not None:
                task.halves = of_halves + t
            prf_count_prepare(&self.c, &task)
            for thread in range(threads):
                into[thread].tasks[t] = task
                if sides is not None:
                    into[thread].tasks[t].halves = of_halves + thread * number + t
                if col_counts is not None:
                    into[thread].tasks[t].cols = &cols[thread, t, 0]
        self.over_blocks(self.engine.fused, into, sizeof(prf_fused), first, count, threads, block)
        refs = slice(self.c.ref_first, self.c.ref_first + self.c.ref_count)
        for t in with_cols:
            tasks[t][4][refs] += cols_array[:, t].sum(axis=0)
        for t in range(number if sides is not None else 0):
            if halved[t][4] is not None:
                halved[t][4][refs] += halves[t][3][:, :self.c.ref_count].sum(axis=0, dtype=np.int32)

    def ratio(self, const double[::1] ref_t, double[::1] best, int64_t first, int64_t count,
              int threads):
        """Raise best, of all queries, to the largest ref_t / D over the loaded references."""
        self.within(first, count, None)
        same_length(best.shape[0], self.c.queries.count)
        same_length(ref_t.shape[0], self.c.refs.count)
        cdef prf_ratio into = prf_ratio(&ref_t[0], &best[0])
        self.over_blocks(self.engine.ratio, &into, 0, first, count, threads)


include "unresolved.pxi"
