/* Reservoirs: the references that may be among the nearest of a query.
 *
 * A reservoir a query keeps intervals lo <= D <= hi of the references that may be among the k
 * nearest.  tau, the k-th smallest hi so far, bounds the k-th distance: what lies above is dropped.
 * A full reservoir is cut to what tau allows; if that is still too much, the intervals overlap
 * (ties, or a filter that cannot see): their D are computed and exactly k of them stay.
 */
#ifndef PRFAST_BALLS_RESERVOIR_H
#define PRFAST_BALLS_RESERVOIR_H

#include "prfast.h"

/* That of one query; lo, hi, ref are the state's, tau and fill are copies. */
typedef struct {
    double *lo, *hi, tau;
    int32_t *ref, fill;
} prf_reservoir;

static inline prf_reservoir prf_reservoir_of(const prf_nearest *state, int64_t query)
{
    int64_t row = query - state->first_query, at = row * state->capacity;
    prf_reservoir r = {state->lo + at, state->hi + at, state->tau[row], state->ref + at,
                       state->fill[row]};
    return r;
}

/* Make room in one that is full; how many D were computed.  row: the query; copy[capacity]: scratch. */
int64_t prf_make_room(prf_reservoir *r, const prf_nearest *state, const prf_points *refs,
                      const double *row, double *copy);

/* Are there k references at or below tau?  copy[capacity]: scratch. */
int prf_enough(const prf_reservoir *r, int64_t k, double *copy);

#endif
