/* Calls every function of the C library on small and awkward inputs; run under ASan and UBSan,
 * so what it checks is that nothing reads, writes, overflows or leaks where it must not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "prfast.h"

#define REQUIRE(condition)                                                   \
    do {                                                                     \
        if (!(condition)) {                                                  \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);          \
            exit(1);                                                         \
        }                                                                    \
    } while (0)

static uint64_t seed = 1;

static int64_t random_below(int64_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(seed >> 33) % n;
}

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
    } any = {.bits = seed};
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

/* ---- balls -------------------------------------------------------------------------------- */

static double *points_of(int64_t n, int64_t dim, int values)
{
    double *x = malloc((size_t)(n * dim) * sizeof *x);
    for (int64_t i = 0; i < n * dim; i++)
        x[i] = (double)random_below(values) * 0.25;
    return x;
}

static double distance(const prf_points *a, int64_t i, const prf_points *b, int64_t j)
{
    double sum = 0.0;
    for (int64_t f = 0; f < a->dim; f++) {
        double d = ((const double *)a->rows)[i * a->stride + f] -
                   ((const double *)b->rows)[j * b->stride + f];
        sum += d * d;
    }
    return sum;
}

/* Every function of the engine, on one instruction set, against the double loop. */
static void balls(const prf_engine *engine, int exact, int64_t n, int64_t m, int64_t dim,
                  int values)
{
    double *x = points_of(n, dim, values), *y = points_of(m, dim, values);
    int64_t room = (n + engine->panel - 1) / engine->panel * engine->panel, k = n < 3 ? 1 : 3;
    double *centre = calloc((size_t)dim, sizeof *centre), *norms = malloc((size_t)room * sizeof *norms);
    float *panels = malloc((size_t)(room * dim) * sizeof *panels);
    float *half = malloc((size_t)(4 * room) * sizeof *half);
    prf_points queries = {y, m, dim, dim, 1, NULL}, refs = {x, n, dim, dim, 1, NULL};
    prf_pass pass = {.queries = queries, .refs = refs, .centre = centre, .scale = 0.125,
                     .ref_count = n, .panels = panels, .norms = norms, .half_lo = half,
                     .half_hi = half + room, .panel = engine->panel, .exact = exact};
    prf_pack(&pass, 0, n);

    int64_t capacity = 2 * k + 16, work_rows = m < PRF_QUERY_BLOCK ? m : PRF_QUERY_BLOCK;
    size_t kept = (size_t)(m * capacity);
    double *lo = malloc(kept * sizeof *lo), *hi = malloc(kept * sizeof *hi);
    double *tau = malloc((size_t)m * sizeof *tau), *d2 = malloc((size_t)m * sizeof *d2);
    int32_t *ref = malloc(kept * sizeof *ref), *fill = calloc((size_t)m, sizeof *fill);
    prf_work work = {0, 0, 0};
    for (int64_t i = 0; i < m; i++)
        tau[i] = INFINITY;
    prf_nearest state = {0, k, capacity, lo, hi, ref, fill, tau, NULL};
    double *sum = calloc((size_t)m, sizeof *sum), *best = calloc((size_t)m, sizeof *best);
    int64_t *rows = calloc((size_t)m, sizeof *rows), *among = calloc((size_t)m, sizeof *among);
    int32_t *cols = calloc((size_t)n, sizeof *cols);
    double *ref_t = malloc((size_t)n * sizeof *ref_t);
    for (int64_t j = 0; j < n; j++)
        ref_t[j] = j % 5 ? distance(&queries, j % m, &refs, j) : -1.0;
    prf_count task = {NULL, ref_t, 1, half + 2 * room, half + 3 * room, rows, cols};
    prf_count_prepare(&pass, &task);
    prf_counts counts = {&task, 1};
    prf_logsum logsum = {1.0, sum};
    prf_ratio ratio = {ref_t, best};
    prf_kth kth = {.state = &state, .ks = &k, .ks_count = 1, .d2 = d2};
    prf_among closer = {.state = &state, .t = d2, .ks_count = 1, .counts = among};
    for (int64_t i = 0; i < m; i += work_rows) {
        int64_t size = m - i < work_rows ? m - i : work_rows;
        REQUIRE(engine->nearest(&pass, i, size, &state, &work) == PRF_OK);
        REQUIRE(prf_kth_of_kept(&pass, i, size, &kth, &work) == PRF_OK);
        REQUIRE(prf_among_kept(&pass, i, size, &closer, &work) == PRF_OK);
        REQUIRE(engine->counts(&pass, i, size, &counts, &work) == PRF_OK);
        REQUIRE(engine->logsum(&pass, i, size, &logsum, &work) == PRF_OK);
        REQUIRE(engine->ratio(&pass, i, size, &ratio, &work) == PRF_OK);
    }
    double *low = malloc((size_t)(work_rows * n) * sizeof *low);
    double *high = malloc((size_t)(work_rows * n) * sizeof *high);
    prf_intervals intervals = {low, high};
    REQUIRE(engine->intervals(&pass, 0, work_rows, &intervals, &work) == PRF_OK);
    for (int64_t i = 0; i < m; i++) {
        int64_t below = 0, through = 0, inside = 0;
        for (int64_t j = 0; j < n; j++) {
            double d = distance(&queries, i, &refs, j);
            below += d < d2[i];
            through += d <= d2[i];
            inside += d <= ref_t[j];
            REQUIRE(i >= work_rows || (low[i * n + j] <= d && d <= high[i * n + j]));
        }
        REQUIRE(below < k && k <= through && among[i] == below);
        REQUIRE(rows[i] == inside);
    }
    free(x), free(y), free(centre), free(norms), free(panels), free(half), free(lo), free(hi);
    free(tau), free(d2), free(ref), free(fill), free(sum), free(best), free(rows), free(cols);
    free(ref_t), free(low), free(high), free(among);
}

