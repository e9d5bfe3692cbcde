/* Heads: what the first principal axes say of a distance.
 *
 * Q has r nearly orthonormal columns, v = x − c.  The head of x has r + 1 numbers, u = (Qᵀv, √(|v|² − |Qᵀv|²)), in
 * float32, and e >= |u − u*|, where u* is that of exact arithmetic and of orthonormal axes Q (QᵀQ)^(−½)
 * (prfast/neighbors/heads.py).  What axes leave of x − y is not shorter than the difference of what they leave
 * of both, so
 *
 *     |u*_x − u*_y|² <= |x − y|²,        |u_x − u_y| <= |x − y| + e_x + e_y.
 *
 * As (a + b)² <= (1 + τ) a² + (1 + 1/τ) b² and (e_x + e_y)² <= 2 e_x² + 2 e_y², with slack_x = 2 (1 + 1/τ) e_x²,
 *
 *     |u_x − u_y|² − slack_x − slack_y  <=  (1 + τ) |x − y|²,        τ = 2⁻¹¹.
 *
 * A key of heads (bound.h) with the slack on its left is not above (1 + τ) V, in units of the head's scale; D in
 * float64 is (d + 8) 2⁻⁵² off.  A pair with D <= T has a key up to that of (1 + 2 τ) T.            */
#ifndef PRFAST_FILTER_HEAD_H
#define PRFAST_FILTER_HEAD_H

#include "filter/bound.h"

/* No key of a pair with D <= t is above it; −inf for t < 0. */
static inline float prf_head_possible(const prf_bound *of_head, double t)
{
    return prf_key_possible(of_head, t * (1.0 + 0x1p-10));
}

#endif
