/* All that is done with a pair in a pass: it is offered to the list of its query and counted
 * for each task, while a tile of keys is in the first-level cache.
 */

/* A task on a block: thresholds of keys, of its queries where T is theirs. */
typedef struct {
    prf_count *task;
    float *possible, *certain; /* [count], or NULL where T is per reference */
    float *half_possible, *half_certain; /* [count][PRF_HALVINGS], of a task of halves; else NULL */
    unsigned met; /* of the last tile that was counted, the possible */
} block_task;

typedef struct {
    const prf_pass *pass;
    const scratch *s; /* of a block that is filtered by dot products */
    const prf_bound *bound;
    const double *norms;
    int64_t first, count;
    const prf_lists *lists;
    list *rows; /* [count], where there are lists */
    float *lo;  /* [count], and to a whole strip: what a query adds to a key */
    block_task *tasks;
    int64_t tasks_count, lowered; /* references after which limits were lowered last */
    int64_t taken;                /* into lists, of the last tile */
    prf_waiting waiting;          /* pairs that no key decides */
    void *memory;
} fused;

static void tally_waiting(void *self, const prf_waiting *w, const double *d2);

/* All of a fused but its scratch; norms [count]. */
static prf_status fused_make(fused *j, const prf_pass *pass, const prf_bound *bound,
                             const double *norms, int64_t first, int64_t count,
                             const prf_fused *what)
{
    int64_t tasks = what->tasks_count;
    int64_t padded = round_up(count, MR), halves = 0;
    for (int64_t t = 0; t < tasks; t++)
        halves += what->tasks[t].halves && what->tasks[t].query_t;
    size_t floats = (size_t)(2 * count * (tasks + PRF_HALVINGS * halves) + padded);
    char *memory = malloc((size_t)tasks * sizeof(block_task) + (size_t)count * sizeof(list) +
                          floats * sizeof(float));
    if (!memory)
        return PRF_NO_MEMORY;
    *j = (fused){
        .pass = pass, .bound = bound, .norms = norms, .first = first, .count = count,
        .lists = what->lists, .tasks_count = tasks, .lowered = PRF_SAMPLE, .memory = memory,
        .waiting = {.refs = &pass->refs, .settle = tally_waiting, .self = j},
    };
    j->rows = (list *)(void *)memory;
    j->tasks = (block_task *)(void *)(j->rows + count);
    j->lo = (float *)(void *)(j->tasks + tasks);
    float *row = j->lo + padded, *of_halves = row + 2 * tasks * count;
    for (int64_t i = 0; i < padded; i++)
        j->lo[i] = i < count ? prf_half_lo(bound, norms[i], 0.0) : INFINITY;
    for (int64_t t = 0; t < tasks; t++, row += 2 * count) {
        const double *query_t = what->tasks[t].query_t;
        const prf_halves *h = what->tasks[t].halves;
        j->tasks[t] = (block_task){.task = &what->tasks[t]};
        if (!query_t)
            continue;
        if (h) {
            j->tasks[t].half_possible = of_halves;
            j->tasks[t].half_certain = of_halves + count * PRF_HALVINGS;
            for (int64_t i = 0; i < count; i++)
                prf_halves_keys(bound, norms[i], h->t + (first + i) * PRF_HALVINGS,
                                j->tasks[t].half_possible + i * PRF_HALVINGS,
                                j->tasks[t].half_certain + i * PRF_HALVINGS);
            of_halves += 2 * count * PRF_HALVINGS;
        }
        j->tasks[t].possible = row;
        j->tasks[t].certain = row + count;
        for (int64_t i = 0; i < count; i++) {
            double threshold = query_t[first + i];
            row[i] = prf_key_possible(bound, threshold);
            row[count + i] = prf_key_certain(bound, norms[i], prf_v_of(bound, threshold));
        }
    }
    for (int64_t i = 0; what->lists && i < count; i++)
        j->rows[i] = list_of(what->lists, first + i);
    return PRF_OK;
}

static void fused_end(fused *j, prf_work *work)
{
    prf_settle(&j->waiting);
    for (int64_t i = 0; j->lists && i < j->count; i++)
        list_keep(j->lists, j->first + i, &j->rows[i]);
    work->refined += j->waiting.refined;
    free(j->memory);
}

/* References of all after which limits are lowered next. */
static inline int64_t fused_lowers(const fused *j)
{
    return 5 * j->lowered / 2;
}

/* Are limits to be lowered, when so many references of all have passed? */
static int fused_is_to_lower(const fused *j, int64_t seen)
{
    int64_t n = j->pass->refs.count;
    return j->lists && n >= 4 * PRF_SAMPLE && seen >= fused_lowers(j) && 4 * seen <= 3 * n;
}

