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

/* Are there only numbers?  *sorted: are they ascending? */
static int check_scores(const double *scores, int64_t n, int *sorted)
{
    int64_t numbers = 0, rises = 0;
    for (int64_t i = 0; i < n; i++) {
        numbers += scores[i] == scores[i];
        rises += i > 0 && scores[i - 1] <= scores[i];
    }
    *sorted = rises == n - 1;
    return numbers == n ? PRFAST_OK : PRFAST_BAD_NUMBER;
}

/* counts[room × 2], copies[n + m]: scratch. */
static int sweep_with(const double *real, int64_t n, const double *fake, int64_t m,
                            const int sorted[2], int64_t *counts, double *copies, double *p,
                            double *q, int64_t *cells)
{
    int64_t room = prfast_sweep_room(n, m);
    if (!sorted[0]) {
        TRY(check_kernel(prf_sort_f64(real, n, copies)));
        real = copies;
    }
    if (!sorted[1]) {
        TRY(check_kernel(prf_sort_f64(fake, m, copies + n)));
        fake = copies + n;
    }
    TRY(check_kernel(prf_sweep_f64(real, n, fake, m, counts, counts + room, cells)));
    for (int64_t i = 0; i < *cells; i++) {
        p[i] = (double)counts[i];
        q[i] = (double)counts[room + i];
    }
    return PRFAST_OK;
}

int prfast_sweep(const double *real, int64_t n, const double *fake, int64_t m, double *p,
                       double *q, int64_t *cells)
{
    int sorted[2];
    TRY(check_cells(p, q, cells));
    TRY(check_array(real, sizeof *real));
    TRY(check_array(fake, sizeof *fake));
    TRY(check_size(n, 1, MOST_POINTS));
    TRY(check_size(m, 1, MOST_POINTS));
    TRY(check_scores(real, n, &sorted[0]));
    TRY(check_scores(fake, m, &sorted[1]));
    int64_t *counts = malloc((size_t)prfast_sweep_room(n, m) * 2 * sizeof *counts);
    double *copies = sorted[0] && sorted[1] ? NULL : malloc((size_t)(n + m) * sizeof *copies);
    int status = PRFAST_NO_MEMORY;
    if (counts && (copies || (sorted[0] && sorted[1])))
        status = sweep_with(real, n, fake, m, sorted, counts, copies, p, q, cells);
    free(counts);
    free(copies);
    return status;
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
    api->vertices = prfast_vertices;
    api->min_sums = prfast_min_sums;
}

const prf_part prf_masses_part = {fill};
