/* Points as rows of an array, and where one begins. */
#ifndef PRFAST_BALLS_POINTS_H
#define PRFAST_BALLS_POINTS_H

#include "prfast.h"

static inline int64_t round_up(int64_t n, int64_t step)
{
    return (n + step - 1) / step * step;
}

/* Where point i begins, in numbers. */
static inline int64_t prf_start(const prf_points *points, int64_t i)
{
    return (points->index ? points->index[i] : i) * points->stride;
}

/* Number `at` of the rows; `wide` is the points', a constant where a loop is to know it. */
static inline double prf_number(const prf_points *points, int wide, int64_t at)
{
    return wide ? ((const double *)points->rows)[at] : (double)((const float *)points->rows)[at];
}

/* What half_lo of point i is lowered by. */
static inline double prf_slack(const prf_pass *pass, const prf_points *points, int64_t i)
{
    return pass->slack ? prf_number(points, points->wide, prf_start(points, i) + points->dim) : 0.0;
}

#endif
