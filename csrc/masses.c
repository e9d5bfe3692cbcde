/* Masses on the level sets of the likelihood ratio, and the polyline that they span. */
#include "prfast.h"

#include <stdlib.h>

#include "compensated.h"
#include "pool.h"

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

void prf_hull(double *fpr, double *fnr, int64_t *points)
{
    int64_t top = 0;
    for (int64_t i = 1; i < *points; i++) {
        double x = fpr[i], y = fnr[i];
        if (x == fpr[top] && y == fnr[top])
            continue;
        while (top > 0 && cell_ratio(fpr[top] - fpr[top - 1], fnr[top - 1] - fnr[top]) <=
                              cell_ratio(x - fpr[top], fnr[top] - y))
            top--;
        top++;
        fpr[top] = x;
        fnr[top] = y;
    }
    *points = top + 1;
}

void prf_vertices(const double *p, const double *q, int64_t cells, double *fpr, double *fnr,
                  double totals[2])
{
    compensated below = {0.0, 0.0}, above = {0.0, 0.0};
    fpr[0] = 0.0;
    for (int64_t i = 0; i < cells; i++) {
        compensated_add(&below, p[i]);
        fpr[i + 1] = compensated_value(&below);
    }
    /* From the far end, so that small fnr keep their digits: no 1 - Σ. */
    fnr[cells] = 0.0;
    for (int64_t i = cells; i-- > 0;) {
        compensated_add(&above, q[i]);
        fnr[i] = compensated_value(&above);
    }
    totals[0] = fpr[cells];
    totals[1] = fnr[0];
    for (int64_t i = 0; i <= cells; i++) {
        fpr[i] /= totals[0];
        fnr[i] /= totals[1];
    }
}
