/* Lists and counts of one pass over all pairs, what lists answer, and pairs within a set, against the
 * double loop.                                                                                  */
#include "driver.h"

/* Radii are distances that occur, so that each comparison is as close as it can be. */
static double *radii_of(const sets *s, int of_queries)
{
    int64_t count = of_queries ? s->m : s->n;
    double *t = malloc((size_t)count * sizeof *t);
    for (int64_t i = 0; i < count; i++) {
        int64_t other = random_below(of_queries ? s->n : s->m);
        t[i] = of_queries ? s->d2[i * s->n + other] : s->d2[other * s->n + i];
        if (i % 7 == 3)
            t[i] = i % 2 ? -1.0 : INFINITY;
    }
    return t;
}

enum { TASKS = 4 };

/* Radii, and what is counted: task t is of queries where t is even, closed where t < 2. */
typedef struct {
    double *t[TASKS];
    int64_t *rows[TASKS], *cols[TASKS];
} counts;

static counts counts_make(const sets *s)
{
    counts c;
    for (int t = 0; t < TASKS; t++) {
        c.t[t] = radii_of(s, t % 2 == 0);
        c.rows[t] = calloc((size_t)s->m, sizeof *c.rows[t]);
        c.cols[t] = calloc((size_t)s->n, sizeof *c.cols[t]);
    }
    return c;
}

static void counts_check(counts *c, const sets *s)
{
    for (int t = 0; t < TASKS; t++)
        for (int64_t i = 0; i < s->m; i++)
            for (int64_t j = 0; j < s->n; j++) {
                double d = s->d2[i * s->n + j], radius = c->t[t][t % 2 ? j : i];
                int inside = t < 2 ? d <= radius : d < radius;
                c->rows[t][i] -= inside;
                c->cols[t][j] -= inside;
            }
    for (int t = 0; t < TASKS; t++) {
        for (int64_t i = 0; i < s->m; i++)
            REQUIRE(c->rows[t][i] == 0);
        for (int64_t j = 0; j < s->n; j++)
            REQUIRE(c->cols[t][j] == 0);
        free(c->t[t]), free(c->rows[t]), free(c->cols[t]);
    }
}

/* One pass over all pairs, `most` references packed at a time, `block` queries together. */
static void scan(sets *s, int64_t most, int64_t block, prf_lists *lists, counts *c)
{
    prf_work work = {0};
    for (int64_t first = 0; first < s->n; first += most) {
        int64_t size = s->n - first < most ? s->n - first : most;
        sets_load(s, first, size);
        size_t room = (size_t)((size + s->pass.panel - 1) / s->pass.panel * s->pass.panel);
        float *terms = malloc(2 * TASKS * room * sizeof *terms);
        double *largest = malloc((size_t)s->n * sizeof *largest);
        int32_t *cols = calloc((size_t)(TASKS * size), sizeof *cols);
        prf_count tasks[TASKS];
        for (int64_t j = 0; j < s->n; j++)
            largest[j] = fmax(c->t[1][j], c->t[3][j]);
        float *half = sets_arm(s, largest);
        for (int t = 0; t < TASKS; t++) {
            float *its = terms + 2 * (size_t)t * room;
            tasks[t] = (prf_count){t % 2 ? NULL : c->t[t], t % 2 ? c->t[t] : NULL, t < 2, its,
                                   its + room, c->rows[t], cols + t * size, NULL};
            prf_count_prepare(&s->pass, &tasks[t]);
        }
        prf_fused what = {lists, tasks, TASKS, half};
        for (int64_t i = 0; i < s->m; i += block)
            REQUIRE(s->engine->fused(&s->pass, i, s->m - i < block ? s->m - i : block, &what,
                                     &work) == PRF_OK);
        for (int64_t at = 0; at < TASKS * size; at++)
            c->cols[at / size][first + at % size] += cols[at];
        free(terms), free(half), free(largest), free(cols);
    }
    REQUIRE(work.head >= 0 && work.int8 >= 0 && work.float32 >= 0 && work.differences >= 0 && work.refined >= 0 &&
            work.unfiltered >= 0 && work.abandoned >= 0);
    REQUIRE(s->pass.exact ? work.unfiltered == s->m * s->n
                          : work.float32 + work.unfiltered + work.head + work.int8 + work.differences +
                                (s->pass.refs.wide && (s->pass.int8 || s->pass.head) ? work.refined : 0) >=
                                s->m * s->n);
}

/* d2 is the k-th of the references of one set or of two (b may be NULL). */
static void check_kth(const sets *a, const sets *b, int64_t i, int64_t k, double d2)
{
    int64_t below, through, more_below = 0, more_through = 0;
    ranks(a, i, d2, &below, &through);
    if (b)
        ranks(b, i, d2, &more_below, &more_through);
    REQUIRE(below + more_below < k && k <= through + more_through);
}

