/* Sums of logarithms, of queries and of references at once: Σ min(0, level(D') − level(T)) over the points
 * of the other side, levels of arithmetic/log2.h.
 *
 * D' is D in another order of summation: eight sums, of the features j with the same j mod 8 each, in
 * index order, then ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).  Rows are read as they lie and not across,
 * which takes half the time; D' = D where nothing is rounded, D'(x, x) = 0, and both are within a
 * relative (d + 8) 2⁻⁵³ of the sum without rounding.  Sums of integers have no order, so they depend
 * on nothing but the D'.
 *
 * Sums end at PRF_LOG_LEAST.  Of a point whose sum will end there D' need not be known: it suffices
 * that the product of upper ends of min(1, D/T), from keys and their widths, is far enough below.  So
 * points are of two kinds, whose sums are to be exact, and the others, for which there are products
 * alone.  Which is of which kind is a guess of the caller, and a sum that is needed after all is asked
 * for once more: results do not depend on it.
 *
 *     key            not above V, for comparison with V of T: a pair that may matter waits for its D'
 *     key + width    not below V, width = wide(û) + wide(v̂) and, of int8, twice the spread (int8.h)
 *
 * Products are of float32 numbers.  Factors are widened by 16 ε: 8 ε for D, D' and T (filter/bound.h), the
 * rest for 1/V_T, the two products and the sums with widths.
 */

enum { LOG_PARTS = 8, LOG_LANES = 16, LOG_WAIT = 32, LOG_ROOM = LOG_WAIT + NR + VF };

/* Products of a lane are raised to it now and then, so that few are subnormal: slow, and not wrong, as
 * all of them are far below PRF_LOG_BOUND.                                                       */
#define LOG_TINY 0x1p-100f

typedef struct {
    const prf_pass *pass;
    const prf_logs *what; /* NULL: no sums */
    int64_t first, count;
    double *row;                      /* [dim]: a query */
    float *possible, *wide, *product; /* [count], [count], [count][NR] */
    int32_t *fill, *ref;              /* [count], [count][LOG_ROOM]: pairs that wait for their D' */
    uint8_t *bounded;                 /* [count]: is there a product? */
    float inverse[2];                 /* at least s² / (V of T), of queries' sums and of references' */
    int64_t level[2], refined;
    void *memory;
} logs;

static inline float log_inverse(const prf_bound *bound, double t)
{
    double inverse = (1.0 + 2.0 * PRF_WIDE) / prf_v_of(bound, t);
    return inverse < FLT_MIN ? FLT_MIN : inverse < FLT_MAX ? prf_float_up(inverse) : FLT_MAX;
}

