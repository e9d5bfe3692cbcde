/* Reductions that need D itself of the pairs that matter.
 *
 * Both visit the references of a query in their order, whatever the filter does, so that sums of
 * float64 are the same for every block and instruction set.
 */

enum { LOGS_WAIT = 64, LOGS_AT_ONCE = 2 * VD };

typedef struct {
    const prf_pass *pass;
    const scratch *s;
    int64_t count;
    double t;            /* logsum: the threshold */
    const double *ref_t; /* ratio: a threshold a reference */
    double *out;         /* [count] */
    prf_waiting waiting;
    /* logsum: references of a strip of queries that wait for their D, in their order */
    int64_t strip, fill[MR];
    int32_t ref[MR][LOGS_WAIT + NR + VF];
} values;

/* logsum of one more pair. */
static inline void add_log(const values *v, int64_t query, double d2)
{
    if (d2 == 0.0)
        v->out[query] = -INFINITY;
    else if (d2 < v->t)
        v->out[query] += 0.5 * log(d2 / v->t);
}

/* ratio of one more pair. */
static inline void raise_ratio(const values *v, int64_t query, int64_t ref, double d2)
{
    double t = v->ref_t[ref];
    double ratio = d2 != 0.0 ? t / d2 : t == 0.0 ? 1.0 : INFINITY;
    if (t >= 0.0 && ratio > v->out[query])
        v->out[query] = ratio;
}

static inline void use(const values *v, int64_t query, int64_t ref, double d2)
{
    if (v->ref_t)
        raise_ratio(v, query, ref, d2);
    else
        add_log(v, query, d2);
}

static void use_waiting(void *self, const prf_waiting *w, const double *d2)
{
    for (int64_t l = 0; l < w->count; l++)
        use(self, w->query[l], w->ref[l], d2[l]);
}

/* D of the references with a bit, one by one in their order. */
static void use_possible(values *v, int64_t query, int64_t ref, unsigned possible)
{
    if (!possible)
        return;
    for (; possible; possible &= possible - 1)
        prf_wait(&v->waiting, query, v->pass->ref_first + ref + first_bit(possible), 0);
    prf_settle(&v->waiting);
}

/* D of a query and a few of the references, no more than LOGS_AT_ONCE, exactly. */
static void exact_few(const double *query, const prf_points *refs, const int32_t *ref, int64_t pairs,
                      double *d2)
{
    enum { LANES = LOGS_AT_ONCE, STEP = 4 };
    const float *row[LANES];
    vd sum[2] = {vd_zero(), vd_zero()};
    int64_t j = 0;
    for (int64_t l = 0; l < LANES; l++)
        row[l] = float_row(refs, ref[l < pairs ? l : 0]);
    for (; j + STEP <= refs->dim; j += STEP) {
        vd left[STEP], right[STEP];
        vd_columns(row, j, left);
        vd_columns(row + VD, j, right);
        for (int c = 0; c < STEP; c++) {
            vd x = vd_set1(query[j + c]);
            vd dl = vd_sub(x, left[c]), dr = vd_sub(x, right[c]);
            sum[0] = vd_add(sum[0], vd_mul(dl, dl));
            sum[1] = vd_add(sum[1], vd_mul(dr, dr));
        }
    }
    vd_store(d2, sum[0]);
    vd_store(d2 + VD, sum[1]);
    for (; j < refs->dim; j++)
        for (int l = 0; l < LANES; l++)
            d2[l] += (query[j] - (double)row[l][j]) * (query[j] - (double)row[l][j]);
}

/* Add the logarithms of the first `count` that wait in a row of the strip; the others move up. */
static void add_waiting(values *v, int64_t row, int64_t count)
{
    const prf_points *refs = &v->pass->refs;
    int64_t query = v->strip + row, left = v->fill[row] - count;
    double d2[LOGS_AT_ONCE];
    for (int64_t at = 0; at < count; at += LOGS_AT_ONCE) {
        int64_t pairs = count - at < LOGS_AT_ONCE ? count - at : LOGS_AT_ONCE;
        exact_few(v->s->rows + query * refs->dim, refs, v->ref[row] + at, pairs, d2);
        for (int64_t l = 0; l < pairs; l++)
            add_log(v, query, d2[l]);
    }
    memmove(v->ref[row], v->ref[row] + count, (size_t)left * sizeof(int32_t));
    v->fill[row] = left;
    v->waiting.refined += count;
}

static void add_all_waiting(values *v)
{
    for (int64_t row = 0; row < MR; row++)
        add_waiting(v, row, v->fill[row]);
}

