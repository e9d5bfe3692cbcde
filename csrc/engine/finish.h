/* The answers of the lists of a block of queries.
 *
 * Of one list, or of two, with t the k-th smallest key and t' = prf_key_beyond(t): the k-th smallest V
 * is not below t and below t'.  Keys that are certain to be below t are nearer; keys above t' are
 * farther; D is computed for those in between, of all queries of the block side by side.
 */

/* A pair whose D is to be computed, of list `set`. */
typedef struct {
    int64_t query, ref;
    double d2;
    int set;
} pair_request;

typedef struct {
    pair_request *pairs;
    int64_t count, room;
} pair_requests;

static prf_status request_d2(pair_requests *r, int64_t query, int64_t ref, int set)
{
    if (r->count == r->room) {
        int64_t room = r->room ? 2 * r->room : 1024;
        pair_request *pairs = realloc(r->pairs, (size_t)room * sizeof *pairs);
        if (!pairs)
            return PRF_NO_MEMORY;
        r->pairs = pairs;
        r->room = room;
    }
    r->pairs[r->count++] = (pair_request){query, ref, 0.0, set};
    return PRF_OK;
}

static void store_d2(void *self, const prf_waiting *w, const double *d2)
{
    pair_requests *pairs = self;
    for (int64_t l = 0; l < w->count; l++)
        pairs->pairs[w->tag[l]].d2 = d2[l];
}

/* A question: the k-th in one list or in both. */
typedef struct {
    int64_t below[2];     /* keys that are certain to be nearer, of each list */
    int64_t first, count; /* the pairs in between */
} question;

typedef struct {
    const prf_finish *what;
    prf_bound bound;
    int64_t first, count, per_query; /* questions of a query */
    list *lists[2];                  /* [count] */
    double *rows, *norms;
    question *questions; /* [count][per_query] */
    pair_requests pairs;
    prf_work *work;
} finishing;

/* A query is not among its own neighbors. */
static int drop_own(list *l, int64_t own)
{
    for (int64_t i = 0; i < l->fill; i++)
        if (ref_of(l->ref[i]) == own) {
            l->fill--;
            l->key[i] = l->key[l->fill];
            l->ref[i] = l->ref[l->fill];
            return 1;
        }
    return 0;
}

/* Request D of the keys of list `set` that are above `certain` and not above `most`. */
static prf_status request_between(finishing *f, int64_t query, int set, float certain, float most)
{
    const list *l = &f->lists[set][query];
    vf least = vf_set1(certain), highest = vf_set1(most);
    int64_t i = 0;
    for (; i + VF <= l->fill; i += VF) {
        vf key = vf_load(l->key + i);
        unsigned between = vf_ge(highest, key) & ~vf_ge(least, key);
        for (; between; between &= between - 1)
            if (request_d2(&f->pairs, query, ref_of(l->ref[i + first_bit(between)]), set) != PRF_OK)
                return PRF_NO_MEMORY;
    }
    for (; i < l->fill; i++)
        if (l->key[i] > certain && l->key[i] <= most &&
            request_d2(&f->pairs, query, ref_of(l->ref[i]), set) != PRF_OK)
            return PRF_NO_MEMORY;
    return PRF_OK;
}

/* Request D of what is unrefined up to `certain` in list `set`, and is counted as nearer: it need not be. */
static prf_status request_unrefined(finishing *f, int64_t query, int set, float certain, int64_t *nearer)
{
    const list *l = &f->lists[set][query];
    for (int64_t i = 0; i < l->fill; i++)
        if (is_unrefined(l->ref[i]) && l->key[i] <= certain) {
            --*nearer;
            if (request_d2(&f->pairs, query, ref_of(l->ref[i]), set) != PRF_OK)
                return PRF_NO_MEMORY;
        }
    return PRF_OK;
}

/* Of the lists [from, to) of a query: the k-th smallest V is above `certain` and below `beyond`, and
 * keys up to `certain` are nearer, those above `beyond` farther.  0: a list does not reach so far, as
 * where fewer than k keys are not above a limit: t is not below it then (key_of_rank in lists.h). */
static int kth_between(const prf_bound *bound, double norm, const list *lists, int from, int to,
                       int64_t k, float *certain, float *beyond)
{
    both_keys of = {{NULL, NULL}, {0, 0}};
    float most = -INFINITY;
    for (int set = from; set < to; set++) {
        float limit = lists[set].limit;
        most = limit < most ? most : limit < FLT_MAX ? limit : FLT_MAX;
        of.key[set] = lists[set].key;
        of.fill[set] = lists[set].fill;
    }
    if (of.fill[0] + of.fill[1] < k)
        return 0;
    float t = kth_key(&of, k, most);
    *beyond = prf_key_beyond(bound, norm, t);
    *certain = prf_key_certain(bound, norm, (double)t);
    for (int set = from; set < to; set++)
        if (!(*beyond <= lists[set].limit))
            return 0;
    return 1;
}

