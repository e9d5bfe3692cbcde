/* The counting sweep for one type of SCORE; included by sweep.c once for each type.
 *
 * A plain merge of n + m random scores costs more (mispredicted branches) than the SIMD sorts
 * before it.  Most of the points it would visit lie far above the hull, so:
 *
 *   1. take a threshold every STRIDE samples of either class: a coarse path, a coarse hull;
 *   2. between two neighboring thresholds the best that the path can do is to pass all fake
 *      samples before the first real one, a corner; where even that corner is not beyond the
 *      coarse hull, no point between can be a vertex, and the window is one cell;
 *   3. only the other windows are merged sample by sample.
 */
enum { NAME(STRIDE) = 32 };

/* First index in [lo, n) with s[index] > t, galloping from lo; n if there is none. */
static int64_t NAME(upper_bound)(const SCORE *s, int64_t lo, int64_t n, SCORE t)
{
    int64_t step = 1, hi = lo;
    while (hi < n && s[hi] <= t) {
        lo = hi + 1;
        hi += step;
        step *= 2;
    }
    if (hi > n)
        hi = n;
    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        if (s[mid] <= t)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Merge real[i..n) and fake[j..m) threshold by threshold into the cells. */
static int64_t NAME(merge)(const SCORE *real, int64_t i, int64_t n, const SCORE *fake, int64_t j,
                           int64_t m, int64_t *p, int64_t *q, int64_t top)
{
    while (i < n || j < m) {
        int64_t i0 = i, j0 = j;
        SCORE t = j >= m || (i < n && real[i] < fake[j]) ? real[i] : fake[j];
        while (i < n && real[i] == t)
            i++;
        while (j < m && fake[j] == t)
            j++;
        top = pool_push_counts(p, q, top, i - i0, j - j0);
    }
    return top;
}

prf_status NAME(prf_sweep)(const SCORE *real, int64_t n, const SCORE *fake, int64_t m, int64_t *p,
                           int64_t *q, int64_t *cells)
{
    /* The coarse path x[w], y[w] = #{real <= t}, #{fake <= t}, closed by (n, m); its hull. */
    /* Every window but the last passes STRIDE samples of one class, which bounds their number. */
    int64_t room = n / NAME(STRIDE) + m / NAME(STRIDE) + 3;
    int64_t *scratch = malloc((size_t)room * 4 * sizeof *scratch);
    if (!scratch)
        return PRF_NO_MEMORY;
    int64_t *x = scratch, *y = x + room, *hull_p = y + room, *hull_q = hull_p + room;
    int64_t windows = 0, coarse = 0;
    x[0] = y[0] = 0;
    for (;;) {
        int64_t i = x[windows], j = y[windows];
        int64_t i_last = i + NAME(STRIDE) - 1, j_last = j + NAME(STRIDE) - 1;
        if (i_last >= n && j_last >= m)
            break;
        SCORE t = j_last >= m || (i_last < n && real[i_last] < fake[j_last]) ? real[i_last]
                                                                              : fake[j_last];
        int64_t i_next = NAME(upper_bound)(real, i, n, t);
        int64_t j_next = NAME(upper_bound)(fake, j, m, t);
        coarse = pool_push_counts(hull_p, hull_q, coarse, i_next - i, j_next - j);
        windows++;
        x[windows] = i_next;
        y[windows] = j_next;
    }
    if (x[windows] < n || y[windows] < m) {
        coarse = pool_push_counts(hull_p, hull_q, coarse, n - x[windows], m - y[windows]);
        windows++;
        x[windows] = n;
        y[windows] = m;
    }

    int64_t top = 0, edge = 0, edge_x = 0, edge_y = 0;
    for (int64_t w = 0; w < windows; w++) {
        /* The edge of the coarse hull over x[w]: edge_x <= x[w] < edge_x + hull_p[edge]. */
        while (edge < coarse - 1 && edge_x + hull_p[edge] <= x[w]) {
            edge_x += hull_p[edge];
            edge_y += hull_q[edge];
            edge++;
        }
        /* The corner (x[w], y[w + 1]) is on or inside the hull if
         *
         *     (y[w + 1] - edge_y) / (x[w] - edge_x)  <=  hull_q[edge] / hull_p[edge],
         *
         * and then so is all between, since the hull only climbs.  On it is as good as inside: a
         * point on the hull that is not one of its corners lies within an edge, where equal ratios
         * merge, and the corners are thresholds of the coarse path, which no window skips.      */
        if ((y[w + 1] - edge_y) * hull_p[edge] <= (x[w] - edge_x) * hull_q[edge])
            top = pool_push_counts(p, q, top, x[w + 1] - x[w], y[w + 1] - y[w]);
        else
            top = NAME(merge)(real, x[w], x[w + 1], fake, y[w], y[w + 1], p, q, top);
    }
    *cells = top;
    free(scratch);
    return PRF_OK;
}
