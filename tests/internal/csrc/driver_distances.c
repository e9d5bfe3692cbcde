/* What a pass finds without lists, against the double loop. */
#include "driver.h"

/* Reservoirs and ratios. */
static void distances(const prf_engine *engine, int exact, int64_t n, int64_t m, int64_t dim,
                  int values, int wide)
{
    sets s;
    sets_make(&s, engine, n, m, dim, values, wide, NO_INT8, NULL);
    s.pass.exact = exact;
    sets_load(&s, 0, n);
    int64_t k = n < 3 ? 1 : 3, capacity = 2 * k + 16;
    int64_t block = m < PRF_QUERY_BLOCK ? m : PRF_QUERY_BLOCK;
    size_t places = (size_t)(m * capacity), queries = (size_t)m;
    double *lo = malloc(places * sizeof *lo), *hi = malloc(places * sizeof *hi);
    double *tau = malloc(queries * sizeof *tau), *d2 = malloc(queries * sizeof *d2);
    int32_t *ref = malloc(places * sizeof *ref), *fill = calloc(queries, sizeof *fill);
    double *best = calloc(queries, sizeof *best);
    int64_t *among = calloc(queries, sizeof *among);
    double *ref_t = malloc((size_t)n * sizeof *ref_t);
    prf_work work = {0};
    for (int64_t i = 0; i < m; i++)
        tau[i] = INFINITY;
    for (int64_t j = 0; j < n; j++)
        ref_t[j] = j % 5 ? s.d2[j % m * n + j] : -1.0;
    prf_nearest state = {0, k, capacity, lo, hi, ref, fill, tau};
    prf_ratio ratio = {ref_t, best};
    prf_kth kth = {.state = &state, .ks = &k, .ks_count = 1, .d2 = d2};
    prf_within closer = {.state = &state, .t = d2, .ks_count = 1, .counts = among};
    for (int64_t i = 0; i < m; i += block) {
        int64_t size = m - i < block ? m - i : block;
        REQUIRE(engine->nearest(&s.pass, i, size, &state, &work) == PRF_OK);
        REQUIRE(prf_reservoir_kth(&s.pass, i, size, &kth, &work) == PRF_OK);
        REQUIRE(prf_reservoir_count(&s.pass, i, size, &closer, &work) == PRF_OK);
        REQUIRE(engine->ratio(&s.pass, i, size, &ratio, &work) == PRF_OK);
    }
    for (int64_t i = 0; i < m; i++) {
        int64_t below, through;
        double largest = 0.0;
        ranks(&s, i, d2[i], &below, &through);
        REQUIRE(below < k && k <= through && among[i] == below);
        for (int64_t j = 0; j < n; j++) {
            double d = s.d2[i * n + j], t = ref_t[j];
            double r = t < 0.0 ? 0.0 : d > 0.0 ? t / d : t > 0.0 ? INFINITY : 1.0;
            largest = r > largest ? r : largest;
        }
        REQUIRE(best[i] == largest);
    }
    free(lo), free(hi), free(tau), free(d2), free(ref), free(fill), free(best);
    free(among), free(ref_t);
    sets_free(&s);
}

/* Reservoirs with the least room that the contract allows, and a little more.  changed: every third number is
 * none, after the references were packed; then all that is checked is that no reservoir is overrun. */
static void smallest_reservoirs(const prf_engine *engine, int64_t spare, int exact, int changed,
                                int values)
{
    sets s;
    int64_t n = 700, m = 9, k = 5, capacity = k + spare;
    sets_make(&s, engine, n, m, 3, values, 0, NO_INT8, NULL);
    s.pass.exact = exact;
    sets_load(&s, 0, n);
    for (int64_t at = 0; at < n * 3 && changed; at += 3)
        ((float *)s.x)[at] = NAN;
    size_t places = (size_t)(m * capacity);
    double *lo = malloc(places * sizeof *lo), *hi = malloc(places * sizeof *hi), tau[9], d2[9];
    int32_t *ref = malloc(places * sizeof *ref), fill[9] = {0};
    prf_work work = {0};
    for (int64_t i = 0; i < m; i++)
        tau[i] = INFINITY;
    prf_nearest state = {0, k, capacity, lo, hi, ref, fill, tau};
    prf_kth kth = {.state = &state, .ks = &k, .ks_count = 1, .d2 = d2};
    REQUIRE(engine->nearest(&s.pass, 0, m, &state, &work) == PRF_OK);
    for (int64_t i = 0; i < m; i++)
        REQUIRE(fill[i] < capacity && (changed || fill[i] >= k));
    REQUIRE(changed || prf_reservoir_kth(&s.pass, 0, m, &kth, &work) == PRF_OK);
    for (int64_t i = 0; i < m && !changed; i++) {
        int64_t below, through;
        ranks(&s, i, d2[i], &below, &through);
        REQUIRE(below < k && k <= through);
    }
    free(lo), free(hi), free(ref);
    sets_free(&s);
}

void check_distances(const prf_engine *engine)
{
    const int64_t shapes[][3] = {{1, 1, 1}, {40, 13, 3}, {33, 97, 17}, {300, 7, 65},
                                 {35, 5, 1030}, {4500, 3, 2}};
    for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++)
        for (int values = 1; values <= 1000; values *= 10) {
            int64_t n = shapes[j][0], m = shapes[j][1], dim = shapes[j][2];
            distances(engine, 0, n, m, dim, values, 1);
            distances(engine, values > 1, n, m, dim, values, 0);
        }
    for (int64_t spare = 1; spare <= 5; spare++)
        for (int values = 2; values <= 2000; values *= 10) {
            smallest_reservoirs(engine, spare, 0, 0, values);
            smallest_reservoirs(engine, spare, 1, 0, values);
            smallest_reservoirs(engine, spare, 0, 1, values);
        }
}
