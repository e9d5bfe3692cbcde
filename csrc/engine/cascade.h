/* The cascade: what the int8 filter leaves possible is looked at as float32 differences or, where the
 * rows are no float32 numbers, as D itself, while the rows are near; what that leaves undecided is D.
 *
 * The reductions are those of joint.h; both ends of an interval of D are turned into a key and its
 * width, which is within that of a dot product's (filter/bound.h).
 */

/* What is done with a pair, ref a row of all references: open, may it matter, with V in [lo, hi]; near,
 * with D not below lo, and its interval as narrow as keys have it; known, with D.                */
typedef struct cascade cascade;
struct cascade {
    int (*open)(cascade *c, int64_t query, int64_t packed, double lo, double hi);
    void (*near)(cascade *c, int64_t query, int64_t ref, double lo);
    void (*known)(cascade *c, int64_t query, int64_t ref, double d2);
    joint j;
    int8_block block;
    prf_int8_bound int8;
    prf_bound bound;
    differences_bound differences;
    int narrow; /* are differences of float32 rows of use? */
    int64_t candidates, looked_at, pairs, end;
    int dear; /* given up, maybe in the midst of a group with this end */
    int32_t *query, *ref, *sorted; /* [INT8_FEW]: pairs that the integers leave open */
    double *norms, *roots;         /* [count]: |z|², and √N of the integers' rows */
    double *wide; /* [PRF_EXACT_LANES][dim]: rows of queries that wait for D */
};

/* D of a limit of keys. */
static double reach_of_limit(const prf_bound *bound, float limit)
{
    double v = (double)limit;
    return v < 0.0 ? -1.0 : v < FLT_MAX ? 2.0 * v / bound->square * (1.0 + PRF_WIDE) : INFINITY;
}

