/* Random halves, up to 16 halvings side by side: the k-th nearest in the half of each query, from lists of
 * the whole, against the double loop of one halving at a time.                                  */
#include "driver.h"

enum { H = PRF_HALVINGS };

/* How many references in the half of query i have D < t, and D <= t; within a set without the query. */
static void half_ranks(const sets *s, const uint16_t *query_side, const uint16_t *ref_side, int64_t i,
                       int h, double t, int64_t *below, int64_t *through)
{
    *below = *through = 0;
    for (int64_t j = 0; j < s->n; j++) {
        int counts = is_same_side(query_side[i], ref_side[j], h) && !(s->pass.self && i == j);
        *below += counts && s->d2[i * s->n + j] < t;
        *through += counts && s->d2[i * s->n + j] <= t;
    }
}

/* Queries from `from` on.  whole: lists that hold all references, which answer all that has an answer. */
static void check_kth(const sets *s, prf_lists *lists, int64_t from, int64_t halvings, int whole)
{
    const int64_t ks[3] = {s->n / 4 + 1, 1, 3}; /* the first among keys that hardly differ */
    int64_t count = s->m - from;
    size_t size = (size_t)(count * 3 * H);
    uint16_t *query_side = sides_make(s->m), *ref_side = s->pass.self ? query_side : sides_make(s->n);
    double *d2 = malloc(size * sizeof *d2);
    prf_half_kth what = {lists, query_side, ref_side, ks, 3, halvings, from, d2};
    prf_work work = {0};
    for (size_t at = 0; at < size; at++)
        d2[at] = -1.0;
    for (int64_t i = from; i < s->m; i += PRF_QUERY_BLOCK)
        REQUIRE(s->engine->half_kth(&s->pass, i,
                                    s->m - i < PRF_QUERY_BLOCK ? s->m - i : PRF_QUERY_BLOCK, &what,
                                    &work) == PRF_OK);
    for (int64_t at = 0; at < count * 3 * H; at++) {
        int64_t i = from + at / (3 * H), k = ks[at / H % 3], below, through;
        int h = (int)(at % H);
        half_ranks(s, query_side, ref_side, i, h, isnan(d2[at]) ? INFINITY : d2[at], &below, &through);
        if (h >= halvings)
            REQUIRE(d2[at] == -1.0); /* never written */
        else if (isnan(d2[at]))
            REQUIRE(!whole || through < k);
        else
            REQUIRE(below < k && k <= through);
        REQUIRE(lists->fill[i] >= 0 || h >= halvings || isnan(d2[at]));
    }
    if (!s->pass.self)
        free(ref_side);
    free(query_side), free(d2);
}

/* m = 0: within a set.  k: that of the lists, which is too short for most halves where it is small. */
static void kth(const prf_engine *engine, int64_t n, int64_t m, int64_t dim, int64_t k, int values,
                int wide, int int8)
{
    sets s;
    sets_make(&s, engine, n, m, dim, values, wide, int8, NULL);
    sets_load(&s, 0, n);
    prf_lists lists = lists_make(&s, k, 2 * k + 2 * PRF_QUERY_BLOCK);
    prf_work work = {0};
    sets_fused(&s, PRF_QUERY_BLOCK, &(prf_fused){.lists = &lists}, &work);
    check_kth(&s, &lists, 0, H, k >= n);
    check_kth(&s, &lists, s.m / 3, 1, k >= n);
    check_kth(&s, &lists, s.m - 1, 3, k >= n);
    lists_free(&lists);
    sets_free(&s);
}

void check_halves(const prf_engine *engine)
{
    const int64_t shapes[][3] = {{1, 1, 1},   {2, 3, 4},    {9, 0, 3},   {31, 7, 3},
                                 {33, 97, 17}, {193, 0, 33}, {900, 9, 9}, {300, 4, 1030}};
    for (int values = 1; values <= 1000; values *= 10)
        for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++) {
            int64_t n = shapes[j][0], m = shapes[j][1], dim = shapes[j][2];
            int wide = j % 2 == 0;
            kth(engine, n, m, dim, n, values, wide, NO_INT8);
            kth(engine, n, m, dim, n, values, !wide, INT8);
            for (int64_t k = 2; k < n && k <= 12; k += 10) {
                kth(engine, n, m, dim, k, values, wide, INT8);
                kth(engine, n, m, dim, k, values, !wide, NO_INT8);
            }
        }
}
