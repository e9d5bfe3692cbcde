/* Lists and counts of one pass over all pairs, what lists answer, and pairs within a set, against the
 * double loop.                                                                                  */
#include "driver.h"

enum { H = PRF_HALVINGS, PLAIN = 4, TASKS = 8 };

/* Task t is of queries where t is even, closed where t / 2 is even, of halves from PLAIN on.  A task of halves has a
 * radius for each halving.  Task 6 has no rows, task 7 no columns.                               */
typedef struct {
    int64_t halvings;
    double *t[TASKS], *most[TASKS]; /* radii, and the largest of each center */
    int64_t *rows[PLAIN];
    int32_t *half_rows[TASKS], *cols[TASKS];
    uint16_t *query_side, *ref_side;
} counts;

static int is_closed(int task)
{
    return task / 2 % 2 == 0;
}

static int64_t width_of(int task)
{
    return task < PLAIN ? 1 : H;
}

/* Radii are distances that occur, so that each comparison is as close as it can be. */
static void radii_make(counts *c, const sets *s, int task)
{
    int64_t centers = task % 2 ? s->n : s->m, width = width_of(task);
    c->t[task] = malloc((size_t)(centers * width) * sizeof(double));
    c->most[task] = malloc((size_t)centers * sizeof(double));
    for (int64_t i = 0; i < centers; i++) {
        c->most[task][i] = -1.0;
        for (int64_t h = 0; h < width; h++) {
            int64_t end = random_below(task % 2 ? s->m : s->n), odd = random_below(9);
            double d2 = task % 2 ? s->d2[end * s->n + i] : s->d2[i * s->n + end];
            d2 = odd == 1 && i % 4 == 0 ? INFINITY : d2;
            d2 = odd == 0 || (width == H && h >= c->halvings) ? -1.0 : d2;
            c->t[task][i * width + h] = d2;
            c->most[task][i] = fmax(c->most[task][i], d2);
        }
    }
}

static counts counts_make(const sets *s, int64_t halvings)
{
    counts c = {.halvings = halvings, .query_side = sides_make(s->m), .ref_side = sides_make(s->n)};
    for (int t = 0; t < TASKS; t++) {
        radii_make(&c, s, t);
        if (t < PLAIN)
            c.rows[t] = calloc((size_t)s->m, sizeof(int64_t));
        else
            c.half_rows[t] = t == 6 ? NULL : calloc((size_t)(s->m * H), sizeof(int32_t));
        c.cols[t] = t == 7 ? NULL : calloc((size_t)(s->n * width_of(t)), sizeof(int32_t));
    }
    return c;
}

static void counts_check(counts *c, const sets *s)
{
    for (int t = 0; t < TASKS; t++) {
        int64_t width = width_of(t);
        for (int64_t at = 0; at < s->m * s->n * width; at++) {
            int64_t i = at / width / s->n, j = at / width % s->n, h = at % width;
            double radius = c->t[t][(t % 2 ? j : i) * width + h], d = s->d2[i * s->n + j];
            int inside = is_closed(t) ? d <= radius : d < radius;
            if (t < PLAIN)
                c->rows[t][i] -= inside;
            else
                inside = inside && is_same_side(c->query_side[i], c->ref_side[j], (int)h);
            if (c->half_rows[t])
                c->half_rows[t][i * H + h] -= inside;
            if (c->cols[t])
                c->cols[t][j * width + h] -= inside;
        }
        for (int64_t i = 0; t < PLAIN && i < s->m; i++)
            REQUIRE(c->rows[t][i] == 0);
        for (int64_t at = 0; c->half_rows[t] && at < s->m * H; at++)
            REQUIRE(c->half_rows[t][at] == 0);
        for (int64_t at = 0; c->cols[t] && at < s->n * width; at++)
            REQUIRE(c->cols[t][at] == 0);
        free(c->t[t]), free(c->most[t]), free(c->half_rows[t]), free(c->cols[t]);
    }
    for (int t = 0; t < PLAIN; t++)
        free(c->rows[t]);
    free(c->query_side), free(c->ref_side);
}

/* One pass over the packed references. */
static void scan_loaded(const sets *s, int64_t block, prf_lists *lists, counts *c, prf_work *work)
{
    int64_t first = s->pass.ref_first, size = s->pass.ref_count;
    size_t room = (size_t)((size + s->pass.panel - 1) / s->pass.panel * s->pass.panel);
    float *terms = malloc((2 * TASKS + 1) * room * sizeof *terms);
    float *keys = malloc(2 * (TASKS - PLAIN) * room * H * sizeof *keys);
    float *half = terms + 2 * TASKS * room;
    double *largest = calloc((size_t)s->n, sizeof *largest);
    prf_halves halves[TASKS];
    prf_count tasks[TASKS];
    for (int t = 0; t < TASKS; t++) {
        float *its = terms + 2 * (size_t)t * room;
        int32_t *cols = c->cols[t] ? c->cols[t] + first * width_of(t) : NULL;
        tasks[t] = (prf_count){t % 2 ? NULL : c->most[t], t % 2 ? c->most[t] : NULL, is_closed(t), its,
                               its + room, NULL, NULL, NULL};
        if (t < PLAIN) {
            tasks[t].rows = c->rows[t];
            tasks[t].cols = cols;
        } else {
            float *possible = keys + 2 * (size_t)(t - PLAIN) * room * H;
            halves[t] = (prf_halves){c->t[t], c->query_side, c->ref_side, possible,
                                     possible + room * H, c->half_rows[t], cols};
            tasks[t].halves = &halves[t];
        }
        prf_count_prepare(&s->pass, &tasks[t]);
        for (int64_t j = 0; t % 2 && j < s->n; j++)
            largest[j] = fmax(t == 1 ? -1.0 : largest[j], c->most[t][j]);
    }
    if (s->pass.int8)
        prf_int8_arm(&s->pass, largest, half);
    sets_fused(s, block, &(prf_fused){lists, tasks, TASKS, s->pass.int8 ? half : NULL}, work);
    free(terms), free(keys), free(largest);
}

