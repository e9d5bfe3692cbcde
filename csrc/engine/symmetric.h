/* Lists within a set, every pair once.
 *
 * All points are packed, so a tile of dot products belongs to MR points by their strips and to NR by
 * their panel; a key is the same for both ends of its pair, and is offered to the lists of both.
 *
 * First by dot products, then the same by heads or the int8 filter.  Points are in a fixed scattered order, where
 * any number of them is a sample of the set; with heads, near points follow each other (heads.py).
 */

typedef struct {
    const prf_pass *pass;
    prf_lists *lists;
    const scratch *s;
    int64_t first, count, taken; /* keys of the last tile that went to the other ends */
} meeting;

/* Take the keys of a row that have a bit into the list of point i. */
static inline void meet_row(const meeting *m, int64_t i, int64_t ref, vf left, vf right,
                            unsigned of_left, unsigned of_right)
{
    prf_lists *lists = m->lists;
    int64_t at = i * lists->capacity + lists->fill[i], fill = lists->fill[i];
    int taken = vf_take(lists->key + at, lists->ref + at, left, (int32_t)ref, of_left);
    at += taken;
    taken += vf_take(lists->key + at, lists->ref + at, right, (int32_t)ref + VF, of_right);
    fill += taken;
    lists->fill[i] = (int32_t)fill;
    if (list_is_full(lists, fill))
        list_cut_in_place(lists, &m->s->bound, m->pass->norms[i], i);
}

/* Take one key into the list of point `ref`. */
static inline void meet_back(const meeting *m, int64_t ref, int64_t i, float key)
{
    prf_lists *lists = m->lists;
    int64_t at = ref * lists->capacity + lists->fill[ref];
    lists->key[at] = key;
    lists->ref[at] = (int32_t)i;
    if (list_is_full(lists, ++lists->fill[ref]))
        list_cut_in_place(lists, &m->s->bound, m->pass->norms[ref], ref);
}

/* Points [i, end) of which few take a key of their row.  How many keys went to its other ends. */
static int64_t meet_few(const meeting *m, const float *key, int64_t i, int64_t end, int64_t ref)
{
    const float *limits = m->lists->limit + ref;
    int64_t taken = 0;
    for (; i < end; i++, key += NR) {
        vf left = vf_load(key), right = vf_load(key + VF), limit = vf_set1(m->lists->limit[i]);
        unsigned any = vf_ge(vf_max(limit, vf_load(limits)), left);
        any |= vf_ge(vf_max(limit, vf_load(limits + VF)), right) << VF;
        any &= after(i, ref);
        if (!any)
            continue;
        unsigned of_left = vf_ge(limit, left), of_right = vf_ge(limit, right);
        unsigned back = vf_ge(vf_load(limits), left) | vf_ge(vf_load(limits + VF), right) << VF;
        of_left &= any;
        of_right &= any >> VF;
        if (of_left | of_right) /* not where the list was given up: its limit lets nothing in */
            meet_row(m, i, ref, left, right, of_left, of_right);
        back &= any;
        taken += bit_count(back);
        for (; back; back &= back - 1)
            meet_back(m, ref + first_bit(back), i, key[first_bit(back)]);
    }
    return taken;
}

/* The same where it cannot be told beforehand: without a branch on it, and what goes to the other ends
 * is collected first.                                                                            */
