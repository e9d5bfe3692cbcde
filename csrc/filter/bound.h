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
 */
#ifndef PRFAST_FILTER_BOUND_H
#define PRFAST_FILTER_BOUND_H

#include <stdint.h>

typedef struct {
    double kappa, phi;
} prf_error;

prf_error prf_error_bound(int64_t dim);

#endif
