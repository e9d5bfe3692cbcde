/* What the public functions check before anything is read or written. */
#ifndef PRFAST_PUBLIC_CHECK_H
#define PRFAST_PUBLIC_CHECK_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "prfast.h"
#include "prfast/include/prfast.h"

/* Numbers that may have 64 bytes of scratch each, and how many points and scores there may be. */
#define MOST_NUMBERS ((int64_t)((uint64_t)SIZE_MAX < INT64_MAX ? SIZE_MAX : INT64_MAX) / 64)
#define MOST_POINTS (((int64_t)1 << 31) - 1)

/* Leave the function with the first status that is not PRFAST_OK. */
#define TRY(expression)             \
    do {                            \
        int tried = (expression);   \
        if (tried != PRFAST_OK)     \
            return tried;           \
    } while (0)

static inline int check_array(const void *array, size_t size)
{
    return array && (uintptr_t)array % size == 0 ? PRFAST_OK : PRFAST_BAD_POINTER;
}

static inline int check_optional(const void *array, size_t size)
{
    return array ? check_array(array, size) : PRFAST_OK;
}

static inline int check_size(int64_t size, int64_t least, int64_t most)
{
    return least <= size && size <= most ? PRFAST_OK : PRFAST_BAD_SIZE;
}

static inline int check_flag(int flag)
{
    return flag == 0 || flag == 1 ? PRFAST_OK : PRFAST_BAD_OPTION;
}

/* The status of the kernels: they fail where memory is short, and not otherwise. */
static inline int check_kernel(prf_status status)
{
    return status == PRF_OK ? PRFAST_OK : PRFAST_NO_MEMORY;
}

/* Numbers in [least, most]; NaN is in none. */
static inline int check_numbers(const double *x, int64_t n, double least, double most)
{
    int64_t fit = 0;
    for (int64_t i = 0; i < n; i++)
        fit += least <= x[i] && x[i] <= most;
    return fit == n ? PRFAST_OK : PRFAST_BAD_NUMBER;
}

#endif
