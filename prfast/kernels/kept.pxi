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

    def __init__(self, int64_t queries, int64_t k, int64_t capacity, Lists spare=None, int loose=PRF_NONE_LOOSE):
        """spare: lists that are over, whose memory is taken where there is enough of it; loose: keys
        that may be left so (csrc/prfast.h), FAR_LOOSE or ALL_BUT_KTH_LOOSE."""
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
        self.c.k, self.c.capacity, self.c.loose = k, capacity, loose
        self.c.key, self.c.ref, self.c.fill, self.c.limit = &key[0], &ref[0], &fill[0], &limit[0]
        self.begin(0)

    @property
    def nbytes(self):
        """Of the memory; 0 once other lists have taken it."""
        return 0 if self.keep is None else 2 * self.keep[0].nbytes

    cdef int tight(self) except -1:
        """Are there no loose keys, whose references bear a mark?"""
        if self.c.loose != PRF_NONE_LOOSE:
            raise ValueError("lists without loose keys expected")
        return 0

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
        self.tight()
        if not 0 < n <= len(self):
            raise ValueError(f"1 to {len(self)} lists expected, got {n}")
        whole = np.maximum(self.keep[2][:n], 0).sum()
        cdef float[::1] key = np.empty(whole + 1, np.float32)
        cdef int32_t[::1] ref = np.empty(whole + 1, np.int32)
        with nogil:
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
        self.tight()
        same_length(fill.shape[0], n)
        same_length(limit.shape[0], n)
        same_length(key.shape[0], whole)
        same_length(ref.shape[0], whole)
        together = np.add(self.keep[2], fill, dtype=np.int64)
        if (together[np.minimum(self.keep[2], fill) >= 0] > self.c.capacity).any():
            raise ValueError("lists with room expected")
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
        """Leave out what is certain to be farther than the k-th nearest; norms: of all queries."""
        cdef prf_pass passed
        cdef prf_work work
        cdef prf_status status
        cdef prf_shorten what = prf_shorten(&self.c, &norms[0], k)
        cdef const prf_engine *engine = prf_isa_at(ISAS[isa]).engine
        cdef int64_t n = len(self)
        self.tight()
        same_length(norms.shape[0], n)
        memset(&passed, 0, sizeof(passed))
        memset(&work, 0, sizeof(work))
        passed.refs.dim, passed.scale = dim, scale
        with nogil:
            status = engine.shorten(&passed, 0, n, &what, &work)
        check(status)

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
        return (self.keep is not None and self.c.first_query <= first
                and first + count <= self.c.first_query + len(self.keep[2]))
