/* Pairs that wait for their D. */
#include "distances/waiting.h"

void prf_settle(prf_waiting *w)
{
    double d2[PRF_EXACT_LANES];
    if (!w->count)
        return;
    prf_exact(w->row, w->refs, w->ref, w->count, d2);
    w->settle(w->self, w, d2);
    w->refined += w->count;
    w->count = 0;
}
