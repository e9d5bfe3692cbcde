/* The cascade: what the int8 filter leaves possible is looked at as float32 differences or, where the
 * rows are no float32 numbers, as D itself, while the rows are near; what that leaves undecided is D.
 *
 * The reductions are those of joint.h; both ends of an interval of D are turned into a key and its
 * width, which is within that of a dot product's (filter/bound.h).
 */

typedef struct {
    joint j;
    int8_block block;
    prf_int8_bound int8;
    differences_bound differences;
    int narrow; /* are differences of float32 rows of use? */
    int64_t candidates;
    double *norms, *wide; /* [count]; [PRF_EXACT_LANES][dim]: rows of queries that wait for D */
} cascade;

/* The largest D that query i of the block is still asked for. */
static double reach_of_query(const joint *j, int64_t i)
{
    double t = -1.0;
    if (j->lists) {
        double v = (double)j->rows[i].limit;
        t = v < FLT_MAX ? 2.0 * v / j->bound->square * (1.0 + PRF_WIDE) : INFINITY;
        t = v < 0.0 ? -1.0 : t;
    }
    for (int64_t k = 0; k < j->tasks_count; k++) {
        const double *query_t = j->tasks[k].task->query_t;
        if (query_t && query_t[j->first + i] > t)
            t = query_t[j->first + i];
    }
    return t;
}

static void arm_query(cascade *c, int64_t i)
{
    c->block.armed[i] = prf_int8_of_query(&c->int8, c->block.points + i, reach_of_query(&c->j, i));
}

/* The row of a query as float64, where it lies or in a lane of the scratch. */
static const double *wide_row(const cascade *c, int64_t query)
{
    const prf_points *queries = &c->j.pass->queries;
    int64_t i = c->j.first + query;
    if (queries->wide)
        return (const double *)queries->rows + prf_start(queries, i);
    double *row = c->wide + c->j.waiting.count * queries->dim;
    prf_row(queries, i, row);
    return row;
}

/* One pair with lo <= D <= hi, which keys of dot products would not know better. */
static inline void joint_pair(cascade *c, int64_t query, int64_t ref, double lo)
{
    joint *j = &c->j;
    float key = key_of(j->bound, lo);
    if (j->lists) {
        float limit = j->rows[query].limit;
        list_offer(j, query, ref, key);
        if (j->rows[query].limit < limit)
            arm_query(c, query);
    }
    for (int64_t t = 0; t < j->tasks_count; t++) {
        const block_task *b = &j->tasks[t];
        int64_t packed = ref - j->pass->ref_first;
        float possible = b->possible ? b->possible[query] : b->task->possible[packed];
        float certain = b->possible ? b->certain[query] : b->task->certain[packed];
        if (!(key <= possible))
            continue;
        if (!(key <= certain)) {
            prf_wait_row(&j->waiting, wide_row(c, query), query, ref, t);
            continue;
        }
        if (b->task->rows)
            b->task->rows[j->first + query]++;
        if (b->task->cols)
            b->task->cols[packed]++;
    }
}

/* Candidates by float32 differences. */
static void few_narrow(cascade *c, const int32_t *query, const int32_t *ref, int64_t count)
{
    const prf_pass *pass = c->j.pass;
    const float *x[DIFFERENCES], *y[DIFFERENCES];
    double lo[DIFFERENCES], hi[DIFFERENCES];
    for (int64_t l = 0; l < count; l += DIFFERENCES) {
        int64_t pairs = count - l < DIFFERENCES ? count - l : DIFFERENCES;
        for (int64_t p = l + DIFFERENCES; p < l + 2 * DIFFERENCES && p < count; p++)
            vf_soon(float_row(&pass->refs, pass->ref_first + ref[p]), pass->refs.dim);
        for (int64_t p = 0; p < pairs; p++) {
            x[p] = float_row(&pass->queries, c->j.first + query[l + p]);
            y[p] = float_row(&pass->refs, pass->ref_first + ref[l + p]);
        }
        difference_intervals(&c->differences, x, y, pass->refs.dim, pairs, lo, hi);
        for (int64_t p = 0; p < pairs; p++)
            joint_pair(c, query[l + p], pass->ref_first + ref[l + p], lo[p]);
    }
}

/* Candidates by D, eight beside each other. */
static void few_wide(cascade *c, const int32_t *query, const int32_t *ref, int64_t count)
{
    const prf_pass *pass = c->j.pass;
    const prf_points *queries = &pass->queries;
    int64_t dim = pass->refs.dim;
    for (int64_t l = 0; l < count; l += PRF_EXACT_LANES) {
        int64_t pairs = count - l < PRF_EXACT_LANES ? count - l : PRF_EXACT_LANES;
        const double *row[PRF_EXACT_LANES];
        int64_t rows[PRF_EXACT_LANES];
        double d2[PRF_EXACT_LANES];
        for (int64_t p = 0; p < pairs; p++) {
            int64_t i = c->j.first + query[l + p];
            rows[p] = pass->ref_first + ref[l + p];
            if (queries->wide)
                row[p] = (const double *)queries->rows + prf_start(queries, i);
            else {
                prf_row(queries, i, c->wide + p * dim);
                row[p] = c->wide + p * dim;
            }
        }
        prf_exact(row, &pass->refs, rows, pairs, d2);
        for (int64_t p = 0; p < pairs; p++)
            joint_known(&c->j, query[l + p], rows[p], d2[p]);
    }
    for (int64_t i = 0; c->j.lists && i < count; i++)
        arm_query(c, query[i]);
}

