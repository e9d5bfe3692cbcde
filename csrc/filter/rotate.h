/* A row rotated and rounded to small integers; inline, for the instruction set that includes it.
 *
 * H: a sign for each column, then Hadamard's butterflies in blocks, the powers of two that the width
 * is a sum of, the largest first, each divided by the root of its length.                        */
#ifndef PRFAST_FILTER_ROTATE_H
#define PRFAST_FILTER_ROTATE_H

#include <math.h>
#include <string.h>

#include "arithmetic/rounding.h"
#include "distances/points.h"

enum { PRF_ROTATE_LANES = 16 }; /* partial sums, so that they can be vectors */

/* Numbers of one of the two buffers that a row needs. */
static inline int64_t prf_rotate_room(int64_t width)
{
    return round_up(width, PRF_ROTATE_LANES);
}

/* ±1, by a hash of the column. */
static inline float prf_sign(uint32_t column)
{
    uint32_t h = (column + 1u) * 0x9E3779B1u;
    h = (h ^ (h >> 15)) * 0x85EBCA77u;
    h ^= h >> 13;
    return (float)(1 - (int)(h >> 31 << 1));
}

/* Those of all columns; for rows of a block, so that they are not hashed for each. */
static inline void prf_signs(int64_t width, float *sign)
{
    for (int64_t j = 0; j < width; j++)
        sign[j] = prf_sign((uint32_t)j);
}

static inline void prf_signed_row(const prf_points *points, int wide, int64_t i,
                                  const double *restrict center, double scale,
                                  const float *restrict sign, float *restrict f)
{
    int64_t start = prf_start(points, i), dim = points->dim;
    for (int64_t j = 0; j < dim; j++)
        f[j] = sign[j] * (float)((prf_number(points, wide, start + j) - center[j]) * scale);
}

/* One step for all pairs (j, j + half); log₂ of the length many are the whole of Hadamard's matrix. */
static inline void prf_butterflies(const float *restrict from, float *restrict to, int64_t half)
{
    for (int64_t j = 0; j < half; j++) {
        float a = from[j], b = from[half + j];
        to[2 * j] = a + b;
        to[2 * j + 1] = a - b;
    }
}

/* f [width] in place; the log₂ of the largest block. */
static inline int prf_rotate(float *f, float *other, int64_t width)
{
    int steps, most = 0;
    for (int64_t at = 0, block; at < width; at += block) {
        for (block = 4, steps = 2; block * 2 <= width - at; block *= 2)
            steps++;
        most = steps > most ? steps : most;
        float *from = f + at, *to = other + at;
        for (int step = 0; step < steps; step++) {
            prf_butterflies(from, to, block / 2);
            float *swap = from;
            from = to;
            to = swap;
        }
        float factor = ldexpf(steps % 2 ? 0.70710678f : 1.0f, -(steps / 2));
        for (int64_t j = 0; j < block; j++)
            f[at + j] = from[j] * factor;
    }
    return most;
}

/* The largest size of a number; by integers, whose maximum becomes vectors. */
static inline float prf_largest(const float *f, int64_t count)
{
    int32_t most = 0;
    for (int64_t j = 0; j < count; j++) {
        int32_t bits;
        memcpy(&bits, f + j, sizeof bits);
        bits &= INT32_MAX;
        most = bits > most ? bits : most;
    }
    float largest;
    memcpy(&largest, &most, sizeof largest);
    return largest;
}

/* Point i as q[room] with |q| <= levels, and its numbers; sign: of `prf_signs`; f, other: [room]
 * scratch.  Σ q.                                                                                  */
static inline int32_t prf_quantize(const prf_points *points, int64_t i, const double *center,
                                   double scale, int levels, int64_t width, const float *sign,
                                   float *f, float *other, int8_t *restrict q, prf_int8_point *point)
{
    enum { LANES = PRF_ROTATE_LANES };
    int64_t room = prf_rotate_room(width);
    double norms[LANES] = {0.0}, errors[LANES] = {0.0}, norm = 0.0, error = 0.0;
    int32_t squares = 0, sum = 0;
    if (points->wide)
        prf_signed_row(points, 1, i, center, scale, sign, f);
    else
        prf_signed_row(points, 0, i, center, scale, sign, f);
    for (int64_t j = points->dim; j < room; j++)
        f[j] = 0.0f;
    for (int64_t j = 0; j < room; j += LANES)
        for (int l = 0; l < LANES; l++)
            norms[l] += (double)f[j + l] * (double)f[j + l];
    int steps = prf_rotate(f, other, width);
    float largest = prf_largest(f, room), least = 0x1p-48f * (float)levels;

    /* Adding 1.5 · 2²³ leaves the nearest integer in the last bits; any rounding would do.  A loop for
     * each kind of number, so that all become vectors.                                            */
    float step = (largest > least ? largest : least) / (float)levels, inverse = 1.0f / step;
    for (int64_t j = 0; j < room; j++)
        other[j] = f[j] * inverse + 0x1.8p23f;
    for (int64_t j = 0; j < room; j++)
        other[j] -= 0x1.8p23f;
    for (int64_t j = 0; j < room; j++) {
        int32_t code = (int32_t)other[j];
        q[j] = (int8_t)code;
        sum += code;
        squares += code * code;
    }
    for (int64_t j = 0; j < room; j += LANES)
        for (int l = 0; l < LANES; l++) {
            double off = (double)f[j + l] - (double)step * (double)other[j + l];
            errors[l] += off * off;
        }
    for (int l = 0; l < LANES; l++) {
        norm += norms[l];
        error += errors[l];
    }
    point->squares = squares;
    double rho = sqrt(norm) * (1.0 + 0x1p-23) + 0x1p-100;
    error = sqrt(error) * (1.0 + 0x1p-32) + (double)(steps + 6) * 0x1p-24 * rho + 0x1p-48;
    point->step = step;
    point->norm = prf_float_up(rho);
    point->error = prf_float_up(error);
    return sum;
}

#endif
