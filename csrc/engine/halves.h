/* Counts of halves: a pair is counted in those halvings in which both points are in the same half and it is
 * within the ball that the center has there, for all halvings at once, a bit each.
 */

/* The halvings in which both are in the same half; ref: a row of all references. */
static inline unsigned same_halves(const prf_halves *h, int64_t query, int64_t ref)
{
    return ~((unsigned)h->query_side[query] ^ h->ref_side[ref]) & ((1u << PRF_HALVINGS) - 1);
}

/* The halvings whose threshold is not below a key. */
static inline unsigned halves_above(const float *thresholds, float key)
{
    vf one = vf_set1(key);
    unsigned above = 0;
    for (int h = 0; h < PRF_HALVINGS; h += VF)
        above |= vf_ge(vf_load(thresholds + h), one) << h;
    return above;
}

static inline void add_bits(int32_t *counts, unsigned bits)
{
    for (int h = 0; h < PRF_HALVINGS; h++)
        counts[h] += (int32_t)(bits >> h & 1);
}

static inline void halves_add(const prf_halves *h, int64_t query, int64_t packed, unsigned bits)
{
    if (h->rows)
        add_bits(h->rows + query * PRF_HALVINGS, bits);
    if (h->cols)
        add_bits(h->cols + packed * PRF_HALVINGS, bits);
}

/* A pair with this D. */
static void halves_tally(const prf_count *task, int64_t query, int64_t ref, int64_t packed, double d2)
{
    const prf_halves *h = task->halves;
    const double *t = h->t + (task->query_t ? query : ref) * PRF_HALVINGS;
    unsigned inside = 0;
    for (int i = 0; i < PRF_HALVINGS; i++)
        inside |= (unsigned)prf_inside(d2, t[i], task->closed) << i;
    halves_add(h, query, packed, inside & same_halves(h, query, ref));
}
