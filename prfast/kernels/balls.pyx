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

INT8_WIDEST = PRF_INT8_WIDEST

# Members of prf_work.
_WORK = sizeof(prf_work) // sizeof(int64_t)
_DEAR = _WORK - 1

# Queries that the engine takes together: parts of a set are whole blocks of them.
BLOCK = PRF_QUERY_BLOCK

# References that give lists their first limits.
SAMPLE = PRF_SAMPLE


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
        if capacity <= k or k < 1 or queries < 1:
            raise ValueError("queries, k >= 1 and a capacity above k expected")
        shape = (queries, capacity)
        self.keep = (np.empty(shape), np.empty(shape), np.empty(shape, np.int32),
                     np.zeros(queries, np.int32), np.full(queries, np.inf))
        lo, hi, ref, fill, tau = self.keep
        self.c.first_query, self.c.k, self.c.capacity = first_query, k, capacity
        self.c.lo, self.c.hi, self.c.ref = &lo[0, 0], &hi[0, 0], &ref[0, 0]
        self.c.fill, self.c.tau = &fill[0], &tau[0]


cdef class Lists:
    """The references with the smallest keys of each of some queries: 8 bytes each."""

    cdef prf_lists c
    cdef object keep

    def __init__(self, int64_t queries, int64_t k, int64_t capacity):
        cdef float[::1] key, limit
        cdef int32_t[::1] ref, fill
        if capacity < k + 2 * PRF_QUERY_BLOCK or k < 1 or queries < 1:
            raise ValueError("queries, k >= 1 and room for k and two blocks expected")
        self.keep = (np.empty(queries * capacity, np.float32),
                     np.empty(queries * capacity, np.int32), np.empty(queries, np.int32),
                     np.empty(queries + PRF_QUERY_BLOCK, np.float32))
        key, ref, fill, limit = self.keep
        self.c.k, self.c.capacity = k, capacity
        self.c.key, self.c.ref, self.c.fill, self.c.limit = &key[0], &ref[0], &fill[0], &limit[0]
        self.begin(0)

    def begin(self, int64_t first_query):
        """Empty lists without a limit, of the queries from first_query on."""
        fill, limit = self.keep[2:]
        fill[:] = 0
        limit[:fill.size], limit[fill.size:] = np.inf, -np.inf
        self.c.first_query = first_query

    def limit_to(self, const float[::1] limit):
        """Limits from elsewhere, of the first lists, which have just begun."""
        if limit.shape[0] > len(self):
            raise ValueError(f"at most {len(self)} limits expected, got {limit.shape[0]}")
        self.keep[3][:limit.shape[0]] = limit

    def taken(self, int64_t n):
        """What the first n lists hold, one behind the other: how many references each, −1 where it
        was given up; keys, references, and limits."""
        cdef const int32_t[::1] fill = self.keep[2]
        cdef int64_t i, count, at = 0, whole
        if not 0 < n <= len(self):
            raise ValueError(f"1 to {len(self)} lists expected, got {n}")
        whole = np.maximum(self.keep[2][:n], 0).sum()
        cdef float[::1] key = np.empty(whole + 1, np.float32)
        cdef int32_t[::1] ref = np.empty(whole + 1, np.int32)
        for i in range(n):
            count = max(0, fill[i])
            memcpy(&key[at], self.c.key + i * self.c.capacity, count * sizeof(float))
            memcpy(&ref[at], self.c.ref + i * self.c.capacity, count * sizeof(int32_t))
            at += count
        return (self.keep[2][:n].copy(), np.asarray(key)[:whole], np.asarray(ref)[:whole],
                self.keep[3][:n].copy())

    def put(self, const int32_t[::1] fill, const float[::1] key, const int32_t[::1] ref,
            const float[::1] limit):
        """Add what was `taken` from lists of the same queries in other references of the set."""
        cdef int32_t[::1] filled = self.keep[2]
        cdef float[::1] limits = self.keep[3]
        cdef int64_t i, at = 0, to, n = len(self), whole = np.maximum(fill, 0).sum()
        same_length(fill.shape[0], n)
        same_length(limit.shape[0], n)
        same_length(key.shape[0], whole)
        same_length(ref.shape[0], whole)
        for i in range(n):
            limits[i] = min(limits[i], limit[i])
            if fill[i] < 0 or filled[i] < 0:
                filled[i] = -1
            elif filled[i] + fill[i] > self.c.capacity:
                raise ValueError("lists with room expected")
            elif fill[i]:
                to = i * self.c.capacity + filled[i]
                memcpy(self.c.key + to, &key[at], fill[i] * sizeof(float))
                memcpy(self.c.ref + to, &ref[at], fill[i] * sizeof(int32_t))
                filled[i] += fill[i]
            at += max(0, fill[i])

    def shorten(self, str isa, int64_t dim, double scale, const double[::1] norms, int64_t k):
        """Leave out what is certain to be farther than the k-th nearest; norms: of all queries."""
        cdef prf_pass passed
        cdef prf_work work
        cdef prf_shorten what = prf_shorten(&self.c, &norms[0], k)
        same_length(norms.shape[0], len(self))
        memset(&passed, 0, sizeof(passed))
        passed.refs.dim, passed.scale = dim, scale
        check(prf_isa_at(ISAS[isa]).engine.shorten(&passed, 0, len(self), &what, &work))

    @property
    def given_up(self):
        """How many lists could not hold what they had to."""
        return int((self.keep[2] < 0).sum())

    @property
    def capacity(self):
        """Room of a list."""
        return self.c.capacity

    def __len__(self):
        return len(self.keep[2])

    cdef bint holds(self, int64_t first, int64_t count):
        return self.c.first_query <= first and first + count <= self.c.first_query + len(self.keep[2])


