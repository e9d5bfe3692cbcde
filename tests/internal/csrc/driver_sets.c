/* Sets of points packed for an engine, and what the double loop says of them. */
#include "driver.h"

#ifndef FAILING /* which has an answer of its own */
_Noreturn void give_up(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, condition);
    exit(1);
}
#endif

static uint64_t seed = 1;

void random_again(void)
{
    seed = 1;
}

uint64_t random_bits(void)
{
    return seed;
}

int64_t random_below(int64_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(seed >> 33) % n;
}

static void *numbers(int64_t count, int values, int wide)
{
    size_t size = (size_t)count;
    double *x = malloc(size * sizeof *x);
    float *narrow = malloc(size * sizeof *narrow);
    for (int64_t i = 0; i < count; i++) {
        x[i] = (double)random_below(values) * 0.25;
        narrow[i] = (float)x[i];
    }
    free(wide ? (void *)narrow : (void *)x);
    return wide ? (void *)x : (void *)narrow;
}

static double number(const prf_points *points, int64_t i, int64_t j)
{
    int64_t at = (points->index ? points->index[i] : i) * points->stride + j;
    return points->wide ? ((const double *)points->rows)[at] : ((const float *)points->rows)[at];
}

/* Rows one after the other, in float64. */
static double *laid_out(const prf_points *points, int64_t count, int64_t dim)
{
    double *rows = malloc((size_t)(count * dim) * sizeof *rows);
    for (int64_t i = 0; i < count; i++)
        for (int64_t f = 0; f < dim; f++)
            rows[i * dim + f] = number(points, i, f);
    return rows;
}

void sets_measure(sets *s)
{
    double *queries = laid_out(&s->pass.queries, s->m, s->dim);
    double *refs = laid_out(&s->pass.refs, s->n, s->dim);
    free(s->d2);
    s->d2 = malloc((size_t)(s->m * s->n) * sizeof *s->d2);
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t j = 0; j < s->n; j++) {
            const double *x = queries + i * s->dim, *y = refs + j * s->dim;
            double sum = 0.0;
            for (int64_t f = 0; f < s->dim; f++) {
                double d = x[f] - y[f];
                sum += d * d;
            }
            s->d2[i * s->n + j] = sum;
        }
    free(queries), free(refs);
}

void sets_make(sets *s, const prf_engine *engine, int64_t n, int64_t m, int64_t dim, int values,
               int wide, int int8, const sets *same)
{
    double scale = 1.0;
    while (scale * 0.25 * values > 1.0)
        scale *= 0.5;
    *s = (sets){.engine = engine, .n = n, .m = m ? m : n, .dim = dim};
    s->center = calloc((size_t)dim, sizeof *s->center);
    s->index = malloc((size_t)n * sizeof *s->index);
    for (int64_t i = 0; i < n; i++)
        s->index[i] = n - 1 - i;
    s->x = numbers(n * dim, values, wide);
    s->y = m && !same ? numbers(m * dim, values, wide) : NULL;
    s->pass = (prf_pass){
        .refs = {s->x, n, dim, dim, wide, s->index},
        .queries = {s->y, m, dim, dim, wide, NULL},
        .center = s->center, .scale = scale, .self = !m, .panel = engine->panel,
        .int8 = int8 == NO_INT8 ? NULL : &s->packed,
    };
    if (!m)
        s->pass.queries = s->pass.refs;
    if (same)
        s->pass.queries = same->pass.queries;
    s->packed = (prf_int8){.width = prf_int8_width(dim)};
    sets_measure(s);
}

static void unload(sets *s)
{
    free(s->pass.panels), free(s->pass.norms), free(s->pass.half_lo);
    free(s->packed.codes), free(s->packed.points), free(s->packed.half);
}

void sets_load(sets *s, int64_t first, int64_t count)
{
    prf_pass *pass = &s->pass;
    prf_work work = {0};
    size_t room = (size_t)((count + pass->panel - 1) / pass->panel * pass->panel);
    unload(s);
    pass->ref_first = first;
    pass->ref_count = count;
    pass->panels = malloc(room * (size_t)s->dim * sizeof *pass->panels);
    pass->norms = malloc(room * sizeof *pass->norms);
    pass->half_lo = malloc(room * sizeof *pass->half_lo);
    for (int64_t i = 0; i < count; i += 2 * pass->panel)
        prf_pack(pass, i, count - i < 2 * pass->panel ? count - i : 2 * pass->panel);
    s->packed.codes = malloc(room * (size_t)s->packed.width);
    s->packed.points = malloc(room * sizeof *s->packed.points);
    s->packed.half = malloc(5 * room * sizeof(float));
    s->packed.inverse = s->packed.half + room;
    s->packed.first = s->packed.inverse + room;
    s->packed.second = s->packed.first + room;
    s->packed.step = s->packed.second + room;
    for (int64_t i = 0; pass->int8 && i < count; i += pass->panel)
        REQUIRE(s->engine->int8_pack(pass, i, count - i < pass->panel ? count - i : pass->panel,
                                     NULL, &work) == PRF_OK);
}

void sets_free(sets *s)
{
    unload(s);
    free(s->center), free(s->x), free(s->y), free(s->index), free(s->d2);
}

prf_lists lists_make(const sets *s, int64_t k, int64_t capacity)
{
    size_t room = (size_t)(s->m * capacity), limits = (size_t)(s->m + s->pass.panel);
    prf_lists lists = {.k = k, .capacity = capacity};
    lists.key = malloc(room * sizeof *lists.key);
    lists.ref = malloc(room * sizeof *lists.ref);
    lists.fill = calloc((size_t)s->m, sizeof *lists.fill);
    lists.limit = malloc(limits * sizeof *lists.limit);
    for (size_t i = 0; i < limits; i++)
        lists.limit[i] = (int64_t)i < s->m ? INFINITY : -INFINITY;
    return lists;
}

void lists_free(prf_lists *lists)
{
    free(lists->key), free(lists->ref), free(lists->fill), free(lists->limit);
}

void ranks(const sets *s, int64_t i, double t, int64_t *below, int64_t *through)
{
    *below = *through = 0;
    for (int64_t j = 0; j < s->n; j++) {
        int other = !(s->pass.self && i == j);
        *below += other && s->d2[i * s->n + j] < t;
        *through += other && s->d2[i * s->n + j] <= t;
    }
}

void sets_fused(const sets *s, int64_t block, prf_fused *what, prf_work *work)
{
    for (int64_t i = 0; i < s->m; i += block)
        REQUIRE(s->engine->fused(&s->pass, i, s->m - i < block ? s->m - i : block, what, work) == PRF_OK);
}

double query_norm(const sets *s, int64_t query)
{
    double norm = 0.0;
    for (int64_t f = 0; f < s->dim; f++) {
        float packed = (float)(number(&s->pass.queries, query, f) * s->pass.scale);
        norm += (double)packed * (double)packed;
    }
    return norm;
}

uint16_t *sides_make(int64_t count)
{
    uint16_t *sides = malloc((size_t)count * sizeof *sides);
    for (int64_t i = 0; i < count; i++)
        sides[i] = (uint16_t)random_below(1 << PRF_HALVINGS);
    return sides;
}

int is_same_side(uint16_t a, uint16_t b, int halving)
{
    return !((a ^ b) >> halving & 1);
}

int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
