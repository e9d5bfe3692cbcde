/* All that is done with a pair when it is looked at: it is offered to the list of its query and counted
 * for each task.  Keys are made of a tile of dot products while it is in the first-level cache.
 */

/* A task on a block: thresholds of keys, of its queries where T is theirs. */
typedef struct {
    prf_count *task;
    float *possible, *certain; /* [padded], or NULL where T is per reference */
} block_task;

typedef struct {
    const prf_pass *pass;
    const scratch *s;
    int64_t first, count;
    const prf_lists *lists;
    list *rows;      /* [count], where there are lists */
    const float *lo; /* [padded]: what a query adds to a key */
    block_task *tasks;
    int64_t tasks_count;
    prf_waiting waiting; /* pairs that no key decides */
} joint;

/* query: within the block; ref: a row of all references. */
static inline void tally(const joint *j, int64_t query, int64_t ref, int64_t t, double d2)
{
    const prf_count *task = j->tasks[t].task;
    double threshold = task->query_t ? task->query_t[j->first + query] : task->ref_t[ref];
    if (prf_inside(d2, threshold, task->closed)) {
        if (task->rows)
            task->rows[j->first + query]++;
        if (task->cols)
            task->cols[ref - j->pass->ref_first]++;
    }
}

static void tally_waiting(void *self, const prf_waiting *w, const double *d2)
{
    for (int64_t l = 0; l < w->count; l++)
        tally(self, w->query[l], w->ref[l], w->tag[l], d2[l]);
}

/* Count what is certain, put off what is not. */
static inline void count_row(joint *j, int64_t t, int64_t query, int64_t ref, vf left, vf right)
{
    const block_task *b = &j->tasks[t];
    prf_count *task = b->task;
    unsigned possible, certain;
    if (b->possible) {
        vf most = vf_set1(b->possible[query]), least = vf_set1(b->certain[query]);
        possible = vf_ge(most, left) | vf_ge(most, right) << VF;
        certain = vf_ge(least, left) | vf_ge(least, right) << VF;
    } else {
        const float *most = task->possible + ref, *least = task->certain + ref;
        possible = vf_ge(vf_load(most), left) | vf_ge(vf_load(most + VF), right) << VF;
        certain = vf_ge(vf_load(least), left) | vf_ge(vf_load(least + VF), right) << VF;
    }
    if (!possible)
        return;
    if (task->rows)
        task->rows[j->first + query] += bit_count(certain);
    if (task->cols)
        for (unsigned bits = certain; bits; bits &= bits - 1)
            task->cols[ref + first_bit(bits)]++;
    for (unsigned bits = possible & ~certain; bits; bits &= bits - 1)
        prf_wait(&j->waiting, query, j->pass->ref_first + ref + first_bit(bits), t);
}

static inline void list_row(joint *j, int64_t query, int64_t ref, vf left, vf right)
{
    list *l = &j->rows[query];
    vf limit = vf_set1(l->limit);
    int32_t at = (int32_t)(j->pass->ref_first + ref);
    l->fill += vf_take(l->key + l->fill, l->ref + l->fill, left, at, vf_ge(limit, left));
    l->fill += vf_take(l->key + l->fill, l->ref + l->fill, right, at + VF, vf_ge(limit, right));
    if (list_is_full(j->lists, l->fill))
        list_cut(j->lists, &j->s->bound, j->s->norms[query], l);
}

/* The keys of a row of a tile, in two vectors. */
static inline void row_keys(const float *dots, const float *ref_lo, float lo, vf *left, vf *right)
{
    vf shift = vf_set1(lo);
    *left = vf_sub(vf_add(vf_load(ref_lo), shift), vf_load(dots));
    *right = vf_sub(vf_add(vf_load(ref_lo + VF), shift), vf_load(dots + VF));
}

static void joint_tile(void *self, const float *dots, int64_t query, int64_t ref, int64_t to)
{
    joint *j = self;
    (void)to; /* padding has the key +inf */
    for (int64_t i = query; i < query + MR && i < j->count; i++, dots += NR) {
        vf left, right;
        row_keys(dots, j->pass->half_lo + ref, j->lo[i], &left, &right);
        if (j->lists)
            list_row(j, i, ref, left, right);
        for (int64_t t = 0; t < j->tasks_count; t++)
            count_row(j, t, i, ref, left, right);
    }
}

static void joint_exact(void *self, const double *d2, int64_t query, int64_t queries, int64_t ref,
                        int64_t to)
{
    joint *j = self;
    const prf_bound *bound = &j->s->bound;
    for (int64_t i = 0; i < queries; i++, d2 += 2 * VD)
        for (int64_t r = 0; r < 2 * VD && ref + r < to; r++) {
            for (int64_t t = 0; t < j->tasks_count; t++)
                tally(j, query + i, j->pass->ref_first + ref + r, t, d2[r]);
            if (!j->lists)
                continue;
            list *l = &j->rows[query + i];
            float key = prf_float_down(prf_v_of(bound, d2[r]) * (1.0 - PRF_WIDE));
            if (key <= l->limit) {
                l->key[l->fill] = key;
                l->ref[l->fill++] = (int32_t)(j->pass->ref_first + ref + r);
                if (list_is_full(j->lists, l->fill))
                    list_cut(j->lists, bound, j->s->norms[query + i], l);
            }
        }
}

