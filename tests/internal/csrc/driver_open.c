/* What lists leave open without their references, lists cut short, limits, and D of named pairs, against
 * the double loop.                                                                              */
#include "driver.h"

enum { K = 6, MANY = 12 }; /* MANY: queries of which some lists reach far enough */

/* |û|² of the queries, as the filter has it. */
static double *norms_of(const sets *s)
{
    double *norms = calloc((size_t)s->m, sizeof *norms);
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t f = 0; f < s->dim; f++) {
            int64_t at = i * s->dim + f;
            double x = s->pass.queries.wide ? ((const double *)s->pass.queries.rows)[at]
                                            : (double)((const float *)s->pass.queries.rows)[at];
            float packed = (float)(x * s->pass.scale);
            norms[i] += (double)packed * (double)packed;
        }
    return norms;
}

static void pairs(const sets *s)
{
    int64_t count = s->m * 11 + 3;
    size_t size = (size_t)count;
    int64_t *query = malloc(size * sizeof *query), *ref = malloc(size * sizeof *ref);
    double *d2 = malloc(size * sizeof *d2);
    for (int64_t i = 0; i < count; i++) {
        query[i] = i % 3 && i ? query[i - 1] : random_below(s->m);
        ref[i] = random_below(s->n);
    }
    REQUIRE(prf_pairs(&s->pass.queries, query, &s->pass.refs, ref, count, d2) == PRF_OK);
    for (int64_t i = 0; i < count; i++)
        REQUIRE(d2[i] == s->d2[query[i] * s->n + ref[i]]);
    free(query), free(ref), free(d2);
}

/* Lists that begin with limits hold all with D up to them. */
static prf_lists reaching(sets *s, int64_t capacity)
{
    prf_lists lists = lists_make(s, s->n, capacity);
    prf_fused what = {.lists = &lists};
    prf_work work = {0};
    double *reach = malloc((size_t)s->m * sizeof *reach);
    for (int64_t i = 0; i < s->m; i++)
        reach[i] = i % 9 == 4 ? -1.0 : i % 9 == 8 ? INFINITY : s->d2[i * s->n + random_below(s->n)];
    prf_limits(&s->pass, reach, s->m, lists.limit);
    sets_load(s, 0, s->n);
    for (int64_t i = 0; i < s->m; i += PRF_QUERY_BLOCK)
        REQUIRE(s->engine->fused(&s->pass, i, s->m - i < PRF_QUERY_BLOCK ? s->m - i : PRF_QUERY_BLOCK,
                                 &what, &work) == PRF_OK);
    for (int64_t i = 0; i < s->m; i++) {
        uint8_t *held = calloc((size_t)s->n, 1);
        REQUIRE(lists.fill[i] >= 0 && (reach[i] >= 0.0 || lists.fill[i] == 0));
        for (int64_t c = 0; c < lists.fill[i]; c++)
            held[lists.ref[i * capacity + c]]++;
        for (int64_t j = 0; j < s->n; j++)
            REQUIRE(held[j] <= 1 && (held[j] || s->d2[i * s->n + j] > reach[i]));
        free(held);
    }
    free(reach);
    return lists;
}