/* Request D of all that may be the k-th.  0: a list does not reach so far. */
static int bracket_kth(finishing *f, int64_t query, int from, int to, int64_t k, question *q,
                   prf_status *status)
{
    list of[2] = {0};
    float certain, beyond;
    for (int set = from; set < to; set++)
        of[set] = f->lists[set][query];
    if (!kth_between(&f->bound, f->norms[query], of, from, to, k, &certain, &beyond))
        return 0;
    q->first = f->pairs.count;
    for (int set = from; set < to; set++) {
        q->below[set] = keys_to(of[set].key, of[set].fill, certain);
        if (request_between(f, query, set, certain, beyond) != PRF_OK) {
            *status = PRF_NO_MEMORY;
            return 0;
        }
    }
    q->count = f->pairs.count - q->first;
    return 1;
}

/* D of the pairs from `from` on. */
static void compute(finishing *f, int64_t from)
{
    for (int set = 0; set < 2 && f->lists[set]; set++) {
        prf_waiting w = {.refs = &f->what->passes[set]->refs, .rows = f->rows, .settle = store_d2,
                         .self = &f->pairs};
        for (int64_t i = from; i < f->pairs.count; i++)
            if (f->pairs.pairs[i].set == set)
                prf_wait(&w, f->pairs.pairs[i].query, f->pairs.pairs[i].ref, i);
        prf_settle(&w);
        f->work->refined += w.refined;
    }
}

/* Which lists a row of ks is about, and the k of a question. */
static const int of_lists[3][2] = {{0, 1}, {1, 2}, {0, 2}};

static prf_status bracket_all(finishing *f)
{
    const prf_finish *what = f->what;
    prf_status status = PRF_OK;
    for (int64_t i = 0; i < f->count; i++) {
        question *q = f->questions + i * f->per_query;
        int resolved = !f->lists[0][i].gave_up && !(f->lists[1] && f->lists[1][i].gave_up);
        int64_t before = f->pairs.count;
        for (int set = 0; set < 2 && f->lists[set] && i + LISTS_AHEAD < f->count; set++)
            list_soon(&f->lists[set][i + LISTS_AHEAD]);
        for (int s = 0; s < 3; s++)
            for (int64_t c = 0; c < what->ks_count[s] && resolved; c++, q++)
                resolved = bracket_kth(f, i, of_lists[s][0], of_lists[s][1], what->ks[s][c], q, &status);
        if (status != PRF_OK)
            return status;
        if (!resolved)
            f->pairs.count = before;
        what->failed[f->first + i] = !resolved;
    }
    return status;
}

/* The k-th of a question; how many of each list are inside its ball. */
static double answer(const finishing *f, const question *q, int64_t k, double *copy,
                     int64_t inside[2])
{
    const pair_request *pairs = f->pairs.pairs + q->first;
    for (int64_t i = 0; i < q->count; i++)
        copy[i] = pairs[i].d2;
    double d2 = prf_select(copy, q->count, k - q->below[0] - q->below[1]);
    for (int set = 0; set < 2; set++)
        inside[set] = q->below[set];
    for (int64_t i = 0; i < q->count; i++)
        inside[pairs[i].set] += prf_inside(pairs[i].d2, d2, f->what->closed);
    return d2;
}

/* The least of the values of the references at d2, all of which are among the pairs of a question. */
static double least_value(const finishing *f, const question *q, double d2)
{
    const pair_request *pairs = f->pairs.pairs + q->first;
    double least = INFINITY;
    for (int64_t i = 0; i < q->count; i++) {
        double value = f->what->values[pairs[i].ref];
        least = pairs[i].d2 == d2 && value < least ? value : least;
    }
    return least;
}

