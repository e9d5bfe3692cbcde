/* Functions of masses and of scores, on arrays of exactly the promised size: a step outside is an error.  Their
 * values are compared with slow definitions in tests/internal/kernels.                           */
#include "driver.h"

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

/* Scores of one set, sorted, also as float32 and with their weights beside them. */
typedef struct {
    int64_t n;
    double *wide, *beside;
    float *narrow;
} scores;

static scores scores_make(int64_t n, int kind)
{
    size_t size = (size_t)n;
    scores s = {n, malloc(size * sizeof *s.wide), malloc(size * sizeof *s.beside),
                malloc(size * sizeof *s.narrow)};
    double *x = malloc(size * sizeof *x), *weights = malloc(size * sizeof *weights);
    float *y = malloc(size * sizeof *y);
    for (int64_t i = 0; i < n; i++) {
        x[i] = score_of_kind(kind);
        y[i] = kind ? (float)(x[i] - (kind > 1)) : (float)i;
        weights[i] = (double)random_below(3);
    }
    REQUIRE(prf_sort_f32(y, n, s.narrow) == PRF_OK);
    REQUIRE(prf_sort_f64(x, n, s.wide) == PRF_OK);
    REQUIRE(prf_sort_weighted(x, weights, n, s.wide, s.beside) == PRF_OK);
    free(x), free(y), free(weights);
    return s;
}

static void scores_free(scores *s)
{
    free(s->wide), free(s->beside), free(s->narrow);
}

static void sweep(int64_t n, int64_t m, int kind)
{
    scores real = scores_make(n, kind), fake = scores_make(m, kind);
    size_t room = (size_t)(n < m ? n : m) + 2;
    int64_t *p = malloc(room * sizeof *p), *q = malloc(room * sizeof *q), cells;
    double *wp = malloc(room * sizeof *wp), *wq = malloc(room * sizeof *wq);
    REQUIRE(prf_sweep_f32(real.narrow, n, fake.narrow, m, p, q, &cells) == PRF_OK);
    REQUIRE(cells <= (int64_t)room);
    REQUIRE(prf_sweep_f64(real.wide, n, fake.wide, m, p, q, &cells) == PRF_OK);
    REQUIRE(cells <= (int64_t)room);
    REQUIRE(prf_sweep_weighted(real.wide, real.beside, n, fake.wide, fake.beside, m, wp, wq,
                               &cells) == PRF_OK);
    REQUIRE(cells <= (int64_t)room);
    scores_free(&real), scores_free(&fake);
    free(p), free(q), free(wp), free(wq);
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
    const int64_t sizes[] = {1, 2, 31, 32, 33, 64, 257, 1000}, many[] = {0, 20000};
    for (int kind = 0; kind < 3; kind++)
        for (int i = 0; i < 2; i++) {
            scores s = scores_make(many[i], kind);
            scores_free(&s);
        }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            sweep(sizes[i], sizes[j], 1);
            sweep(sizes[i], sizes[j], 2);
            masses(sizes[i] + 1, sizes[j]);
        }
}
