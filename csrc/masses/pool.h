/* Pool adjacent violators: append a cell to the cells 0 .. top-1 of falling ratio q / p, and merge it
 * with those before it while their ratio is not larger; so equal ratios merge too, and p = 0 is the
 * ratio +inf.  Once for counts, exactly, and once for masses, with the rounding error of every sum
 * carried along.  Both return the new number of cells.                                            */
#ifndef PRFAST_POOL_H
#define PRFAST_POOL_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "arithmetic/compensated.h"

/* ---- counts: ratios are compared by cross-multiplying ---- */

static inline int64_t pool_push_counts(int64_t *p, int64_t *q, int64_t top, int64_t dp, int64_t dq)
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

/* ---- masses ---- */

/* q / p, with the ends kept apart from quotients that over- or underflow:
 * +inf only where p = 0 < q, 0 only where q = 0 < p; NaN for an empty cell.
 * A negative q (an edge that climbs) keeps its sign; the sign of a zero does not count. */
static inline double cell_ratio(double p, double q)
{
    if (p == 0.0)
        return q > 0.0 ? INFINITY : q < 0.0 ? -INFINITY : NAN;
    if (q == 0.0)
        return 0.0;
    double r = q / p;
    return q > 0.0 ? fmax(fmin(r, DBL_MAX), DBL_TRUE_MIN) : r;
}

typedef struct {
    compensated p, q;
    double ratio; /* a merger of equal ratios keeps it, so that all of them merge */
} pool_cell;

static inline double pool_ratio(const pool_cell *cell)
{
    return cell_ratio(compensated_value(&cell->p), compensated_value(&cell->q));
}

/* An empty cell is dropped.  next->ratio need not be set. */
static inline int64_t pool_push(pool_cell *cells, int64_t top, pool_cell next)
{
    next.ratio = pool_ratio(&next);
    while (top > 0 && cells[top - 1].ratio <= next.ratio) {
        const pool_cell *before = &cells[--top];
        compensated_merge(&next.p, &before->p);
        compensated_merge(&next.q, &before->q);
        if (before->ratio != next.ratio)
            next.ratio = pool_ratio(&next);
    }
    if (isnan(next.ratio))
        return top;
    cells[top] = next;
    return top + 1;
}

static inline void pool_values(const pool_cell *cells, int64_t top, double *p, double *q)
{
    for (int64_t i = 0; i < top; i++) {
        p[i] = compensated_value(&cells[i].p);
        q[i] = compensated_value(&cells[i].q);
    }
}

#endif
