/* Sums of logarithms, of queries and of references at once: Σ min(0, level(D') − level(T)) over the points
 * of the other side, levels of arithmetic/log2.h.
 *
 * D' is D in another order of summation: eight sums, of the features j with the same j mod 8 each, in
 * index order, then ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).  Rows are read as they lie and not across,
 * which takes half the time; D' = D where nothing is rounded, D'(x, x) = 0, and both are within a
 * relative (d + 8) 2⁻⁵³ of the sum without rounding.  Sums of integers have no order, so they depend
 * on nothing but the D'.
 *
 * Sums end at PRF_LOG_LEAST.  A key is not above V, for comparison with V of T: a pair that may matter
 * waits for its D'.
 */

enum { LOG_PARTS = 8, LOG_LANES = 16, LOG_WAIT = 32, LOG_ROOM = LOG_WAIT + NR + VF };

typedef struct {
    const prf_pass *pass;
    const prf_logs *what; /* NULL: no sums */
    int64_t first, count;
    double *row;                      /* [dim]: a query */
    float *possible;                  /* [count] */
    int32_t *fill, *ref;              /* [count], [count][LOG_ROOM]: pairs that wait for their D' */
    int64_t level[2], refined;
    void *memory;
} logs;

static prf_status logs_make(logs *l, const prf_pass *pass, const prf_bound *bound, int64_t first,
                            int64_t count, const prf_logs *what)
{
    *l = (logs){.what = what};
    if (!what)
        return PRF_OK;
    size_t rows = (size_t)count;
    char *memory = malloc((size_t)pass->refs.dim * sizeof(double) +
                          rows * (sizeof(float) + (size_t)(1 + LOG_ROOM) * sizeof(int32_t)));
    if (!memory)
        return PRF_NO_MEMORY;
    l->pass = pass;
    l->first = first;
    l->count = count;
    l->memory = memory;
    l->row = (double *)(void *)memory;
    l->possible = (float *)(void *)(l->row + pass->refs.dim);
    l->fill = (int32_t *)(void *)(l->possible + count);
    l->ref = l->fill + count;
    for (int side = 0; side < 2; side++)
        l->level[side] = prf_level(what->t[side] > 0.0 ? what->t[side] : 0x1p-1074); /* D = 0 is below */
    float possible = prf_key_possible(bound, what->t[0]);
    for (int64_t i = 0; i < count; i++) {
        l->possible[i] = what->sums[first + i] > PRF_LOG_LEAST ? possible : -INFINITY;
        l->fill[i] = 0;
    }
    return PRF_OK;
}

/* D' of a float64 row and `pairs` references, some more of which `start` is to have. */
static inline void eight_sums(const double *x, const prf_points *refs, int wide, const int64_t *start,
                              int64_t pairs, double *d2)
{
    enum { AT_ONCE = VD == 8 ? 8 : 4, PART = LOG_PARTS / VD };
    int64_t dim = refs->dim, whole = dim / LOG_PARTS * LOG_PARTS;
    for (int64_t from = 0; from < pairs; from += AT_ONCE) {
        vd sum[AT_ONCE][PART];
        double part[AT_ONCE][LOG_PARTS];
        const double *doubles[AT_ONCE];
        const float *floats[AT_ONCE];
        for (int p = 0; p < AT_ONCE; p++) {
            if (wide)
                doubles[p] = (const double *)refs->rows + start[from + p];
            else
                floats[p] = (const float *)refs->rows + start[from + p];
            for (int v = 0; v < PART; v++)
                sum[p][v] = vd_zero();
        }
        for (int64_t j = 0; j < whole; j += LOG_PARTS)
            for (int v = 0; v < PART; v++) {
                vd own = vd_load(x + j + v * VD);
                for (int p = 0; p < AT_ONCE; p++) {
                    vd other = wide ? vd_load(doubles[p] + j + v * VD)
                                    : vd_floats(floats[p] + j + v * VD);
                    vd off = vd_sub(own, other);
                    sum[p][v] = vd_add(sum[p][v], vd_mul(off, off));
                }
            }
        for (int p = 0; p < AT_ONCE; p++) {
            for (int v = 0; v < PART; v++)
                vd_store(part[p] + v * VD, sum[p][v]);
            for (int64_t j = whole; j < dim; j++) {
                double off = x[j] - (wide ? doubles[p][j] : (double)floats[p][j]);
                part[p][j - whole] += off * off;
            }
        }
        double four[AT_ONCE][4], two[AT_ONCE][2]; /* loops, which are vectorized */
        for (int p = 0; p < AT_ONCE; p++)
            for (int c = 0; c < 4; c++)
                four[p][c] = part[p][c] + part[p][c + 4];
        for (int p = 0; p < AT_ONCE; p++)
            for (int c = 0; c < 2; c++)
                two[p][c] = four[p][c] + four[p][c + 2];
        for (int p = 0; p < AT_ONCE; p++)
            d2[from + p] = two[p][0] + two[p][1];
    }
}

/* Point i, in float64. */
static inline void float64_row(const prf_points *points, int64_t i, double *row)
{
    if (points->wide) {
        prf_row(points, i, row);
        return;
    }
    const float *from = (const float *)points->rows + prf_start(points, i);
    int64_t j = 0;
    for (; j + VD <= points->dim; j += VD)
        vd_store(row + j, vd_floats(from + j));
    for (; j < points->dim; j++)
        row[j] = (double)from[j];
}

