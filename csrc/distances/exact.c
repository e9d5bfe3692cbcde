/* D(x, y) in float64, and rows as float64; each for both types of row. */
#include "distances/exact.h"

#include "distances/points.h"

static inline void row_of(const prf_points *points, int wide, int64_t i, double *row)
{
    int64_t start = prf_start(points, i);
    for (int64_t j = 0; j < points->dim; j++)
        row[j] = prf_number(points, wide, start + j);
}

void prf_row(const prf_points *points, int64_t i, double *row)
{
    if (points->wide)
        row_of(points, 1, i, row);
    else
        row_of(points, 0, i, row);
}

static inline void exact(const double *const *q, const prf_points *refs, int wide, const int64_t *r,
                         int64_t pairs, double *d2)
{
    int64_t start[PRF_EXACT_LANES];
    const double *y[PRF_EXACT_LANES];
    double sum[PRF_EXACT_LANES] = {0.0};
    for (int l = 0; l < PRF_EXACT_LANES; l++) {
        start[l] = prf_start(refs, r[l < pairs ? l : 0]);
        y[l] = q[l < pairs ? l : 0];
    }
    for (int64_t j = 0; j < refs->dim; j++)
        for (int l = 0; l < PRF_EXACT_LANES; l++) {
            double difference = y[l][j] - prf_number(refs, wide, start[l] + j);
            sum[l] += difference * difference;
        }
    for (int64_t l = 0; l < pairs; l++)
        d2[l] = sum[l];
}

void prf_exact(const double *const *q, const prf_points *refs, const int64_t *r, int64_t pairs,
               double *d2)
{
    if (refs->wide)
        exact(q, refs, 1, r, pairs, d2);
    else
        exact(q, refs, 0, r, pairs, d2);
}
