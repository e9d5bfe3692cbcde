/* Masses on the level sets of the likelihood ratio. */
#include "prfast.h"

#include <stdlib.h>

#include "arithmetic/compensated.h"
#include "masses/pool.h"

void prf_ratios(const double *p, const double *q, int64_t cells, double *ratio)
{
    for (int64_t i = 0; i < cells; i++)
        ratio[i] = cell_ratio(p[i], q[i]);
}

prf_status prf_pool(double *p, double *q, int64_t *cells)
{
    int64_t top = 0;
    pool_cell *pooled = malloc((size_t)*cells * sizeof *pooled);
    if (!pooled)
        return PRF_NO_MEMORY;
    for (int64_t i = 0; i < *cells; i++)
        top = pool_push(pooled, top, (pool_cell){{p[i], 0.0}, {q[i], 0.0}, 0.0});
    pool_values(pooled, top, p, q);
    *cells = top;
    free(pooled);
    return PRF_OK;
}
