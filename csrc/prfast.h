/* The whole C contract of prfast.
 *
 * Every function is serial, keeps no state and knows neither Python nor OpenMP; the caller
 * (prfast/kernels) owns every array, passes sizes that fit, and never passes overlapping
 * arrays unless a function says "in place".  Scratch is allocated and freed within a call.
 * Functions that can fail return a prf_status; the others cannot.
 *
 * Rooms, from the ground up; a file includes what lies below its room, or in it:
 *
 *     arithmetic/   sums with their rounding errors, the k-th smallest, rounding to a side
 *     masses/       scores -> in order -> cells -> vertices, min-sums
 *     balls/        points, D of eight pairs, pairs that wait for it, what is kept of the nearest
 *     filter/       what a float32 dot product says of D; references packed for it
 *     engine/       blocks, tiles, reductions: compiled once for each instruction set
 *     isa/          the instruction sets: a file each, and their table
 *
 * Notation (2019 paper, Theorem 4): scores are larger where more like real.  A *cell* is a
 * set of samples with a mass p of real and a mass q of generated data and the likelihood
 * ratio q / p.  Cells are ordered by falling ratio.
 */
#ifndef PRFAST_H
#define PRFAST_H

#include <stdint.h>

typedef enum { PRF_OK = 0, PRF_NO_MEMORY = 1, PRF_GAVE_UP = 2 } prf_status;

/* ---- masses/: scores in order --------------------------------------------------------------
 *
 * Ascending, into `sorted` (n >= 0 numbers); -0.0 may come out as 0.0.  Without NaN the result is in
 * order, with NaN it is some order of the same numbers.                                       */
prf_status prf_sort_f32(const float *scores, int64_t n, float *sorted);
prf_status prf_sort_f64(const double *scores, int64_t n, double *sorted);

/* The same with the weight of each score beside it; those of equal scores stay in their order. */
prf_status prf_sort_weighted(const double *scores, const double *weights, int64_t n,
                             double *sorted, double *sorted_weights);

/* ---- masses/: scores -> cells -------------------------------------------------------------
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

/* ---- masses/: cells -> vertices ----------------------------------------------------------- */

/* ratio[i] = q[i] / p[i] for p, q >= 0: +inf exactly where p = 0 < q, 0 exactly where q = 0 < p
 * (a quotient that over- or underflows stays a positive finite number), NaN where both are 0. */
void prf_ratios(const double *p, const double *q, int64_t cells, double *ratio);

/* Lower convex hull of the polyline whose edges are (p[i], -q[i]), in place, by pooling
 * adjacent violators: neighbours whose ratio does not fall are merged, empty cells dropped.
 * p >= 0; q may be negative (an edge that climbs).  Sums are compensated.  *cells: how many
 * there are, and then how many are left.                                                    */
prf_status prf_pool(double *p, double *q, int64_t *cells);

/* Vertices of the lower convex hull of points, in place: fpr rises, of equal fpr fnr falls, the first
 * is (0, 1) and the last (1, 0).  Vertices keep their numbers; a point on an edge is none.
 * *points: how many there are, and then how many are left.                                  */
void prf_hull(double *fpr, double *fnr, int64_t *points);

/* Vertices of the polyline from (0, 1) to (1, 0), for pooled cells with Σp, Σq > 0:
 *     fpr[i] = Σ_{j<i} p[j] / Σp,   fnr[i] = Σ_{j>=i} q[j] / Σq,   i = 0 .. cells,
 * from compensated sums.  fpr, fnr: cells + 1 numbers.  totals: Σp, Σq.                     */
void prf_vertices(const double *p, const double *q, int64_t cells, double *fpr, double *fnr,
                  double totals[2]);

/* ---- masses/: Σ min(λp, q) for many λ -----------------------------------------------------
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

/* ---- balls: distances, and what is counted of them --------------------------------------
 *
 * Every comparison is one of the float64 numbers D(x, y) = Σ_j (x_j − y_j)², summed in index
 * order.  A float32 filter with a certified error (filter/bound.h) decides most of them; the rest are
 * computed.  Where it decides too little, D is computed for every pair.  Results do not depend
 * on blocks, instruction set or order.
 *
 * A pass compares queries with a super-block of references that prf_pack has packed.            */

/* Rows of float32 (wide = 0) or float64 (wide = 1), `stride` numbers apart; point i is row
 * index[i], or row i where index is NULL. */
typedef struct {
    const void *rows;
    int64_t count, dim, stride;
    int wide;
    const int64_t *index;
} prf_points;

/* centre[dim], scale: the filter sees (x − centre) × scale, scale a power of two.
 * ref_first, ref_count: the packed references; room = ref_count rounded up to a panel.
 * panels[room × dim], norms[room], half_lo[room], half_hi[room]: filled by prf_pack.
 * panel: references that are packed together, as many as the engine's tile has.
 * self: query i is reference i, and never its own neighbour (`nearest`, `within_*`).             */
typedef struct {
    prf_points queries, refs;
    const double *centre;
    double scale;
    int64_t ref_first, ref_count, panel;
    float *panels;
    double *norms;
    float *half_lo, *half_hi;
    int self;
    int exact; /* 1: compute every D, never filter */
} prf_pass;

/* Numbers of a pass: distances computed in float64 because the filter could not decide, pairs of
 * blocks for which it was given up, and queries of blocks that were done again because the first
 * threshold of one had kept too much out. */
