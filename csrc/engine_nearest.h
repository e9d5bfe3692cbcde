/* The nearest references of each query: part of engine_body.h.
 *
 * A reservoir a query keeps intervals lo <= D <= hi of the references that may be among the k
 * nearest.  tau, the k-th smallest hi so far, bounds the k-th distance: what lies above is dropped.
 * A full reservoir is cut to what tau allows; if that is still too much, the intervals overlap
 * (ties, or a filter that cannot see): their D are computed and exactly k of them stay.
 */

typedef struct {
    double *lo, *hi, tau;
    int32_t *ref, fill;
} NAME(reservoir);

static NAME(reservoir) NAME(reservoir_of)(const prf_nearest *state, int64_t query)
{
    int64_t row = query - state->first_query;
    NAME(reservoir) r = {state->lo + row * state->capacity, state->hi + row * state->capacity,
                         state->tau[row], state->ref + row * state->capacity, state->fill[row]};
    return r;
}

/* Keep what is below tau and, of what reaches it, as much as completes k. */
static void NAME(cut)(NAME(reservoir) *r, int64_t k, double *copy)
{
    memcpy(copy, r->hi, (size_t)r->fill * sizeof *copy);
    r->tau = prf_select(copy, r->fill, k);
    int64_t witnesses = 0; /* of hi < tau, and then of hi = tau up to k */
    for (int32_t i = 0; i < r->fill; i++)
        witnesses += r->hi[i] < r->tau;
    int32_t kept = 0;
    for (int32_t i = 0; i < r->fill; i++) {
        int witness = r->hi[i] < r->tau || (r->hi[i] == r->tau && witnesses++ < k);
        if (witness || r->lo[i] < r->tau) {
            r->lo[kept] = r->lo[i];
            r->hi[kept] = r->hi[i];
            r->ref[kept++] = r->ref[i];
        }
    }
    r->fill = kept;
}

/* Replace every interval by D. */
static int64_t NAME(refine)(NAME(reservoir) *r, const prf_points *refs, const double *row)
{
    const double *q[PRF_EXACT_LANES];
    int64_t ref[PRF_EXACT_LANES], refined = 0;
    int32_t at[PRF_EXACT_LANES];
    double d2[PRF_EXACT_LANES];
    int64_t lanes = 0;
    for (int32_t i = 0; i <= r->fill; i++) {
        if (i < r->fill && r->lo[i] < r->hi[i]) {
            q[lanes] = row;
            ref[lanes] = r->ref[i];
            at[lanes++] = i;
        }
        if (lanes == PRF_EXACT_LANES || (i == r->fill && lanes > 0)) {
            prf_exact(q, refs, ref, lanes, d2);
            for (int64_t l = 0; l < lanes; l++)
                r->lo[at[l]] = r->hi[at[l]] = d2[l];
            refined += lanes;
            lanes = 0;
        }
    }
    return refined;
}

static int64_t NAME(make_room)(NAME(reservoir) *r, const prf_nearest *state,
                               const prf_points *refs, const double *row, double *copy)
{
    int64_t refined = 0;
    NAME(cut)(r, state->k, copy);
    if (r->fill > state->capacity - (state->capacity - state->k) / 4) {
        refined = NAME(refine)(r, refs, row);
        NAME(cut)(r, state->k, copy);
    }
    return refined;
}

static prf_status NAME(nearest_block)(const prf_pass *pass, int64_t first, int64_t count,
                                      prf_nearest *state, prf_work *work)
{
    const prf_points *refs = &pass->refs;
    int64_t dim = refs->dim, padded = round_up(count, MR);
    prf_error error = prf_error_bound(dim);
    double square = pass->scale * pass->scale, wide = 8.0 * ldexp(1.0, -24);
    NAME(scratch) s;
    prf_status status = NAME(scratch_make)(&s, pass, first, count, 1);
    if (status != PRF_OK)
        return status;
    double *copy = malloc((size_t)state->capacity * sizeof *copy);
    NAME(reservoir) *reservoirs = malloc((size_t)count * sizeof *reservoirs);
    if (!copy || !reservoirs) {
        free(copy);
        free(reservoirs);
        free(s.memory);
        return PRF_NO_MEMORY;
    }
    float *bound = s.bounds;
    for (int64_t i = 0; i < padded; i++) {
        bound[i] = INFINITY;
        if (i >= count)
            continue;
        reservoirs[i] = NAME(reservoir_of)(state, first + i);
        double norm = s.norms[i], t = reservoirs[i].tau * square * (1.0 + wide);
        bound[i] = prf_float_down(0.5 * (norm - error.kappa * norm - error.phi - t));
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
                    for (int64_t i = query; i < query + queries; i++) {
                        NAME(reservoir) *r = &reservoirs[i];
                        for (int64_t c = 0; c < 2 * VD && ref + c < to; c++) {
                            double d = d2[(i - query) * 2 * VD + c];
                            int64_t row = pass->ref_first + ref + c;
                            if (!(d < r->tau) || (pass->self && row == first + i))
                                continue;
                            r->lo[r->fill] = r->hi[r->fill] = d;
                            r->ref[r->fill++] = (int32_t)row;
                            if (r->fill == state->capacity)
                                NAME(make_room)(r, state, refs, s.rows + i * dim, copy);
                        }
                    }
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
                for (int64_t i = query; i < query + queries; i++) {
                    const float *row = dots + (i - query) * NR;
                    unsigned possible = NAME(reach)(row, pass->half_lo + ref, bound[i]);
                    if (!possible)
                        continue;
                    NAME(reservoir) *r = &reservoirs[i];
                    for (; possible; possible &= possible - 1) {
                        int64_t at = ref + __builtin_ctz(possible);
                        double norms = s.norms[i] + pass->norms[at];
                        double d = norms - 2.0 * (double)row[at - ref];
                        double spread = error.kappa * norms + error.phi;
                        double lo = (d - spread) / square, hi = (d + spread) / square;
                        if (!(lo < r->tau) || (pass->self && pass->ref_first + at == first + i))
                            continue;
                        r->lo[r->fill] = lo;
                        r->hi[r->fill] = hi;
                        r->ref[r->fill++] = (int32_t)(pass->ref_first + at);
                        if (r->fill < state->capacity)
                            continue;
                        refined += NAME(make_room)(r, state, refs, s.rows + i * dim, copy);
                        double norm = s.norms[i], t = r->tau * square * (1.0 + wide);
                        bound[i] = prf_float_down(
                            0.5 * (norm - error.kappa * norm - error.phi - t));
                    }
                }
            }
        }
        pairs += count * (to - from);
    }
    for (int64_t i = 0; i < count; i++) {
        state->tau[first + i - state->first_query] = reservoirs[i].tau;
        state->fill[first + i - state->first_query] = reservoirs[i].fill;
    }
    work->refined += refined;
    free(copy);
    free(reservoirs);
    free(s.memory);
    return PRF_OK;
}
