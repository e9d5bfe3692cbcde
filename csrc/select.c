/* The k-th smallest of an array: quickselect, median of three, in place. */
#include "balls.h"

static inline void swap(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

double prf_select(double *v, int64_t n, int64_t k)
{
    int64_t lo = 0, hi = n - 1, at = k - 1;
    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        if (v[mid] < v[lo])
            swap(&v[mid], &v[lo]);
        if (v[hi] < v[lo])
            swap(&v[hi], &v[lo]);
        if (v[hi] < v[mid])
            swap(&v[hi], &v[mid]);
        double pivot = v[mid];
        int64_t i = lo, j = hi;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (pivot < v[j])
                j--;
            if (i <= j)
                swap(&v[i++], &v[j--]);
        }
        if (at <= j)
            hi = j;
        else if (at >= i)
            lo = i;
        else
            break;
    }
    return v[at];
}