typedef struct {
    int64_t refined, unfiltered, redone;
} prf_work;

/* Has the filter left so many of the pairs undecided that computing every D is cheaper? */
static inline int prf_useless(int64_t refined, int64_t pairs)
{
    return refined > 2048 + pairs / 16;
}

enum { PRF_QUERY_BLOCK = 96 }; /* queries of one call of a reduction, at most */

/* What is done with the queries [first, first + count) and the packed references; `into` is the
 * struct that each says.  Calls at the same time have no query in common, nor `work`.            */
typedef prf_status prf_reduction(const prf_pass *pass, int64_t first, int64_t count, void *into,
                                 prf_work *work);

/* Pack the references [first, first + count) of the super-block; first a multiple of a panel. */
void prf_pack(const prf_pass *pass, int64_t first, int64_t count);

/* One count: pairs with D <= T (closed) or D < T, T given per query or per reference.
 * T < 0 is a ball without points.  ref_lo, ref_hi [room]: used where T is per reference, filled
 * by prf_count_prepare.  rows[queries of all], cols[ref_count]: added to; either may be NULL.    */
typedef struct {
    const double *query_t, *ref_t; /* one of them NULL; indexed by row of all points */
    int closed;
    float *ref_lo, *ref_hi;
    int64_t *rows;
    int32_t *cols;
} prf_count;

void prf_count_prepare(const prf_pass *pass, prf_count *task);

/* Several counts of the same pairs. */
typedef struct {
    prf_count *tasks;
    int64_t tasks_count;
} prf_counts;

/* sum[query] += Σ ½ ln(D / T) over the references with D < T, in their order; −inf where D = 0.  */
typedef struct {
    double t;
    double *sum;
} prf_logsum;

/* best[query] = max(best[query], max over the references of T / D), T per reference as for counts
 * (T < 0: passed over), 0/0 = 1.  */
typedef struct {
    const double *ref_t;
    double *best;
} prf_ratio;

/* What the filter knows: lo <= D <= hi for all pairs, [queries][ref_count].  For tests. */
typedef struct {
    double *lo, *hi;
} prf_intervals;

/* The nearest references of each query: room for `capacity` > k of them, arrays
 * [queries][capacity], fill[queries] zeroed by the caller before the first super-block.
 * Row 0 belongs to query `first_query`.  After the last super-block the k nearest are among
 * those kept: lo <= D <= hi, ref their row.  tau: a bound of the k-th distance, inf at first.
 * reach[queries rounded up to a panel], inf at first: for pairs within a set.                   */
typedef struct {
    int64_t first_query, k, capacity;
    double *lo, *hi;
    int32_t *ref;
    int32_t *fill;
    double *tau;
    float *reach;
} prf_nearest;

/* The nearest within a set, each pair computed once: the set is queries and references, all of it
 * packed, `self` set and `exact` not, k below the number of points.  Three reductions, each complete
 * before the next: within_start for all points, within_pairs, within_end for all points.
 *
 * parts[row] = {first, end, from, to}: the pairs (i, r), i in [first, end), r in [from, to), i < r;
 * both ends are offered the other.  first and from are multiples of PRF_QUERY_BLOCK, or the set's
 * end.  The reduction's [first, first + count) are rows; those that are taken at the same time have
 * no point in common, on either side.  PRF_GAVE_UP: the filter decides too little; the state is of no
 * use, and `nearest` is to be taken instead.                                                     */
typedef struct {
    const int64_t *parts; /* [rows][4] */
    prf_nearest *state;
} prf_pairs;

/* The reductions of one instruction set, and what `into` is. */
typedef struct {
    int64_t panel;               /* references of a register tile, and of a packed panel */
    prf_reduction *counts;       /* prf_counts */
    prf_reduction *logsum;       /* prf_logsum */
    prf_reduction *ratio;        /* prf_ratio */
    prf_reduction *intervals;    /* prf_intervals; at most a block of queries, from the first on */
    prf_reduction *nearest;      /* prf_nearest */
    prf_reduction *within_start; /* prf_nearest */
    prf_reduction *within_pairs; /* prf_pairs */
    prf_reduction *within_end;   /* prf_nearest */
} prf_engine;

/* An instruction set; runs: does this machine run it?  NULL where no processor of this kind does. */
typedef struct {
    const char *name;
    int (*runs)(void);
    const prf_engine *engine;
} prf_isa;

/* From the plainest, i = 0, to the best; NULL beyond it. */
const prf_isa *prf_isa_at(int64_t i);

/* d2[query − first_query][ks] = the k-th smallest D, for each of ks, over the references kept by one
 * state or, if other is not NULL, by both (the union of two sets).                              */
typedef struct {
    const prf_nearest *state, *other;
    const prf_pass *other_pass;
    const int64_t *ks;
    int64_t ks_count, first_query;
    double *d2;
} prf_kth;

/* counts[query − first_query][ks] = how many references of the state have D <= t (closed) or D < t,
 * t[query − first_query][ks]; −1 where some that were not kept might: t is not below what a reservoir
 * has dropped.                                                                                  */
typedef struct {
    const prf_nearest *state;
    const double *t;
    int64_t ks_count, first_query;
    int closed;
    int64_t *counts;
} prf_among;

prf_reduction prf_kth_of_kept;   /* prf_kth */
prf_reduction prf_among_kept;    /* prf_among */

#endif
