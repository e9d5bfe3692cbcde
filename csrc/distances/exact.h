/* D(x, y) in float64, in index order: the number that every comparison is about. */
#ifndef PRFAST_BALLS_EXACT_H
#define PRFAST_BALLS_EXACT_H

#include "prfast.h"

/* D(q, r) = Σ_j (q_j − r_j)², float64, in index order, without contraction, for up to 8 pairs: one
 * sum waits for its own last addition; eight beside each other do not wait. */
enum { PRF_EXACT_LANES = 8 };
void prf_exact(const double *const *q, const prf_points *refs, const int64_t *r, int64_t pairs,
               double *d2);

/* Row i of the points as float64. */
void prf_row(const prf_points *points, int64_t i, double *row);

/* Is it in the ball of T? */
static inline int prf_inside(double d2, double t, int closed)
{
    return closed ? d2 <= t : d2 < t;
}

#endif
