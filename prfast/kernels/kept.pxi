# What the kernels keep of the references while they look at them: reservoirs and lists.


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

    def __init__(self, int64_t queries, int64_t k, int64_t capacity, Lists spare=None):
        """spare: lists that are over, whose memory is taken where there is enough of it."""
        cdef float[::1] key, limit
        cdef int32_t[::1] ref, fill
        if capacity < k + 2 * PRF_QUERY_BLOCK or k < 1 or queries < 1:
            raise ValueError("queries, k >= 1 and room for k and two blocks expected")
        if spare is not None and spare.nbytes >= 8 * queries * capacity:
            key, ref = spare.keep[:2]
            spare.keep = None
        else:
            key, ref = np.empty(queries * capacity, np.float32), np.empty(queries * capacity, np.int32)
        fill, limit = np.empty(queries, np.int32), np.empty(queries + PRF_QUERY_BLOCK, np.float32)
        self.keep = (np.asarray(key), np.asarray(ref), np.asarray(fill), np.asarray(limit))
        self.c.k, self.c.capacity = k, capacity
        self.c.key, self.c.ref, self.c.fill, self.c.limit = &key[0], &ref[0], &fill[0], &limit[0]
        self.begin(0)

    @property
    def nbytes(self):
        """Of the memory; 0 once other lists have taken it."""
        return 0 if self.keep is None else 2 * self.keep[0].nbytes

    def begin(self, int64_t first_query):
        """Empty lists without a limit, of the queries from first_query on."""
        fill, limit = self.keep[2:]
        fill[:] = 0
        limit[:fill.size], limit[fill.size:] = np.inf, -np.inf
        self.c.first_query = first_query

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
        return self.keep is not None and self.c.first_query <= first and first + count <= self.c.first_query + len(self.keep[2])
