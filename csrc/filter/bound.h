/* The certified filter: what a float32 dot product says of a distance.
 *
 * With û = (x − c) s rounded to float32 and a float32 dot product of any order of summation,
 *
 *     |û|² + |v̂|² − 2 û·v̂  =  s² D(x, y)  ± E,    E = κ (|û|² + |v̂|²) + φ.
 *
 * Write ε = 2⁻²⁴, S = |û|² + |v̂|², γ = dε / (1 − dε).  In units of s² D:
 *
 *   rounding x, y to û, v̂      2ε (|û| + |v̂|)² + O(ε²)   <=  4 ε S      as (a + b)² <= 2 (a² + b²)
 *   the dot product, twice      2 γ |û| |v̂|               <=    γ S      as 2ab <= a² + b²
 *   the sums a, b, a + b of the comparison, in float32    <=  2 ε S + 3 ε T   T: the threshold
 *   norms and D themselves, in float64                    <=  (d + 4) 2⁻⁵² S
 *   underflow: products, û, v̂ below 2⁻¹²⁶ lose at most 2⁻¹⁴⁹ each     <=  d 2⁻¹⁴⁵
 *
 * and for the ratio of a radius to D the fused a − w T, in float32        <=    ε S + ε w T, where w
 * and T are widened by 8 ε each;
 *
 * so κ = γ + 16 ε and φ = (d + 1) 2⁻¹²⁰ leave room; T is widened by 8 ε.
 *
 * tests/balls/test_filter.py holds lo <= D <= hi against rows that are chosen to err in one direction.
 * Data for which the bound says nothing (`_filter_is_void` in prfast/balls/engines/passes.py) never
 * come here.
 */
#ifndef PRFAST_FILTER_BOUND_H
#define PRFAST_FILTER_BOUND_H

#include "arithmetic/rounding.h"
#include "prfast.h"

/* κ, φ, and from the filter's units to D: D s² and back. */
typedef struct {
    double kappa, phi, square, back;
} prf_bound;

prf_bound prf_bound_of(const prf_pass *pass);

/* The ends of D, from |û|² + |v̂|² and û·v̂. */
static inline void prf_interval(const prf_bound *b, double norms, float dot, double *lo, double *hi)
{
    double d = norms - 2.0 * (double)dot, spread = b->kappa * norms + b->phi;
    *lo = (d - spread) * b->back;
    *hi = (d + spread) * b->back;
}

/* What a point adds to the comparison, from its norm:
 *
 *     D <= T may hold only where û·v̂ >= lo(û) + lo(v̂),   and holds where û·v̂ >= hi(û) + hi(v̂),
 *
 * with T on the side that it belongs to and 0 on the other; +inf for T < 0, a ball without points. */
float prf_half_lo(const prf_bound *b, double norm, double t);
float prf_half_hi(const prf_bound *b, double norm, double t);

#define PRF_WIDE 0x8p-24 /* 8 ε */

/* x >= 0 widened, upwards. */
static inline float prf_widened(double x)
{
    return prf_float_up(x * (1.0 + PRF_WIDE));
}

#endif
