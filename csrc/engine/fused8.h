/* A fused pass through heads or the int8 filter.  Lists take in unrefined keys of the latter (unrefined.h),
 * counts go on with what the filter leaves of them (cascade.h); dot products where that has become too slow.
 */

/* The largest T of query i of the block. */
static double reach_of_query(const fused *j, int64_t i)
{
    double t = -1.0;
    for (int64_t k = 0; k < j->tasks_count; k++) {
        const double *query_t = j->tasks[k].task->query_t;
        if (query_t && query_t[j->first + i] > t)
            t = query_t[j->first + i];
    }
    return t;
}

static double fused_reach(const cascade *c, int64_t query)
{
    double t = reach_of_query(&c->j, query);
    double of_list = c->j.lists ? reach_of_limit(&c->bound, c->j.rows[query].limit) : -1.0;
    return t > of_list ? t : of_list;
}

/* By how much V may be above the unrefined keys of a query. */
static double cascade_width(const cascade *c, int64_t query)
{
    return unrefined_width(c->j.pass, c->block.points + query, c->roots[query], &c->j.rows[query]);
}

/* The list of a query is full. */
static void cascade_full(void *self, int64_t query)
{
    cascade *c = self;
    fused *j = &c->j;
    list *l = &j->rows[query];
    if (unrefined_cut(j->lists, j->bound, j->norms[query], l, cascade_width(c, query)))
        return;
    tighten_pairs(&c->tightening, tighten_of(&c->tightening, query, -INFINITY, INFINITY, 0), 1);
    list_cut(j->lists, j->bound, j->norms[query], l);
}

/* One pair with D not below lo, and its interval as narrow as keys have it.  Of bytes, lists have its
 * unrefined key.                                                                                 */
static void fused_near(cascade *c, int64_t query, int64_t ref, double lo)
{
    fused *j = &c->j;
    int64_t packed = ref - j->pass->ref_first;
    float key = key_of(j->bound, lo);
    if (j->lists && j->pass->head)
        list_offer(j, query, ref, key);
    for (int64_t t = 0; t < j->tasks_count; t++) {
        if (!(key <= possible_of(&j->tasks[t], query, packed)))
            continue;
        if (!count_key(j, t, query, packed, key))
            prf_wait_row(&j->waiting, wide_row(c, query, j->waiting.count), query, ref, t);
    }
}

/* May the ends of V leave a count open?  If not, the pair is counted. */
static int fused_open(cascade *c, int64_t query, int64_t packed, double lo, double hi)
{
    fused *j = &c->j;
    for (int64_t t = 0; t < j->tasks_count; t++) {
        double most = (double)possible_of(&j->tasks[t], query, packed);
        if (lo <= most && (j->tasks[t].task->halves || !(hi < most * (1.0 - 0x1p-19))))
            return 1;
    }
    for (int64_t t = 0; t < j->tasks_count; t++)
        if (lo <= (double)possible_of(&j->tasks[t], query, packed))
            count_pair(j, query, packed, t);
    return 0;
}

static void fused_known(cascade *c, int64_t query, int64_t ref, double d2)
{
    if (c->j.lists && c->j.pass->head)
        list_offer(&c->j, query, ref, key_of(&c->bound, d2));
    fused_counts(&c->j, query, ref, d2);
}

/* References [from, to) for queries [first, first + count), through dot products. */
static prf_status by_dots(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                          int64_t to, const prf_fused *what, prf_work *work)
{
    prf_status status = PRF_OK;
    for (int64_t i = 0; i < count && status == PRF_OK; i += PRF_QUERY_BLOCK) {
        int64_t size = count - i < PRF_QUERY_BLOCK ? count - i : PRF_QUERY_BLOCK;
        status = fused_dots(pass, first + i, size, from, to, what, work);
    }
    return status;
}

/* The end of a group: not beyond where limits are lowered next. */
static int64_t next_stop(const cascade *c, int64_t from, int64_t end)
{
    int64_t lower = round_up(fused_lowers(&c->j) - c->j.pass->ref_first, NR);
    return c->j.lists && from < lower && lower < end ? lower : end;
}

/* Lower limits now and then. */
static void cascade_seen(cascade *c, int64_t to)
{
    fused *j = &c->j;
    int64_t seen = j->pass->ref_first + to;
    if (j->pass->head)
        fused_seen(j, to);
    if (j->pass->head || !fused_is_to_lower(j, seen))
        return;
    for (int64_t i = 0; i < j->count; i++) {
        unrefined_lower(&j->rows[i], seen, j->lists->k, j->pass->refs.count, cascade_width(c, i));
    }
    j->lowered = seen;
}

