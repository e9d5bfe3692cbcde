# Partial results of a pass: reservoirs and lists of references.


cdef class Nearest:
    """Reservoirs of the nearest references of a super-block of queries."""

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

    def __init__(self, int64_t queries, int64_t k, int64_t capacity,
                 int unrefined=PRF_NONE_UNREFINED):
        """Allocate empty lists.

        unrefined: which keys may stay lower bounds (csrc/prfast.h), FAR_UNREFINED or
        ALL_BUT_KTH_UNREFINED.
        """
        cdef float[::1] key, limit
        cdef int32_t[::1] ref, fill
        if capacity < k + PRF_QUERY_BLOCK or k < 1 or queries < 1:
            raise ValueError("queries, k >= 1 and a capacity of k and a block expected")
        # One array of both is more often large enough for huge pages, which take less time to map.
        memory = np.empty((2, queries * capacity), np.int32)
        key, ref = memory[0].view(np.float32), memory[1]
        fill, limit = np.empty(queries, np.int32), np.empty(queries + PRF_QUERY_BLOCK, np.float32)
        self.keep = (np.asarray(key), np.asarray(ref), np.asarray(fill), np.asarray(limit))
        self.c.k, self.c.capacity, self.c.unrefined = k, capacity, unrefined
        self.c.key, self.c.ref, self.c.fill, self.c.limit = &key[0], &ref[0], &fill[0], &limit[0]
        self.begin(0)

    def begin(self, int64_t first_query):
        """Empty the lists and remove their limits; they are for the queries from first_query on."""
        fill, limit = self.keep[2:]
        fill[:] = 0
        limit[:fill.size], limit[fill.size:] = np.inf, -np.inf
        self.c.first_query = first_query

    def limit_to(self, const float[::1] limit):
        """Set the limits of the first lists, which must be empty."""
        self.keep[3][:limit.shape[0]] = limit

    def to_arrays(self, int64_t n):
        """Return the first n lists, concatenated: lengths (−1 where a list failed), keys, references,
        limits."""
        cdef const int32_t[::1] fill = self.keep[2]
        cdef int64_t i, count, at = 0, total
        if not 0 < n <= len(self):
            raise ValueError(f"1 to {len(self)} lists expected, got {n}")
        total = np.maximum(self.keep[2][:n], 0).sum()
        cdef float[::1] key = np.empty(total + 1, np.float32)
        cdef int32_t[::1] ref = np.empty(total + 1, np.int32)
        with nogil:
            for i in range(n):
                count = max(0, fill[i])
                memcpy(&key[at], self.c.key + i * self.c.capacity, count * sizeof(float))
                memcpy(&ref[at], self.c.ref + i * self.c.capacity, count * sizeof(int32_t))
                at += count
        return (self.keep[2][:n].copy(), np.asarray(key)[:total], np.asarray(ref)[:total],
                self.keep[3][:n].copy())

    def merge(self, const int32_t[::1] fill, const float[::1] key, const int32_t[::1] ref,
            const float[::1] limit):
        """Add lists of the same queries over other references, in the form of `to_arrays`."""
        cdef int32_t[::1] filled = self.keep[2]
        cdef float[::1] limits = self.keep[3]
        cdef int64_t i, at = 0, to, n = len(self), total = np.maximum(fill, 0).sum()
        same_length(fill.shape[0], n)
        same_length(limit.shape[0], n)
        same_length(key.shape[0], total)
        same_length(ref.shape[0], total)
        with nogil:
            for i in range(n):
                limits[i] = min(limits[i], limit[i])
                if fill[i] < 0 or filled[i] < 0:
                    filled[i] = -1
                elif fill[i]:
                    to = i * self.c.capacity + filled[i]
                    memcpy(self.c.key + to, &key[at], fill[i] * sizeof(float))
                    memcpy(self.c.ref + to, &ref[at], fill[i] * sizeof(int32_t))
                    filled[i] += fill[i]
                at += max(0, fill[i])

    def shorten(self, str isa, int64_t dim, double scale, const double[::1] norms, int64_t k):
        """Drop references that are certainly farther than the k-th nearest; norms: of all queries."""
        cdef prf_pass passed
        cdef prf_work work
        cdef prf_status status
        cdef prf_shorten what = prf_shorten(&self.c, &norms[0], k)
        cdef const prf_engine *engine = prf_isa_at(ISAS[isa]).engine
        cdef int64_t n = len(self)
        same_length(norms.shape[0], n)
        memset(&passed, 0, sizeof(passed))
        memset(&work, 0, sizeof(work))
        passed.refs.dim, passed.scale = dim, scale
        with nogil:
            status = engine.shorten(&passed, 0, n, &what, &work)
        check(status)

    @property
    def failed(self):
        """Number of lists that overflowed."""
        return int((self.keep[2] < 0).sum())

    @property
    def capacity(self):
        """Number of references that a list can hold."""
        return self.c.capacity

    def __len__(self):
        return len(self.keep[2])

    cdef bint holds(self, int64_t first, int64_t count):
        return (self.c.first_query <= first and first + count <= self.c.first_query + len(self.keep[2]))
