/* The k-th nearest in each half, from lists of the whole set: a list is sorted by its keys once, and the references
 * of a half are in that order as well, whatever the halving.  As in finish.h, with t the k-th
 * smallest key of a half, D is computed for the keys that are not certain to be below t, up to
 * prf_key_beyond(t); it is the same D for every halving.
 */

/* The list of a query, in the order of keys. */
typedef struct {
    float *key;
    int32_t *ref;
    uint16_t *side;
    uint8_t *needed; /* is D? */
    double *d2;
    int64_t fill;
    float limit;
} half_list;

/* Where the k-th smallest D of a half is: the rank-th of its references [first, end) of a list; end 0 where the list
 * does not reach so far.                                                                         */
typedef struct {
    int32_t first, end, rank;
} half_window;

static void half_d2(void *self, const prf_waiting *w, const double *d2)
{
    for (int64_t l = 0; l < w->count; l++)
        ((double *)self)[w->tag[l]] = d2[l];
}

/* By insertion where numbers are few, and else first among those that are farther apart. */
static void shell_sort(uint64_t *numbers, int64_t count)
{
    static const int64_t steps[] = {701, 301, 132, 57, 23, 10, 4, 1}; /* Ciura's */
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
        for (int64_t i = steps[s]; i < count; i++) {
            uint64_t one = numbers[i];
            int64_t at = i;
            for (; at >= steps[s] && numbers[at - steps[s]] > one; at -= steps[s])
                numbers[at] = numbers[at - steps[s]];
            numbers[at] = one;
        }
}

/* Sort a list, cut to about the k that it was made for; order: scratch. */
static void half_sort(const prf_half_kth *what, const list *l, half_list *sorted, uint64_t *order)
{
    sorted->fill = 0;
    sorted->limit = l->limit;
    if (l->fill > what->lists->k)
        sorted->limit = list_kth(l, what->lists->k, about(what->lists->k));
    for (int64_t i = 0; i < l->fill; i++) {
        uint32_t key = (uint32_t)ordered(l->key[i]) ^ 0x80000000u;
        order[sorted->fill] = (uint64_t)key << 32 | (uint32_t)i;
        sorted->fill += l->key[i] <= sorted->limit;
    }
    shell_sort(order, sorted->fill);
    for (int64_t i = 0; i < sorted->fill; i++) {
        int64_t slot = (int64_t)(order[i] & 0xffffffffu);
        sorted->key[i] = l->key[slot];
        sorted->ref[i] = ref_of(l->ref[slot]);
        sorted->side[i] = what->ref_side[sorted->ref[i]];
        sorted->needed[i] = 0;
    }
}

/* Windows of the halvings `at`, whose k-th smallest key is that of reference i. */
static void half_window_of(half_list *l, unsigned side, int64_t i, unsigned at, const prf_bound *bound,
                           double norm, half_window *windows)
{
    float beyond = prf_key_beyond(bound, norm, l->key[i]);
    float certain = prf_key_certain(bound, norm, (double)l->key[i]);
    int64_t first = i, end = i + 1;
    if (!(beyond <= l->limit))
        return;
    while (first > 0 && l->key[first - 1] > certain)
        first--;
    while (end < l->fill && l->key[end] <= beyond)
        end++;
    for (int64_t r = first; r < end; r++)
        l->needed[r] |= (~(side ^ l->side[r]) & at) != 0;
    for (; at; at &= at - 1) {
        int h = first_bit(at);
        int32_t rank = 0;
        for (int64_t r = first; r <= i; r++)
            rank += !((side ^ l->side[r]) >> h & 1);
        windows[h] = (half_window){(int32_t)first, (int32_t)end, rank};
    }
}

/* Windows of all halvings, of one k. */
static void half_windows(half_list *l, unsigned side, int64_t halvings, int64_t k,
                         const prf_bound *bound, double norm, half_window *windows)
{
    int32_t seen[PRF_HALVINGS] = {0};
    unsigned open = (1u << halvings) - 1;
    memset(windows, 0, PRF_HALVINGS * sizeof *windows);
    for (int64_t i = 0; i < l->fill && open; i++) {
        unsigned same = ~(side ^ l->side[i]), at = 0;
        for (int h = 0; h < PRF_HALVINGS; h++) {
            seen[h] += (int32_t)(same >> h & 1);
            at |= (unsigned)(seen[h] == k) << h;
        }
        at &= open;
        if (at)
            half_window_of(l, side, i, at, bound, norm, windows);
        open &= ~at;
    }
}

