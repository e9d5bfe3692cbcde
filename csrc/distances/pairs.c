/* D of pairs that are named. */
#include <stdlib.h>

#include "distances/exact.h"
#include "distances/points.h"

prf_status prf_pairs(const prf_points *queries, const int64_t *query, const prf_points *refs,
                     const int64_t *ref, int64_t count, double *d2)
{
    double *rows = malloc((size_t)(PRF_EXACT_LANES * refs->dim) * sizeof *rows);
    const double *at[PRF_EXACT_LANES];
    if (!rows)
        return PRF_NO_MEMORY;
    for (int64_t from = 0; from < count; from += PRF_EXACT_LANES) {
        int64_t pairs = count - from < PRF_EXACT_LANES ? count - from : PRF_EXACT_LANES, own = -1;
        for (int64_t l = 0; l < pairs; l++) {
            if (!l || query[from + l] != query[from + l - 1]) /* of one query mostly */
                prf_row(queries, query[from + l], rows + ++own * refs->dim);
            at[l] = rows + own * refs->dim;
        }
        prf_exact(at, refs, ref + from, pairs, d2 + from);
    }
    free(rows);
    return PRF_OK;
}
