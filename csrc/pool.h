/* Pool adjacent violators on float64 masses: the one place that orders cells by ratio. */
#ifndef PRFAST_POOL_H
#define PRFAST_POOL_H

#include <float.h>
#include <math.h>
#include <stdint.h>

/* q / p, with the ends kept apart from quotients that over- or underflow:
 * +inf only where p = 0 < q, 0 only where q = 0 < p; NaN for an empty cell.
 * A negative q (an edge that climbs) keeps its sign.                          */
static inline double cell_ratio(double p, double q)
{
    double r = q / p;
    if (p > 0.0 && q > 0.0)
        r = fmax(fmin(r, DBL_MAX), DBL_TRUE_MIN);
    return r;
}

/* Append (dp, dq) to the cells 0 .. top-1 of falling ratio; merge while the ratio before it is
 * not larger.  Returns the new number of cells.                                               */
static inline int64_t pool_push(double *p, double *q, int64_t top, double dp, double dq)
{
    if (dp == 0.0 && dq == 0.0)
        return top;
    while (top > 0 && cell_ratio(p[top - 1], q[top - 1]) <= cell_ratio(dp, dq)) {
        top--;
        dp += p[top];
        dq += q[top];
    }
    p[top] = dp;
    q[top] = dq;
    return top + 1;
}

#endif
