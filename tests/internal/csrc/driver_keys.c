/* Keys and their thresholds keep what filter/bound.h says of them, also where sums of float32 err in one
 * direction as far as they can.                                                                  */
#include "driver.h"
#include "filter/bound.h"

/* Rows of one number each, of which the first is on the other side: all products are alike. */
static void make_constant(sets *s)
{
    float *rows[2] = {s->x, s->y};
    const int64_t counts[2] = {s->n, s->m};
    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < counts[side]; i++) {
            float number = 1.0f + (float)random_below(1 << 20) * 0x1p-20f;
            for (int64_t f = 0; f < s->dim; f++)
                rows[side][i * s->dim + f] = i % 5 ? number : -number;
        }
    s->pass.scale = 0.5;
    sets_measure(s);
}

typedef struct {
    double v, size; /* V of a pair, |u|² + |v|² */
    float key;
} pair;

static double norm_of(const sets *s, int64_t query)
{
    const float *row = (const float *)s->y + query * s->dim;
    double norm = 0.0;
    for (int64_t f = 0; f < s->dim; f++) {
        float packed = (float)((double)row[f] * s->pass.scale);
        norm += (double)packed * (double)packed;
    }
    return norm;
}

/* The thresholds of one query at V of `to`, and at its key. */
static void check_thresholds(const prf_bound *bound, double norm, const pair *pairs, int64_t count,
                             const pair *to)
{
    double d2 = 2.0 * to->v / bound->square;
    float certain = prf_key_certain(bound, norm, to->v);
    float beyond = prf_key_beyond(bound, norm, to->key), possible = prf_key_possible(bound, d2);
    for (int64_t j = 0; j < count; j++) {
        REQUIRE(pairs[j].key > certain || pairs[j].v < to->v);
        REQUIRE(pairs[j].key > to->key || pairs[j].v < (double)beyond);
        REQUIRE(pairs[j].v > to->v || pairs[j].key <= possible);
    }
}

/* n below 4 samples: lists have no limit, and take in all keys. */
static void keys(const prf_engine *engine, int64_t n, int64_t dim, int values, int int8)
{
    sets s;
    prf_work work = {0};
    double least = INFINITY, most = -INFINITY;
    pair *pairs = malloc((size_t)n * sizeof *pairs);
    sets_make(&s, engine, n, 12, dim, values ? values : 1, 0, int8, NULL);
    if (!values)
        make_constant(&s);
    sets_load(&s, 0, n);
    prf_bound bound = prf_bound_of(&s.pass);
    prf_lists lists = lists_make(&s, n, n + 2 * PRF_QUERY_BLOCK);
    prf_fused what = {.lists = &lists};
    REQUIRE(engine->fused(&s.pass, 0, s.m, &what, &work) == PRF_OK);
    for (int64_t i = 0; i < s.m; i++) {
        double norm = norm_of(&s, i);
        REQUIRE(lists.fill[i] == n);
        for (int64_t j = 0; j < n; j++) {
            int64_t at = i * lists.capacity + j;
            pairs[j] = (pair){prf_v_of(&bound, s.d2[i * n + lists.ref[at]]),
                              norm + s.pass.norms[lists.ref[at]], lists.key[at]};
            double width = bound.wide * pairs[j].size + bound.phi;
            double above = pairs[j].v - (double)pairs[j].key;
            REQUIRE(0.0 <= above && above <= width);
            if (width > 0.0 && j < PRF_SAMPLE) { /* by dot products */
                least = above / width < least ? above / width : least;
                most = above / width > most ? above / width : most;
            }
        }
        for (int64_t j = 0; j < n; j += 7)
            check_thresholds(&bound, norm, pairs, n, &pairs[j]);
    }
    /* A bound without its term in d would be exceeded. */
    REQUIRE(values || dim < 500 || most - least > 0.15);
    free(pairs);
    lists_free(&lists);
    sets_free(&s);
}

void check_keys(const prf_engine *engine)
{
    const int64_t dims[] = {1, 3, 64, 700};
    for (size_t d = 0; d < sizeof dims / sizeof *dims; d++)
        for (int values = 0; values <= 1000; values = values ? values * 100 : 10)
            for (int int8 = NO_INT8; int8 <= INT8; int8++)
                keys(engine, dims[d] > 100 ? 205 : 400, dims[d], values, int8);
}