/* norms: |û|² or not below; errors of int8 are in the points, if there are any. */
static prf_status logs_make(logs *l, const prf_pass *pass, const prf_bound *bound, const double *norms,
                            const prf_int8_point *points, int64_t first, int64_t count,
                            const prf_logs *what)
{
    *l = (logs){.what = what};
    if (!what)
        return PRF_OK;
    size_t rows = (size_t)count;
    char *memory = malloc((size_t)pass->refs.dim * sizeof(double) +
                          rows * ((size_t)(2 + NR) * sizeof(float) +
                                  (size_t)(1 + LOG_ROOM) * sizeof(int32_t) + 1));
    if (!memory)
        return PRF_NO_MEMORY;
    l->pass = pass;
    l->first = first;
    l->count = count;
    l->memory = memory;
    l->row = (double *)(void *)memory;
    l->possible = (float *)(void *)(l->row + pass->refs.dim);
    l->wide = l->possible + count;
    l->product = l->wide + count;
    l->fill = (int32_t *)(void *)(l->product + count * NR);
    l->ref = l->fill + count;
    l->bounded = (uint8_t *)(l->ref + count * LOG_ROOM);
    for (int side = 0; side < 2; side++) {
        l->inverse[side] = what->t[side] >= 0.0 ? log_inverse(bound, what->t[side]) : FLT_MAX;
        l->level[side] = prf_level(what->t[side] > 0.0 ? what->t[side] : 0x1p-1074); /* D = 0 is below */
    }
    float possible = prf_key_possible(bound, what->t[0]);
    for (int64_t i = 0; i < count; i++) {
        int open = what->exact[first + i] && what->sums[first + i] > PRF_LOG_LEAST;
        l->possible[i] = open ? possible : -INFINITY;
        l->wide[i] = prf_log_wide(bound, norms[i], points ? (double)points[i].error : 0.0);
        l->fill[i] = 0;
        l->bounded[i] = what->products && (what->all || !what->exact[first + i]);
    }
    for (int64_t i = 0; i < count * NR; i++)
        l->product[i] = 1.0f;
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

/* What NR references add to a row of a tile, and the products that they have so far. */
typedef struct {
    vf possible[2], wide[2], product[2];
} log_refs;

static inline log_refs log_refs_of(const prf_logs *what, int64_t ref)
{
    log_refs of;
    for (int v = 0; v < 2; v++) {
        of.possible[v] = vf_load(what->possible + ref + v * VF);
        of.wide[v] = vf_load(what->wide + ref + v * VF);
        of.product[v] = vf_load(what->product + ref + v * VF);
    }
    return of;
}

static inline void log_refs_keep(const prf_logs *what, int64_t ref, const log_refs *of)
{
    for (int v = 0; v < 2; v++)
        vf_store(what->product + ref + v * VF, vf_max(of->product[v], vf_set1(LOG_TINY)));
}

/* A row of a tile; high: the upper ends of V without `wide`. */
static inline void logs_row(logs *l, int64_t i, int64_t ref, const vf key[2], const vf high[2],
                            log_refs *of)
{
    vf own = vf_set1(l->possible[i]), wide = vf_set1(l->wide[i]), one = vf_set1(1.0f);
    unsigned left = vf_ge(vf_max(own, of->possible[0]), key[0]);
    unsigned right = vf_ge(vf_max(own, of->possible[1]), key[1]);
    if (l->what->products) {
        vf row = vf_set1(l->inverse[0]), col = vf_set1(l->inverse[1]), end[2];
        float *product = l->product + i * NR;
        for (int v = 0; v < 2; v++) {
            end[v] = vf_add(high[v], vf_add(of->wide[v], wide));
            of->product[v] = vf_mul(of->product[v], vf_min(vf_mul(end[v], col), one));
        }
        for (int v = 0; v < 2 && l->bounded[i]; v++)
            vf_store(product + v * VF, vf_mul(vf_load(product + v * VF),
                                              vf_min(vf_mul(end[v], row), one)));
    }
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

/* Raise the products of queries [first, end). */
static inline void logs_raise(logs *l, int64_t first, int64_t end)
{
    for (float *at = l->product + first * NR; at < l->product + end * NR; at += VF)
        vf_store(at, vf_max(vf_load(at), vf_set1(LOG_TINY)));
}

/* A tile of keys of dot products. */
static inline void logs_tile(logs *l, const float *key, int64_t query, int64_t end, int64_t ref)
{
    log_refs of = log_refs_of(l->what, ref);
    for (int64_t i = query; i < end; i++, key += NR) {
        vf keys[2] = {vf_load(key), vf_load(key + VF)};
        logs_row(l, i, ref, keys, keys, &of);
    }
    log_refs_keep(l->what, ref, &of);
    if (ref % (64 * NR) == 0)
        logs_raise(l, query, end);
}

static inline float log_factor(double d2, double t)
{
    return d2 < t ? prf_widened(d2 / t) : 1.0f;
}

static inline void log_multiply(float *product, float factor)
{
    *product = *product * factor > LOG_TINY ? *product * factor : LOG_TINY;
}

/* A pair whose D is known, as the filters are off. */
static void logs_pair(logs *l, int64_t i, int64_t packed, double d2)
{
    const prf_logs *what = l->what;
    if (l->bounded[i] && what->t[0] > 0.0)
        log_multiply(l->product + i * NR, log_factor(d2, what->t[0]));
    if (what->products && what->t[1] > 0.0)
        log_multiply(what->product + packed, log_factor(d2, what->t[1]));
    /* D may be above T where D' is not */
    int of_row = l->possible[i] > -INFINITY && d2 * (1.0 - PRF_WIDE) <= what->t[0];
    int of_col = what->possible[packed] > -INFINITY && d2 * (1.0 - PRF_WIDE) <= what->t[1];
    if (!of_row && !of_col)
        return;
    l->ref[i * LOG_ROOM + l->fill[i]++] = (int32_t)packed;
    if (l->fill[i] >= LOG_WAIT)
        logs_add(l, i, l->fill[i] / LOG_LANES * LOG_LANES);
}

/* All that wait, and the products of lanes. */
static void logs_end(logs *l, prf_work *work)
{
    const prf_logs *what = l->what;
    if (!what)
        return;
    for (int64_t i = 0; i < l->count; i++) {
        if (l->fill[i])
            logs_add(l, i, l->fill[i]);
        double product = 1.0;
        for (int r = 0; l->bounded[i] && r < NR; r++) {
            product *= (double)l->product[i * NR + r];
            product = product > 0x1p-500 ? product : 0x1p-500;
        }
        if (l->bounded[i]) {
            product *= what->products[l->first + i];
            what->products[l->first + i] = product > 0x1p-500 ? product : 0x1p-500;
        }
    }
    work->refined += l->refined;
    free(l->memory);
}
