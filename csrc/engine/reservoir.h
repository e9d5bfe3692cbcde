/* What is kept of the references of a query.
 *
 * A reservoir a query keeps intervals lo <= D <= hi of the references that may be among the k
 * nearest.  tau, the k-th smallest hi so far, bounds the k-th distance: what lies above is dropped.
 * A full reservoir is cut to what tau allows; if that is still too much, the intervals overlap
 * (ties, or a filter that cannot see): their D are computed and exactly k of them stay.
 */

typedef struct {
    double *lo, *hi, tau;
    int32_t *ref, fill;
} reservoir;

static reservoir reservoir_of(const prf_nearest *state, int64_t query)
{
    int64_t row = query - state->first_query;
    reservoir r = {state->lo + row * state->capacity, state->hi + row * state->capacity,
                   state->tau[row], state->ref + row * state->capacity, state->fill[row]};
    return r;
}

/* Keep what is below tau and, of what reaches it, as much as completes k.  tau never rises. */
static void cut(reservoir *r, int64_t k, double *copy)
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
static int64_t refine(reservoir *r, const prf_points *refs, const double *row)
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

static int64_t make_room(reservoir *r, const prf_nearest *state, const prf_points *refs,
                         const double *row, double *copy)
{
    int64_t refined = 0;
    cut(r, state->k, copy);
    if (r->fill > state->capacity - (state->capacity - state->k) / 4) {
        refined = refine(r, refs, row);
        cut(r, state->k, copy);
    }
    return refined;
}

/* Are there k references at or below tau? */
static int enough(const reservoir *r, int64_t k, double *copy)
{
    if (r->fill < k)
        return 0;
    memcpy(copy, r->hi, (size_t)r->fill * sizeof *copy);
    return prf_select(copy, r->fill, k) <= r->tau;
}
