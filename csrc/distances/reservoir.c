/* Reservoirs: the references that may be among the nearest of a query. */
#include "distances/reservoir.h"

#include <string.h>

#include "arithmetic/select.h"
#include "distances/waiting.h"

/* Keep what is below tau and, of what reaches it, as much as completes k.  tau never rises. */
static void cut(prf_reservoir *r, int64_t k, double *copy)
{
    memcpy(copy, r->hi, (size_t)r->fill * sizeof *copy);
    double kth = prf_select(copy, r->fill, k);
    r->tau = kth < r->tau ? kth : r->tau;
    int64_t witnesses = 0; /* of hi < tau, and then of hi = tau up to k */
    for (int32_t i = 0; i < r->fill; i++)
        witnesses += r->hi[i] < r->tau;
    int32_t count = 0;
    for (int32_t i = 0; i < r->fill; i++) {
        int witness = r->hi[i] < r->tau || (r->hi[i] == r->tau && witnesses++ < k);
        if (witness || r->lo[i] < r->tau) {
            r->lo[count] = r->lo[i];
            r->hi[count] = r->hi[i];
            r->ref[count++] = r->ref[i];
        }
    }
    r->fill = count;
}

static void settle_intervals(void *self, const prf_waiting *w, const double *d2)
{
    prf_reservoir *r = self;
    for (int64_t l = 0; l < w->count; l++)
        r->lo[w->tag[l]] = r->hi[w->tag[l]] = d2[l];
}

/* Replace every interval by D. */
static int64_t refine(prf_reservoir *r, const prf_points *refs, const double *row)
{
    prf_waiting w = {.refs = refs, .rows = row, .settle = settle_intervals, .self = r};
    for (int32_t i = 0; i < r->fill; i++)
        if (r->lo[i] < r->hi[i])
            prf_wait(&w, 0, r->ref[i], i);
    prf_settle(&w);
    return w.refined;
}

int64_t prf_make_room(prf_reservoir *r, const prf_nearest *state, const prf_points *refs,
                      const double *row, double *copy)
{
    int64_t refined = 0;
    cut(r, state->k, copy);
    if (r->fill >= state->capacity - (state->capacity - state->k) / 4) {
        refined = refine(r, refs, row);
        cut(r, state->k, copy);
    }
    if (r->fill == state->capacity) /* numbers that are none: of data that change meanwhile */
        r->fill--;
    return refined;
}

int prf_enough(const prf_reservoir *r, int64_t k, double *copy)
{
    if (r->fill < k)
        return 0;
    memcpy(copy, r->hi, (size_t)r->fill * sizeof *copy);
    return prf_select(copy, r->fill, k) <= r->tau;
}
