/* The k-th smallest of an array. */
#ifndef PRFAST_ARITHMETIC_SELECT_H
#define PRFAST_ARITHMETIC_SELECT_H

#include <stdint.h>

/* The k-th smallest (k = 1 .. n) of v[0..n), which is reordered. */
double prf_select(double *v, int64_t n, int64_t k);

#endif