static int64_t meet_many(const meeting *m, const float *key, int64_t i, int64_t end, int64_t ref)
{
    const float *limits = m->lists->limit + ref;
    int64_t first = i, collected = 0;
    float back[MR * NR + 2 * NR];
    int32_t place[MR * NR + 2 * NR]; /* row × NR + column */
    for (int32_t row = 0; i < end; i++, key += NR, row += NR) {
        vf left = vf_load(key), right = vf_load(key + VF), limit = vf_set1(m->lists->limit[i]);
        unsigned later = after(i, ref), of_left = later & ((1u << VF) - 1), of_right = later >> VF;
        collected += vf_take(back + collected, place + collected, left, row,
                             vf_ge(vf_load(limits), left) & of_left);
        collected += vf_take(back + collected, place + collected, right, row + VF,
                             vf_ge(vf_load(limits + VF), right) & of_right);
        if (m->lists->fill[i] >= 0) /* else the list was given up */
            meet_row(m, i, ref, left, right, vf_ge(limit, left) & of_left,
                     vf_ge(limit, right) & of_right);
    }
    for (int64_t c = 0; c < collected; c++)
        if (back[c] <= limits[place[c] % NR]) /* it may have been cut, or given up, just before */
            meet_back(m, ref + place[c] % NR, first + place[c] / NR, back[c]);
    return collected;
}

static void meet_tile(void *self, const float *key, int64_t query, int64_t ref, int64_t to)
{
    meeting *m = self;
    int64_t end = query + MR < m->count ? query + MR : m->count;
    (void)to; /* padding has the key +inf */
    int64_t i = m->first + query;
    m->taken = 2 * m->taken > MR ? meet_many(m, key, i, m->first + end, ref)
                                 : meet_few(m, key, i, m->first + end, ref);
}

static prf_status symmetric_block(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                                 int64_t to, prf_lists *lists, prf_work *work)
{
    scratch s;
    prf_status status = scratch_within(&s, pass, first, count);
    if (status != PRF_OK)
        return status;
    int64_t refined = 0; /* nothing is: what keys do not tell is seen at the end */
    meeting m = {pass, lists, &s, first, count, 0};
    reduction r = {meet_tile, NULL, &m, &refined, NULL, s.bounds, 16};
    visit(pass, &s, count, from, to, &r, work);
    free(s.memory);
    return PRF_OK;
}

/* At most PRF_SAMPLE points with each other, before all others.  Lists that have no limits get first ones from
 * these keys: a block is a sample of the set, as the first points are (lists.h), or near.          */
static prf_status symmetric_begin(const prf_pass *pass, int64_t first, int64_t count,
                                  const prf_symmetric *within, prf_work *work)
{
    scratch s;
    prf_lists *lists = within->lists;
    prf_status status = scratch_within(&s, pass, first, count);
    if (status != PRF_OK)
        return status;
    int64_t end = first + count, panels = (count + NR - 1) / NR;
    float *made = key_tiles(&s, pass, s.bounds, count, first, end), *tile = made;
    for (int64_t i = 0; made && i < count; i++) {
        float key[PRF_SAMPLE];
        if (!(lists->limit[first + i] > FLT_MAX))
            continue;
        key_row(made, panels, i, key);
        key[i] = INFINITY; /* its own */
        float limit = first_limit(key, panels * NR, count - 1, lists->k, pass->refs.count, within->is_fair);
        if (!within->is_fair && limit < FLT_MAX) /* the k-th that have been seen, and no guess */
            limit = prf_key_beyond(&s.bound, pass->norms[first + i], limit);
        lists->limit[first + i] = limit < FLT_MAX ? limit : FLT_MAX; /* padding has the key +inf */
    }
    meeting m = {pass, lists, &s, first, count, 0};
    for (int64_t query = 0; made && query < count; query += MR)
        for (int64_t ref = first; ref < end; ref += NR, tile += MR * NR)
            meet_tile(&m, tile, query, ref, end);
    work->float32 += count * count;
    free(made);
    free(s.memory);
    return made ? PRF_OK : PRF_NO_MEMORY;
}

/* ---- with heads or the int8 filter ---- */

typedef struct {
    cascade c; /* the first member: a cascade is given back as what it is in */
    const prf_symmetric *within;
    int64_t first;
} meeting8;

/* Arm point i as a reference with its limit; the D that it reaches. */
static double arm_ref(const prf_pass *pass, const prf_bound *bound, const prf_int8_bound *int8,
                      const prf_symmetric *within, int64_t i)
{
    double t = reach_of_limit(bound, within->lists->limit[i]);
    if (pass->head) {
        prf_bound head = prf_bound_of(pass->head);
        within->ref_half[i] = prf_head_possible(&head, t);
    } else
        within->ref_half[i] = prf_int8_of_ref(int8, pass->int8->points + i, t).half;
    return t;
}

