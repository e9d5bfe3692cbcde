/* D, and logarithms of D', of pairs that are named. */
#include <stdlib.h>

#include "arithmetic/log2.h"
#include "distances/exact.h"
#include "distances/points.h"

prf_status prf_pairs(const prf_points *queries, const int64_t *query, const prf_points *refs,
                     const int64_t *ref, int64_t count, double *d2)
{
    double *rows = malloc((size_t)(PRF_EXACT_LANES * refs->dim) * sizeof *rows);
    const double *at[PRF_EXACT_LANES];
    if (!rows)
        return PRF_NO_MEMORY;
    for (int64_t from = 0; from < count; from += PRF_EXACT_LANES) {
        int64_t pairs = count - from < PRF_EXACT_LANES ? count - from : PRF_EXACT_LANES, own = -1;
        for (int64_t l = 0; l < pairs; l++) {
            if (!l || query[from + l] != query[from + l - 1]) /* of one query mostly */
                prf_row(queries, query[from + l], rows + ++own * refs->dim);
            at[l] = rows + own * refs->dim;
        }
        prf_exact(at, refs, ref + from, pairs, d2 + from);
    }
    free(rows);
    return PRF_OK;
}

int64_t prf_level_of(double x)
{
    return prf_level(x);
}

/* D' of engine/logs.h: eight sums in index order, then four, two and one. */
static double eight_sums(const prf_points *x, int64_t at_x, const prf_points *y, int64_t at_y)
{
    double sum[8] = {0.0};
    for (int64_t j = 0; j < x->dim; j++) {
        double off = prf_number(x, x->wide, at_x + j) - prf_number(y, y->wide, at_y + j);
        sum[j % 8] += off * off;
    }
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

void prf_pair_levels(const prf_points *queries, const int64_t *query, const prf_points *refs,
                     const int64_t *ref, int64_t count, int64_t *level)
{
    for (int64_t i = 0; i < count; i++)
        level[i] = prf_level(eight_sums(queries, prf_start(queries, query[i]), refs,
                                        prf_start(refs, ref[i])));
}
