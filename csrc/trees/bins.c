/* Values of a column in bins between quantiles. */
#include "prfast.h"

#include <math.h>

/* The middle of a < b, above a whatever the rounding: what is below it is a or less. */
static double between(double a, double b)
{
    double middle = a + 0.5 * (b - a);
    return middle > a ? middle : b;
}

/* The k-th of `most` quantiles, at ½ u + ½ (3u² − 2u³): twice as close to each other at the ends, where
 * what is far out would share a bin otherwise, as in the middle. */
static int64_t quantile(int64_t n, int64_t k, int64_t most)
{
    double u = (double)k / (double)(most + 1);
    return (int64_t)((double)n * (0.5 * u * (1.0 + u * (3.0 - 2.0 * u))));
}

void prf_tree_edges(const double *sorted, int64_t n, int64_t most, double *edges)
{
    int64_t distinct = 1, count = 0;
    for (int64_t i = 1; i < n && distinct <= most + 1; i++)
        distinct += sorted[i - 1] < sorted[i];
    if (distinct <= most + 1) {
        for (int64_t i = 1; i < n; i++)
            if (sorted[i - 1] < sorted[i])
                edges[count++] = between(sorted[i - 1], sorted[i]);
    } else {
        int64_t start = 0, end = 0, last = 0; /* of a run of equal values; the place of the last edge */
        for (int64_t k = 1; k <= most; k++) {
            int64_t at = quantile(n, k, most);
            while (end <= at)
                for (start = end++; end < n && sorted[end] == sorted[start]; end++)
                    ;
            int64_t nearer = at - start <= end - at ? start : end; /* of its ends */
            if (nearer > last && nearer < n) {
                edges[count++] = between(sorted[nearer - 1], sorted[nearer]);
                last = nearer;
            }
        }
    }
    while (count < most)
        edges[count++] = INFINITY;
}

void prf_tree_bins(const double *x, int64_t rows, int64_t columns, const double *edges, int64_t most,
                   uint8_t *bins)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            const double *of = edges + j * most;
            double value = x[i * columns + j];
            int64_t at = 0;
            for (int64_t half = (most + 1) / 2; half; half /= 2)
                at += of[at + half - 1] <= value ? half : 0;
            bins[i * columns + j] = (uint8_t)at;
        }
}
