/* Integers and their products are the same bits on every instruction set that rounds to as many levels:
 * what the int8 filter knows of a pair depends on nothing else.                                  */
#include "driver.h"

#include <string.h>

enum { SEVEN_BITS = 2 }; /* the largest gain of those that round references to 63 levels */

/* Ends of D of all pairs, [m][n] each; all are possible. */
static double *ends_of(const sets *s)
{
    size_t pairs = (size_t)(s->m * s->n);
    double *ends = malloc(2 * pairs * sizeof *ends);
    double *all = malloc((size_t)s->m * sizeof *all);
    int64_t *candidates = calloc((size_t)s->m, sizeof *candidates);
    prf_possible what = {all, NULL, NULL, ends, ends + pairs, 0, candidates};
    prf_work work = {0};
    for (int64_t i = 0; i < s->m; i++)
        all[i] = INFINITY;
    REQUIRE(s->engine->possible(&s->pass, 0, s->m, &what, &work) == PRF_OK);
    for (int64_t i = 0; i < s->m; i++)
        REQUIRE(candidates[i] == s->n);
    free(all), free(candidates);
    return ends;
}

static void same(const prf_engine *plain, const prf_engine *engine, int64_t n, int64_t m,
                 int64_t dim, int values)
{
    sets s;
    sets_make(&s, plain, n, m, dim, values, 0, CAUCHY, NULL);
    sets_load(&s, 0, n);
    double *expected = ends_of(&s);
    s.engine = engine;
    s.pass.panel = engine->panel;
    sets_load(&s, 0, n);
    double *ends = ends_of(&s);
    REQUIRE(memcmp(ends, expected, (size_t)(2 * m * n) * sizeof *ends) == 0);
    free(expected), free(ends);
    sets_free(&s);
}

void check_same(const prf_engine *plain, const prf_engine *engine)
{
    if (engine->int8_gain() && engine->int8_gain() <= SEVEN_BITS)
        return;
    const int64_t dims[] = {1, 4, 5, 8, 9, 31, 40, 67, 513};
    for (size_t d = 0; d < sizeof dims / sizeof *dims; d++)
        for (int bits = 1; bits <= 20; bits += 19)
            same(plain, engine, 70, 29, dims[d], 1 << bits);
}