/* The largest D that query i of the block is still asked for. */
static double reach_of_query(const joint *j, int64_t i)
{
    double t = j->lists ? reach_of_limit(j->bound, j->rows[i].limit) : -1.0;
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
static const double *wide_row(const cascade *c, int64_t query, int64_t lane)
{
    const prf_points *queries = &c->j.pass->queries;
    int64_t i = c->j.first + query;
    if (queries->wide)
        return (const double *)queries->rows + prf_start(queries, i);
    double *row = c->wide + lane * queries->dim;
    prf_row(queries, i, row);
    return row;
}

/* Offer a key to the list of its query, which reaches less far when it was cut. */
static void cascade_offer(cascade *c, int64_t query, int64_t ref, float key)
{
    joint *j = &c->j;
    if (!j->lists)
        return;
    float limit = j->rows[query].limit;
    list_offer(j, query, ref, key);
    if (j->rows[query].limit < limit)
        arm_query(c, query);
}

/* One pair with lo <= D <= hi, which keys of dot products would not know better. */
static void joint_near(cascade *c, int64_t query, int64_t ref, double lo)
{
    joint *j = &c->j;
    int64_t packed = ref - j->pass->ref_first;
    float key = key_of(j->bound, lo);
    cascade_offer(c, query, ref, key);
    for (int64_t t = 0; t < j->tasks_count; t++) {
        if (!(key <= possible_of(&j->tasks[t], query, packed)))
            continue;
        if (key <= certain_of(&j->tasks[t], query, packed))
            count_pair(j, query, packed, t);
        else
            prf_wait_row(&j->waiting, wide_row(c, query, j->waiting.count), query, ref, t);
    }
}

/* Ends of V by (B), from the integers' dot product: 2⁻¹⁹ of the norms is room for what `norm` and the
 * float32 dot product are off by, and for float64 (filter/int8.h).                               */
static inline void int8_ends(const cascade *c, int64_t query, int64_t ref, float dot, double *lo,
                             double *hi)
{
    const prf_int8_point *x = c->block.points + query, *y = c->block.pass->int8->points + ref;
    double norms = c->norms[query] + (double)y->norm * (double)y->norm;
    double product = (double)x->step * (double)y->step * (double)dot;
    double spread = (double)x->error * (double)y->norm + c->roots[query] * (double)y->error;
    double slack = 0x1p-19 * (norms + spread) + c->int8.phi;
    *lo = 0.5 * norms - product - spread - slack;
    *hi = 0.5 * norms - product + spread + slack;
}

/* May the ends of V leave something open?  If not, the pair is counted. */
static int joint_open(cascade *c, int64_t query, int64_t packed, double lo, double hi)
{
    joint *j = &c->j;
    if (j->lists && lo <= (double)j->rows[query].limit)
        return 1;
    for (int64_t t = 0; t < j->tasks_count; t++) {
        double most = (double)possible_of(&j->tasks[t], query, packed);
        if (lo <= most && !(hi < most * (1.0 - 0x1p-19)))
            return 1;
    }
    for (int64_t t = 0; t < j->tasks_count; t++)
        if (lo <= (double)possible_of(&j->tasks[t], query, packed))
            count_pair(j, query, packed, t);
    return 0;
}

static void joint_found(cascade *c, int64_t query, int64_t ref, double d2)
{
    joint_counts(&c->j, query, ref, d2);
    cascade_offer(c, query, ref, key_of(c->j.bound, d2));
}

/* Candidates of one query by float32 differences. */
static void few_of_query(cascade *c, int64_t query, const int32_t *ref, int64_t count)
{
    const prf_pass *pass = c->j.pass;
    const float *x = float_row(&pass->queries, c->j.first + query), *y[DIFFERENCES];
    double lo[DIFFERENCES], hi[DIFFERENCES];
    for (int64_t l = 0; l < count; l += DIFFERENCES) {
        int64_t pairs = count - l < DIFFERENCES ? count - l : DIFFERENCES;
        for (int64_t p = l + 2 * DIFFERENCES; p < l + 3 * DIFFERENCES && p < count; p++)
            vf_soon(float_row(&pass->refs, pass->ref_first + ref[p]), pass->refs.dim);
        for (int64_t p = 0; p < pairs; p++)
            y[p] = float_row(&pass->refs, pass->ref_first + ref[l + p]);
        difference_intervals(&c->differences, x, y, pass->refs.dim, pairs, lo, hi);
        for (int64_t p = 0; p < pairs; p++)
            c->near(c, query, pass->ref_first + ref[l + p], lo[p]);
    }
}

/* Candidates of a strip, query by query, so that a row stays in the first-level cache. */
static void few_narrow(cascade *c, int64_t count)
{
    int64_t first = c->query[0] / MR * MR, start[MR + 1] = {0}, at[MR];
    for (int64_t l = 0; l < count; l++)
        start[c->query[l] - first + 1]++;
    for (int i = 0; i < MR; i++) {
        start[i + 1] += start[i];
        at[i] = start[i];
    }
    for (int64_t l = 0; l < count; l++)
        c->sorted[at[c->query[l] - first]++] = c->ref[l];
    for (int i = 0; i < MR; i++)
        if (start[i + 1] > start[i]) /* a strip ends with queries that there are not */
            few_of_query(c, first + i, c->sorted + start[i], start[i + 1] - start[i]);
}

/* Candidates by D, eight beside each other. */
static void few_wide(cascade *c, int64_t count)
{
    const int32_t *query = c->query, *ref = c->ref;
    const prf_pass *pass = c->j.pass;
    for (int64_t l = 0; l < count; l += PRF_EXACT_LANES) {
        int64_t pairs = count - l < PRF_EXACT_LANES ? count - l : PRF_EXACT_LANES;
        const double *row[PRF_EXACT_LANES];
        int64_t rows[PRF_EXACT_LANES];
        double d2[PRF_EXACT_LANES];
        for (int64_t p = 0; p < pairs; p++) {
            rows[p] = pass->ref_first + ref[l + p];
            row[p] = wide_row(c, query[l + p], p);
        }
        prf_exact(row, &pass->refs, rows, pairs, d2);
        for (int64_t p = 0; p < pairs; p++)
            c->known(c, query[l + p], rows[p], d2[p]);
    }
}

/* What the integers leave possible: decided by the ends of V, or looked at. */
static void cascade_few(void *self, const int32_t *query, const int32_t *ref, const float *dot,
                        int64_t count)
{
    cascade *c = self;
    int64_t open = 0;
    for (int64_t l = 0; l < count; l++) {
        double lo, hi;
        int8_ends(c, query[l], ref[l], dot[l], &lo, &hi);
        c->query[open] = query[l];
        c->ref[open] = ref[l];
        open += c->open(c, query[l], ref[l], lo, hi);
    }
    c->candidates += count;
    c->looked_at += open;
    if (open && c->narrow)
        few_narrow(c, open);
    else if (open)
        few_wide(c, open);
}

/* What has been done with candidates, in pairs of dot products: on Zen 4 a candidate costs some 30 ns,
 * a look at float32 differences what 4 pairs cost and 20 ns, D itself four times that (`python -m bench
 * counting --kinds relu isotropic`, k = 5 against √n).                                            */
static double spent(const cascade *c)
{
    double dim = (double)c->j.pass->refs.dim, each = c->narrow ? 4.0 + 1000.0 / dim : 15.0 + 5000.0 / dim;
    return (double)c->candidates * (1500.0 / dim) + (double)c->looked_at * each;
}

/* By how much limits of lists are to fall yet, on average over the pass: from that of what they were
 * lowered by last to what a sixth of all references will give.                                   */
static double yet_to_fall(const joint *j)
{
    int64_t n = j->pass->refs.count, k = j->lists ? j->lists->k : 0;
    if (!j->lists || n <= 6 * j->lowered)
        return 1.0;
    double now = (double)rank_among(j->lowered, k, n) / (double)j->lowered;
    return now / ((double)rank_among(n / 6, k, n) / (double)(n / 6));
}

/* Is what the filter has left of so many pairs, and its own pass, dearer than dot products? */
static int int8_is_dear(const cascade *c, double before, int64_t pairs)
{
    double saved = 1.0 - 1.15 / (I8_GAIN > 1 ? I8_GAIN : 1); /* its pass is .26 to .29 with VNNI */
    return !c->j.pass->int8->forced &&
           spent(c) - before > 1024.0 + yet_to_fall(&c->j) * saved * (double)pairs;
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

/* The end of a group: not beyond where limits are lowered next. */
static int64_t next_stop(const cascade *c, int64_t from, int64_t end)
{
    int64_t lower = round_up(joint_lowers(&c->j) - c->j.pass->ref_first, NR);
    return c->j.lists && from < lower && lower < end ? lower : end;
}

/* Group by group from *from on, which is then the first reference that not all have seen; how many of
 * the queries have: all, unless a group was given up in its midst, which they have seen as a whole. */
static int64_t cascade_groups(cascade *c, int64_t *from, int64_t to)
{
    const prf_pass *pass = c->j.pass;
    int64_t count = c->j.count, group = int8_group(pass);
    while (*from < to) {
        int64_t end = next_stop(c, *from, *from + group < to ? *from + group : to);
        double before = spent(c);
        int64_t pairs = 0;
        for (int64_t query = 0; query < count; query += MR) {
            int8_visit(&c->block, query, *from, end);
            pairs += (end - *from) * (query + MR < count ? MR : count - query);
            if (query + MR < count && int8_is_dear(c, before, pairs)) {
                c->pairs += pairs;
                c->dear = 1;
                c->end = end;
                return query + MR;
            }
        }
        int dear = int8_is_dear(c, before, pairs);
        c->pairs += pairs;
        *from = end;
        joint_seen(&c->j, end);
        if (c->j.lowered == pass->ref_first + end)
            for (int64_t i = 0; i < count; i++)
                arm_query(c, i);
        if (dear) {
            c->dear = 1;
            break;
        }
    }
    return count;
}

/* The scratch of a cascade, but for its joint; c->block is made. */
static prf_status cascade_make(cascade *c, const prf_pass *pass)
{
    int64_t dim = pass->refs.dim, count = c->block.count;
    double *memory = malloc((size_t)(2 * count + PRF_EXACT_LANES * dim) * sizeof *memory +
                            3 * INT8_FEW * sizeof(int32_t));
    if (!memory)
        return PRF_NO_MEMORY;
    c->int8 = prf_int8_bound_of(pass);
    c->bound = prf_bound_of(pass);
    c->differences = differences_bound_of(dim);
    c->narrow = !pass->queries.wide && !pass->refs.wide && prf_differences_hold(c->bound.square);
    c->norms = memory;
    c->roots = c->norms + count;
    c->wide = c->roots + count;
    c->query = (int32_t *)(void *)(c->wide + PRF_EXACT_LANES * dim);
    c->ref = c->query + INT8_FEW;
    c->sorted = c->ref + INT8_FEW;
    for (int64_t i = 0; i < count; i++) {
        const prf_int8_point *x = c->block.points + i;
        c->norms[i] = (double)x->norm * (double)x->norm; /* not below what dot products see */
        c->roots[i] = (double)x->step * sqrt((double)x->squares);
    }
    c->block.few = cascade_few;
    c->block.self = c;
    return PRF_OK;
}

static void cascade_end(cascade *c, prf_work *work)
{
    work->int8 += c->pairs - c->looked_at;
    work->dear += c->dear;
    if (c->narrow)
        work->differences += c->looked_at;
    else
        work->refined += c->looked_at;
    free(c->norms);
    free(c->block.memory);
}

static prf_status joint_cascade(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                                const prf_joint *what, prf_work *work)
{
    int64_t to = pass->ref_count, seen = count;
    cascade c = {.open = joint_open, .near = joint_near, .known = joint_found};
    prf_status status = int8_make(&c.block, pass, first, count);
    if (status != PRF_OK)
        return status;
    status = cascade_make(&c, pass);
    if (status != PRF_OK) {
        free(c.block.memory);
        return status;
    }
    status = joint_make(&c.j, pass, &c.bound, c.norms, first, count, what);
    if (status == PRF_OK) {
        c.block.ref_half = what->ref_half;
        c.block.ref_first = what->ref_first;
        c.block.sides = what->ref_half ? OF_REFS : 0;
        for (int64_t i = 0; i < count; i++) {
            double t = reach_of_query(&c.j, i);
            c.block.sides |= t >= 0.0 ? OF_QUERIES : 0;
            c.block.armed[i] = prf_int8_of_query(&c.int8, c.block.points + i, t);
        }
        if (!c.block.sides) /* balls without points */
            from = to;
        seen = cascade_groups(&c, &from, to);
        joint_end(&c.j, work);
    }
    cascade_end(&c, work);
    if (status == PRF_OK && seen < count) { /* given up within a group */
        status = by_dots(pass, first + seen, count - seen, from, c.end, what, work);
        from = c.end;
    }
    return status == PRF_OK && from < to ? by_dots(pass, first, count, from, to, what, work) : status;
}

/* Any number of queries. */
static prf_status joint_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                              prf_work *work)
{
    const prf_joint *what = into;
    int64_t most = pass->ref_count < PRF_SAMPLE ? pass->ref_count : PRF_SAMPLE;
    if (!pass->int8 || pass->exact || work->dear)
        return by_dots(pass, first, count, 0, what->sample ? most : pass->ref_count, what, work);
    int begins = what->lists && pass->ref_first == 0;
    if (begins || what->sample) {
        prf_status status = by_dots(pass, first, count, 0, most, what, work);
        if (status != PRF_OK || what->sample || most == pass->ref_count)
            return status;
    }
    return joint_cascade(pass, first, count, begins ? most : 0, what, work);
}
