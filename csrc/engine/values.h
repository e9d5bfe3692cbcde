/* The largest ratio of a radius to D, which needs D itself of the pairs that matter. */

typedef struct {
    const prf_pass *pass;
    const scratch *s;
    int64_t count;
    const double *ref_t; /* a threshold a reference */
    double *out;         /* [count] */
    prf_waiting waiting;
} values;

/* One more pair. */
static inline void raise_ratio(const values *v, int64_t query, int64_t ref, double d2)
{
    double t = v->ref_t[ref];
    double ratio = d2 != 0.0 ? t / d2 : t == 0.0 ? 1.0 : INFINITY;
    if (t >= 0.0 && ratio > v->out[query])
        v->out[query] = ratio;
}

static void use_waiting(void *self, const prf_waiting *w, const double *d2)
{
    for (int64_t l = 0; l < w->count; l++)
        raise_ratio(self, w->query[l], w->ref[l], d2[l]);
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
    for (int64_t i = 0; i < queries; i++)
        for (int64_t c = 0; c < 2 * VD && ref + c < to; c++)
            raise_ratio(v, query + i, v->pass->ref_first + ref + c, d2[i * 2 * VD + c]);
}

static prf_status ratio_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                              prf_work *work)
{
    const prf_ratio *ratio = into;
    values v = {.ref_t = ratio->ref_t, .out = ratio->best};
    scratch s;
    prf_status status = scratch_make(&s, pass, first, count, 1);
    if (status != PRF_OK)
        return status;
    for (int64_t i = 0; i < count; i++)
        s.bounds[i] = prf_half_lo(&s.bound, s.norms[i], 0.0);
    v.pass = pass;
    v.s = &s;
    v.count = count;
    v.out += first;
    v.waiting.refs = &pass->refs;
    v.waiting.rows = s.rows;
    v.waiting.self = &v;
    v.waiting.settle = use_waiting;
    reduction r = {ratio_tile, values_exact, &v, &v.waiting.refined, NULL, NULL, 16};
    visit(pass, &s, count, 0, pass->ref_count, &r, work);
    work->refined += v.waiting.refined;
    free(s.memory);
    return PRF_OK;
}
