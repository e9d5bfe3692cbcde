/* Sums of logarithms of both sides against the double loop. */
#include "arithmetic/log2.h"
#include "driver.h"

static double value(const prf_points *points, int64_t i, int64_t j)
{
    int64_t at = (points->index ? points->index[i] : i) * points->stride + j;
    return points->wide ? ((const double *)points->rows)[at] : ((const float *)points->rows)[at];
}

/* Eight sums, of the features with one remainder each. */
static double by_eight(const sets *s, int64_t i, int64_t j)
{
    double sum[8] = {0.0};
    for (int64_t f = 0; f < s->dim; f++) {
        double off = value(&s->pass.queries, i, f) - value(&s->pass.refs, j, f);
        sum[f % 8] += off * off;
    }
    for (int half = 4; half; half /= 2)
        for (int c = 0; c < half; c++)
            sum[c] += sum[c + half];
    return sum[0];
}

/* The packed references [first, first + count), for all queries in two calls. */
static void add(sets *s, int64_t first, int64_t count, double t, int64_t *queries, int64_t *refs)
{
    sets_load(s, first, count);
    size_t room = (size_t)((count + s->pass.panel - 1) / s->pass.panel * s->pass.panel);
    float *possible = malloc(room * sizeof *possible);
    int64_t half = s->m / 2;
    prf_work work = {0};
    prf_logs logs = {{t, 0.5 * t}, queries, possible, refs + first};
    prf_fused what = {.logs = &logs};
    prf_logs_prepare(&s->pass, refs, &logs);
    if (half)
        REQUIRE(s->engine->fused(&s->pass, 0, half, &what, &work) == PRF_OK);
    REQUIRE(s->engine->fused(&s->pass, half, s->m - half, &what, &work) == PRF_OK);
    free(possible);
}

static void check_side(const sets *s, const int64_t *sums, int of_refs, double t)
{
    for (int64_t i = 0; i < (of_refs ? s->n : s->m); i++) {
        int64_t sum = 0, others = of_refs ? s->m : s->n;
        for (int64_t j = 0; j < others; j++) {
            double d2 = of_refs ? by_eight(s, j, i) : by_eight(s, i, j);
            int64_t term = prf_level(d2) - prf_level(t);
            sum += term >= 0 ? 0 : term > PRF_LOG_LEAST ? term : PRF_LOG_LEAST;
            sum = sum > PRF_LOG_LEAST ? sum : PRF_LOG_LEAST;
        }
        REQUIRE(sums[i] == sum);
    }
}

static void logs(const prf_engine *engine, int64_t n, int64_t m, int64_t dim, int values, int wide,
                 int int8, int exact)
{
    sets s;
    sets_make(&s, engine, n, m, dim, values, wide, int8, NULL);
    s.pass.exact = exact;
    int64_t *queries = calloc((size_t)m, sizeof *queries), *refs = calloc((size_t)n, sizeof *refs);
    double t = s.d2[random_below(m * n)] + 0.25;
    int64_t half = n / 2;
    if (half)
        add(&s, 0, half, t, queries, refs);
    add(&s, half, n - half, t, queries, refs);
    check_side(&s, queries, 0, t);
    check_side(&s, refs, 1, 0.5 * t);
    free(queries), free(refs);
    sets_free(&s);
}

/* Levels are 2⁵¹ times logarithms, 1.25 off at most; the library's are off by less than 1 here. */
static void levels(void)
{
    for (int i = 0; i < 20000; i++) {
        double x = 0.5 + (double)random_below(3 << 20) * 0x1p-21;
        double off = (double)prf_level(x) - log2(x) * 0x1p51;
        REQUIRE(-2.25 < off && off < 2.25);
        int e = (int)random_below(2000) - 1000;
        REQUIRE(prf_level(ldexp(x, e)) == prf_level(x) + e * (INT64_C(1) << 51));
    }
    REQUIRE(prf_level(0x1p-1074) == -1074 * (INT64_C(1) << 51));
    REQUIRE(prf_level(0.0) - prf_level(0x1p-1074) < PRF_LOG_LEAST);
}

void check_logs(const prf_engine *engine)
{
    levels();
    const int64_t shapes[][3] = {{1, 1, 1}, {40, 13, 3}, {33, 97, 8}, {300, 130, 17}, {90, 50, 67}};
    for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++)
        for (int values = 2; values <= 2000; values *= 10) {
            int64_t n = shapes[j][0], m = shapes[j][1], dim = shapes[j][2];
            logs(engine, n, m, dim, values, values == 20, NO_INT8, 0);
            logs(engine, n, m, dim, values, values == 200, NO_INT8, 1);
            logs(engine, n, m, dim, values, values == 2000, CAUCHY, 0);
            logs(engine, n, m, dim, values, 0, TRIANGLE, 0); /* by dot products, as (A) has no keys */
        }
}
