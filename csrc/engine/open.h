/* The pairs that lists leave open, whose D would answer.
 *
 * As finish.h, where the references are not at hand: of each ball to a k-th nearest, what is certain to
 * be inside is counted, and what may be inside or the k-th itself is named.
 */

static inline void name(prf_open *into, int64_t query, int32_t ref, int set)
{
    into->query[into->count] = (int32_t)query;
    into->ref[into->count] = ref;
    into->set[into->count++] = (uint8_t)set;
}

/* Name the references of a list with keys above `certain` and not above `most`; how many. */
static int64_t name_between(prf_open *into, const list *l, int64_t query, int set, float certain,
                            float most)
{
    vf least = vf_set1(certain), highest = vf_set1(most);
    int64_t before = into->count, i = 0;
    for (; i + VF <= l->fill; i += VF) {
        vf key = vf_load(l->key + i);
        unsigned between = vf_ge(highest, key) & ~vf_ge(least, key);
        for (; between; between &= between - 1)
            name(into, query, l->ref[i + first_bit(between)], set);
    }
    for (; i < l->fill; i++)
        if (l->key[i] > certain && l->key[i] <= most)
            name(into, query, l->ref[i], set);
    return into->count - before;
}

/* 0: a list does not reach so far. */
static int open_ball(prf_open *into, const prf_bound *bound, double norm, const list *lists,
                     int64_t query, int from, int to, int64_t k, int64_t *below, int64_t *opened)
{
    float certain, beyond;
    if (!kth_between(bound, norm, lists, from, to, k, &certain, &beyond))
        return 0;
    for (int set = 0; set < 2; set++) {
        int own = from <= set && set < to;
        below[set] = -1;
        opened[set] = 0;
        if (!into->lists[set] || !(own || (into->across && beyond <= lists[set].limit)))
            continue;
        below[set] = keys_to(lists[set].key, lists[set].fill, certain);
        opened[set] = name_between(into, &lists[set], query, set, certain, beyond);
    }
    return 1;
}

static prf_status open_block(const prf_pass *pass, int64_t first, int64_t count, void *what,
                             prf_work *work)
{
    prf_open *into = what;
    prf_bound bound = prf_bound_of(pass);
    int64_t balls = into->ks_count[0] + into->ks_count[1] + into->ks_count[2];
    (void)work;
    into->count = 0;
    for (int64_t i = first; i < first + count; i++) {
        list lists[2] = {0};
        int64_t before = into->count, at = 2 * i * balls;
        int resolved = 1;
        for (int set = 0; set < 2; set++)
            if (into->lists[set])
                lists[set] = list_of(into->lists[set], i);
        for (int s = 0; s < 3; s++)
            for (int64_t c = 0; c < into->ks_count[s] && resolved; c++, at += 2)
                resolved = open_ball(into, &bound, into->norms[i], lists, i, of_lists[s][0],
                                 of_lists[s][1], into->ks[s][c], into->below + at,
                                 into->opened + at);
        if (!resolved)
            into->count = before;
        into->failed[i] = !resolved;
    }
    return PRF_OK;
}

/* Lists of one set, cut to what may still be among the k nearest. */
static prf_status shorten_block(const prf_pass *pass, int64_t first, int64_t count, void *what,
                                prf_work *work)
{
    const prf_shorten *into = what;
    prf_bound bound = prf_bound_of(pass);
    (void)work;
    for (int64_t i = first; i < first + count; i++) {
        list l[2] = {list_of(into->lists, i), {0}};
        float certain, beyond;
        if (!kth_between(&bound, into->norms[i], l, 0, 1, into->k, &certain, &beyond))
            continue;
        l->limit = beyond;
        list_drop(l);
        list_keep(into->lists, i, l);
    }
    return PRF_OK;
}
