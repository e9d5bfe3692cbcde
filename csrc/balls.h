/* What the files of the distance engine share; the contract with callers is in prfast.h. */
#ifndef PRFAST_BALLS_H
#define PRFAST_BALLS_H

#include <stdlib.h>

#include "prfast.h"

static inline int64_t round_up(int64_t n, int64_t step)
{
    return (n + step - 1) / step * step;
}

/* Where point i begins, in numbers. */
static inline int64_t prf_start(const prf_points *points, int64_t i)
{
    return (points->index ? points->index[i] : i) * points->stride;
}

/* ---- exact.c ---- */

/* D(q, r) = Σ_j (q_j − r_j)², float64, in index order, without contraction, for up to 8 pairs. */
enum { PRF_EXACT_LANES = 8 };
void prf_exact(const double *const *q, const prf_points *refs, const int64_t *r, int64_t pairs,
               double *d2);

/* Row i of the points as float64. */
void prf_row(const prf_points *points, int64_t i, double *row);

/* ---- bounds.c: the certified filter ----
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
typedef struct {
    double kappa, phi;
} prf_error;

prf_error prf_error_bound(int64_t dim);

/* x rounded to float32, never above (below) x; ±inf beyond the range. */
float prf_float_down(double x);
float prf_float_up(double x);

/* ---- select.c ---- */

/* The k-th smallest (k = 1 .. n) of v[0..n), which is reordered. */
double prf_select(double *v, int64_t n, int64_t k);

/* ---- one engine an instruction set: isa_*.c ---- */

typedef struct {
    int64_t nr; /* references of a register tile, and of a packed panel */
    prf_status (*count)(const prf_pass *pass, int64_t first, int64_t count, prf_count *tasks,
                        int64_t tasks_count, prf_work *work);
    prf_status (*nearest)(const prf_pass *pass, int64_t first, int64_t count,
                          prf_nearest *state, prf_work *work);
    prf_status (*logsum)(const prf_pass *pass, int64_t first, int64_t count, double t, double *sum,
                         prf_work *work);
    prf_status (*ratio)(const prf_pass *pass, int64_t first, int64_t count, const double *ref_t,
                        double *best, prf_work *work);
    prf_status (*intervals)(const prf_pass *pass, int64_t first, int64_t count, double *lo,
                            double *hi);
    prf_status (*within_start)(const prf_pass *pass, int64_t first, int64_t count,
                               prf_nearest *state);
    prf_status (*within)(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                         int64_t to, prf_nearest *state, prf_work *work);
    prf_status (*within_end)(const prf_pass *pass, int64_t first, int64_t count,
                             prf_nearest *state, prf_work *work);
} prf_engine;

extern const prf_engine prf_engine_base;
#if defined(__x86_64__) || defined(_M_X64)
extern const prf_engine prf_engine_avx2, prf_engine_avx512;
#endif
const prf_engine *prf_engine_of(int isa);

#endif
