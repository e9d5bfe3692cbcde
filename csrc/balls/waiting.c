/* Pairs that wait for their D. */
#include "balls/waiting.h"

void prf_wait(prf_waiting *w, int64_t query, int64_t ref, int64_t tag)
{
    w->query[w->count] = query;
    w->ref[w->count] = ref;
    w->tag[w->count++] = tag;
    if (w->count == PRF_EXACT_LANES)
        prf_settle(w);
}

void prf_settle(prf_waiting *w)
{
    const double *q[PRF_EXACT_LANES];
    double d2[PRF_EXACT_LANES];
    if (!w->count)
        return;
    for (int64_t l = 0; l < w->count; l++)
        q[l] = w->rows + w->query[l] * w->refs->dim;
    prf_exact(q, w->refs, w->ref, w->count, d2);
    for (int64_t l = 0; l < w->count; l++)
        w->settle(w->self, w->query[l], w->ref[l], w->tag[l], d2[l]);
    w->refined += w->count;
    w->count = 0;
}
