/* Scores -> cells -> vertices, and min-sums, for others: checks, scratch, the kernels of masses/. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "masses/pool.h"
#include "prfast.h"
#include "public/check.h"
#include "public/fill.h"

/* ---- sweeps ---- */

int64_t prfast_sweep_room(int64_t n, int64_t m)
{
    if (n < 1 || m < 1 || n > MOST_POINTS || m > MOST_POINTS)
        return 0;
    return (n < m ? n : m) + 2;
}

static int check_cells(const double *p, const double *q, const int64_t *cells)
{
    TRY(check_array(p, sizeof *p));
    TRY(check_array(q, sizeof *q));
    return check_array(cells, sizeof *cells);
}

#define SCORE double
#define NAME(stem) stem##_f64
#include "public/masses_sweep.h"
#undef SCORE
#undef NAME

#define SCORE float
#define NAME(stem) stem##_f32
#include "public/masses_sweep.h"
#undef SCORE
#undef NAME

int prfast_sweep(const double *real, int64_t n, const double *fake, int64_t m, double *p, double *q,
                 int64_t *cells)
{
    return sweep_f64(real, n, fake, m, p, q, cells);
}

int prfast_sweep_f32(const float *real, int64_t n, const float *fake, int64_t m, double *p,
                     double *q, int64_t *cells)
{
    return sweep_f32(real, n, fake, m, p, q, cells);
}

/* Masses >= 0 whose sum, *sum, is finite. */
static int check_masses(const double *mass, int64_t n, double *sum)
{
    TRY(check_numbers(mass, n, 0.0, DBL_MAX));
    *sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        *sum += mass[i];
    return *sum <= DBL_MAX ? PRFAST_OK : PRFAST_OUT_OF_RANGE;
}

static int check_weighted(const double *scores, const double *weights, int64_t n)
{
    int sorted;
    double sum;
    TRY(check_array(scores, sizeof *scores));
    TRY(check_array(weights, sizeof *weights));
    TRY(check_size(n, 1, MOST_POINTS));
    TRY(check_scores_f64(scores, n, &sorted));
    TRY(check_masses(weights, n, &sum));
    return sum > 0.0 ? PRFAST_OK : PRFAST_BAD_NUMBER;
}

int prfast_sweep_weighted(const double *real, const double *real_weight, int64_t n,
                          const double *fake, const double *fake_weight, int64_t m, double *p,
                          double *q, int64_t *cells)
{
    TRY(check_cells(p, q, cells));
    TRY(check_weighted(real, real_weight, n));
    TRY(check_weighted(fake, fake_weight, m));
    double *x = malloc((size_t)(n + m) * 2 * sizeof *x);
    if (!x)
        return PRFAST_NO_MEMORY;
    double *y = x + n, *v = y + m, *w = v + n;
    prf_status status = prf_sort_weighted(real, real_weight, n, x, v);
    if (status == PRF_OK)
        status = prf_sort_weighted(fake, fake_weight, m, y, w);
    if (status == PRF_OK)
        status = prf_sweep_weighted(x, v, n, y, w, m, p, q, cells);
    free(x);
    return check_kernel(status);
}

/* ---- cells ---- */

/* The numbers 0 .. n − 1 in the order of keys, equal ones as they come: order[n], sorted[n] the keys. */
static int order_of(const double *keys, int64_t n, double *sorted, double *order)
{
    double *numbers = calloc((size_t)n, sizeof *numbers);
    if (!numbers)
        return PRFAST_NO_MEMORY;
    for (int64_t i = 0; i < n; i++)
        numbers[i] = (double)i;
    prf_status status = prf_sort_weighted(keys, numbers, n, sorted, order);
    free(numbers);
    return check_kernel(status);
}

/* Cells that are not empty by falling ratio, in place; how many they are. */
static int by_ratio(double *p, double *q, int64_t *cells)
{
    int64_t n = 0, all = *cells;
    double *fall = malloc((size_t)all * 5 * sizeof *fall);
    if (!fall)
        return PRFAST_NO_MEMORY;
    double *sorted = fall + all, *order = sorted + all, *of_p = order + all, *of_q = of_p + all;
    for (int64_t i = 0; i < all; i++)
        if (p[i] > 0.0 || q[i] > 0.0) {
            of_p[n] = p[i];
            of_q[n] = q[i];
            fall[n++] = -cell_ratio(p[i], q[i]);
        }
    int status = n ? order_of(fall, n, sorted, order) : PRFAST_OK;
    for (int64_t i = 0; status == PRFAST_OK && i < n; i++) {
        p[i] = of_p[(int64_t)order[i]];
        q[i] = of_q[(int64_t)order[i]];
    }
    *cells = n;
    free(fall);
    return status;
}

int prfast_pool(double *p, double *q, int64_t *cells, int sort)
{
    double sum;
    TRY(check_cells(p, q, cells));
    TRY(check_flag(sort));
    TRY(check_size(*cells, 1, MOST_NUMBERS));
    TRY(check_masses(p, *cells, &sum));
    TRY(check_masses(q, *cells, &sum));
    if (sort)
        TRY(by_ratio(p, q, cells));
    return *cells ? check_kernel(prf_pool(p, q, cells)) : PRFAST_OK;
}

/* Masses times a power of two, so that products with their sum stay in range: those whose largest is
 * from 1 to 2⁵⁰, counts among them, are kept, others get a largest in [1, 2).  The change is exact, and
 * what is positive stays so.  0 where all are zero.                                               */
