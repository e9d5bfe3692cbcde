/* The whole C contract of prfast.
 *
 * Every function is serial, keeps no state and knows neither Python nor OpenMP; the caller
 * (prfast/_kernels.pyx) owns every array, passes sizes that fit, and never passes overlapping
 * arrays unless a function says "in place".  Scratch is allocated and freed within a call.
 * Functions that can fail return a prf_status; the others cannot.
 *
 * Notation (2019 paper, Theorem 4): scores are larger where more like real.  A *cell* is a
 * set of samples with a mass p of real and a mass q of generated data and the likelihood
 * ratio q / p.  Cells are ordered by falling ratio.
 */
#ifndef PRFAST_H
#define PRFAST_H

#include <stdint.h>

typedef enum { PRF_OK = 0, PRF_NO_MEMORY = 1 } prf_status;

/* ---- sweep.c: scores -> cells ----------------------------------------------------------
 *
 * real[n], fake[m]: ascending, no NaN, ±inf allowed; n, m in [1, 2^31).
 * p, q: room for min(n, m) + 2 cells; receive the pooled cells, by strictly falling ratio,
 * and *cells their number.  Σp = n, Σq = m.                                                */
prf_status prf_sweep_f32(const float *real, int64_t n, const float *fake, int64_t m,
                         int64_t *p, int64_t *q, int64_t *cells);
prf_status prf_sweep_f64(const double *real, int64_t n, const double *fake, int64_t m,
                         int64_t *p, int64_t *q, int64_t *cells);

/* The same with a weight >= 0 beside each score, in the order of the scores; sums of weights are
 * compensated.                                                                              */
prf_status prf_sweep_weighted(const double *real, const double *real_weight, int64_t n,
                              const double *fake, const double *fake_weight, int64_t m,
                              double *p, double *q, int64_t *cells);

/* ---- masses.c: cells -> vertices ------------------------------------------------------- */

/* ratio[i] = q[i] / p[i] for p, q >= 0: +inf exactly where p = 0 < q, 0 exactly where q = 0 < p
 * (a quotient that over- or underflows stays a positive finite number), NaN where both are 0. */
void prf_ratios(const double *p, const double *q, int64_t cells, double *ratio);

/* Lower convex hull of the polyline whose edges are (p[i], -q[i]), in place, by pooling
 * adjacent violators: neighbours whose ratio does not fall are merged, empty cells dropped.
 * p >= 0; q may be negative (an edge that climbs).  Sums are compensated.  *cells: how many
 * there are, and then how many are left.                                                    */
prf_status prf_pool(double *p, double *q, int64_t *cells);

/* Vertices of the polyline from (0, 1) to (1, 0), for pooled cells with Σp, Σq > 0:
 *     fpr[i] = Σ_{j<i} p[j] / Σp,   fnr[i] = Σ_{j>=i} q[j] / Σq,   i = 0 .. cells,
 * from compensated sums.  fpr, fnr: cells + 1 numbers.  totals: Σp, Σq.                     */
void prf_vertices(const double *p, const double *q, int64_t cells, double *fpr, double *fnr,
                  double totals[2]);

/* ---- minsum.c: Σ min(λp, q) for many λ -------------------------------------------------
 *
 * Adds cells to bins: bin l of 0 .. lams receives the p and the q of the cells whose ratio
 * has exactly l of the ascending lam[] at or below it.  bins: [lams + 1][4], zeroed by the
 * caller before the first call: Σp, its rounding error, Σq, its rounding error.             */
void prf_minsum_add(const double *p, const double *q, int64_t cells, const double *lam,
                    int64_t lams, double *bins);

/* alpha[l] = Σ_i min(lam[l] p_i, q_i) from the bins of one or more blocks of cells,
 * bins: [blocks][lams + 1][4], summed in the order of the blocks.                           */
void prf_minsum_finish(const double *bins, int64_t blocks, const double *lam, int64_t lams,
                       double *alpha);

#endif
