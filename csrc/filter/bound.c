/* The error bound of the float32 filter, derived in bound.h, and the thresholds that it gives. */
#include "filter/bound.h"

#include <float.h>
#include <math.h>

prf_bound prf_bound_of(const prf_pass *pass)
{
    double epsilon = ldexp(1.0, -24), d = (double)pass->refs.dim, square = pass->scale * pass->scale;
    prf_bound bound = {INFINITY, INFINITY, INFINITY, square, 1.0 / square};
    if (d * epsilon < 0.5) {
        bound.kappa = d * epsilon / (1.0 - d * epsilon) + 16.0 * epsilon;
        bound.wide = bound.kappa * 1.0625 + 80.0 * epsilon;
        bound.phi = ldexp(d + 1.0, -120);
        if (prf_differences_hold(square))
            bound.phi += ldexp(d * square, -126);
    }
    return bound;
}

float prf_half_lo(const prf_bound *b, double norm, double t)
{
    double spread = b->kappa * norm + b->phi, wide = t * b->square * (1.0 + PRF_WIDE);
    return t < 0.0 ? INFINITY : prf_float_down(0.5 * (norm - spread - wide));
}

/* w of t, in filter/bound.h. */
static double width(const prf_bound *b, double norm, double t)
{
    double reach = sqrt(norm) + sqrt(2.0 * (t > 0.0 ? t : 0.0) + norm);
    return b->wide * (norm + reach * reach * (1.0 + PRF_WIDE)) + b->phi;
}

float prf_key_certain(const prf_bound *b, double norm, double v)
{
    double w = width(b, norm, v);
    return b->wide < 0.25 && w < INFINITY ? prf_float_below(prf_float_down(v - w)) : -INFINITY;
}

/* w rises by less than 4 κ' for each 1 of t, so twice its value at `key` is room for its own growth. */
float prf_key_beyond(const prf_bound *b, double norm, float key)
{
    double w = width(b, norm, (double)key);
    double most = (double)key + width(b, norm, (double)key + 2.0 * w) * (1.0 + PRF_WIDE);
    return b->wide < 0.1 && most < FLT_MAX ? prf_float_above(prf_float_up(most)) : INFINITY;
}

float prf_key_possible(const prf_bound *b, double t)
{
    double v = prf_v_of(b, t) * (1.0 + PRF_WIDE);
    return t < 0.0 ? -INFINITY : v < FLT_MAX ? prf_float_up(v) : FLT_MAX;
}

void prf_halves_keys(const prf_bound *b, double norm, const double *t, float *possible, float *certain)
{
    for (int h = 0; h < PRF_HALVINGS; h++) {
        possible[h] = prf_key_possible(b, t[h]);
        certain[h] = t[h] < 0.0 ? -INFINITY : prf_key_certain(b, norm, prf_v_of(b, t[h]));
    }
}

void prf_limits(const prf_pass *pass, const double *d2, int64_t count, float *limit)
{
    prf_bound bound = prf_bound_of(pass);
    for (int64_t i = 0; i < count; i++)
        limit[i] = prf_key_possible(&bound, d2[i]);
}
