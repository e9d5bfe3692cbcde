/* The cascade: pairs that heads (head.h) or the int8 filter leave possible are evaluated by float32 differences or, where the
 * rows are no float32 numbers, by D itself, while the rows are near; D decides what is open after that.
 *
 * The reductions are those of fused8.h and symmetric.h; the lower end of an interval of D becomes a key,
 * and the interval is within the width of a dot product's (filter/bound.h).
 */

/* What is done with a pair, ref a row of all references: open, may it matter, with V in [lo, hi]; near,
 * with D not below lo, and its interval as narrow as keys have it; known, with D.
 * reach: the largest D of a query for which a pair matters, its own radius.                      */
typedef struct cascade cascade;
struct cascade {
    int (*open)(cascade *c, int64_t query, int64_t packed, double lo, double hi);
    void (*near)(cascade *c, int64_t query, int64_t ref, double lo);
    void (*known)(cascade *c, int64_t query, int64_t ref, double d2);
    double (*reach)(const cascade *c, int64_t query);
    fused j;
    int8_block block; /* of heads: pass, count, ref_half, memory, and nothing taken */
    scratch head;
    int64_t after; /* of heads: the first query is this point, and references come after theirs; or −1 */
    prf_int8_bound int8;
    prf_bound bound;
    differences_bound differences;
    int narrow; /* are differences of float32 rows of use? */
    tightening tightening;         /* of lists with unrefined keys */
    int64_t candidates, evaluated, pairs, end;
    int abandoned; /* given up, maybe in the midst of a group with this end */
    double share; /* of all pairs, that will be tightened, as estimated after so many references */
    int64_t share_after;
    int32_t *query, *ref, *sorted; /* [INT8_FEW]: pairs that the integers leave open */
    double *norms, *roots;         /* [count]: |z|², and √N of the integers' rows */
    double *wide; /* [PRF_EXACT_LANES][dim]: rows of queries that wait for D */
};

/* D of a limit of keys. */
static double reach_of_limit(const prf_bound *bound, float limit)
{
    double v = (double)limit;
    return v < 0.0 ? -1.0 : v < FLT_MAX ? 2.0 * v / bound->square * (1.0 + PRF_WIDE) : INFINITY;
}

/* The row of a query as float64, where it lies or in a lane of the scratch. */
static const double *wide_row(const cascade *c, int64_t query, int64_t lane)
{
    const prf_points *queries = &c->j.pass->queries;
    int64_t i = c->j.first + query;
    if (queries->wide)
        return (const double *)queries->rows + prf_start(queries, i);
    double *row = c->wide + lane * queries->dim;
    prf_row(queries, i, row);
    return row;
}

/* Ends of V by Cauchy and Schwarz, from the integers' dot product: 2⁻¹⁹ of the norms is room for what `norm` and the
 * float32 dot product are off by, and for float64 (filter/int8.h).                               */
static inline void int8_ends(const cascade *c, int64_t query, int64_t ref, float dot, double *lo,
                             double *hi)
{
    const prf_int8_point *x = c->block.points + query, *y = c->block.pass->int8->points + ref;
    double norms = c->norms[query] + (double)y->norm * (double)y->norm;
    double product = (double)x->step * (double)y->step * (double)dot;
    double spread = (double)x->error * (double)y->norm + c->roots[query] * (double)y->error;
    double slack = 0x1p-19 * (norms + spread) + c->int8.phi;
    *lo = 0.5 * norms - product - spread - slack;
    *hi = 0.5 * norms - product + spread + slack;
}

/* Candidates of a strip by float32 differences, query by query, so that a row stays in the first-level cache. */
static void few_narrow(cascade *c, int64_t count)
{
    const prf_pass *pass = c->j.pass;
    int64_t dim = pass->refs.dim, first = c->query[0] / MR * MR, start[MR + 1] = {0};
    const float *x[DIFFERENCES], *y[DIFFERENCES];
    double lo[DIFFERENCES], hi[DIFFERENCES];
    for (int64_t l = 0; l < count; l++)
        start[c->query[l] - first + 1]++;
    for (int i = 0; i < MR; i++)
        start[i + 1] += start[i];
    for (int64_t l = 0; l < count; l++)
        c->sorted[start[c->query[l] - first]++] = (int32_t)l;
    for (int64_t l = 0; l < count; l += DIFFERENCES) {
        int64_t pairs = count - l < DIFFERENCES ? count - l : DIFFERENCES;
        const int32_t *at = c->sorted + l;
        for (int64_t p = 0; p < pairs; p++) {
            x[p] = float_row(&pass->queries, c->j.first + c->query[at[p]]);
            y[p] = float_row(&pass->refs, pass->ref_first + c->ref[at[p]]);
        }
        difference_intervals(&c->differences, x, y, dim, pairs, lo, hi);
        for (int64_t p = 0; p < pairs; p++)
            c->near(c, c->query[at[p]], pass->ref_first + c->ref[at[p]], lo[p]);
    }
}

