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

#include "pool.h"

/* Pool adjacent violators: append the cell (dp, dq) to the cells 0 .. top-1 of falling ratio and
 * merge from the right while q[top-1] / p[top-1] <= dq / dp, cross-multiplied; so equal ratios
 * merge too, and p = 0 is the ratio +inf.                                                      */
static inline int64_t push(int64_t *p, int64_t *q, int64_t top, int64_t dp, int64_t dq)
{
    while (top > 0 && q[top - 1] * dp <= dq * p[top - 1]) {
        top--;
        dp += p[top];
        dq += q[top];
    }
    p[top] = dp;
    q[top] = dq;
    return top + 1;
}

#define SCORE float
#define NAME(stem) stem##_f32
#include "sweep_counts.h"
#undef SCORE
#undef NAME

#define SCORE double
#define NAME(stem) stem##_f64
#include "sweep_counts.h"
#undef SCORE
#undef NAME

void prf_sweep_weighted(const double *real, const double *real_weight, int64_t n,
                        const double *fake, const double *fake_weight, int64_t m,
                        double *p, double *q, int64_t *cells)
{
    int64_t i = 0, j = 0, top = 0;
    while (i < n || j < m) {
        double t = j >= m || (i < n && real[i] < fake[j]) ? real[i] : fake[j];
        double dp = 0.0, dq = 0.0;
        while (i < n && real[i] == t)
            dp += real_weight[i++];
        while (j < m && fake[j] == t)
            dq += fake_weight[j++];
        top = pool_push(p, q, top, dp, dq);
    }
    *cells = top;
}