/* The same, and as a query where it is one of the block. */
static void arm_point(cascade *c, const prf_symmetric *within, int64_t i)
{
    double t = arm_ref(c->block.pass, &c->bound, &c->int8, within, i);
    if (!c->block.pass->head && c->j.first <= i && i < c->j.first + c->block.count)
        c->block.armed[i - c->j.first] =
            prf_int8_of_query(&c->int8, c->block.points + (i - c->j.first), t);
}

static double meet_reach(const cascade *c, int64_t query)
{
    const meeting8 *m = (const meeting8 *)(const void *)c;
    return reach_of_limit(&c->bound, m->within->lists->limit[m->first + query]);
}

static int meet_open(cascade *c, int64_t query, int64_t packed, double lo, double hi)
{
    const meeting8 *m = (const meeting8 *)(const void *)c;
    const float *limit = m->within->lists->limit;
    int64_t i = m->first + query;
    (void)hi;
    return i < packed && (lo <= (double)limit[i] || lo <= (double)limit[packed]);
}

/* Offer point `ref` to the list of point i. */
static void meet_one(cascade *c, const prf_symmetric *within, int64_t i, int64_t ref, float key)
{
    prf_lists *lists = within->lists;
    if (!(key <= lists->limit[i]))
        return;
    int64_t at = i * lists->capacity + lists->fill[i];
    lists->key[at] = key;
    lists->ref[at] = (int32_t)ref;
    lists->fill[i]++;
    if (list_is_full(lists, lists->fill[i]) || is_ripe(lists, lists->fill[i])) {
        list_cut_in_place(lists, &c->bound, c->block.pass->norms[i], i);
        arm_point(c, within, i);
    }
}

static void meet_near(cascade *c, int64_t query, int64_t ref, double lo)
{
    const meeting8 *m = (const meeting8 *)(const void *)c;
    float key = key_of(&c->bound, lo);
    meet_one(c, m->within, m->first + query, ref, key);
    meet_one(c, m->within, ref, m->first + query, key);
}

/* A block and the points [from, to), group by group.  seen: points by which limits were lowered. */
static prf_status symmetric_block8(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                                  int64_t to, int64_t seen, const prf_symmetric *within, prf_work *work)
{
    meeting8 m = {.c = {.open = meet_open, .near = meet_near, .known = meet_near, .reach = meet_reach},
                  .within = within, .first = first};
    cascade *c = &m.c;
    prf_status status = cascade_begin(c, pass, first, count, 1);
    if (status != PRF_OK)
        return status;
    c->j.pass = pass;
    c->j.first = first;
    c->block.sides = OF_QUERIES | OF_REFS;
    c->block.ref_half = within->ref_half;
    for (int64_t i = 0; i < count; i++)
        arm_point(c, within, first + i);
    int64_t group = cascade_group(pass);
    for (int64_t at = from; at < to; at += group)
        for (int64_t query = 0; query < count; query += MR)
            cascade_visit(c, query, at, at + group < to ? at + group : to);
    c->pairs = count * (to - from);
    /* Limits fall by what is evaluated; in a part with itself (`from` follows the block) from infinity. */
    int64_t pairs = (from == first + count ? 4 : 2) * c->pairs + 2 * HEAD_AT_FIRST;
    c->j.lists = within->lists;
    c->j.lowered = seen;
    c->abandoned = is_too_slow(c, 0.0, pairs);
    cascade_end(c, work);
    return status;
}

/* Points [first, first + count), by heads or the int8 filter until one block has been too slow. */
static prf_status symmetric_points(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                                  int64_t to, int64_t seen, const prf_symmetric *within, prf_work *work)
{
    return (pass->int8 || pass->head) && !work->abandoned
               ? symmetric_block8(pass, first, count, from, to, seen, within, work)
               : symmetric_block(pass, first, count, from, to, within->lists, work);
}

