/* The error bound of the float32 filter, derived in bound.h, and the thresholds that it gives. */
#include "filter/bound.h"

#include <math.h>

prf_bound prf_bound_of(const prf_pass *pass)
{
    double epsilon = ldexp(1.0, -24), d = (double)pass->refs.dim, square = pass->scale * pass->scale;
    prf_bound bound = {INFINITY, INFINITY, square, 1.0 / square};
    if (d * epsilon < 0.5) {
        bound.kappa = d * epsilon / (1.0 - d * epsilon) + 16.0 * epsilon;
        bound.phi = ldexp(d + 1.0, -120);
    }
    return bound;
}

float prf_half_lo(const prf_bound *b, double norm, double t)
{
    double spread = b->kappa * norm + b->phi, wide = t * b->square * (1.0 + PRF_WIDE);
    return t < 0.0 ? INFINITY : prf_float_down(0.5 * (norm - spread - wide));
}

float prf_half_hi(const prf_bound *b, double norm, double t)
{
    double spread = b->kappa * norm + b->phi, narrow = t * b->square * (1.0 - PRF_WIDE);
    return t < 0.0 ? INFINITY : prf_float_up(0.5 * (norm + spread - narrow));
}
