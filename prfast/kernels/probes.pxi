# Bounds of the filters on single pairs, for tests and benchmarks; not optimized.


def intervals(Pass passed not None, int64_t count):
    """Return lo <= D <= hi of the first `count` queries, at most a block, and the loaded
    references."""
    passed.within(0, count, None)
    if count > PRF_QUERY_BLOCK:
        raise ValueError(f"at most {PRF_QUERY_BLOCK} queries expected, got {count}")
    lo_array = np.empty((count, passed.c.ref_count))
    hi_array = np.empty((count, passed.c.ref_count))
    cdef double[:, ::1] lo = lo_array, hi = hi_array
    cdef prf_intervals into = prf_intervals(&lo[0, 0], &hi[0, 0])
    passed.over_blocks(passed.engine.intervals, &into, 0, 0, count, 1)
    return lo_array, hi_array


def possible(Pass passed not None, query_t, ref_t, int threads, int64_t size=960, bint pairs=True,
             by=None):
    """Return the pairs for which the int8 filter does not exclude D <= query_t or D <= ref_t.

    The thresholds are of all queries, or of all references, or None.  The result is the number
    of pairs per query, their mask, and lo <= D <= hi by bound (A) for by=1, (B) for 2, both for 0.
    size: queries that are handled together; pairs=False: no mask.
    """
    cdef int64_t queries = passed.c.queries.count, refs = passed.c.ref_count
    cdef const double[::1] of_queries, of_refs
    cdef uint8_t[:, ::1] flags
    cdef double[:, :, ::1] ends
    cdef prf_possible into = prf_possible(NULL, NULL, NULL, NULL, NULL, 0, NULL)
    if passed.c.int8 == NULL or refs == 0:
        raise ValueError("references loaded for the int8 filter expected")
    if query_t is not None:
        of_queries = query_t
        same_length(of_queries.shape[0], queries)
        into.query_t = &of_queries[0]
    if ref_t is not None:
        of_refs = ref_t
        same_length(of_refs.shape[0], passed.c.refs.count)
        into.ref_t = &of_refs[0]
    candidates_array = np.zeros(queries, np.int64)
    cdef int64_t[::1] candidates = candidates_array
    into.candidates = &candidates[0]
    mask = ends_array = None
    if pairs:
        mask = np.zeros((queries, refs), bool)
        flags = mask.view(np.uint8)
        into.possible = &flags[0, 0]
    if by is not None:
        ends_array = np.full((2, queries, refs), np.nan)
        ends = ends_array
        into.lo, into.hi, into.by = &ends[0, 0, 0], &ends[1, 0, 0], by
    passed.over_blocks(passed.engine.possible, &into, 0, 0, queries, threads, max(1, size))
    return candidates_array, mask, ends_array


def differences(Pass passed not None):
    """Return lo <= D <= hi of all queries and the loaded references, from float32 differences.

    Both sets must be float32.
    """
    if passed.c.queries.wide or passed.c.refs.wide:
        raise ValueError("sets of float32 expected")
    ends_array = np.empty((2, passed.c.queries.count, passed.c.ref_count))
    cdef double[:, :, ::1] ends = ends_array
    cdef prf_intervals into
    if passed.c.ref_count:
        into = prf_intervals(&ends[0, 0, 0], &ends[1, 0, 0])
        passed.over_blocks(passed.engine.differences, &into, 0, 0, passed.c.queries.count, 1,
                         passed.c.queries.count)
    return ends_array[0], ends_array[1]