/* One pass over all pairs, `most` references packed at a time, `block` queries together. */
static void scan(sets *s, int64_t most, int64_t block, prf_lists *lists, counts *c)
{
    prf_work work = {0};
    for (int64_t first = 0; first < s->n; first += most) {
        sets_load(s, first, s->n - first < most ? s->n - first : most);
        scan_loaded(s, block, lists, c, &work);
    }
    REQUIRE(work.int8 >= 0 && work.float32 >= 0 && work.differences >= 0 && work.refined >= 0 &&
            work.unfiltered >= 0 && work.abandoned >= 0);
    REQUIRE(s->pass.exact ? work.unfiltered == s->m * s->n
                          : work.float32 + work.unfiltered + work.int8 + work.differences +
                                (s->pass.refs.wide && s->pass.int8 ? work.refined : 0) >=
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

/* Queries against two sets. */
static void fused(const prf_engine *engine, const int64_t shape[4], int values, int wide, int int8,
                  int exact, int unrefined)
{
    int64_t n = shape[0], m = shape[1], dim = shape[2], k = shape[3];
    int64_t capacity = 3 * k + 2 * PRF_QUERY_BLOCK, failures;
    sets a, b;
    sets_make(&a, engine, n, m, dim, values, wide, int8, NULL);
    sets_make(&b, engine, n + 5, m, dim, values, wide, int8, &a);
    a.pass.exact = b.pass.exact = exact;
    prf_lists of_a = lists_make(&a, k, capacity), of_b = lists_make(&b, k, capacity);
    counts in_a = counts_make(&a, H), in_b = counts_make(&b, 1);
    of_a.unrefined = of_b.unrefined = unrefined;
    scan(&a, n, int8 == NO_INT8 ? PRF_QUERY_BLOCK : m, &of_a, &in_a);
    scan(&b, n > 500 ? 2 * PRF_SAMPLE : n, int8 == NO_INT8 ? 50 : 150, &of_b, &in_b);
    counts_check(&in_a, &a);
    counts_check(&in_b, &b);
    if (unrefined == PRF_NONE_UNREFINED) { /* counts without lists */
        counts alone = counts_make(&b, H);
        scan(&b, n > 500 ? 2 * PRF_SAMPLE : n + 5, int8 == NO_INT8 ? 50 : 150, NULL, &alone);
        counts_check(&alone, &b);
    }
    if (unrefined != PRF_ALL_BUT_KTH_UNREFINED) {
        failures = finish(&a, &b, &of_a, &of_b, k, m / 3, m % 2 == 0);
        REQUIRE(values < 1000 || dim < 9 || failures == 0);
    }
    failures = finish(&a, NULL, &of_a, NULL, k, 0, 1);
    REQUIRE(failures <= m && (values < 1000 || dim < 9 || failures == 0));
    lists_free(&of_a), lists_free(&of_b);
    sets_free(&a), sets_free(&b);
}

/* Within a set, each pair once: blocks with themselves, and then with all that come after. */
static void within(const prf_engine *engine, int64_t n, int64_t k, int64_t dim, int values, int wide,
                   int int8)
{
    sets s;
    sets_make(&s, engine, n, 0, dim, values, wide, int8, NULL);
    sets_load(&s, 0, n);
    prf_lists lists = lists_make(&s, k + 1, 3 * k + 2 * PRF_QUERY_BLOCK + 1);
    prf_work work = {0};
    int64_t failures, room = (n + engine->panel - 1) / engine->panel * engine->panel;
    int64_t *seen = malloc((size_t)n * sizeof *seen);
    float *arms = malloc((size_t)room * sizeof *arms);
    for (int64_t r = n; r < room; r++) /* padding reaches nothing */
        arms[r] = INFINITY;
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
    REQUIRE(values < 1000 || dim < 9 || failures == 0);
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
        }
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
            within(engine, sizes[j][0], sizes[j][1], sizes[j][2], kinds[v], j % 2 == 0,
                   j % 3 ? NO_INT8 : INT8);
    }
    within(engine, 195, 3, 1030, 1000, 0, NO_INT8);
}

/* Rows so long that sums of float32 say little: where keys tell nothing, no list does. */
void check_longest(const prf_engine *engine)
{
    const int64_t shape[] = {1, 2, 1600000, 1};
    fused(engine, shape, 4, 0, NO_INT8, 0, PRF_NONE_UNREFINED);
}