/* The first PRF_SAMPLE references, whose keys give the first limits, and are then looked at as all are. */
static prf_status joint_sample(joint *j)
{
    const prf_pass *pass = j->pass;
    int64_t dim = pass->refs.dim, strips = round_up(j->count, MR) / MR;
    enum { PANELS = PRF_SAMPLE / NR };
    float *dots = malloc((size_t)(strips * PANELS * MR * NR) * sizeof *dots), *tile = dots;
    if (!dots)
        return PRF_NO_MEMORY;
    for (int64_t query = 0; query < j->count; query += MR) {
        const float *strip = tile;
        for (int64_t ref = 0; ref < PRF_SAMPLE; ref += NR, tile += MR * NR)
            dot_tile(j->s->strips + query * dim, pass->panels + ref * dim, dim, 0, tile);
        for (int64_t i = query; i < query + MR && i < j->count; i++) {
            float key[PRF_SAMPLE];
            for (int64_t ref = 0; ref < PRF_SAMPLE; ref += NR) {
                vf left, right;
                row_keys(strip + ref * MR + (i - query) * NR, pass->half_lo + ref, j->lo[i], &left,
                         &right);
                vf_store(key + ref, left);
                vf_store(key + ref + VF, right);
            }
            float limit = first_limit(key, j->lists->k, pass->refs.count);
            if (limit < j->rows[i].limit)
                j->rows[i].limit = limit;
        }
    }
    tile = dots;
    for (int64_t query = 0; query < j->count; query += MR)
        for (int64_t ref = 0; ref < PRF_SAMPLE; ref += NR, tile += MR * NR)
            joint_tile(j, tile, query, ref, PRF_SAMPLE);
    free(dots);
    return PRF_OK;
}

/* Do lists of this block begin here, with enough references for a sample? */
static int joint_begins(const joint *j)
{
    const prf_pass *pass = j->pass;
    return j->lists && !pass->exact && pass->ref_first == 0 && pass->ref_count >= PRF_SAMPLE &&
           pass->refs.count >= 4 * PRF_SAMPLE;
}

static prf_status joint_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                              prf_work *work)
{
    const prf_joint *what = into;
    int64_t padded = round_up(count, MR), tasks = what->tasks_count;
    scratch s;
    prf_status status = scratch_make(&s, pass, first, count, tasks + 1);
    if (status != PRF_OK)
        return status;
    block_task *of_block = malloc((size_t)(tasks + 1) * sizeof *of_block);
    list *rows = malloc((size_t)count * sizeof *rows);
    if (!of_block || !rows) {
        free(of_block);
        free(rows);
        free(s.memory);
        return PRF_NO_MEMORY;
    }
    float *lo = s.bounds, *free_row = s.bounds + padded;
    for (int64_t i = 0; i < padded; i++)
        lo[i] = prf_half_lo(&s.bound, s.norms[i], 0.0);
    for (int64_t t = 0; t < tasks; t++) {
        const double *query_t = what->tasks[t].query_t;
        of_block[t] = (block_task){&what->tasks[t], NULL, NULL};
        if (!query_t)
            continue;
        of_block[t].possible = free_row;
        of_block[t].certain = free_row + padded;
        free_row += 2 * padded;
        for (int64_t i = 0; i < count; i++) {
            double threshold = query_t[first + i];
            of_block[t].possible[i] = prf_key_possible(&s.bound, threshold);
            of_block[t].certain[i] =
                prf_key_certain(&s.bound, s.norms[i], prf_v_of(&s.bound, threshold));
        }
    }
    joint j = {
        .pass = pass, .s = &s, .first = first, .count = count, .lists = what->lists,
        .rows = rows, .lo = lo, .tasks = of_block, .tasks_count = tasks,
        .waiting = {.refs = &pass->refs, .rows = s.rows, .settle = tally_waiting, .self = &j},
    };
    for (int64_t i = 0; what->lists && i < count; i++)
        rows[i] = list_of(what->lists, first + i);
    int64_t from = 0, to = pass->ref_count;
    if (joint_begins(&j)) {
        status = joint_sample(&j);
        from = PRF_SAMPLE;
    }
    if (what->sample && to > PRF_SAMPLE)
        to = PRF_SAMPLE;
    reduction r = {joint_tile, joint_exact, &j, &j.waiting.refined};
    if (status == PRF_OK)
        visit(pass, &s, count, from, to, &r, work);
    prf_settle(&j.waiting);
    for (int64_t i = 0; what->lists && i < count; i++)
        list_keep(what->lists, first + i, &rows[i]);
    work->refined += j.waiting.refined;
    free(of_block);
    free(rows);
    free(s.memory);
    return status;
}