/* A pair matters if D < t. */
static void logsum_tile(void *self, const float *dots, int64_t query, int64_t ref, int64_t to)
{
    values *v = self;
    const prf_pass *pass = v->pass;
    int32_t at = (int32_t)(pass->ref_first + ref);
    float unused[VF];
    (void)to; /* padding is at no distance */
    if (query != v->strip) {
        add_all_waiting(v);
        v->strip = query;
    }
    for (int64_t i = query; i < query + MR && i < v->count; i++, dots += NR) {
        unsigned possible = reach(dots, pass->half_lo + ref, v->s->bounds[i]);
        if (pass->refs.wide) {
            use_possible(v, i, ref, possible);
            continue;
        }
        int32_t *row = v->ref[i - query];
        int64_t fill = v->fill[i - query];
        fill += vf_take(unused, row + fill, vf_load(dots), at, possible & ((1u << VF) - 1));
        fill += vf_take(unused, row + fill, vf_load(dots + VF), at + VF, possible >> VF);
        v->fill[i - query] = fill;
        if (fill >= LOGS_WAIT)
            add_waiting(v, i - query, fill / LOGS_AT_ONCE * LOGS_AT_ONCE);
    }
}

/* A pair matters if D < T / best, T of its reference: T and 1 / best are widened. */
static void ratio_tile(void *self, const float *dots, int64_t query, int64_t ref, int64_t to)
{
    values *v = self;
    double square = v->s->bound.square;
    const float *half_lo = v->pass->half_lo + ref;
    float t_row[NR], lo[NR];
    for (int64_t c = 0; c < NR; c++) {
        double t = ref + c < to ? v->ref_t[v->pass->ref_first + ref + c] : -1.0;
        t_row[c] = t < 0.0 ? -FLT_MAX : prf_widened(t * square);
    }
    for (int64_t i = query; i < query + MR && i < v->count; i++, dots += NR) {
        float weight = prf_widened(0.5 / v->out[i]);
        vf w = vf_set1(-weight);
        vf_store(lo, vf_fma(w, vf_load(t_row), vf_load(half_lo)));
        vf_store(lo + VF, vf_fma(w, vf_load(t_row + VF), vf_load(half_lo + VF)));
        if (!(weight < 1e30f)) /* nothing found yet: every ball matters */
            for (int64_t c = 0; c < NR; c++)
                lo[c] = t_row[c] < 0.0f ? INFINITY : -INFINITY;
        use_possible(v, i, ref, reach(dots, lo, v->s->bounds[i]));
    }
}

static void values_exact(void *self, const double *d2, int64_t query, int64_t queries, int64_t ref,
                         int64_t to)
{
    values *v = self;
    add_all_waiting(v);
    for (int64_t i = 0; i < queries; i++)
        for (int64_t c = 0; c < 2 * VD && ref + c < to; c++)
            use(v, query + i, v->pass->ref_first + ref + c, d2[i * 2 * VD + c]);
}

/* t: of the queries' side, 0 where it is the references'.  in: as of a reduction (visit.h). */
static prf_status values_block(const prf_pass *pass, int64_t first, int64_t count, values v,
                               void (*tile)(void *, const float *, int64_t, int64_t, int64_t),
                               int64_t in, prf_work *work)
{
    scratch s;
    prf_status status = scratch_make(&s, pass, first, count, 1);
    if (status != PRF_OK)
        return status;
    for (int64_t i = 0; i < count; i++)
        s.bounds[i] = prf_half_lo(&s.bound, s.norms[i], v.t);
    v.pass = pass;
    v.s = &s;
    v.count = count;
    v.out += first;
    v.waiting.refs = &pass->refs;
    v.waiting.rows = s.rows;
    v.waiting.self = &v;
    v.waiting.settle = use_waiting;
    reduction r = {tile, values_exact, &v, &v.waiting.refined, NULL, NULL, in};
    visit(pass, &s, count, 0, pass->ref_count, &r, work);
    add_all_waiting(&v);
    work->refined += v.waiting.refined;
    free(s.memory);
    return PRF_OK;
}

static prf_status logsum_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                               prf_work *work)
{
    const prf_logsum *logsum = into;
    values v = {.t = logsum->t, .out = logsum->sum};
    int64_t in = pass->refs.wide ? 16 : 2; /* D of float32 rows is cheap where many wait (exact_few) */
    return values_block(pass, first, count, v, logsum_tile, in, work);
}

static prf_status ratio_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                              prf_work *work)
{
    const prf_ratio *ratio = into;
    values v = {.ref_t = ratio->ref_t, .out = ratio->best};
    return values_block(pass, first, count, v, ratio_tile, 16, work);
}
