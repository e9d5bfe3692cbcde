/* Counting. */

/* A pair that the filter left undecided, for one task. */
typedef struct {
    int64_t query, ref; /* within the block, within the super-block */
    prf_count *task;
} doubt;

typedef struct {
    const prf_pass *pass;
    int64_t first, count;
    const double *rows; /* of the queries */
    prf_count *tasks;
    int64_t tasks_count, padded;
    const float *lo, *hi; /* [tasks][padded]: what a query adds to the comparison */
    doubt waiting[PRF_EXACT_LANES];
    int64_t waiting_count, refined;
} counting;

static inline void tally(const prf_pass *pass, int64_t first, int64_t query, int64_t ref, double d2,
                         prf_count *task)
{
    double t = task->query_t ? task->query_t[first + query] : task->ref_t[pass->ref_first + ref];
    if (task->closed ? d2 <= t : d2 < t) {
        if (task->rows)
            task->rows[first + query]++;
        if (task->cols)
            task->cols[ref]++;
    }
}

static void settle(counting *c)
{
    const prf_pass *pass = c->pass;
    const double *q[PRF_EXACT_LANES];
    int64_t r[PRF_EXACT_LANES];
    double d2[PRF_EXACT_LANES];
    for (int64_t l = 0; l < c->waiting_count; l++) {
        q[l] = c->rows + c->waiting[l].query * pass->refs.dim;
        r[l] = pass->ref_first + c->waiting[l].ref;
    }
    if (c->waiting_count)
        prf_exact(q, &pass->refs, r, c->waiting_count, d2);
    for (int64_t l = 0; l < c->waiting_count; l++)
        tally(pass, c->first, c->waiting[l].query, c->waiting[l].ref, d2[l], c->waiting[l].task);
    c->refined += c->waiting_count;
    c->waiting_count = 0;
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
        for (unsigned left = possible & ~certain; left; left &= left - 1) {
            doubt pair = {i, ref + first_bit(left), task};
            c->waiting[c->waiting_count++] = pair;
            if (c->waiting_count == PRF_EXACT_LANES)
                settle(c);
        }
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
                tally(c->pass, c->first, query + i, ref + r, d2[i * 2 * VD + r], &c->tasks[t]);
}

static prf_status counts_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                               prf_work *work)
{
    prf_count *tasks = ((prf_counts *)into)->tasks;
    int64_t tasks_count = ((prf_counts *)into)->tasks_count;
    int64_t padded = round_up(count, MR);
    prf_error error = prf_error_bound(pass->refs.dim);
    scratch s;
    prf_status status = scratch_make(&s, pass, first, count, tasks_count);
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

    counting c = {.pass = pass, .first = first, .count = count, .rows = s.rows,
                        .tasks = tasks, .tasks_count = tasks_count, .padded = padded, .lo = lo,
                        .hi = hi};
    reduction r = {count_tile, count_exact, &c, &c.refined};
    visit(pass, &s, count, 0, pass->ref_count, &r, work);
    settle(&c);
    work->refined += c.refined;
    free(s.memory);
    return PRF_OK;
}
