/* What is done once a query when all references have passed. */
#include <stdlib.h>

#include "arithmetic/select.h"
#include "balls/exact.h"
#include "prfast.h"

/* ---- the k-th distance from the intervals that were kept ----
 *
 * With τ the k-th smallest hi and σ = τ − the widest interval, the k-th smallest D lies in [σ, τ]:
 * intervals that end below σ are nearer, intervals that begin above τ are farther, and only the
 * rest are computed.                                                                             */

typedef struct {
    const double *lo, *hi;
    const int32_t *ref;
    int64_t fill;
    const prf_points *refs;
} kept;

static kept kept_of(const prf_pass *pass, const prf_nearest *state, int64_t query)
{
    int64_t row = query - state->first_query, at = row * state->capacity;
    kept k = {state->lo + at, state->hi + at, state->ref + at, state->fill[row], &pass->refs};
    return k;
}

/* D of the intervals that meet [sigma, tau], appended to d2; the number that end below sigma. */
static int64_t between(const kept *k, const double *row, double sigma, double tau, double *d2,
                       int64_t *filled, int64_t *refined)
{
    const double *q[PRF_EXACT_LANES];
    int64_t ref[PRF_EXACT_LANES], lanes = 0, below = 0;
    for (int64_t i = 0; i <= k->fill; i++) {
        if (i < k->fill && k->hi[i] < sigma) {
            below++;
        } else if (i < k->fill && k->lo[i] <= tau) {
            if (k->lo[i] == k->hi[i]) {
                d2[(*filled)++] = k->lo[i];
            } else {
                q[lanes] = row;
                ref[lanes++] = k->ref[i];
            }
        }
        if (lanes == PRF_EXACT_LANES || (i == k->fill && lanes > 0)) {
            prf_exact(q, k->refs, ref, lanes, d2 + *filled);
            *filled += lanes;
            *refined += lanes;
            lanes = 0;
        }
    }
    return below;
}

prf_status prf_kth_of_kept(const prf_pass *pass, int64_t first, int64_t count, void *into,
                           prf_work *work)
{
    const prf_kth *kth = into;
    const prf_nearest *state = kth->state, *other = kth->other;
    const int64_t *ks = kth->ks, ks_count = kth->ks_count;
    int64_t dim = pass->refs.dim, room = state->capacity + (other ? other->capacity : 0);
    double *row = malloc((size_t)(dim + room) * sizeof *row), *copy = row + dim;
    if (!row)
        return PRF_NO_MEMORY;
    for (int64_t query = first; query < first + count; query++) {
        kept sets[2];
        int64_t sets_count = 0, fill = 0;
        double *d2 = kth->d2 + (query - kth->first_query) * ks_count;
        sets[sets_count++] = kept_of(pass, state, query);
        if (other)
            sets[sets_count++] = kept_of(kth->other_pass, other, query);
        prf_row(&pass->queries, query, row);
        for (int64_t t = 0; t < ks_count; t++) {
            double spread = 0.0;
            fill = 0;
            for (int64_t s = 0; s < sets_count; s++)
                for (int64_t i = 0; i < sets[s].fill; i++) {
                    double width = sets[s].hi[i] - sets[s].lo[i];
                    spread = width > spread ? width : spread;
                    copy[fill++] = sets[s].hi[i];
                }
            double tau = prf_select(copy, fill, ks[t]), sigma = tau - spread;
            int64_t below = 0, filled = 0;
            for (int64_t s = 0; s < sets_count; s++)
                below += between(&sets[s], row, sigma, tau, copy, &filled, &work->refined);
            d2[t] = prf_select(copy, filled, ks[t] - below);
        }
    }
    free(row);
    return PRF_OK;
}

/* ---- counts among what was kept ----
 *
 * What a reservoir has dropped, or never taken in, is at tau or beyond: it had lo >= the tau of that
 * moment, D >= lo, and tau never rises; a block whose guessed tau kept too much out was done again. */

static int64_t count_within(const kept *k, const double *row, double t, int closed,
                            int64_t *refined)
{
    const double *q[PRF_EXACT_LANES];
    double d2[PRF_EXACT_LANES];
    int64_t ref[PRF_EXACT_LANES], lanes = 0, found = 0;
    for (int64_t i = 0; i <= k->fill; i++) {
        if (i < k->fill) {
            if (closed ? k->hi[i] <= t : k->hi[i] < t) {
                found++;
            } else if (k->lo[i] <= t && k->lo[i] < k->hi[i]) {
                q[lanes] = row;
                ref[lanes++] = k->ref[i];
            }
        }
        if (lanes == PRF_EXACT_LANES || (i == k->fill && lanes > 0)) {
            prf_exact(q, k->refs, ref, lanes, d2);
            for (int64_t l = 0; l < lanes; l++)
                found += closed ? d2[l] <= t : d2[l] < t;
            *refined += lanes;
            lanes = 0;
        }
    }
    return found;
}

prf_status prf_among_kept(const prf_pass *pass, int64_t first, int64_t count, void *into,
                          prf_work *work)
{
    const prf_among *among = into;
    int64_t ks_count = among->ks_count;
    int closed = among->closed;
    double *row = malloc((size_t)pass->refs.dim * sizeof *row);
    if (!row)
        return PRF_NO_MEMORY;
    for (int64_t query = first; query < first + count; query++) {
        kept k = kept_of(pass, among->state, query);
        double tau = among->state->tau[query - among->state->first_query];
        int64_t at = (query - among->first_query) * ks_count;
        prf_row(&pass->queries, query, row);
        for (int64_t i = at; i < at + ks_count; i++)
            among->counts[i] = among->t[i] < tau || (!closed && among->t[i] <= tau)
                                   ? count_within(&k, row, among->t[i], closed, &work->refined)
                                   : -1;
    }
    free(row);
    return PRF_OK;
}
