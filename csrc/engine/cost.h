/* When bytes or heads are given up: what they leave, and their own pass, may cost more than they save.
 *
 * All costs are in pairs of dot products.  They were measured on Zen 4: evaluations and candidates by
 * `python -m bench counting --kinds relu isotropic`, k = 5 against √n; unrefined keys by
 * `python -m bench nearest`, the same.
 *
 *     an evaluation      float32 differences: 4 pairs and 20 ns; D: 15 pairs and 100 ns
 *     a candidate        30 ns, for bytes only, evaluated or not
 *     an unrefined key   8 ns, to be taken in
 *     one tightened      an evaluation, and 4 pairs more where float32 rows come from farther away
 *
 * 1000 / d pairs last about 20 ns.  The filter is given up where its pass, at I8_GAIN times the rate of
 * dot products, and the keys that will be tightened leave nothing of what is saved; or where candidates,
 * evaluations and unrefined keys so far have cost more than that.
 */

static double cost_of_evaluation(const cascade *c)
{
    double dim = (double)c->j.pass->refs.dim;
    return c->narrow ? 4.0 + 1000.0 / dim : 15.0 + 5000.0 / dim;
}

static double cost_of_tightening(const cascade *c)
{
    return cost_of_evaluation(c) + (c->narrow ? 4.0 : 0.0);
}

/* What has been done so far; tightening is not in it. */
static double spent(const cascade *c)
{
    double dim = (double)c->j.pass->refs.dim;
    return (double)c->candidates * (1500.0 / dim) + (double)c->evaluated * cost_of_evaluation(c) +
           (double)c->block.taken * (400.0 / dim);
}

/* Keys of a list that would be tightened, were it over with the k-th of this rank. */
static int64_t to_be_tightened(const cascade *c, int64_t query, int64_t rank)
{
    const fused *j = &c->j;
    const list *l = &j->rows[query];
    if (!j->lists->unrefined || rank > l->fill)
        return l->fill;
    float t = list_kth(l, rank, about(rank));
    float width = (float)unrefined_width(j->pass, c->block.points + query, c->roots[query], l);
    int64_t nearer = j->lists->unrefined == PRF_ALL_BUT_KTH_UNREFINED ? keys_to(l->key, l->fill, t - width) : 0;
    return keys_to(l->key, l->fill, t + width) - nearer;
}

/* Which share of all pairs will be tightened, as some of the lists show when so many of n references
 * have been seen: the k-th has the rank which k of n has among these.  The nearest of few is farther than
 * the k-th will be; what is within its width falls by about the root of what the rank is too large by. */
static void estimate_share(cascade *c, int64_t seen)
{
    enum { LISTS_SAMPLED = 16 };
    const fused *j = &c->j;
    int64_t keys = 0, sampled = 0;
    if (!j->lists || j->pass->head || 4 * seen < 5 * c->share_after)
        return;
    double expected = (double)j->lists->k * (double)seen / (double)j->pass->refs.count;
    int64_t rank = (int64_t)expected + 1;
    for (int64_t i = 0; i < j->count; i += j->count / LISTS_SAMPLED + 1) {
        keys += to_be_tightened(c, i, rank);
        sampled++;
    }
    c->share = (double)keys / ((double)sampled * (double)seen) * sqrt(expected / (double)rank);
    c->share_after = seen;
}

/* By how much limits of lists are to fall yet, on average over the pass: from that of what they were
 * lowered by last to what a sixth of all references will give.                                   */
static double yet_to_fall(const fused *j)
{
    int64_t n = j->pass->refs.count, k = j->lists ? j->lists->k : 0;
    if (!j->lists || n <= 6 * j->lowered)
        return 1.0;
    double now = (double)rank_among(j->lowered, k, n) / (double)j->lowered;
    return now / ((double)rank_among(n / 6, k, n) / (double)(n / 6));
}

/* What a pass of the filter itself saves of one of dot products; with VNNI int8 is .26 to .29 of it. */
static double saved_of(const prf_pass *pass)
{
    enum { BESIDE = 32 }; /* products that take as long as what a pair costs beside its products */
    if (pass->head)
        return 1.0 - (double)(pass->head->refs.dim + BESIDE) / (double)(pass->refs.dim + BESIDE);
    return 1.0 - 1.15 / (I8_GAIN > 1 ? I8_GAIN : 1);
}

/* Is the filter slower than dot products, after so many pairs since `before`? */
static int is_too_slow(const cascade *c, double before, int64_t pairs)
{
    const prf_pass *pass = c->j.pass;
    double left = saved_of(pass) - c->share * cost_of_tightening(c);
    return !(pass->head ? pass->forced : pass->int8->forced) &&
           (left < 0.0 || spent(c) - before > 1024.0 + yet_to_fall(&c->j) * left * (double)pairs);
}
