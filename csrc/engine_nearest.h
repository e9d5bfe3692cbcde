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

/* Keep what is below tau and, of what reaches it, as much as completes k.  tau never rises. */
static void NAME(cut)(NAME(reservoir) *r, int64_t k, double *copy)
{
    memcpy(copy, r->hi, (size_t)r->fill * sizeof *copy);
    double kth = prf_select(copy, r->fill, k);
    r->tau = kth < r->tau ? kth : r->tau;
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

/* ---- a first threshold ----
 *
 * Started from tau = inf, a reservoir takes in k ln(n / k) references and more before its threshold
 * is of use.  So tau is guessed from a sample of the references: the distance of the rank that k
 * of n has among them, with a margin of four standard deviations.  The guess is only taken where all
 * references are at hand, and is checked at the end: with k intervals at or below tau nothing that
 * it kept out can matter; otherwise the block is done again without it.                           */
enum { SAMPLE_PANELS = 256 / NR, SAMPLE_FROM = 4096 };

static void NAME(guess)(const prf_pass *pass, const NAME(scratch) *s, int64_t count, int64_t k,
                        double *tau)
{
    int64_t dim = pass->refs.dim, panels = pass->ref_count / NR;
    double share = (double)k * SAMPLE_PANELS * NR / (double)pass->ref_count;
    int64_t rank = (int64_t)(share + 4.0 * sqrt(share)) + 3;
    prf_error error = prf_error_bound(dim);
    double square = pass->scale * pass->scale, sample[SAMPLE_PANELS * NR];
    float dots[SAMPLE_PANELS][MR * NR];
    for (int64_t query = 0; query < count; query += MR) {
        for (int64_t p = 0; p < SAMPLE_PANELS; p++) {
            int64_t ref = panels * p / SAMPLE_PANELS * NR;
            NAME(dots)(s->strips + query * dim, pass->panels + ref * dim, dim, 0, dots[p]);
        }
        for (int64_t i = 0; i < MR && query + i < count; i++) {
            for (int64_t p = 0; p < SAMPLE_PANELS; p++) {
                int64_t ref = panels * p / SAMPLE_PANELS * NR;
                for (int64_t c = 0; c < NR; c++)
                    sample[p * NR + c] =
                        (1.0 + error.kappa) * (s->norms[query + i] + pass->norms[ref + c]) -
                        2.0 * (double)dots[p][i * NR + c];
            }
            tau[query + i] = rank > SAMPLE_PANELS * NR
                                 ? INFINITY
                                 : (prf_select(sample, SAMPLE_PANELS * NR, rank) + error.phi) /
                                       square;
        }
    }
}

/* Are there k references at or below tau? */
static int NAME(enough)(const NAME(reservoir) *r, int64_t k, double *copy)
{
    if (r->fill < k)
        return 0;
    memcpy(copy, r->hi, (size_t)r->fill * sizeof *copy);
    return prf_select(copy, r->fill, k) <= r->tau;
}

/* What a query adds to half of a reference's norm: with it a dot product that stays below cannot
 * belong to a distance below tau. */
static inline float NAME(nearest_bound)(double norm, double tau, prf_error error)
{
    double t = tau * (1.0 + 8.0 * ldexp(1.0, -24));
    return prf_float_down(0.5 * (norm - error.kappa * norm - error.phi - t));
}

typedef struct {
    const prf_pass *pass;
    const prf_nearest *state;
    const NAME(scratch) *s;
    int64_t first, count;
    NAME(reservoir) *reservoirs; /* [count] */
    double *copy;                /* [capacity]: scratch */
    int64_t refined;
} NAME(offer);

static inline void NAME(set_bound)(const NAME(offer) *o, int64_t query)
{
    double square = o->pass->scale * o->pass->scale;
    o->s->bounds[query] = NAME(nearest_bound)(
        o->s->norms[query], o->reservoirs[query].tau * square, prf_error_bound(o->pass->refs.dim));
}

/* A reference that may be among the nearest of a query goes into its reservoir. */
static void NAME(take)(NAME(offer) *o, int64_t query, int64_t ref, double lo, double hi)
{
    const prf_pass *pass = o->pass;
    NAME(reservoir) *r = &o->reservoirs[query];
    if (!(lo < r->tau) || (pass->self && pass->ref_first + ref == o->first + query))
        return;
    r->lo[r->fill] = lo;
    r->hi[r->fill] = hi;
    r->ref[r->fill++] = (int32_t)(pass->ref_first + ref);
    if (r->fill < o->state->capacity)
        return;
    o->refined += NAME(make_room)(r, o->state, &pass->refs, o->s->rows + query * pass->refs.dim,
                                  o->copy);
    NAME(set_bound)(o, query);
}

static void NAME(offer_tile)(void *self, const float *dots, int64_t query, int64_t ref, int64_t to)
{
    NAME(offer) *o = self;
    const prf_pass *pass = o->pass;
    prf_error error = prf_error_bound(pass->refs.dim);
    double back = 1.0 / (pass->scale * pass->scale);
    (void)to; /* padding is at no distance */
    for (int64_t i = query; i < query + MR && i < o->count; i++, dots += NR) {
        unsigned possible = NAME(reach)(dots, pass->half_lo + ref, o->s->bounds[i]);
        for (; possible; possible &= possible - 1) {
            int64_t at = ref + first_bit(possible);
            double lo, hi;
            NAME(interval)(o->s->norms[i] + pass->norms[at], dots[at - ref], error, back, &lo, &hi);
            NAME(take)(o, i, at, lo, hi);
        }
    }
}

static void NAME(offer_exact)(void *self, const double *d2, int64_t query, int64_t queries,
                              int64_t ref, int64_t to)
{
    for (int64_t i = 0; i < queries; i++)
        for (int64_t c = 0; c < 2 * VD && ref + c < to; c++)
            NAME(take)(self, query + i, ref + c, d2[i * 2 * VD + c], d2[i * 2 * VD + c]);
}

/* Offer all loaded references to the reservoirs of a block. */
static void NAME(offer_all)(NAME(offer) *o, prf_work *work)
{
    NAME(reduction) r = {NAME(offer_tile), NAME(offer_exact), o, &o->refined};
    for (int64_t i = 0; i < o->count; i++)
        NAME(set_bound)(o, i);
    NAME(visit)(o->pass, o->s, o->count, 0, o->pass->ref_count, &r, work);
}

/* guess: may the block start from guessed thresholds? */
static prf_status NAME(nearest_from)(const prf_pass *pass, int64_t first, int64_t count,
                                     prf_nearest *state, int guess, prf_work *work)
{
    NAME(scratch) s;
    prf_status status = NAME(scratch_make)(&s, pass, first, count, 1);
    if (status != PRF_OK)
        return status;
    double *copy = malloc((size_t)(state->capacity + count) * sizeof *copy);
    NAME(reservoir) *reservoirs = malloc((size_t)count * sizeof *reservoirs);
    if (!copy || !reservoirs) {
        free(copy);
        free(reservoirs);
        free(s.memory);
        return PRF_NO_MEMORY;
    }
    double *guesses = copy + state->capacity;
    NAME(offer) o = {pass, state, &s, first, count, reservoirs, copy, 0};
    for (int64_t i = 0; i < count; i++)
        reservoirs[i] = NAME(reservoir_of)(state, first + i);
    int64_t row = first - state->first_query;
    int guessed = guess && !pass->exact && pass->ref_count == pass->refs.count &&
                  pass->ref_count >= SAMPLE_FROM && state->fill[row] == 0;
    if (guessed) {
        NAME(guess)(pass, &s, count, state->k, guesses);
        for (int64_t i = 0; i < count; i++)
            reservoirs[i].tau = guesses[i];
    }
    NAME(offer_all)(&o, work);
    for (int64_t i = 0; guessed && i < count; i++)
        if (!NAME(enough)(&reservoirs[i], state->k, copy)) {
            guessed = 0;
            work->redone += count;
            for (i = 0; i < count; i++)
                reservoirs[i] = NAME(reservoir_of)(state, first + i);
            NAME(offer_all)(&o, work);
        }
    for (int64_t i = 0; i < count; i++) {
        state->tau[row + i] = reservoirs[i].tau;
        state->fill[row + i] = reservoirs[i].fill;
    }
    work->refined += o.refined;
    free(copy);
    free(reservoirs);
    free(s.memory);
    return PRF_OK;
}

static prf_status NAME(nearest_block)(const prf_pass *pass, int64_t first, int64_t count,
                                      prf_nearest *state, prf_work *work)
{
    return NAME(nearest_from)(pass, first, count, state, 1, work);
}
