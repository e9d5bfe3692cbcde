/* The polyline that cells span, and its lower convex hull. */
#include "prfast.h"

#include "arithmetic/compensated.h"
#include "masses/pool.h"

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
