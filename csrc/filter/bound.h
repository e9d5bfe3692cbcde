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
 * tests/internal/neighbors/test_filter.py holds lo <= D <= hi against rows that are chosen to err in one direction.
 * Data for which the bound says nothing (beyond `EXPONENTS` in prfast/neighbors/passes.py) never
 * come here.
 */
#ifndef PRFAST_FILTER_BOUND_H
#define PRFAST_FILTER_BOUND_H

#include "arithmetic/rounding.h"
#include "prfast.h"

/* κ, φ, and from the filter's units to D: D s² and back.  wide: κ of keys, see below. */
typedef struct {
    double kappa, wide, phi, square, back;
} prf_bound;

prf_bound prf_bound_of(const prf_pass *pass);

/* Do differences of float32 rows neither overflow nor lose what matters, at this scale²?  φ has what
 * they lose; where they do not hold they are not taken.                                         */
static inline int prf_differences_hold(double square)
{
    return 0x1p-60 <= square && square <= 0x1p60;
}

/* The ends of D, from |û|² + |v̂|² and û·v̂. */
static inline void prf_interval(const prf_bound *b, double norms, float dot, double *lo, double *hi)
{
    double d = norms - 2.0 * (double)dot, spread = b->kappa * norms + b->phi;
    *lo = (d - spread) * b->back;
    *hi = (d + spread) * b->back;
}

/* What a point adds to the comparison, from its norm: D <= T may hold only where
 * û·v̂ >= lo(û) + lo(v̂), with T on the side that it belongs to and 0 on the other; +inf for T < 0, a
 * ball without points.                                                                           */
float prf_half_lo(const prf_bound *b, double norm, double t);

/* Keys.  V = s² D / 2, and with S as above and T = 0
 *
 *     key = (lo(û) + lo(v̂)) − û·v̂  in float32,       key <= V <= key + κ' S + φ:
 *
 * below as above, of the 16 ε not used there 3 ε S go into the sum and the difference of the key;
 * above, twice half of κ S + φ.  κ' = 17/16 γ + 96 ε >= κ and φ also hold keys that are made of D
 * itself or of sums of squared differences (engine/differences.h): their intervals are 2 δ D wide.
 *
 * |v̂|² may be large, but not for a reference that matters: with N = |û|², a number t,
 *
 *     R = (√N + √(2 t⁺ + N))²,   w = κ' (N + R) + φ:      key < t − w   implies   V < t.
 *
 * For if |v̂|² <= R then V <= key + w < t.  If ρ = |v̂| were larger, key >= (ρ − √N)² / 2 − κ' (N + ρ²)
 * − φ, which rises with ρ >= 2 √N while κ' < 1/4, so it would be at least t + N/2 − w.  The roles of û
 * and v̂ can be exchanged: N is of the point whose threshold it is.                             */

/* Keys at or below it have V < v. */
float prf_key_certain(const prf_bound *b, double norm, double v);

/* Keys at or below `key` have V below it: a t with t − w(t) > key. */
float prf_key_beyond(const prf_bound *b, double norm, float key);

/* V of a D, and what no key of a pair with D <= T is above: −inf for T < 0, finite otherwise. */
static inline double prf_v_of(const prf_bound *b, double d2)
{
    return 0.5 * d2 * b->square;
}
float prf_key_possible(const prf_bound *b, double t);

/* Both of a point in each halving. */
void prf_halves_keys(const prf_bound *b, double norm, const double *t, float *possible, float *certain);

#define PRF_WIDE 0x8p-24 /* 8 ε */

/* x >= 0 widened, upwards. */
static inline float prf_widened(double x)
{
    return prf_float_up(x * (1.0 + PRF_WIDE));
}

#endif
