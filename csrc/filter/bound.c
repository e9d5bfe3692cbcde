/* The error bound of the float32 filter, derived in bound.h. */
#include "filter/bound.h"

#include <math.h>

prf_error prf_error_bound(int64_t dim)
{
    double epsilon = ldexp(1.0, -24), d = (double)dim;
    prf_error bound = {INFINITY, INFINITY};
    if (d * epsilon < 0.5) {
        bound.kappa = d * epsilon / (1.0 - d * epsilon) + 16.0 * epsilon;
        bound.phi = ldexp(d + 1.0, -120);
    }
    return bound;
}
