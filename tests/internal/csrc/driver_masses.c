/* Functions of masses and of scores. */
#include "driver.h"

static int ascending_f32(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static int ascending_f64(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Arrays of exactly the promised size: a step outside is an error. */
static void sweep(int64_t n, int64_t m, int64_t values)
{
    size_t room = (size_t)(n < m ? n : m) + 2;
    float *real = malloc((size_t)n * sizeof *real), *fake = malloc((size_t)m * sizeof *fake);
    double *real64 = malloc((size_t)n * sizeof *real64), *fake64 = malloc((size_t)m * sizeof *fake64);
    double *real_w = malloc((size_t)n * sizeof *real_w), *fake_w = malloc((size_t)m * sizeof *fake_w);
    int64_t *p = malloc(room * sizeof *p), *q = malloc(room * sizeof *q), cells;
    double *wp = malloc(room * sizeof *wp), *wq = malloc(room * sizeof *wq);
    for (int64_t i = 0; i < n; i++) {
        real[i] = (float)random_below(values) - (values > 3 ? 2.0f : INFINITY);
        real_w[i] = (double)random_below(3);
    }
    for (int64_t j = 0; j < m; j++) {
        fake[j] = (float)random_below(values);
        fake_w[j] = (double)random_below(3);
    }
    qsort(real, (size_t)n, sizeof *real, ascending_f32);
    qsort(fake, (size_t)m, sizeof *fake, ascending_f32);
    for (int64_t i = 0; i < n; i++)
        real64[i] = real[i];
    for (int64_t j = 0; j < m; j++)
        fake64[j] = fake[j];
    qsort(real64, (size_t)n, sizeof *real64, ascending_f64);

    int64_t cells32, sum_p = 0, sum_q = 0;
    REQUIRE(prf_sweep_f32(real, n, fake, m, p, q, &cells32) == PRF_OK);
    REQUIRE(prf_sweep_f64(real64, n, fake64, m, p, q, &cells) == PRF_OK);
    REQUIRE(cells == cells32 && cells <= (int64_t)room);
    for (int64_t i = 0; i < cells; i++) {
        sum_p += p[i];
        sum_q += q[i];
        REQUIRE(i == 0 || q[i - 1] * p[i] > q[i] * p[i - 1]);
    }
    REQUIRE(sum_p == n && sum_q == m);
    REQUIRE(prf_sweep_weighted(real64, real_w, n, fake64, fake_w, m, wp, wq, &cells) == PRF_OK);
    REQUIRE(cells <= (int64_t)room);
    free(real), free(fake), free(real64), free(fake64), free(real_w), free(fake_w);
    free(p), free(q), free(wp), free(wq);
}

/* Scores of three kinds: any bits (NaN among them), few values, and many that differ in their last
 * bits alone. */
static double score_of_kind(int kind)
{
    union {
        uint64_t bits;
        double score;
    } any = {.bits = random_bits()};
    double x = (double)(random_below(2001) - 1000);
    return kind == 0 ? any.score : kind == 1 ? x : 1.0 + x * 0x1p-50;
}

static void sort(int64_t n, int kind)
{
    size_t size = (size_t)n;
    double *scores = malloc(size * sizeof *scores), *weights = malloc(size * sizeof *weights);
    double *sorted = malloc(size * sizeof *sorted), *beside = malloc(size * sizeof *beside);
    float *scores32 = malloc(size * sizeof *scores32), *sorted32 = malloc(size * sizeof *sorted32);
    for (int64_t i = 0; i < n; i++) {
        scores[i] = score_of_kind(kind);
        scores32[i] = kind ? (float)(scores[i] - (kind > 1)) : (float)i;
        weights[i] = (double)i;
    }
    REQUIRE(prf_sort_f32(scores32, n, sorted32) == PRF_OK);
    REQUIRE(prf_sort_f64(scores, n, sorted) == PRF_OK);
    for (int64_t i = 1; i < n; i++)
        REQUIRE(sorted32[i - 1] <= sorted32[i] && (!kind || sorted[i - 1] <= sorted[i]));
    REQUIRE(prf_sort_weighted(scores, weights, n, sorted, beside) == PRF_OK);
    for (int64_t i = 0; i < n && kind; i++) {
        REQUIRE(scores[(int64_t)beside[i]] == sorted[i]);
        REQUIRE(i == 0 || sorted[i - 1] < sorted[i] || beside[i - 1] < beside[i]);
    }
    free(scores), free(weights), free(sorted), free(beside), free(scores32), free(sorted32);
}

static void masses(int64_t cells, int64_t lams)
{
    double *p = malloc((size_t)cells * sizeof *p), *q = malloc((size_t)cells * sizeof *q);
    double *ratio = malloc((size_t)cells * sizeof *ratio), totals[2];
    double *lam = malloc((size_t)lams * sizeof *lam), *alpha = malloc((size_t)lams * sizeof *alpha);
    double *bins = calloc((size_t)(2 * (lams + 1) * 4), sizeof *bins);
    for (int64_t i = 0; i < cells; i++) {
        p[i] = (double)random_below(4);
        q[i] = (double)random_below(4) * 1e-300;
    }
    p[0] = q[cells - 1] = 1.0;
    for (int64_t l = 0; l < lams; l++)
        lam[l] = (double)l;
    if (lams > 1)
        lam[lams - 1] = INFINITY;
    prf_ratios(p, q, cells, ratio);
    int64_t half = cells / 2;
    prf_minsum_add(p, q, half, lam, lams, bins);
    prf_minsum_add(p + half, q + half, cells - half, lam, lams, bins + (lams + 1) * 4);
    prf_minsum_finish(bins, 2, lam, lams, alpha);
    REQUIRE(alpha[0] == 0.0 && alpha[lams - 1] >= 0.0);
    int64_t left = cells;
    REQUIRE(prf_pool(p, q, &left) == PRF_OK);
    REQUIRE(left >= 1 && left <= cells);
    double *fpr = malloc((size_t)(left + 1) * sizeof *fpr);
    double *fnr = malloc((size_t)(left + 1) * sizeof *fnr);
    prf_vertices(p, q, left, fpr, fnr, totals);
    REQUIRE(fpr[0] == 0.0 && fnr[0] == 1.0 && fpr[left] == 1.0 && fnr[left] == 0.0);
    int64_t points = left + 1;
    prf_hull(fpr, fnr, &points);
    REQUIRE(points >= 2 && points <= left + 1 && fpr[points - 1] == 1.0 && fnr[0] == 1.0);
    free(p), free(q), free(ratio), free(lam), free(alpha), free(bins), free(fpr), free(fnr);
}

void check_masses(void)
{
    const int64_t sizes[] = {1, 2, 31, 32, 33, 64, 257, 1000};
    for (int kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            sort(sizes[i], kind);
        sort(0, kind);
        sort(20000, kind);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            sweep(sizes[i], sizes[j], 1);
            sweep(sizes[i], sizes[j], 3);
            sweep(sizes[i], sizes[j], 40);
            sweep(sizes[i], sizes[j], 100000);
            masses(sizes[i] + 1, sizes[j]);
        }
}
