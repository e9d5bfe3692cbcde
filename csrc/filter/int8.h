/* The int8 filter: what an exact dot product of small integers says of a distance.
 *
 * u = (x − c) scale is rotated, z = H u (rotate.h), and rounded to a grid of its own, x̂ = s q with
 * integers |q| <= 127.  A point is known by
 *
 *     s   its step, a float32 number, in [2⁻⁴⁸, 8)     N = s² Σ q² = |x̂|², exact up to float64
 *     e   >= |z − x̂|, its error                        ρ   |z| <= ρ <= |z| (1 + 2⁻²¹) + 2⁻¹⁰⁰, its norm
 *
 * Let ε = 2⁻²⁴ and p the largest block of the rotation.  In float32 each of its log₂ p steps is √2 times
 * an orthogonal map and rounds relatively to what comes out; u, 1/√p and the product with it round
 * once or half a time more: (log₂ p + 3) ε ρ in norm.  e is |f − s q| of the computed f, in float64,
 * and (log₂ p + 6) ε ρ + 2⁻⁴⁸; the last is for what underflows, flushed to zero or not.
 *
 * H is orthogonal, so s²D (of now on: D in units of u) is |z − w|² for the second point w, ŷ.  Float64
 * D <= T says |z − w| <= t, t² = T scale² (1 + (d + 8) 2⁻⁵²) + φ, φ = (d + 1) 2⁻¹²⁰.
 *
 * By Cauchy and Schwarz z·w − x̂·ŷ = (z − x̂)·w + x̂·(w − ŷ) is at most e_x ρ_y + √N_x e_y, so
 *
 *         |z − w|²  =  |z|² + |w|² − 2 x̂·ŷ  ±  2 (e_x ρ_y + √N_x e_y).
 *
 * D <= T needs
 *
 *         q_x·q_y  >=  |z|²/(2 s_x) · 1/s_y  +  1/s_x · (|w|² − t²)/(2 s_y)
 *                      −  e_x/s_x · ρ_y/s_y  −  |q_x| · e_y/s_y,
 *
 * a sum of products of a number of x and one of y,
 *
 *         half_x inverse_y + inverse_x half_y − first_x first_y − second_x second_y,
 *
 * x the query and y the reference; T may belong to either.  `half` of the point that bears it is *armed*
 * with T; T = 0 makes the plain one.
 *
 * float32.  `half` is rounded down, `first` and `second` up, `inverse` to nearest.  With 7 products
 * and sums of terms, the rounding of `inverse` and that of the integer to float32, all is within 8 ε
 * of the sum of the terms' sizes and |q_x·q_y| <= (N_x + N_y)/(2 s_x s_y):
 *
 *     8 ε (5 ρ_x² + 4 ρ_y² + 5 e_x² + 3 e_y² + t²), as N <= 2 ρ² + 2 e²
 *                                                     <=  40 ε (ρ_x² + e_x² + ρ_y² + e_y²) + 8 ε t²
 *
 * in units of 1/(2 s_x s_y).  So ρ² and e² are widened by w = 64 ε and t² by 32 ε, and ρ² by 16 ε more,
 * for the ends of ρ itself.  Products that underflow lose 4 · 2⁻¹²⁶ at most, w e²/(2 s s') is more:
 * e >= 2⁻⁴⁸.  What overflows is subtracted: the threshold falls to −inf.
 *
 * tests/internal/neighbors/test_int8.py holds the bounds against rows that make each as large as it can be.
 */
#ifndef PRFAST_FILTER_INT8_H
#define PRFAST_FILTER_INT8_H

#include "prfast.h"

/* scale²; what D in float64 may be off by, relative and absolute. */
typedef struct {
    double square, slack, phi;
} prf_int8_bound;

prf_int8_bound prf_int8_bound_of(const prf_pass *pass);

/* The numbers of a query, `first` and `second` with their minus, and of a reference, armed with T (units
 * of D; 0: plain).  T = inf reaches always, T < 0 never.                                        */
typedef struct {
    float half, inverse, first, second;
} prf_int8_terms;

prf_int8_terms prf_int8_of_query(const prf_int8_bound *b, const prf_int8_point *x, double t);
prf_int8_terms prf_int8_of_ref(const prf_int8_bound *b, const prf_int8_point *y, double t);

#endif
