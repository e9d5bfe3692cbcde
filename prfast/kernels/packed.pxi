# What a pass holds, and how a reduction is done with it, block by block.


cdef class Packed:
    """Queries and references, of which one super-block at a time is packed for the filters."""

    cdef prf_pass c
    cdef prf_int8 int8
    cdef const prf_engine *engine
    cdef object keep, int8_keep
    cdef object worked
    cdef int64_t block, blocks

    def __init__(self, queries, refs, const double[::1] center, double scale, int64_t room,
                 str isa, bint self_, bint exact, const int64_t[::1] own=None,
                 int64_t block=PRF_QUERY_BLOCK):
        """block: queries that a thread takes together, each with scratch of its own; whole blocks
        of PRF_QUERY_BLOCK above that, which are for the int8 filter alone."""
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
        room = (room + self.c.panel - 1) // self.c.panel * self.c.panel
        arrays = (np.empty(room * self.c.refs.dim, np.float32), np.empty(room),
                  np.empty(room, np.float32))
        panels, norms, half_lo = arrays
        self.keep = (queries, refs, center, arrays)
        self.c.center, self.c.scale = &center[0], scale
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
        cdef int64_t room = self.keep[3][1].size, width = prf_int8_width(self.c.refs.dim)
        if not (0 < width <= PRF_INT8_WIDEST and room):
            raise ValueError(f"room, and at most {PRF_INT8_WIDEST} columns expected, "
                             f"got {self.c.refs.dim}")
        self.int8_keep = (np.empty(room * width, np.uint8), np.empty((5, room), np.float32),
                          np.empty(room * sizeof(prf_int8_point), np.uint8))
        codes, terms, points = self.int8_keep
        self.int8.width, self.int8.cauchy, self.int8.forced = width, cauchy, forced
        self.int8.codes, self.int8.points = &codes[0], <prf_int8_point *>&points[0]
        self.int8.half, self.int8.inverse = &terms[0, 0], &terms[1, 0]
        self.int8.first, self.int8.second = &terms[2, 0], &terms[3, 0]
        self.int8.step = &terms[4, 0]
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

    cdef int over_blocks(self, prf_reduction *f, void *into, size_t stride, int64_t first,
                         int64_t count, int threads, int64_t size=0) except -1:
        """Do f with [first, first + count), `size` at a time, or a block.  `into` of a thread lies
        `stride` bytes behind that of the thread before; 0: they share it."""
        cdef int64_t start, no_memory = 0
        cdef prf_status status
        size = size or self.block
        threads = pieces(threads, count, size)
        work_array = np.zeros((threads, _WORK), np.int64)
        cdef int64_t[:, ::1] work = work_array
        for start in prange(first, first + count, size, nogil=True, num_threads=threads,
                            schedule="dynamic", chunksize=1):
            status = f(&self.c, start, min(size, first + count - start),
                       <char *>into + threadid() * stride, <prf_work *>&work[threadid(), 0])
            no_memory += status == PRF_NO_MEMORY
        self.worked += work_array.sum(axis=0)
        if work_array[:, _DEAR].any():  # it would be for the rest as well
            self.c.int8 = NULL
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

    def limits(self, const double[::1] d2):
        """Limits of lists that are to have all references with D <= d2: none where it is negative."""
        limit_array = np.empty(d2.shape[0], np.float32)
        cdef float[::1] limit = limit_array
        if d2.shape[0]:
            prf_limits(&self.c, &d2[0], d2.shape[0], &limit[0])
        return limit_array
