/* The k-th smallest of an array. */
#include "arithmetic/select.h"

enum { FEW = 24 };

/* For small k: the k smallest so far in order; most numbers are not among them. */
static double select_few(const double *v, int64_t n, int64_t k)
{
    double least[FEW + 1];
    int64_t held = 0;
    for (int64_t i = 0; i < n; i++) {
        if (held == k && !(v[i] < least[k - 1]))
            continue;
        int64_t at = held < k ? held++ : k - 1;
        for (; at > 0 && v[i] < least[at - 1]; at--)
            least[at] = least[at - 1];
        least[at] = v[i];
    }
    return least[k - 1];
}

/* Move what is below the pivot (or, with `equal`, not above) to the front of v[lo..hi); its end.
 * Nothing here depends on the outcome of a comparison but a sum, so nothing is mispredicted.    */
static inline int64_t partition(double *v, int64_t lo, int64_t hi, double pivot, int equal)
{
    int64_t end = lo;
    for (int64_t i = lo; i < hi; i++) {
        double x = v[i];
        v[i] = v[end];
        v[end] = x;
        end += equal ? x <= pivot : x < pivot;
    }
    return end;
}

double prf_select(double *v, int64_t n, int64_t k)
{
    if (k <= FEW)
        return select_few(v, n, k);
    int64_t lo = 0, hi = n;
    for (;;) {
        /* the median of three: no bad case in what arrives here, already sorted or not */
        double a = v[lo], b = v[lo + (hi - lo) / 2], c = v[hi - 1];
        double pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        int64_t below = partition(v, lo, hi, pivot, 0);
        if (k <= below) {
            hi = below;
            continue;
        }
        int64_t through = partition(v, below, hi, pivot, 1);
        if (k <= through || through == below) /* a pivot that is not equal to itself: NaN */
            return pivot;
        lo = through;
    }
}
