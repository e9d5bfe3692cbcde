/* Compensated summation (Neumaier 1974): the sum of many float64 as if in twice the precision. */
#ifndef PRFAST_COMPENSATED_H
#define PRFAST_COMPENSATED_H

#include <math.h>

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

static inline double compensated_value(const compensated *s)
{
    return s->sum + s->error;
}

#endif
