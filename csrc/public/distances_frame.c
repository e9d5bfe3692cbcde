/* Points of others: checks of what they are, and the frame of the filter. */
#include "public/distances_frame.h"

#include <stdlib.h>

#include "distances/points.h"
#include "public/check.h"

int prf_check_points(const prfast_points *points)
{
    TRY(check_array(points, sizeof(int64_t)));
    TRY(check_flag(points->wide));
    if (points->reserved)
        return PRFAST_BAD_OPTION;
    TRY(check_array(points->rows, points->wide ? sizeof(double) : sizeof(float)));
    TRY(check_size(points->count, 1, MOST_POINTS));
    TRY(check_size(points->dim, 1, MOST_POINTS));
    TRY(check_size(points->stride, points->dim, MOST_NUMBERS / points->count));
    return PRFAST_OK;
}

prf_points prf_points_of(const prfast_points *points, int64_t first, int64_t count)
{
    int64_t size = points->wide ? sizeof(double) : sizeof(float);
    const char *rows = (const char *)points->rows + first * points->stride * size;
    return (prf_points){rows, count, points->dim, points->stride, points->wide, NULL};
}

/* Of each column its sum and its ends so far, [3][dim]. */
typedef struct {
    double *sum, *lowest, *highest;
} columns;

static int look(const prf_points *points, const columns *c)
{
    int64_t numbers = 0;
    for (int64_t i = 0; i < points->count; i++) {
        int64_t start = prf_start(points, i);
        for (int64_t j = 0; j < points->dim; j++) {
            double x = prf_number(points, points->wide, start + j);
            numbers += isfinite(x) != 0;
            c->sum[j] += x;
            c->lowest[j] = x < c->lowest[j] ? x : c->lowest[j];
            c->highest[j] = x > c->highest[j] ? x : c->highest[j];
        }
    }
    return numbers == points->count * points->dim ? PRFAST_OK : PRFAST_BAD_NUMBER;
}

/* 2^exponent is above x, and not above 2 x; 0 for x = 0. */
static int exponent_of(double x)
{
    int exponent = 0;
    frexp(x, &exponent);
    return exponent;
}

/* Do sums of squares of differences stay below the end of float64, and squares of the last digit of
 * the largest numbers above its other end?  Only the largest is looked at: beside it squares of
 * differences below 2⁻⁵¹¹ lose digits, and differences up to 2⁻⁵³⁸ count as 0, as in Python.     */
static int check_range(const columns *c, int64_t dim)
{
    double largest = 0.0;
    for (int64_t j = 0; j < dim; j++)
        largest = fmax(largest, fmax(c->highest[j], -c->lowest[j]));
    int bits = 0;
    for (int64_t d = dim; d; d /= 2)
        bits++;
    int exponent = exponent_of(largest), in_range = -450 <= exponent && exponent <= 500 - bits / 2;
    return largest == 0.0 || in_range ? PRFAST_OK : PRFAST_OUT_OF_RANGE;
}

/* The largest offset from the center of all becomes 1/2 to 1; a filter that says nothing is left out. */
static void set_scale(prf_frame *frame, const columns *c, int64_t dim)
{
    double largest = 0.0;
    for (int64_t j = 0; j < dim; j++) {
        double above = c->highest[j] - frame->center[j], below = frame->center[j] - c->lowest[j];
        largest = fmax(largest, fmax(above, below));
    }
    int exponent = exponent_of(largest);
    frame->exact = !(-470 <= exponent && exponent <= 500) || dim >= (int64_t)1 << 22;
    frame->scale = frame->exact ? 1.0 : ldexp(1.0, -exponent);
}

int prf_frame_of(const prf_points *queries, const prf_points *refs, prf_frame *frame)
{
    int64_t dim = refs->dim;
    double *memory = malloc((size_t)dim * 3 * sizeof *memory);
    frame->center = malloc((size_t)dim * sizeof *frame->center);
    columns c = {memory, memory + dim, memory + 2 * dim};
    int status = memory && frame->center ? PRFAST_OK : PRFAST_NO_MEMORY;
    for (int64_t j = 0; status == PRFAST_OK && j < dim; j++) {
        c.sum[j] = 0.0;
        c.lowest[j] = INFINITY;
        c.highest[j] = -INFINITY;
    }
    if (status == PRFAST_OK)
        status = look(refs, &c);
    for (int64_t j = 0; status == PRFAST_OK && j < dim; j++)
        frame->center[j] = c.sum[j] / (double)refs->count;
    if (status == PRFAST_OK)
        status = look(queries, &c);
    if (status == PRFAST_OK)
        status = check_range(&c, dim);
    if (status == PRFAST_OK)
        set_scale(frame, &c, dim);
    free(memory);
    if (status != PRFAST_OK) {
        free(frame->center);
        frame->center = NULL;
    }
    return status;
}
