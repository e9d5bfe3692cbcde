/* D(x, y) in float64, in index order: the number that every comparison is about. */
#include "balls/exact.h"

#include "balls/points.h"

void prf_row(const prf_points *points, int64_t i, double *row)
{
    if (points->wide) {
        const double *x = (const double *)points->rows + prf_start(points, i);
        for (int64_t j = 0; j < points->dim; j++)
            row[j] = x[j];
    } else {
        const float *x = (const float *)points->rows + prf_start(points, i);
        for (int64_t j = 0; j < points->dim; j++)
            row[j] = x[j];
    }
}

/* One sum waits for its own last addition; eight beside each other do not wait. */
#define EXACT(TYPE)                                                                         \
    do {                                                                                    \
        const TYPE *x[PRF_EXACT_LANES];                                                     \
        const double *y[PRF_EXACT_LANES];                                                   \
        double sum[PRF_EXACT_LANES] = {0.0};                                                \
        for (int l = 0; l < PRF_EXACT_LANES; l++) {                                         \
            x[l] = (const TYPE *)refs->rows + prf_start(refs, r[l < pairs ? l : 0]);        \
            y[l] = q[l < pairs ? l : 0];                                                    \
        }                                                                                   \
        for (int64_t j = 0; j < refs->dim; j++)                                             \
            for (int l = 0; l < PRF_EXACT_LANES; l++) {                                     \
                double difference = y[l][j] - (double)x[l][j];                              \
                sum[l] += difference * difference;                                          \
            }                                                                               \
        for (int64_t l = 0; l < pairs; l++)                                                 \
            d2[l] = sum[l];                                                                 \
    } while (0)

void prf_exact(const double *const *q, const prf_points *refs, const int64_t *r, int64_t pairs,
               double *d2)
{
    if (refs->wide)
        EXACT(double);
    else
        EXACT(float);
}
