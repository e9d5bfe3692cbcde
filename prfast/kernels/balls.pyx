# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Distances and what is counted of them: memoryviews in, OpenMP over blocks, status codes out.

Nothing is checked here beyond what keeps memory safe: callers validate.  All arrays are C-contiguous;
what a function returns is freshly allocated.
"""

import numpy as np

from cython.parallel cimport prange, threadid
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

from prfast.kernels.contract cimport *
from prfast.kernels.part cimport part_of_table, prf_balls_part
from prfast.kernels.points cimport points_of

from prfast.kernels.threads import startable

# Functions of the public header that are compiled here, for prfast.kernels.capi.
_C_PART = part_of_table(&prf_balls_part)


include "isas.pxi"

INT8_WIDEST = PRF_INT8_WIDEST

# Members of prf_work.
_WORK = sizeof(prf_work) // sizeof(int64_t)
_DEAR = _WORK - 1

# Queries that the engine takes together: parts of a set are whole blocks of them.
BLOCK = PRF_QUERY_BLOCK

# The same where the int8 filter is on: larger blocks read rows of references less often.
_BLOCKS = 10
INT8_BLOCK = _BLOCKS * PRF_QUERY_BLOCK

# References that give lists their first limits.
SAMPLE = PRF_SAMPLE
FAR_LOOSE, ALL_BUT_KTH_LOOSE = PRF_FAR_LOOSE, PRF_ALL_BUT_KTH_LOOSE


cdef int pieces(int64_t threads, int64_t count, int64_t size) except -1:
    """Not more threads than there are pieces of work, and than the system starts."""
    return startable(max(1, min(threads, (count + size - 1) // size)))


include "kept.pxi"


include "packed.pxi"


cdef class Pass(Packed):
    """Queries against references: what is asked of each packed super-block."""

    def nearest(self, Nearest state, int64_t first, int64_t count, int threads):
        """Offer the loaded references to the queries [first, first + count)."""
        self.within(first, count, state)
        self.over_blocks(self.engine.nearest, &state.c, 0, first, count, threads)

    cdef int whole(self, Lists lists, float[:, ::1] arms) except -1:
        """Is it a set, all of it loaded, with lists of all of it, and these arms for it?"""
        cdef int64_t n = self.c.refs.count
        if not (self.c.self and not self.c.exact and self.c.ref_first == 0
                and self.c.ref_count == n == self.c.queries.count
                and lists.c.first_query == 0 and lists.holds(0, n)
                and arms.shape[0] == 2 and arms.shape[1] == self.keep[3][1].size):
            raise ValueError("one set, all of it loaded, and lists of all of it expected")
        return 0

    def triangle(self, Lists lists, const int64_t[:, ::1] parts, float[:, ::1] arms, int threads):
        """Offer each other the points of pairs of parts, rows (first, end, first, end) of `parts`:
        a part with itself or with a later one; no part is in two rows.  arms: of `lower`."""
        cdef int64_t pair, rows = parts.shape[0], n = self.c.refs.count
        self.whole(lists, arms)
        if rows < 1 or parts.shape[1] != 4:
            raise ValueError("rows (first, end, first, end) expected")
        taken = set()
        for pair in range(rows):
            if not (0 <= parts[pair, 0] < parts[pair, 1] <= parts[pair, 3] <= n
                    and parts[pair, 0] <= parts[pair, 2] < parts[pair, 3]
                    and parts[pair, 0] % PRF_QUERY_BLOCK == 0
                    and parts[pair, 2] % PRF_QUERY_BLOCK == 0):
                raise ValueError("parts of whole blocks within the set expected")
            taken |= {(parts[pair, 0], parts[pair, 1]), (parts[pair, 2], parts[pair, 3])}
        ends = np.array(sorted(taken), np.int64).reshape(-1, 2)
        diagonal = sum(parts[pair, 0] == parts[pair, 2] for pair in range(rows))
        if len(taken) != 2 * rows - diagonal or (ends[1:, 0] < ends[:-1, 1]).any():
            raise ValueError("parts that do not meet expected")
        cdef prf_triangle into = prf_triangle(&parts[0, 0], &lists.c, &arms[0, 0], &arms[1, 0])
        self.over_blocks(self.engine.triangle, &into, 0, 0, rows, threads, 1)

    def arms(self):
        """Room for what the int8 filter knows of the limits of all loaded points; padding reaches
        nothing."""
        arms = np.zeros((2, self.keep[3][1].size), np.float32)
        arms[0] = np.inf
        return arms

    def lower(self, Lists lists, const int64_t[::1] seen, float[:, ::1] arms, int threads):
        """Lower the limits of all points of a set, which have been offered `seen` of the others."""
        self.whole(lists, arms)
        cdef prf_triangle within = prf_triangle(NULL, &lists.c, &arms[0, 0], &arms[1, 0])
        cdef prf_lower into = prf_lower(&seen[0], &within)
        same_length(seen.shape[0], self.c.refs.count)
        self.over_blocks(self.engine.lower, &into, 0, 0, self.c.refs.count, threads)

    def answers(self, Lists lists, int64_t first, int64_t count, ks, bint closed, int threads,
                Pass other_pass=None, Lists other=None, bint across=False):
        """What the lists of the queries [first, first + count) tell, of one set or of two.

        ks: three int64 arrays, of the set, of the other set, of both.  A dict of arrays [count][…]:
        d2, three; of, two; across, two (or None); failed [count].
        """
        cdef prf_finish what
        cdef int64_t[::1] some
        cdef int64_t s
        cdef double[::1] d2
        cdef int64_t[::1] counts
        cdef uint8_t[::1] failed
        cdef bint two = other is not None
        self.within(first, count, None)
        if not (lists.holds(first, count) and (not two or other.holds(first, count))):
            raise ValueError("queries of the lists expected")
        if two and not (other_pass is not None
                        and other_pass.c.queries.count == self.c.queries.count
                        and other_pass.c.refs.dim == self.c.refs.dim
                        and other_pass.c.scale == self.c.scale):
            raise ValueError("passes of the same queries with one scale expected")
        what.first_query, what.closed = first, closed
        what.lists[0], what.passes[0] = &lists.c, &self.c
        what.lists[1], what.passes[1] = NULL, NULL
        if two:
            what.lists[1], what.passes[1] = &other.c, &other_pass.c
        found = {"d2": [], "of": [], "across": [], "failed": np.zeros(count, np.uint8)}
        # One number more than there is room for: an empty array has no first.
        for s in range(3):
            some = np.append(np.ascontiguousarray(ks[s], np.int64), 0)
            what.ks_count[s] = len(ks[s])
            if len(ks[s]) and not (1 <= min(ks[s]) and (two or s == 0)):
                raise ValueError("k from 1 on, of sets that are there, expected")
            found["d2"].append(np.full(count * len(ks[s]) + 1, np.nan))
            d2 = found["d2"][s]
            what.ks[s], what.d2[s] = &some[0], &d2[0]
            found[f"ks {s}"] = some  # kept alive
        for s in range(2):
            what.of[s] = what.across[s] = NULL
            found["of"].append(np.full(count * len(ks[2]) + 1, -1, np.int64))
            counts = found["of"][s]
            what.of[s] = &counts[0]
            found["across"].append(np.full(count * len(ks[1 - s]) + 1, -1, np.int64))
            counts = found["across"][s]
            if across and two:
                what.across[s] = &counts[0]
        failed = found["failed"]
        what.failed = &failed[0]
        self.over_blocks(self.engine.finish, &what, 0, first, count, threads)
        shaped = {"failed": found["failed"].astype(bool)}
        for name, columns in (("d2", ks), ("of", (ks[2], ks[2])), ("across", (ks[1], ks[0]))):
            shaped[name] = [one[:count * len(k)].reshape(count, len(k))
                            for one, k in zip(found[name], columns)]
        return shaped

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

    cdef object largest_ref_t(self, tasks):
        """Of each reference the largest T of the tasks that give it per reference; None without any,
        or without the int8 filter."""
        given = [task[1] for task in tasks if task[1] is not None]
        if self.c.int8 == NULL or not given:
            return None
        for one in given:
            same_length(len(one), self.c.refs.count)
        return np.ascontiguousarray(np.maximum.reduce(given))

    def look(self, tasks, int64_t first, int64_t count, int threads, Lists lists=None,
             bint sample=False):
        """Count pairs of the queries [first, first + count) and the loaded references, and offer
        the references to the lists of the queries.

        tasks: (query_t, ref_t, closed, rows, cols): thresholds of D per query or per reference of
        all, one of them None; int64 counts to add to, of all queries and of all references, None
        for those not wanted.  sample: only the references that give first limits.
        """
        cdef int64_t number = len(tasks), room = self.keep[3][1].size, t, thread
        self.within(first, count, None)
        if lists is not None and not lists.holds(first, count):
            raise ValueError("queries of the lists expected")
        cdef int64_t block = self.block
        if self.c.int8 != NULL and self.blocks > 1:  # four a thread
            block *= max(1, min(self.blocks, count // (4 * PRF_QUERY_BLOCK * threads)))
        threads = pieces(threads, count, block)
        cdef float[:, ::1] arms = np.empty((2, room), np.float32)
        cdef const double[::1] largest = self.largest_ref_t(tasks)
        wanted = [t for t in range(number) if tasks[t][4] is not None]
        cols_array = np.zeros((threads, number, self.c.ref_count if wanted else 0), np.int32)
        cdef int32_t[:, :, ::1] cols = cols_array
        cdef float[:, :, ::1] bounds = np.empty((number, 2, room), np.float32)
        cdef char[::1] copies = np.empty(threads * number * sizeof(prf_count) + 1, np.int8)
        cdef char[::1] memory = np.empty(threads * sizeof(prf_joint), np.int8)
        cdef prf_joint *into = <prf_joint *>&memory[0]
        cdef prf_count task
        cdef prf_lists *of = NULL
        if lists is not None:
            of = &lists.c
        for thread in range(threads):
            into[thread] = prf_joint(of, <prf_count *>&copies[0] + thread * number, number, sample,
                                     NULL, NULL)
            if largest is not None:
                into[thread].ref_half, into[thread].ref_first = &arms[0, 0], &arms[1, 0]
        if largest is not None:
            prf_int8_arm(&self.c, &largest[0], &arms[0, 0], &arms[1, 0])
        for t in range(number):
            query_t, ref_t, closed, row_counts, col_counts = tasks[t]
            task = self.task_of(query_t, ref_t, closed, row_counts)
            task.possible, task.certain = &bounds[t, 0, 0], &bounds[t, 1, 0]
            prf_count_prepare(&self.c, &task)
            for thread in range(threads):
                into[thread].tasks[t] = task
                if col_counts is not None:
                    into[thread].tasks[t].cols = &cols[thread, t, 0]
        self.over_blocks(self.engine.joint, into, sizeof(prf_joint), first, count, threads, block)
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


include "probes.pxi"

include "opened.pxi"
