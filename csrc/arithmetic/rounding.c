/* float64 to float32, rounded to a side. */
#include "arithmetic/rounding.h"

#include <float.h>
#include <math.h>

float prf_float_down(double x)
{
    if (x >= FLT_MAX)
        return isinf(x) ? INFINITY : FLT_MAX;
    if (x < -FLT_MAX)
        return -INFINITY;
    float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

float prf_float_up(double x)
{
    return -prf_float_down(-x);
}
