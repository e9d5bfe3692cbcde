/* Scores in ascending order: a radix sort by digits of 11 bits, from the lowest; few scores by
 * digits of 8 bits, whose counts are fewer.
 *
 * Only bits in which keys differ are sorted by.  float32 has at most three digits of 11 bits.  Of
 * more than three the highest three nearly always tell all scores apart, or all but a few neighbors:
 * these are put right one by one, and where they are many, all digits are sorted by.
 *
 * Equal scores stay in the order in which they came, and so do the weights beside them.
 */
#include "prfast.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 512, MANY_BITS = 11, FEW_BITS = 8, ENOUGH = 3 };

/* Counts of digits -> the place of the first number of each. */
static void running_sums(int64_t *counts, int64_t digits)
{
    int64_t before = 0;
    for (int64_t digit = 0; digit < digits; digit++) {
        int64_t count = counts[digit];
        counts[digit] = before;
        before += count;
    }
}

#define SCORE float
#define KEY uint32_t
#define NAME(stem) stem##_f32
#include "masses/digits.h"
#undef SCORE
#undef KEY
#undef NAME

#define SCORE double
#define KEY uint64_t
#define NAME(stem) stem##_f64
#include "masses/digits.h"
#undef SCORE
#undef KEY
#undef NAME

prf_status prf_sort_f32(const float *scores, int64_t n, float *sorted)
{
    return sort_f32(scores, NULL, n, sorted, NULL);
}

prf_status prf_sort_f64(const double *scores, int64_t n, double *sorted)
{
    return sort_f64(scores, NULL, n, sorted, NULL);
}

prf_status prf_sort_weighted(const double *scores, const double *weights, int64_t n,
                             double *sorted, double *sorted_weights)
{
    return sort_f64(scores, weights, n, sorted, sorted_weights);
}