/* Pairs within a set, each once, on one instruction set, against the double loop. */
static void within(const prf_engine *engine, int64_t n, int64_t k, int64_t dim, int values)
{
    double *x = points_of(n, dim, values), *centre = calloc((size_t)dim, sizeof *centre);
    int64_t room = (n + PRF_QUERY_BLOCK - 1) / PRF_QUERY_BLOCK * PRF_QUERY_BLOCK;
    int64_t capacity = k + 5;
    size_t kept = (size_t)(n * capacity);
    double *norms = malloc((size_t)room * sizeof *norms);
    float *panels = malloc((size_t)(room * dim) * sizeof *panels);
    float *half = malloc((size_t)(3 * room) * sizeof *half), *reach = half + 2 * room;
    double *lo = malloc(kept * sizeof *lo), *hi = malloc(kept * sizeof *hi);
    double *tau = malloc((size_t)n * sizeof *tau), *d2 = malloc((size_t)n * sizeof *d2);
    int32_t *ref = malloc(kept * sizeof *ref), *fill = calloc((size_t)n, sizeof *fill);
    prf_points set = {x, n, dim, dim, 1, NULL};
    prf_pass pass = {.queries = set, .refs = set, .centre = centre, .scale = 0.125,
                     .ref_count = n, .panels = panels, .norms = norms, .half_lo = half,
                     .half_hi = half + room, .self = 1, .panel = engine->panel};
    prf_nearest state = {0, k, capacity, lo, hi, ref, fill, tau, reach};
    int gave_up = 0;
    prf_work work = {0, 0, 0};
    prf_pack(&pass, 0, n);
    for (int64_t i = 0; i < room; i++)
        reach[i] = INFINITY;
    for (int64_t i = 0; i < n; i++)
        tau[i] = INFINITY;
    for (int64_t i = 0; i < n; i += PRF_QUERY_BLOCK) {
        int64_t size = n - i < PRF_QUERY_BLOCK ? n - i : PRF_QUERY_BLOCK;
        REQUIRE(engine->within_start(&pass, i, size, &state, &work) == PRF_OK);
    }
    for (int64_t i = 0; i < n; i += PRF_QUERY_BLOCK) { /* rows of parts, taken one by one */
        int64_t part[4] = {i, n - i < PRF_QUERY_BLOCK ? n : i + PRF_QUERY_BLOCK, i, n};
        prf_pairs pairs = {part, &state};
        prf_status status = engine->within_pairs(&pass, 0, 1, &pairs, &work);
        REQUIRE(status == PRF_OK || (status == PRF_GAVE_UP && values == 1));
        gave_up |= status == PRF_GAVE_UP; /* all points alike: nothing can be decided */
    }
    prf_kth kth = {.state = &state, .ks = &k, .ks_count = 1, .d2 = d2};
    for (int64_t i = 0; i < n && !gave_up; i += PRF_QUERY_BLOCK) {
        int64_t size = n - i < PRF_QUERY_BLOCK ? n - i : PRF_QUERY_BLOCK;
        REQUIRE(engine->within_end(&pass, i, size, &state, &work) == PRF_OK);
        REQUIRE(prf_kth_of_kept(&pass, i, size, &kth, &work) == PRF_OK);
    }
    for (int64_t i = 0; i < n && !gave_up; i += n > 1000 ? 97 : 1) {
        int64_t below = 0, through = 0;
        for (int64_t j = 0; j < n; j++) {
            double d = distance(&set, i, &set, j);
            below += j != i && d < d2[i];
            through += j != i && d <= d2[i];
        }
        REQUIRE(below < k && k <= through);
    }
    free(x), free(centre), free(norms), free(panels), free(half), free(lo), free(hi), free(tau);
    free(d2), free(ref), free(fill);
}