static void cascade_few(void *self, const int32_t *query, const int32_t *ref, const float *dot,
                        int64_t count)
{
    cascade *c = self;
    (void)dot;
    c->candidates += count;
    if (c->narrow)
        few_narrow(c, query, ref, count);
    else
        few_wide(c, query, ref, count);
}

/* Norms of the rows as dot products see them. */
static void norms_of(const prf_pass *pass, int64_t first, int64_t count, double *row, double *norms)
{
    for (int64_t i = 0; i < count; i++) {
        prf_row(&pass->queries, first + i, row);
        norms[i] = 0.0;
        for (int64_t c = 0; c < pass->refs.dim; c++) {
            float packed = (float)((row[c] - pass->centre[c]) * pass->scale);
            norms[i] += (double)packed * (double)packed;
        }
    }
}

/* A candidate costs as much as so many pairs of dot products. */
static double candidate_cost(const cascade *c)
{
    double dim = (double)c->j.pass->refs.dim;
    return (c->narrow ? 2.5 : 8.0) + 500.0 / dim;
}

/* Is the filter's pass, and what it leaves, dearer than dot products? */
static int int8_is_dear(const cascade *c, int64_t pairs)
{
    double saved = 1.0 - 1.15 / (I8_GAIN > 0 ? I8_GAIN : 1);
    return I8_GAIN > 0 &&
           (double)c->candidates * candidate_cost(c) > 4096.0 + saved * (double)pairs;
}

/* References [from, to) for queries [first, first + count), through dot products. */
static prf_status by_dots(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                          int64_t to, const prf_joint *what, prf_work *work)
{
    prf_status status = PRF_OK;
    for (int64_t i = 0; i < count && status == PRF_OK; i += PRF_QUERY_BLOCK) {
        int64_t size = count - i < PRF_QUERY_BLOCK ? count - i : PRF_QUERY_BLOCK;
        status = joint_dots(pass, first + i, size, from, to, what, work);
    }
    return status;
}

static prf_status joint_cascade(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                                const prf_joint *what, prf_work *work)
{
    int64_t dim = pass->refs.dim, to = pass->ref_count;
    prf_bound bound = prf_bound_of(pass);
    cascade c = {.int8 = prf_int8_bound_of(pass), .differences = differences_bound_of(dim),
                 .narrow = !pass->queries.wide && !pass->refs.wide &&
                           prf_differences_hold(bound.square)};
    double *norms = malloc((size_t)(count + PRF_EXACT_LANES * dim) * sizeof *norms);
    if (!norms)
        return PRF_NO_MEMORY;
    c.wide = norms + count;
    norms_of(pass, first, count, c.wide, norms);
    prf_status status = joint_make(&c.j, pass, &bound, norms, first, count, what);
    if (status == PRF_OK) {
        c.j.waiting.self = &c.j;
        status = int8_make(&c.block, pass, first, count);
        if (status == PRF_OK) {
            c.block.few = cascade_few;
            c.block.self = &c;
            c.block.ref_half = what->ref_half;
            c.block.ref_first = what->ref_first;
            c.block.sides = what->ref_half ? OF_REFS : 0;
            for (int64_t i = 0; i < count; i++) {
                double t = reach_of_query(&c.j, i);
                c.block.sides |= t >= 0.0 ? OF_QUERIES : 0;
                c.block.armed[i] = prf_int8_of_query(&c.int8, c.block.points + i, t);
            }
            int64_t group = int8_group(pass);
            if (!c.block.sides) /* balls without points */
                from = to;
            for (; from < to && !int8_is_dear(&c, count * from); from += group) {
                int64_t end = from + group < to ? from + group : to;
                int8_visit(&c.block, from, end);
                joint_seen(&c.j, end);
                if (c.j.lowered == pass->ref_first + end)
                    for (int64_t i = 0; i < count; i++)
                        arm_query(&c, i);
                work->int8 += count * (end - from);
            }
            work->int8 -= c.candidates;
            if (c.narrow)
                work->differences += c.candidates;
            else
                work->refined += c.candidates;
            free(c.block.memory);
        }
        joint_end(&c.j, work);
    }
    free(norms);
    return status == PRF_OK && from < to ? by_dots(pass, first, count, from, to, what, work) : status;
}

/* Any number of queries. */
static prf_status joint_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                              prf_work *work)
{
    const prf_joint *what = into;
    int64_t most = pass->ref_count < PRF_SAMPLE ? pass->ref_count : PRF_SAMPLE;
    if (!pass->int8 || pass->exact)
        return by_dots(pass, first, count, 0, what->sample ? most : pass->ref_count, what, work);
    int begins = what->lists && pass->ref_first == 0;
    if (begins || what->sample) {
        prf_status status = by_dots(pass, first, count, 0, most, what, work);
        if (status != PRF_OK || what->sample || most == pass->ref_count)
            return status;
    }
    return joint_cascade(pass, first, count, begins ? most : 0, what, work);
}
