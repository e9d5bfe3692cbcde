/* Pairs that wait for their D, until there are as many as are computed side by side. */
#ifndef PRFAST_BALLS_WAITING_H
#define PRFAST_BALLS_WAITING_H

#include "balls/exact.h"

/* settle: what to do with D of query rows[query] and reference ref, in the order of waiting; `tag` is
 * the caller's.  refined: pairs computed so far.                                                */
typedef struct {
    const prf_points *refs;
    const double *rows; /* [queries][dim] */
    void (*settle)(void *self, int64_t query, int64_t ref, int64_t tag, double d2);
    void *self;
    int64_t refined, count;
    int64_t query[PRF_EXACT_LANES], ref[PRF_EXACT_LANES], tag[PRF_EXACT_LANES];
} prf_waiting;

void prf_wait(prf_waiting *w, int64_t query, int64_t ref, int64_t tag);

/* Those that still wait. */
void prf_settle(prf_waiting *w);

#endif