static int64_t inside(const sets *s, int64_t i, double t, int closed)
{
    int64_t below, through;
    ranks(s, i, t, &below, &through);
    return closed ? through : below;
}

/* What the lists of two sets answer, for the queries from `from` on; how many they do not reach.  Of
 * lists that keep what is nearer unrefined the k-th alone is needed.                                  */
static int64_t finish(const sets *a, const sets *b, const prf_lists *of_a, const prf_lists *of_b,
                      int64_t k, int64_t from, int closed)
{
    int64_t count = a->m - from, failures = 0;
    int64_t ks[2] = {of_a->unrefined == PRF_ALL_BUT_KTH_UNREFINED ? k : 1, k};
    size_t room = (size_t)(2 * count);
    double *d2[3];
    int64_t *held[4];
    uint8_t *failed = malloc((size_t)count);
    prf_work work = {0};
    for (int s = 0; s < 3; s++)
        d2[s] = malloc(room * sizeof *d2[s]);
    for (int s = 0; s < 4; s++)
        held[s] = malloc(room * sizeof *held[s]);
    prf_finish what = {
        .lists = {of_a, of_b}, .passes = {&a->pass, b ? &b->pass : NULL}, .ks = {ks, ks, ks},
        .ks_count = {2, b ? 2 : 0, b ? 2 : 0}, .first_query = from, .closed = closed,
        .d2 = {d2[0], d2[1], d2[2]}, .of = {held[0], held[1]},
        .across = {b ? held[2] : NULL, b ? held[3] : NULL}, .failed = failed,
    };
    for (int64_t i = from; i < a->m; i += PRF_QUERY_BLOCK)
        REQUIRE(a->engine->finish(&a->pass, i,
                                  a->m - i < PRF_QUERY_BLOCK ? a->m - i : PRF_QUERY_BLOCK, &what,
                                  &work) == PRF_OK);
    for (int64_t i = 0; i < count; i++) {
        failures += failed[i];
        for (int64_t at = 2 * i; at < 2 * i + 2 && !failed[i]; at++) {
            check_kth(a, NULL, from + i, ks[at % 2], d2[0][at]);
            if (!b)
                continue;
            check_kth(b, NULL, from + i, ks[at % 2], d2[1][at]);
            check_kth(a, b, from + i, ks[at % 2], d2[2][at]);
            REQUIRE(held[0][at] == inside(a, from + i, d2[2][at], closed));
            REQUIRE(held[1][at] == inside(b, from + i, d2[2][at], closed));
            REQUIRE(held[2][at] < 0 || held[2][at] == inside(a, from + i, d2[1][at], closed));
            REQUIRE(held[3][at] < 0 || held[3][at] == inside(b, from + i, d2[0][at], closed));
        }
    }
    for (int s = 0; s < 4; s++)
        free(held[s]);
    free(d2[0]), free(d2[1]), free(d2[2]), free(failed);
    return failures;
}

/* Are numbers so different that no list is full of ties? */
static int has_few_ties(int64_t dim, int values, int filter)
{
    return values >= 1000 && dim >= 9 && filter < HEAD_COPIES;
}

/* Queries against two sets. */
static void fused(const prf_engine *engine, const int64_t shape[4], int values, int wide, int filter,
                  int exact, int unrefined)
{
    int64_t n = shape[0], m = shape[1], dim = shape[2], k = shape[3];
    int64_t capacity = 3 * k + 2 * PRF_QUERY_BLOCK, failures;
    sets a, b;
    sets_make(&a, engine, n, m, dim, values, wide, filter, NULL);
    sets_make(&b, engine, n + 5, m, dim, values, wide, filter, &a);
    a.pass.exact = b.pass.exact = exact;
    prf_lists of_a = lists_make(&a, k, capacity), of_b = lists_make(&b, k, capacity);
    counts in_a = counts_make(&a), in_b = counts_make(&b);
    of_a.unrefined = of_b.unrefined = unrefined;
    scan(&a, n, filter == NO_INT8 ? PRF_QUERY_BLOCK : m, &of_a, &in_a);
    scan(&b, n > 500 ? 2 * PRF_SAMPLE : n, filter == NO_INT8 ? 50 : 150, &of_b, &in_b);
    counts_check(&in_a, &a);
    counts_check(&in_b, &b);
    if (unrefined != PRF_ALL_BUT_KTH_UNREFINED) {
        failures = finish(&a, &b, &of_a, &of_b, k, m / 3, m % 2 == 0);
        REQUIRE(!has_few_ties(dim, values, filter) || failures == 0);
    }
    failures = finish(&a, NULL, &of_a, NULL, k, 0, 1);
    REQUIRE(failures <= m && (!has_few_ties(dim, values, filter) || failures == 0));
    lists_free(&of_a), lists_free(&of_b);
    sets_free(&a), sets_free(&b);
}