/* The k-th smallest D of one halving. */
static double half_answer(const half_list *l, unsigned side, int h, const half_window *w, double *copy)
{
    int64_t count = 0;
    if (w->end == 0)
        return NAN;
    if (w->end - w->first == 1)
        return l->d2[w->first];
    for (int64_t r = w->first; r < w->end; r++)
        if (!((side ^ l->side[r]) >> h & 1))
            copy[count++] = l->d2[r];
    return prf_select(copy, count, w->rank);
}

/* All of a block; total: references of all its lists, most: of one. */
typedef struct {
    double *rows, *d2, *copy;
    uint64_t *order;
    list *lists;
    half_list *sorted;
    half_window *windows;
    float *key;
    int32_t *ref;
    uint16_t *side;
    uint8_t *needed;
} half_scratch;

static char *half_make(half_scratch *s, int64_t count, int64_t dim, int64_t ks, int64_t total, int64_t most)
{
    size_t doubles = (size_t)(count * (dim + 1) + total + 2 * most);
    char *memory = malloc(doubles * sizeof(double) + (size_t)count * (sizeof(list) + sizeof(half_list)) +
                          (size_t)(count * ks * PRF_HALVINGS) * sizeof(half_window) +
                          (size_t)total * (sizeof(float) + sizeof(int32_t) + sizeof(uint16_t) + 1));
    if (!memory)
        return NULL;
    s->rows = (double *)(void *)memory;
    s->d2 = s->rows + count * (dim + 1);
    s->copy = s->d2 + total;
    s->order = (uint64_t *)(void *)(s->copy + most);
    s->lists = (list *)(void *)(s->order + most);
    s->sorted = (half_list *)(void *)(s->lists + count);
    s->windows = (half_window *)(void *)(s->sorted + count);
    s->key = (float *)(void *)(s->windows + count * ks * PRF_HALVINGS);
    s->ref = (int32_t *)(void *)(s->key + total);
    s->side = (uint16_t *)(void *)(s->ref + total);
    s->needed = (uint8_t *)(void *)(s->side + total);
    return memory;
}

static prf_status half_kth_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                                 prf_work *work)
{
    const prf_half_kth *what = into;
    const prf_finish of = {.lists = {what->lists, NULL}, .passes = {pass, NULL}};
    int64_t dim = pass->refs.dim, ks = what->ks_count, total = 1, most = 1, at = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t fill = what->lists->fill[first + i - what->lists->first_query];
        total += fill > 0 ? fill : 0;
        most = fill > most ? fill : most;
    }
    half_scratch s;
    char *memory = half_make(&s, count, dim, ks, total, most);
    if (!memory)
        return PRF_NO_MEMORY;
    finishing f = {.what = &of, .bound = prf_bound_of(pass), .first = first, .count = count,
                   .lists = {s.lists, NULL}, .rows = s.rows, .norms = s.rows + count * dim};
    prf_waiting waiting = {.refs = &pass->refs, .rows = s.rows, .settle = half_d2, .self = s.d2};
    for (int64_t i = 0; i < count; i++) {
        half_list *l = &s.sorted[i];
        *l = (half_list){s.key + at, s.ref + at, s.side + at, s.needed + at, s.d2 + at, 0, 0.0f};
        finish_row(&f, i, 1);
        half_sort(what, &s.lists[i], l, s.order);
        for (int64_t c = 0; c < ks; c++)
            half_windows(l, what->query_side[first + i], what->halvings, what->ks[c], &f.bound,
                         f.norms[i], s.windows + (i * ks + c) * PRF_HALVINGS);
        for (int64_t r = 0; r < l->fill; r++)
            if (l->needed[r])
                prf_wait(&waiting, i, l->ref[r], at + r);
        at += l->fill;
    }
    prf_settle(&waiting);
    for (int64_t i = 0; i < count * ks; i++) {
        const half_list *l = &s.sorted[i / ks];
        double *d2 = what->d2 + ((first - what->first_query) * ks + i) * PRF_HALVINGS;
        for (int h = 0; h < what->halvings; h++)
            d2[h] = half_answer(l, what->query_side[first + i / ks], h, s.windows + i * PRF_HALVINGS + h,
                                s.copy);
    }
    work->refined += waiting.refined;
    free(memory);
    return PRF_OK;
}
