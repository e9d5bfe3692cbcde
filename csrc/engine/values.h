/* Reductions that need D itself of the pairs that matter.
 *
 * Both visit the references of a query in their order, whatever the filter does, so that sums of
 * float64 are the same for every block and instruction set.
 */

typedef struct {
    const prf_pass *pass;
    const scratch *s;
    int64_t count;
    double t;            /* logsum: the threshold */
    const double *ref_t; /* ratio: a threshold a reference */
    double *out;         /* [count] */
    int64_t refined;
} values;

/* What to do with D of a pair. */
static inline void use(const values *v, int64_t query, int64_t row, double d2)
{
    if (!v->ref_t) {
        if (d2 == 0.0)
            v->out[query] = -INFINITY;
        else if (d2 < v->t)
            v->out[query] += 0.5 * log(d2 / v->t);
    } else if (v->ref_t[row] >= 0.0) {
        double t = v->ref_t[row];
        double ratio = d2 == 0.0 ? (t == 0.0 ? 1.0 : INFINITY) : t / d2;
        if (ratio > v->out[query])
            v->out[query] = ratio;
    }
}

/* D of the references with a bit, one by one in their order. */
static void use_possible(values *v, int64_t query, int64_t ref, unsigned possible)
{
    const double *q[PRF_EXACT_LANES];
    double d2[PRF_EXACT_LANES];
    int64_t row[PRF_EXACT_LANES], lanes = 0;
    while (possible || lanes) {
        if (possible) {
            q[lanes] = v->s->rows + query * v->pass->refs.dim;
            row[lanes++] = v->pass->ref_first + ref + first_bit(possible);
            possible &= possible - 1;
        }
        if (lanes == PRF_EXACT_LANES || !possible) {
            prf_exact(q, &v->pass->refs, row, lanes, d2);
            for (int64_t l = 0; l < lanes; l++)
                use(v, query, row[l], d2[l]);
            v->refined += lanes;
            lanes = 0;
        }
    }
}

/* A pair matters if D < t. */
static void logsum_tile(void *self, const float *dots, int64_t query, int64_t ref, int64_t to)
{
    values *v = self;
    (void)to; /* padding is at no distance */
    for (int64_t i = query; i < query + MR && i < v->count; i++, dots += NR)
        use_possible(v, i, ref, reach(dots, v->pass->half_lo + ref, v->s->bounds[i]));
}

/* A pair matters if D < T / best, T of its reference: T and 1 / best are widened. */
static void ratio_tile(void *self, const float *dots, int64_t query, int64_t ref, int64_t to)
{
    values *v = self;
    double square = v->pass->scale * v->pass->scale, wide = 8.0 * ldexp(1.0, -24);
    const float *half_lo = v->pass->half_lo + ref;
    float t_row[NR], lo[NR];
    for (int64_t c = 0; c < NR; c++) {
        double t = ref + c < to ? v->ref_t[v->pass->ref_first + ref + c] : -1.0;
        t_row[c] = t < 0.0 ? -FLT_MAX : prf_float_up(t * square * (1.0 + wide));
    }
    for (int64_t i = query; i < query + MR && i < v->count; i++, dots += NR) {
        float weight = prf_float_up(0.5 / v->out[i] * (1.0 + wide));
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
    const values *v = self;
    for (int64_t i = 0; i < queries; i++)
        for (int64_t c = 0; c < 2 * VD && ref + c < to; c++)
            use(v, query + i, v->pass->ref_first + ref + c, d2[i * 2 * VD + c]);
}

static prf_status values_block(const prf_pass *pass, int64_t first, int64_t count, double t,
                               const double *ref_t, double *out, prf_work *work)
{
    prf_error error = prf_error_bound(pass->refs.dim);
    double square = pass->scale * pass->scale, wide = 8.0 * ldexp(1.0, -24);
    scratch s;
    prf_status status = scratch_make(&s, pass, first, count, 1);
    if (status != PRF_OK)
        return status;
    for (int64_t i = 0; i < count; i++) {
        double norm = s.norms[i];
        s.bounds[i] = prf_float_down(
            0.5 * (norm - error.kappa * norm - error.phi - t * square * (1.0 + wide)));
    }
    values v = {pass, &s, count, t, ref_t, out + first, 0};
    reduction r = {ref_t ? ratio_tile : logsum_tile, values_exact, &v, &v.refined};
    visit(pass, &s, count, 0, pass->ref_count, &r, work);
    work->refined += v.refined;
    free(s.memory);
    return PRF_OK;
}

static prf_status logsum_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                               prf_work *work)
{
    const prf_logsum *v = into;
    return values_block(pass, first, count, v->t, NULL, v->sum, work);
}

static prf_status ratio_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                              prf_work *work)
{
    const prf_ratio *v = into;
    return values_block(pass, first, count, 0.0, v->ref_t, v->best, work);
}
