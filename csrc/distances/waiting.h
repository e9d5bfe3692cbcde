/* Pairs that wait for their D, until there are as many as are computed side by side. */
#ifndef PRFAST_BALLS_WAITING_H
#define PRFAST_BALLS_WAITING_H

#include "distances/exact.h"

/* settle: what to do with d2[l], D of the pairs l < count: query[l] of rows and ref[l], in the order of
 * waiting; tag[l] is the caller's.  refined: pairs computed so far.                              */
typedef struct prf_waiting prf_waiting;
struct prf_waiting {
    const prf_points *refs;
    const double *rows; /* [queries][dim] */
    void (*settle)(void *self, const prf_waiting *w, const double *d2);
    void *self;
    int64_t refined, count;
    const double *row[PRF_EXACT_LANES]; /* of query: read back as it was written, not as vectors */
    int64_t query[PRF_EXACT_LANES], ref[PRF_EXACT_LANES], tag[PRF_EXACT_LANES];
};

/* Those that still wait. */
void prf_settle(prf_waiting *w);

/* A pair whose query's row is at hand otherwise. */
static inline void prf_wait_row(prf_waiting *w, const double *row, int64_t query, int64_t ref,
                                int64_t tag)
{
    w->row[w->count] = row;
    w->query[w->count] = query;
    w->ref[w->count] = ref;
    w->tag[w->count++] = tag;
    if (w->count == PRF_EXACT_LANES)
        prf_settle(w);
}

static inline void prf_wait(prf_waiting *w, int64_t query, int64_t ref, int64_t tag)
{
    prf_wait_row(w, w->rows + query * w->refs->dim, query, ref, tag);
}

#endif