/* Terms of a sum from levels of D', none below PRF_LOG_LEAST. */
static inline void log_terms(const int64_t *level, int64_t of_t, int64_t *term)
{
    for (int p = 0; p < LOG_LANES; p++) {
        int64_t less = level[p] < of_t ? level[p] - of_t : 0;
        term[p] = less > PRF_LOG_LEAST ? less : PRF_LOG_LEAST;
    }
}

static inline int64_t log_sum(int64_t sum)
{
    return sum > PRF_LOG_LEAST ? sum : PRF_LOG_LEAST;
}

/* Add up to LOG_LANES pairs to both sums.  Branches on which sums are exact would be mispredicted. */
static inline void logs_add_few(logs *l, int64_t i, const int32_t *ref, int64_t pairs)
{
    const prf_points *refs = &l->pass->refs;
    const prf_logs *what = l->what;
    int64_t start[LOG_LANES], level[LOG_LANES], term[LOG_LANES], *sum = what->sums + l->first + i;
    double d2[LOG_LANES] = {0.0};
    for (int64_t p = 0; p < LOG_LANES; p++)
        start[p] = prf_start(refs, l->pass->ref_first + ref[p < pairs ? p : 0]);
    if (refs->wide)
        eight_sums(l->row, refs, 1, start, pairs, d2);
    else
        eight_sums(l->row, refs, 0, start, pairs, d2);
    for (int p = 0; p < LOG_LANES; p++)
        level[p] = prf_level(d2[p]);
    if (l->possible[i] > -INFINITY) {
        int64_t all = 0;
        log_terms(level, l->level[0], term);
        for (int64_t p = 0; p < pairs; p++)
            all += term[p];
        *sum = log_sum(*sum + all);
        l->possible[i] = *sum > PRF_LOG_LEAST ? l->possible[i] : -INFINITY;
    }
    log_terms(level, l->level[1], term);
    for (int64_t p = 0; p < pairs; p++) {
        int64_t *of = what->ref_sums + ref[p], exact = what->possible[ref[p]] > -INFINITY;
        *of = log_sum(*of + (term[p] & -exact));
        if (exact && *of == PRF_LOG_LEAST)
            what->possible[ref[p]] = -INFINITY;
    }
}

/* Add the first `count` pairs that wait in a row; the others move up. */
static void logs_add(logs *l, int64_t i, int64_t count)
{
    int32_t *ref = l->ref + i * LOG_ROOM;
    int64_t at = 0, left = l->fill[i] - count;
    float64_row(&l->pass->queries, l->first + i, l->row);
    for (; at + LOG_LANES <= count; at += LOG_LANES)
        logs_add_few(l, i, ref + at, LOG_LANES);
    if (at < count)
        logs_add_few(l, i, ref + at, count - at);
    memmove(ref, ref + count, (size_t)left * sizeof *ref);
    l->fill[i] = (int32_t)left;
    l->refined += count;
}

/* A row of a tile. */
static inline void logs_row(logs *l, int64_t i, int64_t ref, const vf key[2])
{
    vf own = vf_set1(l->possible[i]);
    unsigned left = vf_ge(vf_max(own, vf_load(l->what->possible + ref)), key[0]);
    unsigned right = vf_ge(vf_max(own, vf_load(l->what->possible + ref + VF)), key[1]);
    if (!(left | right))
        return;
    float unused[VF];
    int32_t *to = l->ref + i * LOG_ROOM;
    int64_t fill = l->fill[i];
    fill += vf_take(unused, to + fill, key[0], (int32_t)ref, left);
    fill += vf_take(unused, to + fill, key[1], (int32_t)ref + VF, right);
    l->fill[i] = (int32_t)fill;
    if (fill >= LOG_WAIT)
        logs_add(l, i, fill / LOG_LANES * LOG_LANES);
}

/* A tile of keys of dot products. */
static inline void logs_tile(logs *l, const float *key, int64_t query, int64_t end, int64_t ref)
{
    for (int64_t i = query; i < end; i++, key += NR) {
        vf keys[2] = {vf_load(key), vf_load(key + VF)};
        logs_row(l, i, ref, keys);
    }
}

/* A pair whose D is known, as the filters are off. */
static void logs_pair(logs *l, int64_t i, int64_t packed, double d2)
{
    const prf_logs *what = l->what;
    /* D may be above T where D' is not */
    int of_row = l->possible[i] > -INFINITY && d2 * (1.0 - PRF_WIDE) <= what->t[0];
    int of_col = what->possible[packed] > -INFINITY && d2 * (1.0 - PRF_WIDE) <= what->t[1];
    if (!of_row && !of_col)
        return;
    l->ref[i * LOG_ROOM + l->fill[i]++] = (int32_t)packed;
    if (l->fill[i] >= LOG_WAIT)
        logs_add(l, i, l->fill[i] / LOG_LANES * LOG_LANES);
}

/* All that wait. */
static void logs_end(logs *l, prf_work *work)
{
    if (!l->what)
        return;
    for (int64_t i = 0; i < l->count; i++)
        if (l->fill[i])
            logs_add(l, i, l->fill[i]);
    work->refined += l->refined;
    free(l->memory);
}
