/* Unrefined keys: the lower ends of V that integers give, in lists, before anything closer is computed.
 *
 * An unrefined key is not above V, as all keys are, and V is not above it by more than `width`, one number
 * for all unrefined keys of a query; its reference bears a mark (lists.h).  With t the list's k-th smallest key,
 * unrefined or not,
 *
 *     reach = prf_key_beyond(t + width)
 *
 * is not below what finish.h needs.  Keys above the reach may be dropped; at the end of a block
 * unrefined keys up to it are *tightened*, by float32 differences or by D, group by group, so that the rows of
 * a group stay near.  A tightened key is not above its V, and so rises by `width` at most; those that were
 * tight stay.  Hence k keys are not above t + width then, the new k-th smallest key t'' is not either, and
 * finish.h, which asks for keys up to prf_key_beyond(t''), meets none that is unrefined.
 * (The k-th smallest V itself may be above t + width, where V of tight keys is: by w of filter/bound.h.)
 *
 * What stays unrefined is above every k-th, and is only met by counts (finish.h); or, after the last pass and
 * where the k-th alone is needed, certain to be nearer: keys below t − width.
 */

/* Of a query: pairs for which there is room, on average and beside one list; pairs in a group, about, for
 * which its row is fetched again.                                                                */
enum { TIGHTEN_PAIRS = 64, TIGHTEN_AT_ONCE = 8 };

/* By how much V may be above an unrefined key of a list.  The ends are `spread` from the middle.  In
 * units of ε Σ, Σ the squares of norms and errors of both, the key is below the lower end by less than
 *
 *     40      half of B_WIDE + NORM_WIDE, which widen ρ² and e² (filter/int8.c)
 *     27.5    half of the 55 that sums and products round by (int8_keys in int8.h)
 *     5       `half`, `first`, `second` of both are rounded to a side, 2 ε each: ρ² of both once, and
 *             4 e_x ρ_y + 4 √N_x e_y <= 2 (e_x² + ρ_y²) + 2 (ρ_x² + e_x²) + 4 e_y², as √N <= ρ + e
 *
 * in all 72.5 < 73; 128, that is 2⁻¹⁷, leaves room.                                              */
static double unrefined_width(const prf_pass *pass, const prf_int8_point *x, double root, const list *l)
{
    double spread = 0.0, squares = 0.0;
    for (int64_t i = 0; i < l->fill; i++) {
        if (!is_unrefined(l->ref[i]) || ref_of(l->ref[i]) < pass->ref_first)
            continue;
        const prf_int8_point *y = pass->int8->points + (ref_of(l->ref[i]) - pass->ref_first);
        double norm = (double)y->norm, error = (double)y->error;
        double one = (double)x->error * norm + root * error, two = norm * norm + error * error;
        spread = one > spread ? one : spread;
        squares = two > squares ? two : squares;
    }
    squares += (double)x->norm * (double)x->norm + (double)x->error * (double)x->error;
    return 2.0 * spread * (1.0 + 0x1p-40) + 0x1p-17 * squares + 0x1p-100;
}

/* The reach of a list with the k-th smallest key; unrefined keys below `nearer` have V below that key, and
 * so below the k-th smallest V.                                                                  */
static float unrefined_reach(const prf_lists *lists, const prf_bound *bound, double norm, const list *l,
                         double width, float *nearer)
{
    *nearer = -INFINITY;
    if (l->fill < lists->k)
        return INFINITY;
    double t = (double)list_kth(l, lists->k, lists->k);
    *nearer = prf_float_down(t - width);
    return prf_key_beyond(bound, norm, prf_float_up(t + width));
}

/* Cut a list that is full to its reach.  0: that is nearly all of it. */
static int unrefined_cut(const prf_lists *lists, const prf_bound *bound, double norm, list *l,
                     double width)
{
    float nearer, reach = unrefined_reach(lists, bound, norm, l, width, &nearer);
    if (reach < l->limit)
        l->limit = reach;
    list_drop(l);
    return l->fill <= lists->capacity - 2 * NR;
}

/* Lower the limit, after `seen` of n references: V lies about the middle of its interval. */
static void unrefined_lower(list *l, int64_t seen, int64_t k, int64_t n, double width)
{
    int64_t rank = rank_among(seen, k, n);
    if (rank >= l->fill)
        return;
    float limit = list_kth(l, rank, about(rank)) + 0.5f * (float)width;
    if (!(limit < l->limit))
        return;
    l->limit = limit;
    list_drop(l);
}

/* An unrefined key of a list; a block of queries, and what tightens their keys. */
typedef struct {
    int32_t query, slot;
} unrefined_pair;

typedef struct {
    const prf_pass *pass;
    const prf_bound *bound;
    const differences_bound *differences; /* NULL: by D */
    int64_t first;
    list *rows;
    double *wide;              /* [PRF_EXACT_LANES][dim], for D */
    unrefined_pair *pairs, *sorted; /* [room] */
    int64_t *starts;           /* [groups + 1] */
    int64_t group, groups, most, room, evaluated;
} tightening;

static inline void tight(list *l, int64_t slot, float key)
{
    l->key[slot] = key;
    l->ref[slot] = ref_of(l->ref[slot]);
}