/* Those that are certain to be nearer than t are, those that are named with them are all up to t. */
static void check_side(const sets *s, int64_t query, double t, int64_t below, int64_t opened,
                       const int32_t *ref)
{
    int64_t nearer, through, inside = 0, up_to = 0;
    ranks(s, query, t, &nearer, &through);
    for (int64_t c = 0; c < opened; c++) {
        inside += s->d2[query * s->n + ref[c]] < t;
        up_to += s->d2[query * s->n + ref[c]] <= t;
    }
    REQUIRE(below + inside == nearer && below + up_to == through);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The k-th smallest D of a query to the sets that are not NULL. */
static double kth_of(const sets *a, const sets *b, int64_t query, int64_t k)
{
    int64_t count = (a ? a->n : 0) + (b ? b->n : 0), at = 0;
    double *d2 = malloc((size_t)count * sizeof *d2), kth;
    for (int64_t j = 0; a && j < a->n; j++)
        d2[at++] = a->d2[query * a->n + j];
    for (int64_t j = 0; b && j < b->n; j++)
        d2[at++] = b->d2[query * b->n + j];
    qsort(d2, (size_t)count, sizeof *d2, by_size);
    kth = d2[k - 1];
    free(d2);
    return kth;
}

/* Return how many queries the lists reach far enough for. */
static int64_t opened(const sets *a, const sets *b, const prf_lists *of_a, const prf_lists *of_b,
                      const double *norms, int across)
{
    const int64_t ks[2] = {1, K};
    int64_t balls = b ? 6 : 2, resolved = 0;
    int64_t *below = malloc((size_t)(a->m * balls * 2) * sizeof *below);
    int64_t *open = malloc((size_t)(a->m * balls * 2) * sizeof *open);
    uint8_t *failed = malloc((size_t)a->m);
    prf_work work = {0};
    for (int64_t first = 0; first < a->m; first += PRF_QUERY_BLOCK) {
        int64_t count = a->m - first < PRF_QUERY_BLOCK ? a->m - first : PRF_QUERY_BLOCK, room = 1;
        for (int64_t i = first; i < first + count; i++)
            room += balls * (of_a->fill[i] + (b ? of_b->fill[i] : 0));
        size_t size = (size_t)room;
        prf_open what = {
            .lists = {of_a, b ? of_b : NULL}, .norms = norms, .ks = {ks, ks, ks},
            .ks_count = {2, b ? 2 : 0, b ? 2 : 0}, .across = across, .below = below,
            .opened = open, .failed = failed, .query = malloc(size * sizeof(int32_t)),
            .ref = malloc(size * sizeof(int32_t)), .set = malloc(size),
        };
        REQUIRE(a->engine->open(&a->pass, first, count, &what, &work) == PRF_OK);
        int64_t at = 0;
        for (int64_t i = first; i < first + count; i++) {
            resolved += !failed[i];
            for (int64_t ball = 0; ball < balls && !failed[i]; ball++) {
                const sets *own[2] = {ball / 2 != 1 ? a : NULL, ball / 2 != 0 ? b : NULL};
                double t = kth_of(own[0], own[1], i, ks[ball % 2]);
                for (int set = 0; set < 2; set++) {
                    int64_t cell = (i * balls + ball) * 2 + set;
                    REQUIRE(below[cell] >= 0 || (!own[set] && open[cell] == 0));
                    REQUIRE(own[set] || across || below[cell] < 0);
                    for (int64_t c = at; c < at + open[cell]; c++)
                        REQUIRE(what.query[c] == i && what.set[c] == set);
                    if (below[cell] >= 0)
                        check_side(set ? b : a, i, t, below[cell], open[cell], what.ref + at);
                    at += open[cell];
                }
            }
        }
        REQUIRE(at == what.count && at < room);
        free(what.query), free(what.ref), free(what.set);
    }
    free(below), free(open), free(failed);
    return resolved;
}

static void lists(const prf_engine *engine, int64_t n, int64_t m, int64_t dim, int values, int wide)
{
    sets a, b;
    sets_make(&a, engine, n, m, dim, values, wide, NO_INT8, NULL);
    sets_make(&b, engine, n + 7, m, dim, values, wide, NO_INT8, &a);
    pairs(&a);
    int64_t capacity = n + 7 + 2 * PRF_QUERY_BLOCK, resolved;
    prf_lists of_a = reaching(&a, capacity), of_b = reaching(&b, capacity);
    double *norms = norms_of(&a);
    resolved = opened(&a, NULL, &of_a, NULL, norms, 0);
    REQUIRE(resolved <= m && (values < 1000 || m < MANY || resolved > 0));
    REQUIRE(opened(&a, &b, &of_a, &of_b, norms, 0) == opened(&a, &b, &of_a, &of_b, norms, 1));

    prf_shorten cut = {&of_a, norms, K};
    prf_work work = {0};
    int64_t before = 0, after = 0;
    for (int64_t i = 0; i < m; i++)
        before += of_a.fill[i];
    REQUIRE(engine->shorten(&a.pass, 0, m, &cut, &work) == PRF_OK);
    for (int64_t i = 0; i < m; i++)
        after += of_a.fill[i];
    REQUIRE(after <= before && (values < 1000 || n < 100 || m < MANY || after < before));
    REQUIRE(opened(&a, NULL, &of_a, NULL, norms, 0) == resolved); /* no k up to K is lost */
    free(norms);
    lists_free(&of_a), lists_free(&of_b);
    sets_free(&a), sets_free(&b);
}

void check_open(const prf_engine *engine)
{
    const int64_t shapes[][3] = {{1, 1, 1}, {7, 5, 4}, {33, 97, 17}, {300, 40, 9}, {200, 13, 65}};
    for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++)
        for (int values = 1; values <= 1000; values *= 10)
            lists(engine, shapes[j][0], shapes[j][1], shapes[j][2], values, values == 10);
}
