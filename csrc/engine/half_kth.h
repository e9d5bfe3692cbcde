/* The k-th nearest in each half, from lists of the whole: the references of a half are in the order of their keys
 * what those of the list are, so that a list is sorted once for all halvings.  As in finish.h, with t the k-th
 * smallest key of a half, D is computed for the keys that are not certain to be below t, up to
 * prf_key_beyond(t); it is the same D for every halving.
 */

typedef struct {
    float key, certain, beyond; /* of this key; certain is NaN until it is needed */
    int32_t ref;
    unsigned side;
    int needed;
    double d2;
} half_ref;

typedef struct {
    half_ref *refs;
    int64_t fill;
    float limit;
} half_list;

static void half_d2(void *self, const prf_waiting *w, const double *d2)
{
    half_ref *refs = self;
    for (int64_t l = 0; l < w->count; l++)
        refs[w->tag[l]].d2 = d2[l];
}

/* The list of a query in the order of its keys, cut to about the k that it was made for. */
static half_list half_sorted(const prf_half_kth *what, const list *l, half_ref *refs)
{
    half_list sorted = {refs, 0, l->limit};
    if (l->fill > what->lists->k)
        sorted.limit = list_kth(l, what->lists->k, about(what->lists->k));
    for (int64_t i = 0; i < l->fill; i++) {
        float key = l->key[i];
        if (!(key <= sorted.limit))
            continue;
        int64_t at = sorted.fill++;
        for (; at > 0 && refs[at - 1].key > key; at--)
            refs[at] = refs[at - 1];
        refs[at] = (half_ref){.key = key, .certain = NAN, .ref = ref_of(l->ref[i]),
                              .side = what->ref_side[ref_of(l->ref[i])]};
    }
    return sorted;
}

/* The reference with the k-th smallest key in the half of a query; NULL where the list does not tell. */
static half_ref *half_kth_key(const half_list *l, unsigned side, int halving, int64_t k,
                              const prf_bound *bound, double norm)
{
    for (int64_t i = 0; i < l->fill; i++) {
        half_ref *r = l->refs + i;
        if (((r->side ^ side) >> halving & 1) || --k)
            continue;
        if (isnan(r->certain)) {
            r->beyond = prf_key_beyond(bound, norm, r->key);
            r->certain = prf_key_certain(bound, norm, (double)r->key);
        }
        return r->beyond <= l->limit ? r : NULL;
    }
    return NULL;
}

/* The k-th smallest D, given that of all keys that may have it. */
static double half_answer(const half_list *l, unsigned side, int halving, int64_t k,
                          const half_ref *kth, double *copy)
{
    int64_t count = 0;
    for (int64_t i = 0; i < l->fill && l->refs[i].key <= kth->beyond; i++) {
        const half_ref *r = l->refs + i;
        if ((r->side ^ side) >> halving & 1)
            continue;
        if (r->key <= kth->certain)
            k--;
        else
            copy[count++] = r->d2;
    }
    return prf_select(copy, count, k);
}

/* Mark the pairs whose D is needed. */
static void half_need(const half_list *l, unsigned side, int halving, const half_ref *kth)
{
    for (int64_t i = 0; i < l->fill && l->refs[i].key <= kth->beyond; i++)
        if (!((l->refs[i].side ^ side) >> halving & 1) && l->refs[i].key > kth->certain)
            l->refs[i].needed = 1;
}

static prf_status half_kth_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                                 prf_work *work)
{
    const prf_half_kth *what = into;
    const prf_finish of = {.lists = {what->lists, NULL}, .passes = {pass, NULL}};
    int64_t dim = pass->refs.dim, most = 1;
    double *rows = malloc((size_t)(count * (dim + 1)) * sizeof *rows);
    list *lists = malloc((size_t)count * sizeof *lists);
    half_list *sorted = malloc((size_t)count * sizeof *sorted);
    finishing f = {.what = &of, .bound = prf_bound_of(pass), .first = first, .count = count,
                   .lists = {lists, NULL}, .rows = rows, .norms = rows + count * dim, .work = work};
    int64_t total = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t fill = what->lists->fill[first + i - what->lists->first_query];
        total += fill > 0 ? fill : 0;
        most = fill > most ? fill : most;
    }
    half_ref *refs = malloc((size_t)(total + 1) * sizeof *refs), *at = refs;
    double *copy = malloc((size_t)most * sizeof *copy);
    prf_status status = rows && lists && sorted && refs && copy ? PRF_OK : PRF_NO_MEMORY;
    prf_waiting waiting = {.refs = &pass->refs, .rows = rows, .settle = half_d2, .self = refs};
    for (int64_t i = 0; i < count && status == PRF_OK; i++) {
        unsigned side = what->query_side[first + i];
        finish_row(&f, i, 1);
        sorted[i] = half_sorted(what, &lists[i], at);
        for (int64_t c = 0; c < what->ks_count; c++)
            for (int h = 0; h < what->halvings; h++) {
                const half_ref *kth = half_kth_key(&sorted[i], side, h, what->ks[c], &f.bound, f.norms[i]);
                if (kth)
                    half_need(&sorted[i], side, h, kth);
            }
        for (half_ref *r = at; r < at + sorted[i].fill; r++)
            if (r->needed)
                prf_wait(&waiting, i, r->ref, r - refs);
        at += sorted[i].fill;
    }
    if (status == PRF_OK)
        prf_settle(&waiting);
    double *d2 = what->d2 + (first - what->first_query) * what->ks_count * PRF_HALVINGS;
    for (int64_t i = 0; i < count && status == PRF_OK; i++) {
        unsigned side = what->query_side[first + i];
        for (int64_t c = 0; c < what->ks_count; c++, d2 += PRF_HALVINGS)
            for (int h = 0; h < what->halvings; h++) {
                int64_t k = what->ks[c];
                const half_ref *kth = half_kth_key(&sorted[i], side, h, k, &f.bound, f.norms[i]);
                d2[h] = kth ? half_answer(&sorted[i], side, h, k, kth, copy) : NAN;
            }
    }
    work->refined += waiting.refined;
    free(rows);
    free(lists);
    free(sorted);
    free(refs);
    free(copy);
    return status;
}