/* The references of the super-block below `to` have passed: lower limits now and then. */
static void fused_seen(void *self, int64_t to)
{
    fused *j = self;
    int64_t seen = j->pass->ref_first + to, n = j->pass->refs.count;
    if (!fused_is_to_lower(j, seen))
        return;
    for (int64_t i = 0; i < j->count; i++) {
        if (i + LISTS_AHEAD < j->count)
            list_soon(&j->rows[i + LISTS_AHEAD]);
        list_lower(&j->rows[i], seen, j->lists->k, n);
    }
    j->lowered = seen;
}

/* Count a pair; query: within the block, packed: within the super-block. */
static inline void count_pair(const fused *j, int64_t query, int64_t packed, int64_t t)
{
    const prf_count *task = j->tasks[t].task;
    if (task->rows)
        task->rows[j->first + query]++;
    if (task->cols)
        task->cols[packed]++;
}

/* Count it if it is inside; ref: a row of all references. */
static inline void tally(const fused *j, int64_t query, int64_t ref, int64_t t, double d2)
{
    const prf_count *task = j->tasks[t].task;
    if (task->halves) {
        halves_tally(task, j->first + query, ref, ref - j->pass->ref_first, d2);
        return;
    }
    double threshold = task->query_t ? task->query_t[j->first + query] : task->ref_t[ref];
    if (prf_inside(d2, threshold, task->closed))
        count_pair(j, query, ref - j->pass->ref_first, t);
}

static void tally_waiting(void *self, const prf_waiting *w, const double *d2)
{
    for (int64_t l = 0; l < w->count; l++)
        tally(self, w->query[l], w->ref[l], w->tag[l], d2[l]);
}

/* Put off the pairs of a row that no key decides. */
static void put_off(fused *j, int64_t t, int64_t query, int64_t ref, unsigned undecided)
{
    for (; undecided; undecided &= undecided - 1)
        prf_wait(&j->waiting, query, j->pass->ref_first + ref + first_bit(undecided), t);
}

static void add_cols(int32_t *cols, unsigned certain)
{
    for (; certain; certain &= certain - 1)
        cols[first_bit(certain)]++;
}

/* Thresholds of a row: possible and certain, of its left and of its right half. */
typedef struct {
    vf most[2], least[2];
} thresholds;

/* Those of one pair. */
static inline float possible_of(const block_task *b, int64_t query, int64_t packed)
{
    return b->possible ? b->possible[query] : b->task->possible[packed];
}

static inline float certain_of(const block_task *b, int64_t query, int64_t packed)
{
    return b->possible ? b->certain[query] : b->task->certain[packed];
}

static inline thresholds of_query(const block_task *b, int64_t query)
{
    vf most = vf_set1(b->possible[query]), least = vf_set1(b->certain[query]);
    return (thresholds){{most, most}, {least, least}};
}

static inline thresholds of_refs(const prf_count *task, int64_t ref)
{
    const float *most = task->possible + ref, *least = task->certain + ref;
    return (thresholds){{vf_load(most), vf_load(most + VF)}, {vf_load(least), vf_load(least + VF)}};
}

/* Count what is certain, put off what is not; which are possible.  cols: into those as well? a constant, as
 * without them there is no branch on how many there are.                                         */
static inline unsigned count_row(fused *j, int64_t t, int cols, const float *key, int64_t query,
                             int64_t ref, const thresholds *of, int64_t *row)
{
    vf left = vf_load(key), right = vf_load(key + VF);
    unsigned possible = vf_ge(of->most[0], left) | vf_ge(of->most[1], right) << VF;
    unsigned certain = vf_ge(of->least[0], left) | vf_ge(of->least[1], right) << VF;
    *row += bit_count(certain);
    if (cols)
        add_cols(j->tasks[t].task->cols + ref, certain);
    if (possible != certain)
        put_off(j, t, query, ref, possible & ~certain);
    return possible;
}

/* Is a key of the tile within a threshold?  For asking only where none was of the last tile. */
static inline unsigned any_possible(const block_task *b, const float *key, int64_t query,
                                    int64_t end, int64_t ref)
{
    unsigned any = 0;
    if (b->possible) {
        for (int64_t i = query; i < end; i++, key += NR)
            any |= vf_ge(vf_set1(b->possible[i]), vf_min(vf_load(key), vf_load(key + VF)));
        return any;
    }
    vf left = vf_load(key), right = vf_load(key + VF);
    for (int64_t i = query + 1; i < end; i++) {
        key += NR;
        left = vf_min(left, vf_load(key));
        right = vf_min(right, vf_load(key + VF));
    }
    thresholds of = of_refs(b->task, ref);
    return vf_ge(of.most[0], left) | vf_ge(of.most[1], right);
}

