/* Reductions that need D itself of the pairs that matter: part of engine_body.h.
 *
 * Both visit the references of a query in their order, whatever the filter does, so that sums of
 * float64 are the same for every block and instruction set.
 */

/* What to do with D of a pair. */
typedef struct {
    double t;            /* logsum: the threshold */
    const double *ref_t; /* ratio: a threshold a reference */
    double *out;         /* [count] */
} NAME(value);

static inline void NAME(use)(const NAME(value) *v, int64_t query, int64_t row, double d2)
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

/* A pair matters if D < T: T = t, or the T / best of its reference. */
static prf_status NAME(values_block)(const prf_pass *pass, int64_t first, int64_t count,
                                     NAME(value) v, prf_work *work)
{
    const prf_points *refs = &pass->refs;
    int64_t dim = refs->dim;
    prf_error error = prf_error_bound(dim);
    double square = pass->scale * pass->scale, wide = 8.0 * ldexp(1.0, -24);
    NAME(scratch) s;
    prf_status status = NAME(scratch_make)(&s, pass, first, count, 1);
    if (status != PRF_OK)
        return status;
    float *bound = s.bounds, t_row[NR] = {0.0f}, lo_row[NR];
    for (int64_t i = 0; i < count; i++) {
        double norm = s.norms[i], t = v.ref_t ? 0.0 : v.t * square;
        bound[i] = prf_float_down(
            0.5 * (norm - error.kappa * norm - error.phi - t * (1.0 + wide)));
    }
    double d2[4 * 2 * VD];
    int64_t pairs = 0, refined = 0;
    int exact = pass->exact;
    for (int64_t from = 0; from < pass->ref_count; from += s.group) {
        int64_t to = from + s.group < pass->ref_count ? from + s.group : pass->ref_count;
        if (exact || NAME(useless)(refined, pairs)) {
            exact = 1;
            for (int64_t ref = from; ref < to; ref += 2 * VD) {
                NAME(exact_panel)(pass, ref, s.panel);
                for (int64_t query = 0; query < count; query += 4) {
                    int64_t queries = count - query < 4 ? count - query : 4;
                    NAME(exact_tile)(s.rows + query * dim, queries, s.panel, dim, d2);
                    for (int64_t i = 0; i < queries; i++)
                        for (int64_t c = 0; c < 2 * VD && ref + c < to; c++)
                            NAME(use)(&v, query + i, pass->ref_first + ref + c,
                                      d2[i * 2 * VD + c]);
                }
            }
            work->unfiltered += count * (to - from);
            continue;
        }
        if (s.slices > 1)
            NAME(group_dots)(&s, pass->panels, dim, count, from, to);
        int64_t number = 0;
        for (int64_t query = 0; query < count; query += MR) {
            int64_t queries = count - query < MR ? count - query : MR;
            for (int64_t ref = from; ref < to; ref += NR) {
                const float *dots = NAME(tile)(&s, pass->panels, dim, query, ref, number++);
                if (v.ref_t)
                    for (int64_t c = 0; c < NR; c++) {
                        double t = ref + c < to ? v.ref_t[pass->ref_first + ref + c] : -1.0;
                        t_row[c] = t < 0.0 ? -FLT_MAX : prf_float_up(t * square * (1.0 + wide));
                    }
                for (int64_t i = query; i < query + queries; i++) {
                    const float *lo = pass->half_lo + ref;
                    if (v.ref_t) {
                        /* D < T / best, towards more candidates: T and 1 / best are widened */
                        float weight = prf_float_up(0.5 / v.out[i] * (1.0 + wide));
                        vf w = vf_set1(-weight);
                        vf_store(lo_row, vf_fma(w, vf_load(t_row), vf_load(lo)));
                        vf_store(lo_row + VF, vf_fma(w, vf_load(t_row + VF), vf_load(lo + VF)));
                        if (!(weight < 1e30f)) /* nothing found yet: every ball matters */
                            for (int64_t c = 0; c < NR; c++)
                                lo_row[c] = t_row[c] < 0.0f ? INFINITY : -INFINITY;
                        lo = lo_row;
                    }
                    unsigned possible =
                        NAME(reach)(dots + (i - query) * NR, lo, bound[i]);
                    const double *q[PRF_EXACT_LANES];
                    int64_t row[PRF_EXACT_LANES], lanes = 0;
                    while (possible || lanes) {
                        if (possible) {
                            q[lanes] = s.rows + i * dim;
                            row[lanes++] = pass->ref_first + ref + first_bit(possible);
                            possible &= possible - 1;
                        }
                        if (lanes == PRF_EXACT_LANES || !possible) {
                            prf_exact(q, refs, row, lanes, d2);
                            for (int64_t l = 0; l < lanes; l++)
                                NAME(use)(&v, i, row[l], d2[l]);
                            refined += lanes;
                            lanes = 0;
                        }
                    }
                }
            }
        }
        pairs += count * (to - from);
    }
    work->refined += refined;
    free(s.memory);
    return PRF_OK;
}

static prf_status NAME(logsum_block)(const prf_pass *pass, int64_t first, int64_t count, double t,
                                     double *sum, prf_work *work)
{
    NAME(value) v = {.t = t, .ref_t = NULL, .out = sum + first};
    return NAME(values_block)(pass, first, count, v, work);
}

static prf_status NAME(ratio_block)(const prf_pass *pass, int64_t first, int64_t count,
                                    const double *ref_t, double *best, prf_work *work)
{
    NAME(value) v = {.t = 0.0, .ref_t = ref_t, .out = best + first};
    return NAME(values_block)(pass, first, count, v, work);
}