/* Within a set, each pair once: blocks with themselves, and then with all that come after. */
static void within(const prf_engine *engine, int64_t n, int64_t k, int64_t dim, int values, int wide,
                   int filter)
{
    sets s;
    sets_make(&s, engine, n, 0, dim, values, wide, filter, NULL);
    sets_load(&s, 0, n);
    prf_lists lists = lists_make(&s, k + 1, 3 * k + 2 * PRF_QUERY_BLOCK + 1);
    prf_work work = {0};
    int64_t failures, room = (n + engine->panel - 1) / engine->panel * engine->panel;
    int64_t *seen = malloc((size_t)n * sizeof *seen);
    float *arms = malloc((size_t)room * sizeof *arms);
    for (int64_t r = n; r < room; r++) /* padding reaches nothing */
        arms[r] = filter >= HEAD ? -INFINITY : INFINITY;
    const int64_t step = 2 * PRF_QUERY_BLOCK;
    for (int itself = 1; itself >= 0; itself--)
        for (int64_t first = 0; first < n; first += step) { /* rows of parts, one by one */
            int64_t end = first + step < n ? first + step : n;
            int64_t part[4] = {first, end, itself ? first : end, itself ? end : n};
            prf_symmetric pairs = {part, &lists, arms};
            prf_lower lower = {seen, &pairs};
            for (int64_t r = 0; r < n; r++) /* points before have met all, the others all those */
                seen[r] = itself ? 0 : r < first ? n : end;
            REQUIRE(engine->lower(&s.pass, 0, n, &lower, &work) == PRF_OK);
            if (part[2] < part[3])
                REQUIRE(engine->symmetric(&s.pass, 0, 1, &pairs, &work) == PRF_OK);
        }
    free(arms);
    free(seen);
    failures = finish(&s, NULL, &lists, NULL, k, 0, 1);
    REQUIRE(!has_few_ties(dim, values, filter) || failures == 0);
    REQUIRE(values > 1 || n < 4 * PRF_QUERY_BLOCK || failures == n); /* all points alike */
    lists_free(&lists);
    sets_free(&s);
}

void check_lists(const prf_engine *engine)
{
    const int64_t shapes[][4] = {{1, 1, 1, 1},   {2, 3, 4, 2},     {31, 7, 3, 5},    {33, 97, 17, 30},
                                 {191, 5, 2, 3}, {192, 5, 33, 9},  {193, 96, 9, 3},  {767, 3, 9, 20},
                                 {768, 9, 9, 3}, {900, 20, 40, 9}, {3000, 4, 12, 5}, {300, 4, 1030, 3}};
    const int64_t sizes[][3] = {{2, 1, 1}, {96, 95, 5}, {193, 4, 33}, {400, 30, 9}, {1300, 5, 5}};
    const int kinds[] = {1, 10, 1000};
    for (int v = 0; v < 3; v++) {
        for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++) {
            int i = (int)j, int8 = (i + v) % 2; /* each shape with int8 and without */
            for (int unrefined = PRF_NONE_UNREFINED; unrefined <= PRF_ALL_BUT_KTH_UNREFINED; unrefined++)
                if (int8 || unrefined == PRF_NONE_UNREFINED)
                    fused(engine, shapes[j], kinds[v], (i + v / 2) % 2, int8,
                          !int8 && i % 3 == 1, unrefined);
            fused(engine, shapes[j], kinds[v], i % 2, HEAD + (i + v) % (FILTERS - HEAD), 0, i % 3);
        }
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            within(engine, sizes[j][0], sizes[j][1], sizes[j][2], kinds[v], j % 2 == 0,
                   j % 3 ? NO_INT8 : INT8);
            for (int filter = HEAD; filter < FILTERS; filter++)
                within(engine, sizes[j][0], sizes[j][1], sizes[j][2], kinds[v], (filter + v) % 2, filter);
        }
    }
    within(engine, 195, 3, 1030, 1000, 0, NO_INT8);
}

/* Rows so long that sums of float32 say little: where keys tell nothing, no list does. */
void check_longest(const prf_engine *engine)
{
    const int64_t shape[] = {1, 2, 1600000, 1};
    fused(engine, shape, 4, 0, NO_INT8, 0, PRF_NONE_UNREFINED);
}