/* The int8 filter and differences of float32, on one instruction set, against the double loop. */
static void int8(const prf_engine *engine, int cauchy, int64_t n, int64_t m, int64_t dim, int values)
{
    float *x = malloc((size_t)(n * dim) * sizeof *x), *y = malloc((size_t)(m * dim) * sizeof *y);
    int64_t room = (n + engine->panel - 1) / engine->panel * engine->panel, width = (dim + 3) / 4 * 4;
    double *centre = calloc((size_t)dim, sizeof *centre), *d2 = malloc((size_t)(m * n) * sizeof *d2);
    double *lo = malloc((size_t)(m * n) * sizeof *lo), *hi = malloc((size_t)(m * n) * sizeof *hi);
    double *query_t = malloc((size_t)m * sizeof *query_t), *ref_t = malloc((size_t)n * sizeof *ref_t);
    uint8_t *possible = calloc((size_t)(m * n), 1), *codes = malloc((size_t)(room * width));
    int64_t *candidates = calloc((size_t)m, sizeof *candidates);
    prf_int8_point *points = malloc((size_t)room * sizeof *points);
    float *terms = malloc((size_t)(4 * room) * sizeof *terms);
    prf_work work = {0, 0, 0};
    prf_int8 packed = {width, cauchy, codes, points, terms, terms + room, terms + 2 * room,
                       terms + 3 * room};
    prf_points queries = {y, m, dim, dim, 0, NULL}, refs = {x, n, dim, dim, 0, NULL};
    prf_pass pass = {.queries = queries, .refs = refs, .centre = centre, .scale = 0.125 / values,
                     .ref_count = n, .panel = engine->panel, .int8 = &packed};
    for (int64_t i = 0; i < n * dim; i++)
        x[i] = (float)random_below(values) * 0.25f;
    for (int64_t i = 0; i < m * dim; i++)
        y[i] = (float)random_below(values) * 0.25f;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (int64_t f = 0; f < dim; f++) {
                double d = (double)y[i * dim + f] - (double)x[j * dim + f];
                sum += d * d;
            }
            d2[i * n + j] = sum;
        }
    for (int64_t i = 0; i < m; i++)
        query_t[i] = i % 5 ? d2[i * n + i % n] : i % 2 ? -1.0 : INFINITY;
    for (int64_t j = 0; j < n; j++)
        ref_t[j] = j % 5 ? d2[j % m * n + j] : j % 2 ? -1.0 : INFINITY;
    prf_possible found = {query_t, ref_t, possible, lo, hi, 0, candidates};
    prf_intervals intervals = {lo, hi};
    for (int64_t i = 0; i < n; i += engine->panel)
        REQUIRE(engine->int8_pack(&pass, i, n - i < engine->panel ? n - i : engine->panel, NULL,
                                  &work) == PRF_OK);
    for (int64_t i = 0; i < m; i += 40)
        REQUIRE(engine->possible(&pass, i, m - i < 40 ? m - i : 40, &found, &work) == PRF_OK);
    for (int64_t at = 0; at < m * n; at++) {
        REQUIRE(possible[at] || (d2[at] > query_t[at / n] && d2[at] > ref_t[at % n]));
        REQUIRE(!possible[at] || (lo[at] <= d2[at] && d2[at] <= hi[at]));
    }
    REQUIRE(engine->differences(&pass, 0, m, &intervals, &work) == PRF_OK);
    for (int64_t at = 0; at < m * n; at++)
        REQUIRE(lo[at] <= d2[at] && d2[at] <= hi[at]);
    free(x), free(y), free(centre), free(d2), free(lo), free(hi), free(query_t), free(ref_t);
    free(possible), free(codes), free(candidates), free(points), free(terms);
}

int main(void)
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
    const int64_t shapes[][3] = {{1, 1, 1}, {40, 13, 3}, {33, 97, 17}, {300, 7, 65},
                                 {35, 5, 1030}, {4500, 3, 2}};
    const int64_t sets[][3] = {{2, 1, 1}, {96, 95, 5}, {97, 4, 33}, {400, 30, 9}, {200, 3, 1030},
                               {4500, 5, 2}};
    for (int64_t i = 0; prf_isa_at(i); i++) {
        const prf_isa *isa = prf_isa_at(i);
        if (!isa->runs || !isa->runs())
            continue;
        for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++)
            for (int exact = 0; exact < 2; exact++)
                for (int values = 1; values <= 1000; values = values < 2 ? 2 : 500 * values)
                    balls(isa->engine, exact, shapes[j][0], shapes[j][1], shapes[j][2], values);
        for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++)
            for (int values = 1; values <= 1000; values *= 10)
                int8(isa->engine, values == 10, shapes[j][0], shapes[j][1], shapes[j][2], values);
        for (size_t j = 0; j < sizeof sets / sizeof *sets; j++)
            for (int values = 1; values <= 1000; values *= 10)
                within(isa->engine, sets[j][0], sets[j][1], sets[j][2], values);
    }
    return 0;
}
