# Merged lists of blocks: the pairs that they leave undecided, and D of such pairs.


def pairs(queries, refs, const int64_t[::1] query, const int64_t[::1] ref):
    """Return D of the pairs (queries[query[i]], refs[ref[i]])."""
    cdef prf_points x = points_of(queries), y = points_of(refs)
    cdef int64_t count = query.shape[0]
    cdef prf_status status
    d2_array = np.empty(count)
    cdef double[::1] d2 = d2_array
    same_length(x.dim, y.dim)
    same_length(ref.shape[0], query.shape[0])
    if count:
        with nogil:
            status = prf_pairs(&x, &query[0], &y, &ref[0], count, &d2[0])
        check(status)
    return d2_array


def kernel_sums(str isa, const float[:, ::1] products, const float[::1] a, const float[::1] b,
                float factor, float shift, bint cubic, bint same):
    """Return the sums of a kernel over each row, over each column, and of its squares (`prf_kernel`,
    csrc/prfast.h)."""
    cdef prf_kernel c
    cdef prf_status status
    cdef int64_t rows = products.shape[0], columns = products.shape[1]
    cdef const prf_engine *engine = prf_isa_at(ISAS[isa]).engine
    cdef double squared = 0.0
    if not (rows == a.shape[0] and columns == b.shape[0]) or (same and rows != columns):
        raise ValueError(f"offsets of {rows} rows and {columns} columns expected")
    of_rows, of_columns = np.zeros(rows), np.zeros(columns)
    cdef double[::1] row_sums = of_rows, column_sums = of_columns
    if rows and columns:
        c = prf_kernel(&products[0, 0], &a[0], &b[0], rows, columns, factor, shift, cubic,
                       same, &row_sums[0], &column_sums[0], &squared)
        with nogil:
            status = engine.kernel_sums(&c)
        check(status)
    return of_rows, of_columns, squared


def unresolved(str isa, int64_t dim, double scale, Lists a, Lists b, const double[::1] norms, ks,
              bint across=False):
    """Return the pairs that lists leave undecided for the balls to the k-th nearest.

    See `prf_open` of csrc/prfast.h.  ks: three int64 arrays, for the first set, the second (b may
    be None) and their union.  norms: |û|² of the queries.  The result is a dict of arrays: below,
    opened [queries][balls][2]; failed [queries]; query, ref, set of each undecided pair.
    """
    cdef prf_pass passed
    cdef prf_open what
    cdef prf_work work
    cdef prf_status status
    cdef int64_t n = len(a), balls = sum(map(len, ks)), s, first, count, capacity
    cdef int64_t[::1] some
    cdef int32_t[::1] query, ref
    cdef uint8_t[::1] of
    cdef const prf_engine *engine = prf_isa_at(ISAS[isa]).engine
    same_length(norms.shape[0], n)
    memset(&passed, 0, sizeof(passed))
    memset(&work, 0, sizeof(work))
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
    parts = []
    for first in range(0, n, PRF_QUERY_BLOCK):
        count = min(PRF_QUERY_BLOCK, n - first)
        capacity = balls * int(fills[first:first + count].sum()) + 1
        arrays = np.empty(capacity, np.int32), np.empty(capacity, np.int32), np.empty(capacity, np.uint8)
        query, ref, of = arrays
        what.query, what.ref, what.set = &query[0], &ref[0], &of[0]
        with nogil:
            status = engine.open(&passed, first, count, &what, &work)
        check(status)
        parts.append([array[:what.count].copy() for array in arrays])
    named = [np.concatenate(one) for one in zip(*parts)]
    return {"below": below_array, "opened": opened_array, "failed": failed_array.astype(bool),
            "query": named[0], "ref": named[1], "set": named[2]}