/* Candidates by D, eight beside each other. */
static void few_wide(cascade *c, int64_t count)
{
    const int32_t *query = c->query, *ref = c->ref;
    const prf_pass *pass = c->j.pass;
    for (int64_t l = 0; l < count; l += PRF_EXACT_LANES) {
        int64_t pairs = count - l < PRF_EXACT_LANES ? count - l : PRF_EXACT_LANES;
        const double *row[PRF_EXACT_LANES];
        int64_t rows[PRF_EXACT_LANES];
        double d2[PRF_EXACT_LANES];
        for (int64_t p = 0; p < pairs; p++) {
            rows[p] = pass->ref_first + ref[l + p];
            row[p] = wide_row(c, query[l + p], p);
        }
        prf_exact(row, &pass->refs, rows, pairs, d2);
        for (int64_t p = 0; p < pairs; p++)
            c->known(c, query[l + p], rows[p], d2[p]);
    }
}

/* Candidates of a strip, of which so many are to be evaluated. */
static void few_of_strip(cascade *c, int64_t candidates, int64_t count)
{
    c->candidates += candidates;
    c->evaluated += count;
    if (count && c->narrow)
        few_narrow(c, count);
    else if (count)
        few_wide(c, count);
}

/* Pairs that the integers leave possible: decided by the ends of V, or evaluated. */
static void cascade_few(void *self, const int32_t *query, const int32_t *ref, const float *dot,
                        int64_t count)
{
    cascade *c = self;
    int64_t open = 0;
    for (int64_t l = 0; l < count; l++) {
        double lo, hi;
        int8_ends(c, query[l], ref[l], dot[l], &lo, &hi);
        c->query[open] = query[l];
        c->ref[open] = ref[l];
        open += c->open(c, query[l], ref[l], lo, hi);
    }
    few_of_strip(c, count, open);
}

/* The scratch of a cascade, but for its fused; c->block is made. */
static prf_status cascade_make(cascade *c, const prf_pass *pass, int64_t first)
{
    int64_t dim = pass->refs.dim, count = c->block.count;
    double *memory = malloc((size_t)(2 * count + PRF_EXACT_LANES * dim) * sizeof *memory +
                            3 * INT8_FEW * sizeof(int32_t));
    if (!memory)
        return PRF_NO_MEMORY;
    c->int8 = prf_int8_bound_of(pass);
    c->bound = prf_bound_of(pass);
    c->differences = differences_bound_of(dim);
    c->narrow = !pass->queries.wide && !pass->refs.wide && prf_differences_hold(c->bound.square);
    c->norms = memory;
    c->roots = c->norms + count;
    c->wide = c->roots + count;
    c->query = (int32_t *)(void *)(c->wide + PRF_EXACT_LANES * dim);
    c->ref = c->query + INT8_FEW;
    c->sorted = c->ref + INT8_FEW;
    c->tightening.starts = NULL;
    for (int64_t i = 0; pass->head && c->after < 0 && i < count; i++) { /* else packed points have theirs */
        prf_row(&pass->queries, first + i, c->wide);
        c->norms[i] = packed_norm(pass, c->wide);
    }
    for (int64_t i = 0; !pass->head && i < count; i++) {
        const prf_int8_point *x = c->block.points + i;
        c->norms[i] = (double)x->norm * (double)x->norm; /* not below what dot products see */
        c->roots[i] = (double)x->step * sqrt((double)x->squares);
    }
    c->block.few = cascade_few;
    c->block.self = c;
    return PRF_OK;
}

/* A pair is evaluated for counts and once more for a list: both are work, but it is one pair. */
static void cascade_end(cascade *c, prf_work *work)
{
    int64_t of_lists = c->tightening.starts ? c->tightening.evaluated : 0;
    *(c->block.pass->head ? &work->head : &work->int8) +=
        c->pairs - (c->evaluated > of_lists ? c->evaluated : of_lists);
    work->abandoned += c->abandoned;
    if (c->narrow)
        work->differences += c->evaluated + of_lists;
    else
        work->refined += c->evaluated + of_lists;
    free(c->norms);
    free(c->tightening.starts);
    free(c->block.memory);
}
