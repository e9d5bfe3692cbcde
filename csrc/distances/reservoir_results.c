/* Results of each query when all references have passed. */
#include <stdlib.h>

#include "arithmetic/select.h"
#include "distances/exact.h"
#include "distances/reservoir.h"
#include "distances/waiting.h"
#include "prfast.h"

/* ---- the k-th distance from the retained intervals ----
 *
 * With τ the k-th smallest hi and σ = τ − the widest interval, the k-th smallest D lies in [σ, τ]:
 * intervals that end below σ are nearer, intervals that begin above τ are farther, and only the
 * rest are computed.                                                                             */

typedef struct {
    double *d2;
    int64_t filled;
} gathered;

static void gather(void *self, const prf_waiting *w, const double *d2)
{
    gathered *g = self;
    for (int64_t l = 0; l < w->count; l++)
        g->d2[g->filled++] = d2[l];
}

/* Gather D of the intervals that meet [sigma, tau]; the number that end below sigma. */
static int64_t between(const prf_reservoir *r, prf_waiting *w, gathered *g, double sigma, double tau)
{
    int64_t below = 0;
    for (int32_t i = 0; i < r->fill; i++) {
        if (r->hi[i] < sigma)
            below++;
        else if (r->lo[i] <= tau && r->lo[i] < r->hi[i])
            prf_wait(w, 0, r->ref[i], 0);
        else if (r->lo[i] <= tau)
            g->d2[g->filled++] = r->lo[i];
    }
    prf_settle(w);
    return below;
}

/* One query's row, and the one or two reservoirs that it has, each with its own references. */
typedef struct {
    prf_reservoir sets[2];
    const prf_points *refs[2];
    int sets_count;
    const double *row;
} reservoirs;

/* copy: room for all intervals. */
static double kth_of(const reservoirs *of, int64_t k, double *copy, int64_t *refined)
{
    double widest = 0.0;
    int64_t fill = 0, below = 0;
    for (int s = 0; s < of->sets_count; s++)
        for (int32_t i = 0; i < of->sets[s].fill; i++) {
            double width = of->sets[s].hi[i] - of->sets[s].lo[i];
            widest = width > widest ? width : widest;
            copy[fill++] = of->sets[s].hi[i];
        }
    double tau = prf_select(copy, fill, k), sigma = tau - widest;
    gathered g = {copy, 0};
    for (int s = 0; s < of->sets_count; s++) {
        prf_waiting w = {.refs = of->refs[s], .rows = of->row, .settle = gather, .self = &g};
        below += between(&of->sets[s], &w, &g, sigma, tau);
        *refined += w.refined;
    }
    return prf_select(copy, g.filled, k - below);
}

prf_status prf_reservoir_kth(const prf_pass *pass, int64_t first, int64_t count, void *into,
                           prf_work *work)
{
    const prf_kth *kth = into;
    const prf_nearest *other = kth->other;
    int64_t dim = pass->refs.dim, room = kth->state->capacity + (other ? other->capacity : 0);
    double *row = malloc((size_t)(dim + room) * sizeof *row);
    if (!row)
        return PRF_NO_MEMORY;
    for (int64_t query = first; query < first + count; query++) {
        double *d2 = kth->d2 + (query - kth->first_query) * kth->ks_count;
        reservoirs of = {.refs = {&pass->refs}, .sets_count = 1, .row = row};
        of.sets[0] = prf_reservoir_of(kth->state, query);
        if (other) {
            of.sets[of.sets_count] = prf_reservoir_of(other, query);
            of.refs[of.sets_count++] = &kth->other_pass->refs;
        }
        prf_row(&pass->queries, query, row);
        for (int64_t t = 0; t < kth->ks_count; t++)
            d2[t] = kth_of(&of, kth->ks[t], row + dim, &work->refined);
    }
    free(row);
    return PRF_OK;
}

/* ---- counts among the retained intervals ----
 *
 * What a reservoir has dropped, or never taken in, is at tau or beyond: it had lo >= the tau of that
 * moment, D >= lo, and tau never rises; a block whose guessed tau kept too much out was done again. */

typedef struct {
    double t;
    int closed;
    int64_t inside;
} ball;

static void count_pairs(void *self, const prf_waiting *w, const double *d2)
{
    ball *b = self;
    for (int64_t l = 0; l < w->count; l++)
        b->inside += prf_inside(d2[l], b->t, b->closed);
}

static int64_t count_within(const prf_reservoir *r, const prf_points *refs, const double *row, ball b,
                            int64_t *refined)
{
    prf_waiting w = {.refs = refs, .rows = row, .settle = count_pairs, .self = &b};
    for (int32_t i = 0; i < r->fill; i++) {
        if (prf_inside(r->hi[i], b.t, b.closed))
            b.inside++;
        else if (r->lo[i] <= b.t && r->lo[i] < r->hi[i])
            prf_wait(&w, 0, r->ref[i], 0);
    }
    prf_settle(&w);
    *refined += w.refined;
    return b.inside;
}

prf_status prf_reservoir_count(const prf_pass *pass, int64_t first, int64_t count, void *into,
                          prf_work *work)
{
    const prf_within *among = into;
    int64_t ks_count = among->ks_count;
    double *row = malloc((size_t)pass->refs.dim * sizeof *row);
    if (!row)
        return PRF_NO_MEMORY;
    for (int64_t query = first; query < first + count; query++) {
        prf_reservoir r = prf_reservoir_of(among->state, query);
        int64_t at = (query - among->first_query) * ks_count;
        prf_row(&pass->queries, query, row);
        for (int64_t i = at; i < at + ks_count; i++) {
            ball b = {among->t[i], among->closed, 0};
            int known = b.t < r.tau || (!b.closed && b.t <= r.tau);
            among->counts[i] = known ? count_within(&r, &pass->refs, row, b, &work->refined) : -1;
        }
    }
    free(row);
    return PRF_OK;
}
