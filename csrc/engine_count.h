/* Counting: part of engine_body.h. */

/* A pair that the filter left undecided, for one task. */
typedef struct {
    int64_t query, ref; /* within the block, within the super-block */
    prf_count *task;
} NAME(doubt);

typedef struct {
    const prf_pass *pass;
    int64_t first;
    const double *rows;
    NAME(doubt) waiting[PRF_EXACT_LANES];
    int64_t count, refined;
} NAME(doubts);

static inline void NAME(tally)(const prf_pass *pass, int64_t first, int64_t query, int64_t ref,
                               double d2, prf_count *task)
{
    double t = task->query_t ? task->query_t[first + query] : task->ref_t[pass->ref_first + ref];
    if (task->closed ? d2 <= t : d2 < t) {
        if (task->rows)
            task->rows[first + query]++;
        if (task->cols)
            task->cols[ref]++;
    }
}

static void NAME(settle)(NAME(doubts) *doubts)
{
    const prf_pass *pass = doubts->pass;
    const double *q[PRF_EXACT_LANES];
    int64_t r[PRF_EXACT_LANES];
    double d2[PRF_EXACT_LANES];
    for (int64_t l = 0; l < doubts->count; l++) {
        q[l] = doubts->rows + doubts->waiting[l].query * pass->refs.dim;
        r[l] = pass->ref_first + doubts->waiting[l].ref;
    }
    if (doubts->count)
        prf_exact(q, &pass->refs, r, doubts->count, d2);
    for (int64_t l = 0; l < doubts->count; l++)
        NAME(tally)(pass, doubts->first, doubts->waiting[l].query, doubts->waiting[l].ref, d2[l],
                    doubts->waiting[l].task);
    doubts->refined += doubts->count;
    doubts->count = 0;
}

/* One task on one tile: count what is certain, put off what is not. */
static void NAME(count_tile)(const float *dots, int64_t query, int64_t queries, int64_t ref,
                             prf_count *task, const float *lo, const float *hi,
                             NAME(doubts) *doubts)
{
    const float *ref_lo = (task->ref_t ? task->ref_lo : doubts->pass->half_lo) + ref;
    const float *ref_hi = (task->ref_t ? task->ref_hi : doubts->pass->half_hi) + ref;
    for (int64_t i = 0; i < queries; i++) {
        const float *row = dots + i * NR;
        unsigned possible = NAME(reach)(row, ref_lo, lo[query + i]);
        if (!possible)
            continue;
        unsigned certain = NAME(reach)(row, ref_hi, hi[query + i]);
        if (task->rows)
            task->rows[doubts->first + query + i] += bit_count(certain);
        if (task->cols)
            for (unsigned left = certain; left; left &= left - 1)
                task->cols[ref + first_bit(left)]++;
        for (unsigned left = possible & ~certain; left; left &= left - 1) {
            NAME(doubt) doubt = {query + i, ref + first_bit(left), task};
            doubts->waiting[doubts->count++] = doubt;
            if (doubts->count == PRF_EXACT_LANES)
                NAME(settle)(doubts);
        }
    }
}

/* Every pair of the block with the references [from, to), without a filter. */
static void NAME(count_exact)(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                              int64_t to, prf_count *tasks, int64_t tasks_count,
                              const NAME(scratch) *s)
{
    double d2[4 * 2 * VD];
    for (int64_t ref = from; ref < to; ref += 2 * VD) {
        NAME(exact_panel)(pass, ref, s->panel);
        for (int64_t query = 0; query < count; query += 4) {
            int64_t queries = count - query < 4 ? count - query : 4;
            NAME(exact_tile)(s->rows + query * pass->refs.dim, queries, s->panel, pass->refs.dim, d2);
            for (int64_t i = 0; i < queries; i++)
                for (int64_t r = 0; r < 2 * VD && ref + r < to; r++)
                    for (int64_t t = 0; t < tasks_count; t++)
                        NAME(tally)(pass, first, query + i, ref + r, d2[i * 2 * VD + r], &tasks[t]);
        }
    }
}

static prf_status NAME(count_block)(const prf_pass *pass, int64_t first, int64_t count,
                                    prf_count *tasks, int64_t tasks_count, prf_work *work)
{
    int64_t dim = pass->refs.dim, padded = round_up(count, MR);
    prf_error error = prf_error_bound(dim);
    NAME(scratch) s;
    prf_status status = NAME(scratch_make)(&s, pass, first, count, tasks_count);
    if (status != PRF_OK)
        return status;

    /* D <= T  <=>  û·v̂ >= half(ref) + half(query), T on the side that it belongs to */
    float *lo = s.bounds, *hi = s.bounds + tasks_count * padded;
    double square = pass->scale * pass->scale, wide = 8.0 * ldexp(1.0, -24);
    for (int64_t t = 0; t < tasks_count; t++)
        for (int64_t i = 0; i < count; i++) {
            double norm = s.norms[i], spread = error.kappa * norm + error.phi;
            double bound = tasks[t].query_t ? tasks[t].query_t[first + i] * square : 0.0;
            lo[t * padded + i] = prf_float_down(0.5 * (norm - spread - bound * (1.0 + wide)));
            hi[t * padded + i] = prf_float_up(0.5 * (norm + spread - bound * (1.0 - wide)));
            if (bound < 0.0)
                lo[t * padded + i] = hi[t * padded + i] = INFINITY;
        }

    NAME(doubts) doubts = {.pass = pass, .first = first, .rows = s.rows};
    int64_t pairs = 0;
    int exact = pass->exact;
    for (int64_t from = 0; from < pass->ref_count; from += s.group) {
        int64_t to = from + s.group < pass->ref_count ? from + s.group : pass->ref_count;
        if (exact || NAME(useless)(doubts.refined, pairs)) {
            exact = 1;
            NAME(count_exact)(pass, first, count, from, to, tasks, tasks_count, &s);
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
                for (int64_t t = 0; t < tasks_count; t++)
                    NAME(count_tile)(dots, query, queries, ref, &tasks[t], lo + t * padded,
                                     hi + t * padded, &doubts);
            }
        }
        pairs += count * (to - from);
    }
    NAME(settle)(&doubts);
    work->refined += doubts.refined;
    free(s.memory);
    return PRF_OK;
}
