# Lists of blocks, put together: what they leave open, and D of the pairs that are.


def pairs(queries, refs, const int64_t[::1] query, const int64_t[::1] ref):
    """D of the pairs (queries[query[i]], refs[ref[i]])."""
    cdef prf_points x = points_of(queries), y = points_of(refs)
    cdef int64_t count = query.shape[0]
    cdef prf_status status
    d2_array = np.empty(count)
    cdef double[::1] d2 = d2_array
    same_length(x.dim, y.dim)
    same_length(ref.shape[0], count)
    if count:
        for rows, points in zip((query, ref), (x.count, y.count)):
            if not 0 <= np.min(rows) <= np.max(rows) < points:
                raise ValueError("rows of the sets expected")
        with nogil:
            status = prf_pairs(&x, &query[0], &y, &ref[0], count, &d2[0])
        check(status)
    return d2_array


cdef int asked_of(Lists a, Lists b, const double[::1] norms, ks) except -1:
    """Are they lists of the same queries, and k from 1 on, of sets that are there?"""
    same_length(norms.shape[0], len(a))
    a.tight()
    if b is not None:
        b.tight()
        same_length(len(b), len(a))
    there = True, b is not None, b is not None
    if not any(map(len, ks)) or any(len(one) and not (is_there and np.min(one) >= 1)
                                    for one, is_there in zip(ks, there)):
        raise ValueError("k from 1 on, of sets that are there, expected")
    return 0


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
    cdef prf_status status
    cdef int64_t n = len(a), balls = sum(map(len, ks)), s, first, count, room
    cdef int64_t[::1] some
    cdef int32_t[::1] query, ref
    cdef uint8_t[::1] of
    cdef const prf_engine *engine = prf_isa_at(ISAS[isa]).engine
    asked_of(a, b, norms, ks)
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
    found = []
    for first in range(0, n, PRF_QUERY_BLOCK):
        count = min(PRF_QUERY_BLOCK, n - first)
        room = balls * int(fills[first:first + count].sum()) + 1
        arrays = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.uint8)
        query, ref, of = arrays
        what.query, what.ref, what.set = &query[0], &ref[0], &of[0]
        with nogil:
            status = engine.open(&passed, first, count, &what, &work)
        check(status)
        found.append([array[:what.count].copy() for array in arrays])
    named = [np.concatenate(one) for one in zip(*found)]
    return {"below": below_array, "opened": opened_array, "failed": failed_array.astype(bool),
            "query": named[0], "ref": named[1], "set": named[2]}
