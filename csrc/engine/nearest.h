/* The nearest references of each query. */

typedef struct {
    const prf_pass *pass;
    const prf_nearest *state;
    const scratch *s;
    int64_t first, count;
    prf_reservoir *reservoirs; /* [count] */
    double *copy;              /* [capacity]: scratch */
    int64_t refined;
} offer;

static inline void set_bound(const offer *o, int64_t query)
{
    o->s->bounds[query] =
        prf_half_lo(&o->s->bound, o->s->norms[query], o->reservoirs[query].tau);
}

/* A reference that may be among the nearest of a query goes into its reservoir. */
static void take(offer *o, int64_t query, int64_t ref, double lo, double hi)
{
    const prf_pass *pass = o->pass;
    prf_reservoir *r = &o->reservoirs[query];
    if (!(lo < r->tau) || (pass->self && pass->ref_first + ref == o->first + query))
        return;
    r->lo[r->fill] = lo;
    r->hi[r->fill] = hi;
    r->ref[r->fill++] = (int32_t)(pass->ref_first + ref);
    if (r->fill < o->state->capacity)
        return;
    o->refined += prf_make_room(r, o->state, &pass->refs, o->s->rows + query * pass->refs.dim,
                                o->copy);
    set_bound(o, query);
}

static void offer_tile(void *self, const float *dots, int64_t query, int64_t ref, int64_t to)
{
    offer *o = self;
    const prf_pass *pass = o->pass;
    (void)to; /* padding is at no distance */
    for (int64_t i = query; i < query + MR && i < o->count; i++, dots += NR) {
        unsigned possible = reach(dots, pass->half_lo + ref, o->s->bounds[i]);
        for (; possible; possible &= possible - 1) {
            int64_t at = ref + first_bit(possible);
            double lo, hi;
            prf_interval(&o->s->bound, o->s->norms[i] + pass->norms[at], dots[at - ref], &lo, &hi);
            take(o, i, at, lo, hi);
        }
    }
}

static void offer_exact(void *self, const double *d2, int64_t query, int64_t queries, int64_t ref,
                        int64_t to)
{
    for (int64_t i = 0; i < queries; i++)
        for (int64_t c = 0; c < 2 * VD && ref + c < to; c++)
            take(self, query + i, ref + c, d2[i * 2 * VD + c], d2[i * 2 * VD + c]);
}

/* Offer all loaded references to the reservoirs of a block. */
static void offer_all(offer *o, prf_work *work)
{
    reduction r = {offer_tile, offer_exact, o, &o->refined, NULL, NULL, 16};
    for (int64_t i = 0; i < o->count; i++)
        set_bound(o, i);
    visit(o->pass, o->s, o->count, 0, o->pass->ref_count, &r, work);
}

/* may_guess: may the block start from guessed thresholds? */
static prf_status nearest_from(const prf_pass *pass, int64_t first, int64_t count,
                               prf_nearest *state, int may_guess, prf_work *work)
{
    scratch s;
    prf_status status = scratch_make(&s, pass, first, count, 1);
    if (status != PRF_OK)
        return status;
    double *copy = malloc((size_t)(state->capacity + count) * sizeof *copy);
    prf_reservoir *reservoirs = malloc((size_t)count * sizeof *reservoirs);
    if (!copy || !reservoirs) {
        free(copy);
        free(reservoirs);
        free(s.memory);
        return PRF_NO_MEMORY;
    }
    double *guesses = copy + state->capacity;
    offer o = {pass, state, &s, first, count, reservoirs, copy, 0};
    for (int64_t i = 0; i < count; i++)
        reservoirs[i] = prf_reservoir_of(state, first + i);
    int64_t row = first - state->first_query;
    int guessed = may_guess && !pass->exact && pass->ref_count == pass->refs.count &&
                  pass->ref_count >= SAMPLE_FROM && state->fill[row] == 0;
    if (guessed) {
        guess(pass, &s, count, state->k, guesses);
        for (int64_t i = 0; i < count; i++)
            reservoirs[i].tau = guesses[i];
    }
    offer_all(&o, work);
    for (int64_t i = 0; guessed && i < count; i++)
        if (!prf_enough(&reservoirs[i], state->k, copy)) {
            guessed = 0;
            for (i = 0; i < count; i++)
                reservoirs[i] = prf_reservoir_of(state, first + i);
            offer_all(&o, work);
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

static prf_status nearest_block(const prf_pass *pass, int64_t first, int64_t count,
                                void *into, prf_work *work)
{
    return nearest_from(pass, first, count, into, 1, work);
}
