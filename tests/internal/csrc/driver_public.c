/* The public functions against double loops, and what they say of arguments that do not fit. */
#include <string.h>

#include "driver.h"
#include "prfast/include/prfast.h"

static prfast_points shown(const prf_points *points)
{
    prfast_points same = {points->rows, points->count, points->dim, points->stride, points->wide, 0};
    return same;
}

/* k-th distances and counts in two ranges of queries, as two threads would share them. */
static void distances(int64_t n, int64_t m, int64_t dim, int values, int wide)
{
    sets s;
    sets_make(&s, prf_isa_at(0)->engine, n, m, dim, values, wide, NO_INT8, NULL);
    s.pass.refs.index = NULL;
    s.pass.queries.index = NULL;
    sets_measure(&s);
    int within = !m;
    prfast_points refs = shown(&s.pass.refs), queries = shown(&s.pass.queries);
    int64_t all = s.m, half = all / 2, ks[2] = {(n + 1) / 2 > n - within ? 1 : (n + 1) / 2, 1};
    double *d2 = malloc((size_t)all * 2 * sizeof *d2), *ref_t = malloc((size_t)n * sizeof *ref_t);
    int64_t *rows = malloc((size_t)all * sizeof *rows), *cols = calloc((size_t)n, sizeof *cols);
    int64_t *of_rows = malloc((size_t)all * sizeof *of_rows);
    for (int64_t j = 0; j < n; j++)
        ref_t[j] = j % 5 == 1 ? -1.0 : j % 5 == 2 ? INFINITY : s.d2[j % all * n + j];
    for (int64_t first = 0, count = half; first < all; first += count, count = all - first) {
        if (!count)
            continue;
        REQUIRE(prfast_kth_distances(&queries, &refs, within, ks, 2, first, count, d2 + 2 * first) ==
                PRFAST_OK);
        REQUIRE(prfast_count(&queries, &refs, NULL, ref_t, 1, first, count, rows + first, cols) ==
                PRFAST_OK);
    }
    for (int64_t i = 0; i < all; i++)
        for (int c = 0; c < 2; c++) {
            int64_t below, through;
            ranks(&s, i, d2[2 * i + c], &below, &through);
            REQUIRE(below < ks[c] && ks[c] <= through);
        }
    for (int64_t i = 0; i < all; i++) {
        int64_t inside = 0;
        for (int64_t j = 0; j < n; j++) {
            inside += s.d2[i * n + j] <= ref_t[j];
            cols[j] -= s.d2[i * n + j] <= ref_t[j];
        }
        REQUIRE(rows[i] == inside);
    }
    for (int64_t j = 0; j < n; j++)
        REQUIRE(cols[j] == 0);
    for (int64_t i = 0; i < all; i++) /* the nearest is not inside the open ball to it */
        d2[i] = d2[2 * i + 1];
    REQUIRE(prfast_count(&queries, &refs, d2, NULL, 0, 0, all, of_rows, NULL) == PRFAST_OK);
    for (int64_t i = 0; i < all; i++)
        REQUIRE(of_rows[i] == (within && d2[i] > 0.0));
    free(d2), free(ref_t), free(rows), free(cols), free(of_rows);
    sets_free(&s);
}

/* A chain from scores to α, against #{real < t} and #{fake >= t} of every threshold. */
static void chain(int64_t n, int64_t m, int values)
{
    double *real = malloc((size_t)n * sizeof *real), *fake = malloc((size_t)m * sizeof *fake);
    size_t room = (size_t)prfast_sweep_room(n, m);
    double *p = malloc(room * sizeof *p), *q = malloc(room * sizeof *q);
    double *fpr = malloc((room + 1) * sizeof *fpr), *fnr = malloc((room + 1) * sizeof *fnr);
    double *ratio = malloc((room + 1) * sizeof *ratio);
    for (int64_t i = 0; i < n; i++)
        real[i] = (double)random_below(values);
    for (int64_t j = 0; j < m; j++)
        fake[j] = (double)random_below(values);
    int64_t cells;
    REQUIRE(prfast_sweep(real, n, fake, m, p, q, &cells) == PRFAST_OK);
    REQUIRE(prfast_vertices(p, q, cells, fpr, fnr, ratio) == PRFAST_OK);
    REQUIRE(fpr[0] == 0.0 && fnr[0] == 1.0 && fpr[cells] == 1.0 && fnr[cells] == 0.0);
    double lam[3] = {2.0, 0.0, 0.5}, alpha[3];
    REQUIRE(prfast_min_sums(p, q, cells, lam, 3, alpha) == PRFAST_OK);
    for (int l = 0; l < 3; l++) {
        double least = (double)m; /* t = −∞ */
        for (int t = 0; t <= values; t++) {
            double rejected = 0.0, accepted = 0.0;
            for (int64_t i = 0; i < n; i++)
                rejected += real[i] < t;
            for (int64_t j = 0; j < m; j++)
                accepted += fake[j] >= t;
            least = fmin(least, lam[l] * rejected + accepted);
        }
        REQUIRE(alpha[l] == least);
    }
    free(real), free(fake), free(p), free(q), free(fpr), free(fnr);
    free(ratio);
}

/* No argument crashes; tests/system/embedding/test_capi_refused.py has a row for each. */
static void refused(void)
{
    double x[8] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, NAN}, out[8];
    int64_t one = 1, cells = INT64_MAX;
    prfast_points set = {x, 3, 2, 2, 1, 0}, bad = set;
    REQUIRE(prfast_sweep(NULL, 1, x, 1, out, out, &cells) == PRFAST_BAD_POINTER);
    REQUIRE(prfast_sweep(x, 8, x, 1, out, out, &cells) == PRFAST_BAD_NUMBER);
    REQUIRE(prfast_kth_distances(&set, NULL, 0, &one, 1, 0, 3, out) == PRFAST_BAD_POINTER);
    REQUIRE(prfast_kth_distances(&set, &set, 0, &one, INT64_MAX, 0, 3, out) == PRFAST_BAD_SIZE);
    REQUIRE(prfast_kth_distances(&set, &set, 0, &one, 1, INT64_MAX, 3, out) == PRFAST_BAD_SIZE);
    bad.stride = INT64_MAX;
    REQUIRE(prfast_kth_distances(&bad, &set, 0, &one, 1, 0, 1, out) == PRFAST_BAD_SIZE);
    bad = set;
    bad.dim = INT64_MIN;
    REQUIRE(prfast_count(&set, &bad, x, NULL, 1, 0, 3, NULL, NULL) == PRFAST_BAD_SIZE);
    bad = set;
    bad.count = 4;
    REQUIRE(prfast_count(&bad, &set, x, NULL, 1, 0, 4, NULL, NULL) == PRFAST_BAD_NUMBER);
    REQUIRE(prfast_abi() == PRFAST_ABI);
}

void check_public(void)
{
    for (int values = 1; values <= 1000; values *= 10) {
        distances(1, 1, 1, values, 1);
        distances(2, 0, 3, values, 0);
        distances(40, 250, 3, values, 0);
        distances(300, 0, 17, values, 1);
        distances(333, 97, 65, values, 0);
        distances(520, 1100, 33, values, 0); /* ranges that the int8 filter is used for */
        chain(1, 1, values);
        chain(40, 100, values);
        chain(700, 300, values);
    }
    refused();
}
