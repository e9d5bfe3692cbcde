/* Compensated summation (Neumaier 1974): the sum of many float64 as if in twice the precision. */
#ifndef PRFAST_COMPENSATED_H
#define PRFAST_COMPENSATED_H

#include <float.h>
#include <math.h>

/* Reordered, or in registers wider than float64 (1: float in double, 2: x87), it compensates
 * nothing.  Other values of FLT_EVAL_METHOD (-1: unknown, 16: _Float16) leave float64 alone. */
#if defined(__FAST_MATH__)
#error "prfast needs IEEE arithmetic: compile without -ffast-math"
#endif
#if defined(FLT_EVAL_METHOD) && (FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2)
#error "prfast needs float64 evaluated as float64: on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif

typedef struct {
    double sum;
    double error;
} compensated;

static inline void compensated_add(compensated *s, double x)
{
    double t = s->sum + x;
    s->error += fabs(s->sum) >= fabs(x) ? (s->sum - t) + x : (x - t) + s->sum;
    s->sum = t;
}

static inline void compensated_merge(compensated *s, const compensated *other)
{
    compensated_add(s, other->sum);
    s->error += other->error;
}

static inline double compensated_value(const compensated *s)
{
    return s->sum + s->error;
}

#endif