static prf_status answer_all(const finishing *f)
{
    const prf_finish *what = f->what;
    int64_t most = 1;
    for (int64_t i = 0; i < f->count * f->per_query; i++)
        most = f->questions[i].count > most ? f->questions[i].count : most;
    double *copy = malloc((size_t)most * sizeof *copy);
    if (!copy)
        return PRF_NO_MEMORY;
    for (int64_t i = 0; i < f->count; i++) {
        const question *q = f->questions + i * f->per_query;
        int64_t row = f->first + i, inside[2];
        if (what->failed[row])
            continue;
        for (int s = 0; s < 3; s++)
            for (int64_t c = 0; c < what->ks_count[s]; c++, q++) {
                int64_t at = row * what->ks_count[s] + c;
                what->d2[s][at] = answer(f, q, what->ks[s][c], copy, inside);
                if (what->values && s == 0 && c == 0)
                    what->least[row] = least_value(f, q, what->d2[s][at]);
                for (int set = 0; set < 2 && s == 2; set++)
                    what->of[set][at] = inside[set];
            }
    }
    free(copy);
    return PRF_OK;
}

/* How many of list `set` are as near as the k-th of the other. */
static prf_status count_across(finishing *f, int set)
{
    const prf_finish *what = f->what;
    const double *other = what->d2[1 - set];
    int64_t *across = what->across[set], columns = what->ks_count[1 - set];
    prf_status status = PRF_OK;
    int64_t *column_of = malloc((size_t)(f->count * columns + 1) * sizeof *column_of);
    if (!column_of)
        return PRF_NO_MEMORY;
    for (int64_t i = 0; i < f->count && status == PRF_OK; i++)
        for (int64_t c = 0; c < columns && status == PRF_OK; c++) {
            int64_t row = f->first + i, at = row * columns + c;
            const list *l = &f->lists[set][i];
            float most, certain;
            column_of[i * columns + c] = f->pairs.count;
            if (what->failed[row])
                continue;
            most = prf_key_possible(&f->bound, other[at]);
            certain = prf_key_certain(&f->bound, f->norms[i], prf_v_of(&f->bound, other[at]));
            across[at] = -1;
            if (!(most <= l->limit))
                continue;
            across[at] = keys_to(l->key, l->fill, certain);
            status = request_unrefined(f, i, set, certain, &across[at]);
            if (status == PRF_OK)
                status = request_between(f, i, set, certain, most);
        }
    column_of[f->count * columns] = f->pairs.count;
    if (status == PRF_OK) {
        compute(f, column_of[0]);
        for (int64_t i = 0; i < f->count * columns; i++) {
            int64_t at = f->first * columns + i;
            for (int64_t p = column_of[i]; p < column_of[i + 1]; p++)
                across[at] += prf_inside(f->pairs.pairs[p].d2, other[at], what->closed);
        }
    }
    free(column_of);
    return status;
}

static void finish_row(finishing *f, int64_t i, int sets)
{
    const prf_finish *what = f->what;
    const prf_pass *pass = what->passes[0];
    double *row = f->rows + i * pass->refs.dim;
    prf_row(&pass->queries, f->first + i, row);
    f->norms[i] = packed_norm(pass, row);
    for (int set = 0; set < sets; set++) {
        f->lists[set][i] = list_of(what->lists[set], f->first + i);
        const int64_t *own = what->passes[set]->own;
        if (what->passes[set]->self &&
            drop_own(&f->lists[set][i], own ? own[f->first + i] : f->first + i))
            list_keep(what->lists[set], f->first + i, &f->lists[set][i]);
    }
}

static prf_status finish_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                               prf_work *work)
{
    const prf_finish *what = into;
    int sets = what->lists[1] ? 2 : 1;
    int64_t per_query = what->ks_count[0] + what->ks_count[1] + what->ks_count[2], dim = pass->refs.dim;
    double *rows = malloc((size_t)(count * (dim + 1)) * sizeof *rows);
    list *lists = malloc((size_t)(2 * count) * sizeof *lists);
    question *questions = calloc((size_t)(count * per_query + 1), sizeof *questions);
    finishing f = {.what = what, .bound = prf_bound_of(pass), .first = first, .count = count,
                   .per_query = per_query, .lists = {lists, sets > 1 ? lists + count : NULL},
                   .rows = rows, .norms = rows + count * dim, .questions = questions, .work = work};
    prf_status status = rows && lists && questions ? PRF_OK : PRF_NO_MEMORY;
    for (int64_t i = 0; i < count && status == PRF_OK; i++)
        finish_row(&f, i, sets);
    if (status == PRF_OK)
        status = bracket_all(&f);
    if (status == PRF_OK) {
        compute(&f, 0);
        status = answer_all(&f);
    }
    for (int set = 0; set < sets && status == PRF_OK; set++)
        if (what->across[set])
            status = count_across(&f, set);
    free(rows);
    free(lists);
    free(questions);
    free(f.pairs.pairs);
    return status;
}
