/* Counting: how many pairs are in each ball. */

typedef struct {
    const prf_pass *pass;
    int64_t first, count;
    prf_count *tasks;
    int64_t tasks_count, padded;
    const float *lo, *hi; /* [tasks][padded]: what a query adds to the comparison */
    prf_waiting waiting;  /* pairs that the filter left undecided */
} counting;

/* query: within the block; ref: a row of all references. */
static inline void tally(const counting *c, int64_t query, int64_t ref, int64_t t, double d2)
{
    const prf_count *task = &c->tasks[t];
    double threshold = task->query_t ? task->query_t[c->first + query] : task->ref_t[ref];
    if (prf_inside(d2, threshold, task->closed)) {
        if (task->rows)
            task->rows[c->first + query]++;
        if (task->cols)
            task->cols[ref - c->pass->ref_first]++;
    }
}

static void tally_waiting(void *self, const prf_waiting *w, const double *d2)
{
    for (int64_t l = 0; l < w->count; l++)
        tally(self, w->query[l], w->ref[l], w->tag[l], d2[l]);
}

/* One task on one tile: count what is certain, put off what is not. */
static void count_task(counting *c, int64_t t, const float *dots, int64_t query, int64_t ref)
{
    prf_count *task = &c->tasks[t];
    const float *lo = c->lo + t * c->padded, *hi = c->hi + t * c->padded;
    const float *ref_lo = (task->ref_t ? task->ref_lo : c->pass->half_lo) + ref;
    const float *ref_hi = (task->ref_t ? task->ref_hi : c->pass->half_hi) + ref;
    for (int64_t i = query; i < query + MR && i < c->count; i++, dots += NR) {
        unsigned possible = reach(dots, ref_lo, lo[i]);
        if (!possible)
            continue;
        unsigned certain = reach(dots, ref_hi, hi[i]);
        if (task->rows)
            task->rows[c->first + i] += bit_count(certain);
        if (task->cols)
            for (unsigned left = certain; left; left &= left - 1)
                task->cols[ref + first_bit(left)]++;
        for (unsigned left = possible & ~certain; left; left &= left - 1)
            prf_wait(&c->waiting, i, c->pass->ref_first + ref + first_bit(left), t);
    }
}

static void count_tile(void *self, const float *dots, int64_t query, int64_t ref, int64_t to)
{
    counting *c = self;
    (void)to; /* padding reaches no ball */
    for (int64_t t = 0; t < c->tasks_count; t++)
        count_task(c, t, dots, query, ref);
}

static void count_exact(void *self, const double *d2, int64_t query, int64_t queries, int64_t ref,
                        int64_t to)
{
    const counting *c = self;
    for (int64_t i = 0; i < queries; i++)
        for (int64_t r = 0; r < 2 * VD && ref + r < to; r++)
            for (int64_t t = 0; t < c->tasks_count; t++)
                tally(c, query + i, c->pass->ref_first + ref + r, t, d2[i * 2 * VD + r]);
}

static prf_status counts_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                               prf_work *work)
{
    const prf_counts *counts = into;
    int64_t padded = round_up(count, MR), tasks_count = counts->tasks_count;
    scratch s;
    prf_status status = scratch_make(&s, pass, first, count, tasks_count);
    if (status != PRF_OK)
        return status;

    float *lo = s.bounds, *hi = s.bounds + tasks_count * padded;
    for (int64_t t = 0; t < tasks_count; t++)
        for (int64_t i = 0; i < count; i++) {
            const double *query_t = counts->tasks[t].query_t;
            double threshold = query_t ? query_t[first + i] : 0.0;
            lo[t * padded + i] = prf_half_lo(&s.bound, s.norms[i], threshold);
            hi[t * padded + i] = prf_half_hi(&s.bound, s.norms[i], threshold);
        }

    counting c = {
        .pass = pass, .first = first, .count = count, .tasks = counts->tasks,
        .tasks_count = tasks_count, .padded = padded, .lo = lo, .hi = hi,
        .waiting = {.refs = &pass->refs, .rows = s.rows, .settle = tally_waiting, .self = &c},
    };
    reduction r = {count_tile, count_exact, &c, &c.waiting.refined};
    visit(pass, &s, count, 0, pass->ref_count, &r, work);
    prf_settle(&c.waiting);
    work->refined += c.waiting.refined;
    free(s.memory);
    return PRF_OK;
}