/* Some unrefined keys of one query, by float32 differences. */
static void tighten_narrow(const tightening *t, const unrefined_pair *pairs, int64_t count)
{
    list *l = &t->rows[pairs->query];
    const float *row = float_row(&t->pass->queries, t->first + pairs->query), *y[DIFFERENCES];
    double lo[DIFFERENCES], hi[DIFFERENCES];
    for (int64_t at = 0; at < count; at += DIFFERENCES) {
        int64_t some = count - at < DIFFERENCES ? count - at : DIFFERENCES;
        const float *x[DIFFERENCES] = {row, row, row, row};
        for (int64_t p = 0; p < some; p++)
            y[p] = float_row(&t->pass->refs, ref_of(l->ref[pairs[at + p].slot]));
        difference_intervals(t->differences, x, y, t->pass->refs.dim, some, lo, hi);
        for (int64_t p = 0; p < some; p++)
            tight(l, pairs[at + p].slot, key_of(t->bound, lo[p]));
    }
}

/* Some unrefined keys of one query, by D. */
static void tighten_wide(const tightening *t, const unrefined_pair *pairs, int64_t count)
{
    list *l = &t->rows[pairs->query];
    const double *row[PRF_EXACT_LANES];
    int64_t refs[PRF_EXACT_LANES];
    double d2[PRF_EXACT_LANES];
    prf_row(&t->pass->queries, t->first + pairs->query, t->wide);
    for (int p = 0; p < PRF_EXACT_LANES; p++)
        row[p] = t->wide;
    for (int64_t at = 0; at < count; at += PRF_EXACT_LANES) {
        int64_t some = count - at < PRF_EXACT_LANES ? count - at : PRF_EXACT_LANES;
        for (int64_t p = 0; p < some; p++)
            refs[p] = ref_of(l->ref[pairs[at + p].slot]);
        prf_exact(row, &t->pass->refs, refs, some, d2);
        for (int64_t p = 0; p < some; p++)
            tight(l, pairs[at + p].slot, key_of(t->bound, d2[p]));
    }
}

/* The group of a pair's reference. */
static inline int64_t group_of(const tightening *t, const unrefined_pair *pair)
{
    int32_t ref = ref_of(t->rows[pair->query].ref[pair->slot]);
    return (ref - t->pass->ref_first) / t->group;
}

/* The rows of pairs that come some steps later. */
static void soon(const tightening *t, int64_t at, int64_t count)
{
    enum { AHEAD = 4 };
    for (int64_t p = at + AHEAD; p < at + 2 * AHEAD && p < count; p++) {
        const list *l = &t->rows[t->sorted[p].query];
        vf_soon(float_row(&t->pass->refs, ref_of(l->ref[t->sorted[p].slot])), t->pass->refs.dim);
        if (t->sorted[p].query != t->sorted[p - 1].query)
            vf_soon(float_row(&t->pass->queries, t->first + t->sorted[p].query), t->pass->refs.dim);
    }
}

/* All pairs, of so many queries, group by group and query by query. */
static void tighten_pairs(tightening *t, int64_t count, int64_t queries)
{
    int64_t groups = count / (TIGHTEN_AT_ONCE * queries) + 1;
    t->group = t->pass->ref_count / (groups < t->groups ? groups : t->groups) + 1;
    memset(t->starts, 0, (size_t)(t->groups + 1) * sizeof *t->starts);
    for (int64_t p = 0; p < count; p++)
        t->starts[group_of(t, &t->pairs[p]) + 1]++;
    for (int64_t g = 0; g < t->groups; g++)
        t->starts[g + 1] += t->starts[g];
    for (int64_t p = 0; p < count; p++)
        t->sorted[t->starts[group_of(t, &t->pairs[p])]++] = t->pairs[p];
    for (int64_t at = 0, end; at < count; at = end) {
        int64_t group = group_of(t, &t->sorted[at]);
        for (end = at + 1; end < count && t->sorted[end].query == t->sorted[at].query; end++)
            if (group_of(t, &t->sorted[end]) != group)
                break;
        if (t->differences)
            soon(t, end, count);
        if (t->differences)
            tighten_narrow(t, t->sorted + at, end - at);
        else
            tighten_wide(t, t->sorted + at, end - at);
    }
    t->evaluated += count;
}

static prf_status tightening_make(tightening *t, const fused *j,
                                  const differences_bound *differences, double *wide)
{
    const prf_pass *pass = j->pass;
    t->pass = pass;
    t->bound = j->bound;
    t->differences = differences;
    t->first = j->first;
    t->rows = j->rows;
    t->wide = wide;
    t->groups = pass->ref_count / (2 * int8_group(pass)) + 1; /* rows alone, without codes */
    t->most = TIGHTEN_PAIRS * j->count;
    t->room = t->most + j->lists->capacity + 1;
    t->evaluated = 0;
    t->starts = malloc((size_t)(t->groups + 1) * sizeof *t->starts +
                       2 * (size_t)t->room * sizeof *t->pairs);
    if (!t->starts)
        return PRF_NO_MEMORY;
    t->pairs = (unrefined_pair *)(void *)(t->starts + t->groups + 1);
    t->sorted = t->pairs + t->room;
    return PRF_OK;
}

/* The unrefined keys of a query, those that are not below `least` and not above `most`, behind the pairs that
 * wait.  Those of super-blocks before are above every k-th.                                       */
static int64_t tighten_of(tightening *t, int64_t query, float least, float most, int64_t waiting)
{
    const list *l = &t->rows[query];
    for (int64_t i = 0; i < l->fill; i++) {
        t->pairs[waiting] = (unrefined_pair){(int32_t)query, (int32_t)i};
        waiting += is_unrefined(l->ref[i]) && ref_of(l->ref[i]) >= t->pass->ref_first &&
                   l->key[i] >= least && l->key[i] <= most;
    }
    return waiting;
}
