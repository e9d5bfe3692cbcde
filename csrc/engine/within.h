/* The nearest other points of each point of a set, every pair once.
 *
 * All points are packed, so a tile of dot products belongs to MR points by their strips and to NR by
 * their panel; each pair is offered to the reservoirs of both its ends.  reach[i] is what point i
 * adds to half of another's norm (nearest.h): a dot product below reach + half_lo of both
 * orders is of no use to either.
 */

/* Strips of the points [first, first + count), copied from their panels. */
static prf_status scratch_within(scratch *s, const prf_pass *pass, int64_t first, int64_t count)
{
    int64_t dim = pass->refs.dim, padded = round_up(count, MR);
    scratch_cut(s, pass);
    size_t floats = (size_t)(padded * dim + (s->slices > 1 ? padded * s->group : MR * NR));
    s->memory = calloc(floats, sizeof(float));
    if (!s->memory)
        return PRF_NO_MEMORY;
    s->strips = s->memory;
    s->dots = s->strips + padded * dim;
    s->norms = pass->norms + first;
    for (int64_t i = 0; i < count; i++) {
        const float *packed = pass->panels + (first + i) / NR * NR * dim + (first + i) % NR;
        float *column = s->strips + i / MR * MR * dim + i % MR;
        for (int64_t j = 0; j < dim; j++)
            column[j * MR] = packed[j * NR];
    }
    return PRF_OK;
}

static inline void set_reach(const prf_pass *pass, const prf_bound *bound, const prf_nearest *state,
                             int64_t i)
{
    state->reach[i] = prf_half_lo(bound, pass->norms[i], state->tau[i]);
}

static prf_status within_start(const prf_pass *pass, int64_t first, int64_t count, void *into,
                               prf_work *work)
{
    prf_nearest *state = into;
    (void)work;
    if (pass->ref_count >= SAMPLE_FROM) {
        scratch s;
        prf_status status = scratch_within(&s, pass, first, count);
        if (status != PRF_OK)
            return status;
        guess(pass, &s, count, state->k, state->tau + first);
        free(s.memory);
    }
    prf_bound bound = prf_bound_of(pass);
    for (int64_t i = first; i < first + count; i++)
        set_reach(pass, &bound, state, i);
    return PRF_OK;
}

typedef struct {
    const prf_pass *pass;
    prf_nearest *state;
    const scratch *s;
    int64_t first, count;
    double *row, *copy; /* [dim], [capacity]: scratch */
    int64_t refined;
} meeting;

/* Offer point `other` to point i. */
static void meet(meeting *m, int64_t i, int64_t other, double lo, double hi)
{
    prf_nearest *state = m->state;
    if (!(lo < state->tau[i]))
        return;
    prf_reservoir r = prf_reservoir_of(state, i);
    r.lo[r.fill] = lo;
    r.hi[r.fill] = hi;
    r.ref[r.fill++] = (int32_t)other;
    if (r.fill == state->capacity) {
        prf_row(&m->pass->refs, i, m->row);
        m->refined += prf_make_room(&r, state, &m->pass->refs, m->row, m->copy);
        state->tau[i] = r.tau;
        set_reach(m->pass, &m->s->bound, state, i);
    }
    state->fill[i] = r.fill;
}

/* Which of the NR references of a row reach half_lo[r] + reach or, the other way, reach[r] + half_lo? */
static inline unsigned reach_either(const float *row, const float *ref_lo, float reach_here,
                                    const float *ref_reach, float lo)
{
    vf there = vf_set1(reach_here), back = vf_set1(lo);
    unsigned left = vf_ge(vf_load(row), vf_min(vf_add(vf_load(ref_lo), there),
                                               vf_add(vf_load(ref_reach), back)));
    unsigned right = vf_ge(vf_load(row + VF), vf_min(vf_add(vf_load(ref_lo + VF), there),
                                                     vf_add(vf_load(ref_reach + VF), back)));
    return left | right << VF;
}

/* One bit for each of the NR references from ref on that come after point i. */
static inline unsigned after(int64_t i, int64_t ref)
{
    return i < ref ? ~0u : i + 1 - ref < NR ? ~0u << (i + 1 - ref) : 0u;
}

static void meet_tile(void *self, const float *dots, int64_t query, int64_t ref, int64_t to)
{
    meeting *m = self;
    const prf_pass *pass = m->pass;
    prf_nearest *state = m->state;
    int64_t end = query + MR < m->count ? query + MR : m->count;
    (void)to; /* padding is at no distance */
    for (int64_t i = m->first + query; i < m->first + end; i++, dots += NR) {
        unsigned possible = reach_either(dots, pass->half_lo + ref, state->reach[i],
                                         state->reach + ref, pass->half_lo[i]);
        if (!possible)
            continue;
        for (possible &= after(i, ref); possible; possible &= possible - 1) {
            int64_t at = ref + first_bit(possible);
            double lo, hi;
            prf_interval(&m->s->bound, pass->norms[i] + pass->norms[at], dots[at - ref], &lo, &hi);
            meet(m, i, at, lo, hi);
            meet(m, at, i, lo, hi);
        }
    }
}

static prf_status within_block(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                               int64_t to, prf_nearest *state, prf_work *work)
{
    int64_t dim = pass->refs.dim;
    scratch s;
    prf_status status = scratch_within(&s, pass, first, count);
    if (status != PRF_OK)
        return status;
    double *row = malloc((size_t)(dim + state->capacity) * sizeof *row);
    if (!row) {
        free(s.memory);
        return PRF_NO_MEMORY;
    }
    meeting m = {pass, state, &s, first, count, row, row + dim, 0};
    reduction r = {meet_tile, NULL, &m, &m.refined};
    status = visit(pass, &s, count, from, to, &r, work);
    work->refined += m.refined;
    free(row);
    free(s.memory);
    return status;
}

/* A row of parts, block by block; it ends where the filter is given up. */
static prf_status within_pairs(const prf_pass *pass, int64_t first, int64_t count, void *into,
                               prf_work *work)
{
    const prf_pairs *pairs = into;
    prf_status status = PRF_OK;
    for (int64_t row = first; row < first + count; row++) {
        const int64_t *part = pairs->parts + 4 * row;
        for (int64_t i = part[0]; i < part[1] && status == PRF_OK; i += PRF_QUERY_BLOCK) {
            int64_t end = i + PRF_QUERY_BLOCK < part[1] ? i + PRF_QUERY_BLOCK : part[1];
            status = within_block(pass, i, end - i, i > part[2] ? i : part[2], part[3],
                                  pairs->state, work);
        }
    }
    return status;
}

/* Where the guess of a point kept too much out, its block is done again by itself. */
static prf_status within_end(const prf_pass *pass, int64_t first, int64_t count, void *into,
                             prf_work *work)
{
    prf_nearest *state = into;
    double *copy = malloc((size_t)state->capacity * sizeof *copy);
    if (!copy)
        return PRF_NO_MEMORY;
    int all = 1;
    for (int64_t i = first; i < first + count && all; i++) {
        prf_reservoir r = prf_reservoir_of(state, i);
        all = prf_enough(&r, state->k, copy);
    }
    free(copy);
    if (all)
        return PRF_OK;
    for (int64_t i = first; i < first + count; i++) {
        state->fill[i] = 0;
        state->tau[i] = INFINITY;
    }
    work->redone += count;
    return nearest_from(pass, first, count, state, 0, work);
}