cdef class Pass:
    """Queries against references, one packed super-block of references at a time."""

    cdef prf_pass c
    cdef prf_int8 int8
    cdef const prf_engine *engine
    cdef object keep, int8_keep
    cdef object worked

    def __init__(self, queries, refs, const double[::1] centre, double scale, int64_t room,
                 str isa, bint self_, bint exact, const int64_t[::1] own=None):
        cdef float[::1] panels, half_lo
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
                  np.empty(room, np.float32))
        panels, norms, half_lo = arrays
        self.keep = (queries, refs, centre, arrays)
        self.c.centre, self.c.scale = &centre[0], scale
        self.c.panels, self.c.norms = &panels[0], &norms[0]
        self.c.half_lo = &half_lo[0]
        self.c.self, self.c.exact, self.c.own, self.c.int8 = self_, exact, NULL, NULL
        self.worked = np.zeros(_WORK, np.int64)
        if own is not None:
            same_length(own.shape[0], self.c.queries.count)
            self.c.own = &own[0]
            self.keep = (*self.keep, own)

    def use_int8(self, bint cauchy, bint forced=False):
        """Pack references for the int8 filter too, from the next `load` on; cauchy: which of its
        bounds is tested (csrc/filter/int8.h), (B) or (A); forced: also where it does not pay."""
        cdef uint8_t[::1] codes, points
        cdef float[:, ::1] terms
        cdef int64_t room = self.keep[3][1].size, width = (self.c.refs.dim + 3) // 4 * 4
        if not (0 < width <= PRF_INT8_WIDEST and room):
            raise ValueError(f"room, and at most {PRF_INT8_WIDEST} columns expected, got {width}")
        self.int8_keep = (np.empty(room * width, np.uint8), np.empty((4, room), np.float32),
                          np.empty(room * sizeof(prf_int8_point), np.uint8))
        codes, terms, points = self.int8_keep
        self.int8.width, self.int8.cauchy, self.int8.forced = width, cauchy, forced
        self.int8.codes, self.int8.points = &codes[0], <prf_int8_point *>&points[0]
        self.int8.half, self.int8.inverse = &terms[0, 0], &terms[1, 0]
        self.int8.first, self.int8.second = &terms[2, 0], &terms[3, 0]
        self.c.int8 = &self.int8
        self.c.ref_count = 0  # what is loaded is not packed for it

    def counters(self):
        """Pairs by what decided them, since the last call: the members of prf_work, in order."""
        counted, self.worked = self.worked, np.zeros(_WORK, np.int64)
        return counted.tolist()

    @property
    def dim(self):
        """Columns of the sets."""
        return self.c.refs.dim

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
        work_array = np.zeros((threads, _WORK), np.int64)
        cdef int64_t[:, ::1] work = work_array
        for start in prange(first, first + count, size, nogil=True, num_threads=threads,
                            schedule="dynamic", chunksize=1):
            status = f(&self.c, start, min(size, first + count - start),
                       <char *>into + threadid() * stride, <prf_work *>&work[threadid(), 0])
            no_memory += status == PRF_NO_MEMORY
            gave_up += status == PRF_GAVE_UP
        self.worked += work_array.sum(axis=0)
        if work_array[:, _DEAR].any():  # it would be for the rest as well
            self.c.int8 = NULL
        check(PRF_NO_MEMORY if no_memory else PRF_OK)
        return gave_up == 0

    cdef int within(self, int64_t first, int64_t count, Nearest state) except -1:
        if not (0 <= first and 0 < count and first + count <= self.c.queries.count):
            raise ValueError("queries within the set expected")
        if state is not None and not (state.c.first_query <= first and
                                      first + count <= state.c.first_query + len(state.keep[3])):
            raise ValueError("queries of the state expected")
        return 0

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
        self.c.half_lo = NULL
        self.c.int8 = NULL
        self.int8_keep = None
        self.keep = (*self.keep[:3], (np.empty(0, np.float32), np.empty(0)), *self.keep[4:])

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

    def limits(self, const double[::1] d2):
        """Limits of lists that are to have all references with D <= d2: none where it is negative."""
        limit_array = np.empty(d2.shape[0], np.float32)
        cdef float[::1] limit = limit_array
        if d2.shape[0]:
            prf_limits(&self.c, &d2[0], d2.shape[0], &limit[0])
        return limit_array

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
        cdef int64_t block = PRF_QUERY_BLOCK
        if self.c.int8 != NULL:  # larger blocks read rows of references less often; four a thread
            block *= max(1, min(10, count // (4 * PRF_QUERY_BLOCK * threads)))
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


def pairs(queries, refs, const int64_t[::1] query, const int64_t[::1] ref):
    """D of the pairs (queries[query[i]], refs[ref[i]])."""
    cdef prf_points x = points_of(queries), y = points_of(refs)
    cdef int64_t count = query.shape[0]
    d2_array = np.empty(count)
    cdef double[::1] d2 = d2_array
    same_length(x.dim, y.dim)
    same_length(ref.shape[0], count)
    if count:
        if not (0 <= min(query) and max(query) < x.count and 0 <= min(ref) and max(ref) < y.count):
            raise ValueError("rows of the sets expected")
        check(prf_pairs(&x, &query[0], &y, &ref[0], count, &d2[0]))
    return d2_array


def left_open(str isa, int64_t dim, double scale, Lists a, Lists b, const double[::1] norms, ks,
              bint across=False):
    """What the lists of queries in one set, or in two (b may be None), leave open of their balls to
    the k-th nearest: csrc/prfast.h, `prf_open`.

    ks: three int64 arrays, of the first set, of the second, of both.  norms: |û|² of the queries.
    A dict of arrays: below, opened [queries][balls][2]; failed [queries]; query, ref, set of each
    pair that is open.
    """
    cdef prf_pass passed
    cdef prf_open what
    cdef prf_work work
    cdef int64_t n = len(a), balls = sum(map(len, ks)), s, first, count, room
    cdef int64_t[::1] some
    cdef int32_t[::1] query, ref
    cdef uint8_t[::1] of
    cdef const prf_engine *engine = prf_isa_at(ISAS[isa]).engine
    same_length(norms.shape[0], n)
    if b is not None:
        same_length(len(b), n)
    if not balls or not all(len(one) == 0 or (min(one) >= 1 and (s == 0 or b is not None))
                            for s, one in enumerate(ks)):
        raise ValueError("k from 1 on, of sets that are there, expected")
    memset(&passed, 0, sizeof(passed))
    passed.refs.dim, passed.scale = dim, scale
    below_array, opened_array = (np.zeros((n, balls, 2), np.int64) for _ in "ab")
    failed_array = np.zeros(n, np.uint8)
    cdef int64_t[:, :, ::1] below = below_array, opened = opened_array
    cdef uint8_t[::1] failed = failed_array
    numbers = [np.append(np.ascontiguousarray(one, np.int64), 0) for one in ks]
    for s in range(3):
        some = numbers[s]
        what.ks[s], what.ks_count[s] = &some[0], len(ks[s])
    what.lists[0], what.lists[1] = &a.c, NULL
    if b is not None:
        what.lists[1] = &b.c
    what.norms, what.across = &norms[0], across
    what.below, what.opened, what.failed = &below[0, 0, 0], &opened[0, 0, 0], &failed[0]
    fills = np.maximum(a.keep[2], 0).astype(np.int64)
    if b is not None:
        fills = fills + np.maximum(b.keep[2], 0)
    found = []
    for first in range(0, n, PRF_QUERY_BLOCK):
        count = min(PRF_QUERY_BLOCK, n - first)
        room = balls * int(fills[first:first + count].sum()) + 1
        arrays = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.uint8)
        query, ref, of = arrays
        what.query, what.ref, what.set = &query[0], &ref[0], &of[0]
        check(engine.open(&passed, first, count, &what, &work))
        found.append([array[:what.count].copy() for array in arrays])
    named = [np.concatenate(one) for one in zip(*found)]
    return {"below": below_array, "opened": opened_array, "failed": failed_array.astype(bool),
            "query": named[0], "ref": named[1], "set": named[2]}