static int rescaled(const double *mass, int64_t cells, double *scaled)
{
    double largest = 0.0;
    int exponent;
    for (int64_t i = 0; i < cells; i++)
        largest = mass[i] > largest ? mass[i] : largest;
    frexp(largest, &exponent);
    int by = 0 <= exponent - 1 && exponent - 1 <= 50 ? 0 : 1 - exponent;
    for (int64_t i = 0; i < cells; i++)
        scaled[i] = mass[i] > 0.0 ? fmax(ldexp(mass[i], by), DBL_TRUE_MIN) : 0.0;
    return largest > 0.0;
}

/* (q / Σq) / (p / Σp), in the order of operations that leaves ratios of counts exact. */
static void ratios_of(const double *p, const double *q, int64_t cells, const double totals[2],
                      double *ratio)
{
    ratio[0] = INFINITY;
    for (int64_t i = 0; i < cells; i++) {
        double r = cell_ratio(p[i] * totals[1], q[i] * totals[0]);
        ratio[i + 1] = r < ratio[i] ? r : ratio[i];
    }
}

int prfast_vertices(const double *p, const double *q, int64_t cells, double *fpr, double *fnr,
                    double *ratio)
{
    double totals[2];
    TRY(check_cells(p, q, &cells));
    TRY(check_array(fpr, sizeof *fpr));
    TRY(check_array(fnr, sizeof *fnr));
    TRY(check_optional(ratio, sizeof *ratio));
    TRY(check_size(cells, 1, MOST_NUMBERS));
    TRY(check_numbers(p, cells, 0.0, DBL_MAX));
    TRY(check_numbers(q, cells, 0.0, DBL_MAX));
    double *scaled = malloc((size_t)cells * 2 * sizeof *scaled);
    if (!scaled)
        return PRFAST_NO_MEMORY;
    int masses = rescaled(p, cells, scaled) & rescaled(q, cells, scaled + cells);
    if (masses) {
        prf_vertices(scaled, scaled + cells, cells, fpr, fnr, totals);
        if (ratio)
            ratios_of(scaled, scaled + cells, cells, totals, ratio);
    }
    free(scaled);
    return masses ? PRFAST_OK : PRFAST_BAD_NUMBER;
}

/* ---- min-sums ----
 *
 * Cells are cut into blocks as prfast/kernels/masses.pyx cuts them, so that sums are the same.   */

enum { BLOCKS = 16, BLOCKED_CELLS = 65536, BLOCKED_LAMS = 16384 };

/* May a sum of masses overflow?  Then a min-sum at small λ need not, and is another sum. */
static int check_sums(const double *mass, int64_t cells)
{
    double largest = 0.0;
    int exponent, bits = 0;
    for (int64_t i = 0; i < cells; i++)
        largest = mass[i] > largest ? mass[i] : largest;
    frexp(largest, &exponent);
    for (int64_t n = cells; n; n /= 2)
        bits++;
    return exponent + bits <= 1020 ? PRFAST_OK : PRFAST_OUT_OF_RANGE;
}

/* scratch: sorted[lams], order[lams], found[lams], bins[blocks][lams + 1][4], these 0. */
static int min_sums(const double *p, const double *q, int64_t cells, const double *lam, int64_t lams,
                    int64_t blocks, double *scratch, double *alpha)
{
    double *sorted = scratch, *order = sorted + lams, *found = order + lams, *bins = found + lams;
    TRY(order_of(lam, lams, sorted, order));
    for (int64_t b = 0; b < blocks; b++) {
        int64_t start = cells * b / blocks, stop = cells * (b + 1) / blocks;
        if (stop > start)
            prf_minsum_add(p + start, q + start, stop - start, sorted, lams,
                           bins + b * (lams + 1) * 4);
    }
    prf_minsum_finish(bins, blocks, sorted, lams, found);
    for (int64_t l = 0; l < lams; l++)
        alpha[(int64_t)order[l]] = found[l];
    return PRFAST_OK;
}

int prfast_min_sums(const double *p, const double *q, int64_t cells, const double *lam, int64_t lams,
                    double *alpha)
{
    TRY(check_cells(p, q, &cells));
    TRY(check_array(lam, sizeof *lam));
    TRY(check_array(alpha, sizeof *alpha));
    TRY(check_size(cells, 1, MOST_NUMBERS));
    TRY(check_size(lams, 1, MOST_NUMBERS));
    TRY(check_numbers(p, cells, 0.0, DBL_MAX));
    TRY(check_numbers(q, cells, 0.0, DBL_MAX));
    TRY(check_numbers(lam, lams, 0.0, INFINITY));
    TRY(check_sums(p, cells));
    TRY(check_sums(q, cells));
    int64_t blocks = cells >= BLOCKED_CELLS && lams <= BLOCKED_LAMS ? BLOCKS : 1;
    double *scratch = calloc((size_t)(3 * lams + blocks * (lams + 1) * 4), sizeof *scratch);
    if (!scratch)
        return PRFAST_NO_MEMORY;
    int status = min_sums(p, q, cells, lam, lams, blocks, scratch, alpha);
    free(scratch);
    return status;
}

/* ---- the table ---- */

static void fill(prfast_api *api)
{
    api->status_text = prfast_status_text;
    api->sweep_room = prfast_sweep_room;
    api->sweep = prfast_sweep;
    api->sweep_f32 = prfast_sweep_f32;
    api->sweep_weighted = prfast_sweep_weighted;
    api->pool = prfast_pool;
    api->vertices = prfast_vertices;
    api->min_sums = prfast_min_sums;
}

const prf_part prf_masses_part = {fill};
