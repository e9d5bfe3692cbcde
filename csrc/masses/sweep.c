/* Sweep a threshold over the scores of two classes: the lower convex hull of the points
 *
 *     (#{real < t}, #{fake >= t}),   t in [-inf, +inf],
 *
 * as the counts (p, q) on its edges.  Counts stay integers, so the hull is exact: with n and m
 * below 2^31 every cross product fits an int64.
 *
 * Ties: equal scores, of either class, are one threshold and never torn apart.
 */
#include "prfast.h"

#include <stdlib.h>

#include "masses/pool.h"

#define SCORE float
#define NAME(stem) stem##_f32
#include "masses/sweep_counts.h"
#undef SCORE
#undef NAME

#define SCORE double
#define NAME(stem) stem##_f64
#include "masses/sweep_counts.h"
#undef SCORE
#undef NAME

prf_status prf_sweep_weighted(const double *real, const double *real_weight, int64_t n,
                              const double *fake, const double *fake_weight, int64_t m,
                              double *p, double *q, int64_t *cells)
{
    int64_t i = 0, j = 0, top = 0;
    pool_cell *pooled = malloc((size_t)((n < m ? n : m) + 2) * sizeof *pooled);
    if (!pooled)
        return PRF_NO_MEMORY;
    while (i < n || j < m) {
        double t = j >= m || (i < n && real[i] < fake[j]) ? real[i] : fake[j];
        pool_cell next = {{0.0, 0.0}, {0.0, 0.0}, 0.0};
        while (i < n && real[i] == t)
            compensated_add(&next.p, real_weight[i++]);
        while (j < m && fake[j] == t)
            compensated_add(&next.q, fake_weight[j++]);
        top = pool_push(pooled, top, next);
    }
    pool_values(pooled, top, p, q);
    *cells = top;
    free(pooled);
    return PRF_OK;
}