static void arm_refs(const prf_pass *pass, const prf_symmetric *within, int64_t first, int64_t end)
{
    prf_bound bound = prf_bound_of(pass);
    prf_int8_bound int8 = prf_int8_bound_of(pass);
    for (int64_t i = first; i < end; i++)
        arm_ref(pass, &bound, &int8, within, i);
}

/* Lower the limit of a point that has been offered `seen` of the others.  end: of the points of this thread;
 * the lists after them are another's.                                                          */
static void lower_point(const prf_pass *pass, const prf_bound *bound, const prf_symmetric *within,
                        int64_t i, int64_t end, int64_t seen)
{
    prf_lists *lists = within->lists;
    int64_t n = pass->refs.count;
    if (i + LISTS_AHEAD < end) {
        list next = list_of(lists, i + LISTS_AHEAD);
        list_soon(&next);
    }
    if (n >= 4 * PRF_SAMPLE && 4 * seen <= 3 * n && lists->fill[i] > 0) {
        list l = list_of(lists, i);
        list_lower_to_kth(lists, bound, pass->norms[i], &l, seen, n, within->is_fair);
        list_keep(lists, i, &l);
    }
}

/* The points of a part with each other: blocks with themselves first, so that all points have limits; then each
 * block with those that come after, whose limits are lowered now and then.                      */
static prf_status symmetric_part(const prf_pass *pass, int64_t first, int64_t last,
                                 const prf_symmetric *within, prf_work *work)
{
    prf_bound bound = prf_bound_of(pass);
    int is_begun = within->lists->limit[first] <= FLT_MAX;
    int64_t lowered = PRF_SAMPLE;
    prf_status status = PRF_OK;
    for (int64_t i = first; i < last && status == PRF_OK; i += PRF_SAMPLE)
        status = symmetric_begin(pass, i, last - i < PRF_SAMPLE ? last - i : PRF_SAMPLE,
                                 within, work);
    for (int64_t i = first, seen; i + PRF_SAMPLE < last && status == PRF_OK; i += PRF_SAMPLE) {
        seen = i - first + PRF_SAMPLE; /* offered to this block and to those after it */
        if (!is_begun && 2 * seen >= 5 * lowered) {
            for (int64_t point = i; point < last; point++)
                lower_point(pass, &bound, within, point, last, seen);
            lowered = seen;
        }
        if ((pass->int8 || pass->head) && lowered == seen)
            arm_refs(pass, within, i, last);
        status = symmetric_points(pass, i, PRF_SAMPLE, i + PRF_SAMPLE, last, lowered, within, work);
    }
    return status;
}

/* Rows of parts, block by block. */
static prf_status symmetric(const prf_pass *pass, int64_t first, int64_t count, void *into,
                           prf_work *work)
{
    const prf_symmetric *within = into;
    prf_status status = PRF_OK;
    for (int64_t row = first; row < first + count && status == PRF_OK; row++) {
        const int64_t *part = within->parts + 4 * row;
        if (part[0] == part[2]) {
            status = symmetric_part(pass, part[0], part[1], within, work);
            continue;
        }
        for (int64_t i = part[0], end; i < part[1] && status == PRF_OK; i = end) {
            end = i + PRF_SAMPLE < part[1] ? i + PRF_SAMPLE : part[1];
            status = symmetric_points(pass, i, end - i, part[2], part[3], part[1] - part[0], within, work);
        }
    }
    return status;
}

static prf_status lower(const prf_pass *pass, int64_t first, int64_t count, void *into,
                        prf_work *work)
{
    const prf_lower *what = into;
    prf_bound bound = prf_bound_of(pass);
    (void)work;
    for (int64_t i = first; i < first + count; i++)
        lower_point(pass, &bound, what->symmetric, i, first + count, what->seen[i]);
    if (pass->int8 || pass->head)
        arm_refs(pass, what->symmetric, first, first + count);
    return PRF_OK;
}
