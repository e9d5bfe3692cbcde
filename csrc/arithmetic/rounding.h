/* float64 to float32, rounded to a side. */
#ifndef PRFAST_ARITHMETIC_ROUNDING_H
#define PRFAST_ARITHMETIC_ROUNDING_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The number below, −inf below itself; nextafterf takes ten times as long. */
static inline float prf_float_below(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x > -INFINITY)
        bits = !(bits & INT32_MAX) ? INT32_MIN + 1 : bits < 0 ? bits + 1 : bits - 1;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static inline float prf_float_above(float x)
{
    return -prf_float_below(-x);
}

/* x rounded to float32, never above (below) x; ±inf beyond the range. */
static inline float prf_float_down(double x)
{
    if (x >= FLT_MAX)
        return isinf(x) ? INFINITY : FLT_MAX;
    if (x < -FLT_MAX)
        return -INFINITY;
    float f = (float)x;
    return (double)f > x ? prf_float_below(f) : f;
}

static inline float prf_float_up(double x)
{
    return -prf_float_down(-x);
}

#endif