static inline void count_rows(fused *j, int64_t t, int cols, const float *key, int64_t query,
                              int64_t end, int64_t ref)
{
    block_task *b = &j->tasks[t];
    if (!b->met && !any_possible(b, key, query, end, ref))
        return;
    b->met = 0;
    int64_t nothing = 0, *row = b->task->rows ? b->task->rows + j->first + query : &nothing;
    int64_t step = b->task->rows ? 1 : 0;
    thresholds of = b->possible ? of_query(b, query) : of_refs(b->task, ref);
    for (int64_t i = query; i < end; i++, key += NR, row += step) {
        if (b->possible)
            of = of_query(b, i);
        b->met |= count_row(j, t, cols, key, i, ref, &of, row);
    }
}

/* Count a pair with this key in the halvings in which it is certain; 0: in none, its D is needed. */
static int half_key(const fused *j, int64_t t, int64_t query, int64_t packed, float key)
{
    const block_task *b = &j->tasks[t];
    const prf_halves *h = b->task->halves;
    int64_t at = b->half_possible ? query : packed;
    const float *most = b->half_possible ? b->half_possible : h->possible;
    const float *least = b->half_possible ? b->half_certain : h->certain;
    unsigned same = same_halves(h, j->first + query, j->pass->ref_first + packed);
    unsigned possible = same & halves_above(most + at * PRF_HALVINGS, key);
    unsigned certain = same & halves_above(least + at * PRF_HALVINGS, key);
    if (possible != certain)
        return 0;
    halves_add(h, j->first + query, packed, certain);
    return 1;
}

/* Count a pair with this key, if that is certain. */
static inline int count_key(const fused *j, int64_t t, int64_t query, int64_t packed, float key)
{
    if (j->tasks[t].task->halves)
        return half_key(j, t, query, packed, key);
    int certain = key <= certain_of(&j->tasks[t], query, packed);
    if (certain)
        count_pair(j, query, packed, t);
    return certain;
}

static void half_rows(fused *j, int64_t t, const float *key, int64_t query, int64_t end, int64_t ref)
{
    const block_task *b = &j->tasks[t];
    thresholds of = b->possible ? of_query(b, query) : of_refs(b->task, ref);
    for (int64_t i = query; i < end; i++, key += NR) {
        if (b->possible)
            of = of_query(b, i);
        unsigned possible = vf_ge(of.most[0], vf_load(key)) | vf_ge(of.most[1], vf_load(key + VF)) << VF;
        for (; possible; possible &= possible - 1) {
            int64_t r = first_bit(possible);
            if (!half_key(j, t, i, ref + r, key[r]))
                prf_wait(&j->waiting, i, j->pass->ref_first + ref + r, t);
        }
    }
}

static inline void count_tile(fused *j, int64_t t, const float *key, int64_t query, int64_t end,
                              int64_t ref)
{
    if (j->tasks[t].task->halves)
        half_rows(j, t, key, query, end, ref);
    else if (j->tasks[t].task->cols)
        count_rows(j, t, 1, key, query, end, ref);
    else
        count_rows(j, t, 0, key, query, end, ref);
}

/* Offer the keys of a tile; how many were taken.  often: are some of a row? a constant, as where that
 * cannot be told beforehand no branch is to ask.                                                 */
static inline int64_t list_rows(fused *j, int often, const float *key, int64_t query, int64_t end,
                                int64_t ref)
{
    int32_t at = (int32_t)(j->pass->ref_first + ref);
    int64_t most = j->lists->capacity - NR, taken = 0;
    for (int64_t i = query; i < end; i++, key += NR) {
        list *l = &j->rows[i];
        vf limit = vf_set1(l->limit), left = vf_load(key), right = vf_load(key + VF);
        unsigned of_left = vf_ge(limit, left), of_right = vf_ge(limit, right);
        if (!often && !(of_left | of_right))
            continue;
        int64_t fill = l->fill, middle = fill + vf_take(l->key + fill, l->ref + fill, left, at,
                                                        of_left);
        l->fill = middle + vf_take(l->key + middle, l->ref + middle, right, at + VF, of_right);
        taken += l->fill - fill;
        if (l->fill > most)
            list_cut(j->lists, j->bound, j->norms[i], l);
    }
    return taken;
}

static inline void list_tile(fused *j, const float *key, int64_t query, int64_t end, int64_t ref)
{
    j->taken = 4 * j->taken > end - query ? list_rows(j, 1, key, query, end, ref)
                                          : list_rows(j, 0, key, query, end, ref);
}

