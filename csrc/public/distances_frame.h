/* Points of others: are they arrays of numbers in range, and where is the filter to see them? */
#ifndef PRFAST_PUBLIC_BALLS_FRAME_H
#define PRFAST_PUBLIC_BALLS_FRAME_H

#include "prfast.h"
#include "prfast/include/prfast.h"

/* The filter sees (x − center) × scale; exact: nothing that bounds D.  Any frame gives the same results;
 * this is `frame_of` of prfast/neighbors/passes.py.                                                   */
typedef struct {
    double *center, scale; /* center[dim]: to be freed */
    int exact;
} prf_frame;

int prf_check_points(const prfast_points *points);

/* Points from `first` on, as the kernels know them. */
prf_points prf_points_of(const prfast_points *points, int64_t first, int64_t count);

/* Centered on the references, with room for the queries; PRFAST_BAD_NUMBER where one is not finite,
 * PRFAST_OUT_OF_RANGE where D would leave float64.                                               */
int prf_frame_of(const prf_points *queries, const prf_points *refs, prf_frame *frame);

#endif
