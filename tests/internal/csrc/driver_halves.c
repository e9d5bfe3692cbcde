/* Random halves, up to 16 halvings side by side: the k-th nearest in the half of each query, from lists of
 * the whole, and pairs counted in each half, against the double loop of one halving at a time.    */
#include "driver.h"

enum { H = PRF_HALVINGS };

/* Which half each of so many points is in, a bit for each halving. */
static uint16_t *sides_of(int64_t count)
{
    uint16_t *sides = malloc((size_t)count * sizeof *sides);
    for (int64_t i = 0; i < count; i++)
        sides[i] = (uint16_t)random_below(1 << H);
    return sides;
}

static int is_same(uint16_t a, uint16_t b, int h)
{
    return !((a ^ b) >> h & 1);
}

/* How many references in the half of query i have D < t, and D <= t; within a set without the query. */
static void half_ranks(const sets *s, const uint16_t *query_side, const uint16_t *ref_side, int64_t i,
                       int h, double t, int64_t *below, int64_t *through)
{
    *below = *through = 0;
    for (int64_t j = 0; j < s->n; j++) {
        int counts = is_same(query_side[i], ref_side[j], h) && !(s->pass.self && i == j);
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
    uint16_t *query_side = sides_of(s->m), *ref_side = s->pass.self ? query_side : sides_of(s->n);
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
    prf_fused what = {.lists = &lists};
    prf_work work = {0};
    for (int64_t i = 0; i < s.m; i += PRF_QUERY_BLOCK)
        REQUIRE(engine->fused(&s.pass, i, s.m - i < PRF_QUERY_BLOCK ? s.m - i : PRF_QUERY_BLOCK,
                              &what, &work) == PRF_OK);
    check_kth(&s, &lists, 0, H, k >= n);
    check_kth(&s, &lists, s.m / 3, 1, k >= n);
    check_kth(&s, &lists, s.m - 1, 3, k >= n);
    lists_free(&lists);
    sets_free(&s);
}

enum { TASKS = 4, PLAIN = 4 }; /* task PLAIN is of no halves, in the same pass */

/* A task is of queries where it is even, closed where it is 0 or 3; the last has rows alone, that before
 * columns alone.                                                                                  */
typedef struct {
    double *t[TASKS], *most[TASKS]; /* thresholds, and the largest of each center */
    int32_t *rows[TASKS], *cols[TASKS];
    uint16_t *query_side, *ref_side;
} half_counts;

static int is_closed(int task)
{
    return task % 3 == 0;
}

/* Thresholds are distances that occur, so that each comparison is as close as it can be. */
static half_counts counts_make(const sets *s, int64_t halvings)
{
    half_counts c = {.query_side = sides_of(s->m), .ref_side = sides_of(s->n)};
    for (int t = 0; t < TASKS; t++) {
        int64_t centers = t % 2 ? s->n : s->m;
        c.t[t] = malloc((size_t)(centers * H) * sizeof *c.t[t]);
        c.most[t] = malloc((size_t)centers * sizeof *c.most[t]);
        for (int64_t i = 0; i < centers; i++) {
            double most = -1.0;
            for (int h = 0; h < H; h++) {
                int64_t other = random_below(t % 2 ? s->m : s->n), odd = random_below(9);
                double d2 = t % 2 ? s->d2[other * s->n + i] : s->d2[i * s->n + other];
                d2 = h >= halvings || odd == 0 ? -1.0 : odd == 1 && i % 4 == 0 ? INFINITY : d2;
                c.t[t][i * H + h] = d2;
                most = fmax(most, d2);
            }
            c.most[t][i] = most;
        }
        c.rows[t] = t == 2 ? NULL : calloc((size_t)(s->m * H), sizeof *c.rows[t]);
        c.cols[t] = t == 3 ? NULL : calloc((size_t)(s->n * H), sizeof *c.cols[t]);
    }
    return c;
}

static void counts_check(half_counts *c, const sets *s)
{
    for (int t = 0; t < TASKS; t++) {
        for (int64_t at = 0; at < s->m * s->n * H; at++) {
            int64_t i = at / H / s->n, j = at / H % s->n, h = at % H;
            double radius = c->t[t][(t % 2 ? j : i) * H + h], d = s->d2[i * s->n + j];
            int inside = is_same(c->query_side[i], c->ref_side[j], (int)h) &&
                         (is_closed(t) ? d <= radius : d < radius);
            if (c->rows[t])
                c->rows[t][i * H + h] -= inside;
            if (c->cols[t])
                c->cols[t][j * H + h] -= inside;
        }
        for (int64_t at = 0; c->rows[t] && at < s->m * H; at++)
            REQUIRE(c->rows[t][at] == 0);
        for (int64_t at = 0; c->cols[t] && at < s->n * H; at++)
            REQUIRE(c->cols[t][at] == 0);
        free(c->t[t]), free(c->most[t]), free(c->rows[t]), free(c->cols[t]);
    }
    free(c->query_side), free(c->ref_side);
}

/* One pass over the packed references; plain: counts of the queries' own largest thresholds. */
static void count_loaded(const sets *s, half_counts *c, int64_t block, int64_t *plain)
{
    int64_t first = s->pass.ref_first, size = s->pass.ref_count;
    size_t room = (size_t)((size + s->pass.panel - 1) / s->pass.panel * s->pass.panel);
    float *terms = malloc(2 * TASKS * room * sizeof *terms);
    float *keys = malloc(2 * TASKS * room * H * sizeof *keys);
    double *largest = malloc((size_t)s->n * sizeof *largest);
    prf_halves halves[TASKS];
    prf_count tasks[TASKS + 1];
    prf_work work = {0};
    for (int t = 0; t < TASKS; t++) {
        float *possible = keys + 2 * (size_t)t * room * H, *its = terms + 2 * (size_t)t * room;
        halves[t] = (prf_halves){c->t[t], c->query_side, c->ref_side, possible, possible + room * H,
                                 c->rows[t], c->cols[t] ? c->cols[t] + first * H : NULL};
        tasks[t] = (prf_count){t % 2 ? NULL : c->most[t], t % 2 ? c->most[t] : NULL, is_closed(t),
                               its, its + room, NULL, NULL, &halves[t]};
        prf_count_prepare(&s->pass, &tasks[t]);
    }
    tasks[PLAIN] = (prf_count){.query_t = c->most[0], .closed = 1, .rows = plain};
    for (int64_t j = 0; j < s->n; j++)
        largest[j] = fmax(c->most[1][j], c->most[3][j]);
    float *half = sets_arm(s, largest);
    prf_fused what = {.tasks = tasks, .tasks_count = TASKS + 1, .ref_half = half};
    for (int64_t i = 0; i < s->m; i += block)
        REQUIRE(s->engine->fused(&s->pass, i, s->m - i < block ? s->m - i : block, &what, &work) ==
                PRF_OK);
    free(terms), free(half), free(keys), free(largest);
}

static void counts(const prf_engine *engine, int64_t n, int64_t m, int64_t dim, int64_t halvings,
                   int values, int wide, int filter, int exact)
{
    sets s;
    sets_make(&s, engine, n, m, dim, values, wide, filter, NULL);
    s.pass.exact = exact;
    half_counts c = counts_make(&s, halvings);
    int64_t *plain = calloc((size_t)m, sizeof *plain), most = n > 500 ? 2 * PRF_SAMPLE : n;
    for (int64_t first = 0; first < n; first += most) {
        sets_load(&s, first, n - first < most ? n - first : most);
        count_loaded(&s, &c, filter == NO_INT8 ? 50 : 150, plain);
    }
    for (int64_t i = 0; i < m; i++) {
        int64_t below, through;
        ranks(&s, i, c.most[0][i], &below, &through);
        REQUIRE(plain[i] == through);
    }
    counts_check(&c, &s);
    free(plain);
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
            m = m ? m : 20;
            counts(engine, n, m, dim, H, values, wide, INT8, 0);
            counts(engine, n, m, dim, 1, values, !wide, INT8, 0);
            counts(engine, n, m, dim, H, values, wide, HEAD + (int)j % (FILTERS - HEAD), 0);
            counts(engine, n, m, dim, j % 2 ? H : 1, values, wide, NO_INT8, 0);
            counts(engine, n, m, dim, H, values, !wide, NO_INT8, j % 3 == 1);
        }
}