static void fused_tile(void *self, const float *key, int64_t query, int64_t ref, int64_t to)
{
    fused *j = self;
    int64_t end = query + MR < j->count ? query + MR : j->count;
    (void)to; /* padding has the key +inf */
    if (j->lists)
        list_tile(j, key, query, end, ref);
    for (int64_t t = 0; t < j->tasks_count; t++)
        count_tile(j, t, key, query, end, ref);
}

/* Offer one key. */
static inline void list_offer(fused *j, int64_t query, int64_t ref, float key)
{
    list *l = &j->rows[query];
    if (!(key <= l->limit))
        return;
    l->key[l->fill] = key;
    l->ref[l->fill++] = (int32_t)ref;
    if (list_is_full(j->lists, l->fill) || (j->pass->head && is_ripe(j->lists, l->fill)))
        list_cut(j->lists, j->bound, j->norms[query], l);
}

/* A key of D itself, or of a lower end of it: 8 ε are more than rounding to float32 adds, and `phi`
 * more than it adds where that underflows.                                                       */
static inline float key_of(const prf_bound *bound, double d2)
{
    double v = prf_v_of(bound, d2) * (1.0 - PRF_WIDE);
    return v < FLT_MAX ? (float)v : FLT_MAX;
}

/* A pair of known D, for all counts; ref: a row of all references. */
static void fused_counts(const fused *j, int64_t query, int64_t ref, double d2)
{
    for (int64_t t = 0; t < j->tasks_count; t++)
        tally(j, query, ref, t, d2);
}

static void fused_exact(void *self, const double *d2, int64_t query, int64_t queries, int64_t ref,
                        int64_t to)
{
    fused *j = self;
    for (int64_t i = 0; i < queries; i++, d2 += 2 * VD)
        for (int64_t r = 0; r < 2 * VD && ref + r < to; r++) {
            fused_counts(j, query + i, j->pass->ref_first + ref + r, d2[r]);
            if (j->lists)
                list_offer(j, query + i, j->pass->ref_first + ref + r, key_of(j->bound, d2[r]));
        }
}

/* The first PRF_SAMPLE references, whose keys give the first limits, and are then handled as all are. */
static prf_status fused_sample(fused *j)
{
    const prf_pass *pass = j->pass;
    float *made = key_tiles(j->s, pass, j->lo, j->count, 0, PRF_SAMPLE), *tile = made;
    if (!made)
        return PRF_NO_MEMORY;
    for (int64_t i = 0; i < j->count; i++) {
        float key[PRF_SAMPLE];
        key_row(made, PRF_SAMPLE / NR, i, key);
        float limit = first_limit(key, PRF_SAMPLE, PRF_SAMPLE, j->lists->k, pass->refs.count, 1);
        if (limit < j->rows[i].limit)
            j->rows[i].limit = limit;
    }
    for (int64_t query = 0; query < j->count; query += MR)
        for (int64_t ref = 0; ref < PRF_SAMPLE; ref += NR, tile += MR * NR)
            fused_tile(j, tile, query, ref, PRF_SAMPLE);
    free(made);
    return PRF_OK;
}

/* Are there references enough that a sample of them gives first limits to lists? */
static int has_sample(const prf_pass *pass)
{
    return pass->ref_count >= PRF_SAMPLE && pass->refs.count >= 4 * PRF_SAMPLE;
}

/* Do lists of this block begin here, with a sample? */
static int fused_begins(const fused *j)
{
    const prf_pass *pass = j->pass;
    return j->lists && !pass->exact && pass->ref_first == 0 && has_sample(pass);
}

/* A block of queries and the references [from, to), by dot products. */
static prf_status fused_dots(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                             int64_t to, const prf_fused *what, prf_work *work)
{
    scratch s;
    fused j;
    prf_status status = scratch_make(&s, pass, first, count, 0);
    if (status != PRF_OK)
        return status;
    status = fused_make(&j, pass, &s.bound, s.norms, first, count, what);
    if (status == PRF_OK) {
        j.s = &s;
        j.waiting.rows = s.rows;
        if (from == 0 && fused_begins(&j)) {
            status = fused_sample(&j);
            from = PRF_SAMPLE;
            work->float32 += count * PRF_SAMPLE;
        }
        reduction r = {fused_tile, fused_exact, &j, &j.waiting.refined, fused_seen, j.lo, 16};
        if (status == PRF_OK)
            visit(pass, &s, count, from, to, &r, work);
        fused_end(&j, work);
    }
    free(s.memory);
    return status;
}