/* Tighten what lists do not allow to stay unrefined; last: no reference comes after. */
static void cascade_settle(cascade *c, int last)
{
    fused *j = &c->j;
    const prf_lists *lists = j->pass->head ? NULL : j->lists;
    tightening *t = &c->tightening;
    int64_t waiting = 0, queries = 0;
    for (int64_t i = 0; lists && i < j->count; i++) {
        float most = INFINITY, least = -INFINITY, nearer;
        if (lists->unrefined)
            most = unrefined_reach(lists, j->bound, j->norms[i], &j->rows[i], cascade_width(c, i), &nearer);
        if (lists->unrefined == PRF_ALL_BUT_KTH_UNREFINED && last)
            least = nearer;
        waiting = tighten_of(t, i, least, most, waiting);
        queries++;
        if (waiting >= t->most || i == j->count - 1) {
            tighten_pairs(t, waiting, queries);
            waiting = queries = 0;
        }
    }
}

/* Group by group from *from on, which is then the first reference that not all have seen; how many of
 * the queries have: all, unless a group was given up in its midst, which they have seen as a whole. */
static int64_t cascade_groups(cascade *c, int64_t *from, int64_t to)
{
    const prf_pass *pass = c->j.pass;
    int64_t count = c->j.count, group = cascade_group(pass);
    while (*from < to) {
        int64_t end = next_stop(c, *from, *from + group < to ? *from + group : to);
        int begins = c->j.lists && pass->ref_first + *from < PRF_SAMPLE; /* without limits all is taken in */
        double before = spent(c);
        int64_t pairs = 0;
        for (int64_t query = 0; query < count; query += MR) {
            cascade_visit(c, query, *from, end);
            pairs += (end - *from) * (query + MR < count ? MR : count - query);
            if (query + MR < count && !begins && is_too_slow(c, before, pairs)) {
                c->pairs += pairs;
                c->abandoned = 1;
                c->end = end;
                return query + MR;
            }
        }
        if (begins)
            c->block.taken = 0;
        else
            estimate_share(c, pass->ref_first + end);
        int abandoned = !begins && is_too_slow(c, before, pairs);
        c->pairs += pairs;
        *from = end;
        cascade_seen(c, end);
        if (abandoned) {
            c->abandoned = 1;
            break;
        }
    }
    return count;
}

/* Who bears a radius in this block, and which. */
static void fused_arm(cascade *c, const prf_fused *what)
{
    int8_block *b = &c->block;
    b->ref_half = what->ref_half;
    b->sides = (what->ref_half ? OF_REFS : 0) | (what->lists ? OF_LISTS : 0);
    b->rows = c->j.rows;
    b->most = what->lists ? what->lists->capacity - NR : 0;
    b->full = cascade_full;
    for (int64_t i = 0; !c->j.pass->head && i < c->j.count; i++) {
        double t = reach_of_query(&c->j, i);
        b->sides |= t >= 0.0 ? OF_QUERIES : 0;
        b->armed[i] = prf_int8_of_query(&c->int8, b->points + i, t);
    }
}

static prf_status fused_cascade(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                                const prf_fused *what, prf_work *work)
{
    int64_t to = pass->ref_count, seen = count;
    cascade c = {.open = fused_open, .near = fused_near, .known = fused_known, .reach = fused_reach};
    prf_status status = cascade_begin(&c, pass, first, count, 0);
    if (status != PRF_OK)
        return status;
    status = fused_make(&c.j, pass, &c.bound, c.norms, first, count, what);
    if (status == PRF_OK) {
        if (what->lists && !pass->head)
            status = tightening_make(&c.tightening, &c.j, c.narrow ? &c.differences : NULL, c.wide);
        if (status == PRF_OK) {
            fused_arm(&c, what);
            if (!c.block.sides && !pass->head) /* balls without points */
                from = to;
            if (pass->ref_first + from == 0) /* the first limits, early: int8 keys are cheap */
                c.j.lowered = 2 * PRF_SAMPLE / 5;
            seen = cascade_groups(&c, &from, to);
            cascade_settle(&c, seen == count && from == to &&
                                   pass->ref_first + to == pass->refs.count);
        }
        fused_end(&c.j, work);
    }
    cascade_end(&c, work);
    if (status == PRF_OK && seen < count) { /* given up within a group */
        status = by_dots(pass, first + seen, count - seen, from, c.end, what, work);
        from = c.end;
    }
    return status == PRF_OK && from < to ? by_dots(pass, first, count, from, to, what, work) : status;
}

/* Any number of queries. */
static prf_status fused_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                              prf_work *work)
{
    const prf_fused *what = into;
    int64_t most = pass->ref_count < PRF_SAMPLE ? pass->ref_count : PRF_SAMPLE;
    if (!(pass->int8 || pass->head) || pass->exact || work->abandoned)
        return by_dots(pass, first, count, 0, pass->ref_count, what, work);
    int begins = what->lists && pass->ref_first == 0 && (pass->head || !has_sample(pass));
    if (begins) {
        prf_status status = by_dots(pass, first, count, 0, most, what, work);
        if (status != PRF_OK || most == pass->ref_count)
            return status;
    }
    return fused_cascade(pass, first, count, begins ? most : 0, what, work);
}
