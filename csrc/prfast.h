/* The whole C contract of prfast.
 *
 * Every function is serial, keeps no state and knows neither Python nor OpenMP; the caller
 * (prfast/kernels) owns every array, passes sizes that fit, and never passes overlapping
 * arrays unless a function says "in place".  Scratch is allocated and freed within a call.
 * Functions that can fail return a prf_status; the others cannot.
 *
 * Folders, lowest layer first; a file includes files of its own layer or of lower ones:
 *
 *     arithmetic/   sums with their rounding errors, the k-th smallest, rounding to a side
 *     masses/       scores -> in order -> cells -> vertices, min-sums
 *     trees/        columns in bins, boosted trees
 *     distances/    points, D of eight pairs, queued pairs, reservoirs of the nearest
 *     filter/       what dot products of float32 and of int8 say of D; references packed for them
 *     engine/       blocks, tiles, reductions: compiled once for each instruction set
 *     isa/          the instruction sets: a file each, and their table
 *     public/       what others call, prfast/include/prfast.h: checks, scratch, serial passes
 *
 * Notation (2019, Theorem 4): scores are larger where more like real.  A *cell* is a
 * set of samples with a mass p of real and a mass q of generated data and the likelihood
 * ratio q / p.  Cells are ordered by falling ratio.
 */
#ifndef PRFAST_H
#define PRFAST_H

#include <stdint.h>

typedef enum { PRF_OK = 0, PRF_NO_MEMORY = 1 } prf_status;

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
 * adjacent violators: neighbors whose ratio does not fall are merged, empty cells dropped.
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

/* ---- trees/: boosted trees of the logistic loss on columns in bins ----------------------------
 *
 * edges[most], ascending, between quantiles of n >= 1 ascending numbers, or between all of them where
 * no more than most + 1 are distinct; then +inf.  most: 2ᵏ − 1, at most 255.                     */
void prf_tree_edges(const double *sorted, int64_t n, int64_t most, double *edges);

/* binned[rows][columns]: how many of the edges[columns][most] of its column are not above x. */
void prf_tree_bins(const double *x, int64_t rows, int64_t columns, const double *edges,
                   int64_t most, uint8_t *binned);

/* binned[rows][columns], each number below `bins`; rows in [1, 2³¹), columns in [1, 2¹⁶).
 * labels[rows]: 0 or 1.  weights[rows]: >= 0, with a sum in (0, 2³¹); NULL where all are 1.
 * odds[rows]: the log-odds so far, which new trees are added to.
 * leaves: of a tree, in [1, 128]; least: samples of a leaf, at least 1.
 * rate, l2 > 0: a leaf adds −rate Σ slopes / (l2 + Σ curvatures).                               */
typedef struct {
    const uint8_t *binned;
    int64_t rows, columns, bins;
    const uint8_t *labels;
    const double *weights;
    int64_t leaves, least;
    double rate, l2;
    double *odds;
} prf_boosting;

/* Grow trees of 2 leaves − 1 nodes, the leaf with the largest gain first.
 * splits[trees][nodes]: column << 16 | bin << 8 | child; a row whose bin in the column is not above
 * this one goes on to the child, others to the node behind it; 0: a leaf.  values[trees][nodes]. */
prf_status prf_boost(const prf_boosting *of, int64_t trees, uint32_t *splits, double *values);

/* Add what the trees say of each row to odds[rows]. */
void prf_boosted(const uint32_t *splits, const double *values, int64_t trees, int64_t nodes,
                 const uint8_t *binned, int64_t rows, int64_t columns, double *odds);

/* ---- balls: distances, and what is counted of them --------------------------------------
 *
 * Every comparison is one of the float64 numbers D(x, y) = Σ_j (x_j − y_j)², summed in index
 * order.  Filters with certified errors, of int8 and of float32 (filter/), decide most of them; the rest
 * are computed.  Where it decides too little, D is computed for every pair.  Results do not depend
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

/* What the int8 filter (filter/int8.h) knows of a point: a number of its rotated row is step × an integer,
 * the rest is at most `error` long; the row's length is at most `norm`, Σ of the integers' squares. */
typedef struct {
    float step, error, norm;
    int32_t squares;
} prf_int8_point;

/* Columns: sums of products stay below 2³¹.  Integers of a packed row: a whole number of these. */
enum { PRF_INT8_WIDEST = 1 << 16, PRF_INT8_DEEPEST = 8 };

static inline int64_t prf_int8_width(int64_t dim)
{
    return (dim + PRF_INT8_DEEPEST - 1) / PRF_INT8_DEEPEST * PRF_INT8_DEEPEST;
}

/* References packed for it by the engine's int8_pack; room as of the pass.
 * width: prf_int8_width(dim), at most PRF_INT8_WIDEST.  codes[room / panel][width / deep][panel][deep],
 * deep as the engine's tile has it, points, and what they add to the comparison: [room].            */
typedef struct {
    int64_t width;
    int forced; /* never give it up */
    uint8_t *codes;
    prf_int8_point *points;
    float *half, *inverse, *first, *second, *step;
} prf_int8;

/* center[dim], scale: the filter sees (x − center) × scale, scale a power of two.
 * ref_first, ref_count: the packed references; room = ref_count rounded up to a panel.
 * panels[room × dim], norms[room], half_lo[room]: filled by prf_pack.
 * panel: references that are packed together, as many as the engine's tile has.
 * self: query i is reference own[i], or i where own is NULL (as for `nearest`), and never its own
 * neighbor.
 * head: NULL, or a pass of the same points by their heads (filter/head.h), with its own center and scale;
 * of that pass, which packs the same references, only what prf_pack fills in is used.
 * slack: behind the last number of a row is what is subtracted from its half_lo, a D.           */
typedef struct prf_pass prf_pass;
struct prf_pass {
    prf_points queries, refs;
    const double *center;
    double scale;
    int64_t ref_first, ref_count, panel;
    float *panels;
    double *norms;
    float *half_lo;
    int self;
    const int64_t *own;
    int exact; /* 1: compute every D, never filter */
    const prf_int8 *int8; /* NULL: no int8 filter */
    const prf_pass *head; /* never both */
    int slack, forced;    /* forced: the head is never given up */
};

/* Pairs of a pass, by what decided them: heads; the int8 filter; float32 dot products; float32 differences;
 * D in float64, because nothing before could (refined), or because the filters had been given up for
 * their blocks (unfiltered).  `refined` pairs may have been through any level before, and count
 * there as well.  abandoned: blocks for which heads or the int8 filter were given up; its caller begins none
 * with them after.                                                                              */
typedef struct {
    int64_t head, int8, float32, differences, refined, unfiltered, abandoned;
} prf_work;

/* Queries of one call at most; references that give first limits; references that are packed together at most. */
enum { PRF_QUERY_BLOCK = 96, PRF_SAMPLE = 192, PRF_PANEL = 32 };

/* What is done with the queries [first, first + count) and the packed references; `into` is the
 * struct that each says.  Calls at the same time have no query in common, nor `work`.            */
typedef prf_status prf_reduction(const prf_pass *pass, int64_t first, int64_t count, void *into,
                                 prf_work *work);

/* Pack the references [first, first + count) of the super-block; first a multiple of a panel. */
void prf_pack(const prf_pass *pass, int64_t first, int64_t count);

/* Keys.  V = s² D / 2 in the filter's units; the key of a pair, a float32 number, is never above its V
 * (filter/bound.h).  Keys of one query are comparable across references, super-blocks and sets that
 * have one center and one scale.
 *
 * Lists: the references of each query whose key is not above its limit, [queries][capacity], in any
 * order; fill of them, −1 where they were more than fit (ties, or a filter that cannot see): such a
 * query has to be answered otherwise.  fill is 0 and limit +inf at first; limit only falls, and every
 * reference of a pass that is not in the list has V above it.
 *
 * An unrefined key is an int8 filter's, V may be well above it, and its ref bears a mark (engine/unrefined.h).  When a
 * pass is over none is left but what `unrefined` allows.  prf_finish can do with them; prf_open, prf_shorten
 * and others' lists take none.  Row 0 belongs to query `first_query`; arrays have room for a panel
 * beyond the last, with a limit of −inf.                                                         */
enum {
    PRF_NONE_UNREFINED = 0,       /* the default: all keys are tight */
    PRF_FAR_UNREFINED = 1,        /* but those that are certain to be above every k-th */
    PRF_ALL_BUT_KTH_UNREFINED = 2 /* and those that are certain to be nearer: the k-th alone is needed */
};

typedef struct {
    int64_t first_query, k, capacity; /* k: the largest that is needed */
    float *key;
    int32_t *ref, *fill;
    float *limit;
    int unrefined;
} prf_lists;

/* Counts of the halves of both sets, of up to PRF_HALVINGS random halvings side by side: a pair is counted in
 * the halvings in which both points are in the same half and D is within t, that of the center there.
 *
 * t[points][PRF_HALVINGS]: of the queries or of the references, whichever the task has T of, which is the largest
 * of its t.  query_side, ref_side: a bit for each halving, which half a point is in, by row of all points.
 * possible, certain[room][PRF_HALVINGS]: keys of the references' t, by prf_count_prepare.
 * rows[queries of all][PRF_HALVINGS], cols[ref_count][PRF_HALVINGS]: added to; either may be NULL.     */
enum { PRF_HALVINGS = 16 };

typedef struct {
    const double *t;
    const uint16_t *query_side, *ref_side;
    float *possible, *certain;
    int32_t *rows, *cols;
} prf_halves;

/* One count: pairs with D <= T (closed) or D < T, T given per query or per reference.
 * T < 0 is a ball without points.  possible, certain [room]: keys, used where T is per reference, filled
 * by prf_count_prepare.  rows[queries of all], cols[ref_count]: added to; either may be NULL.
 * halves: NULL, or what is counted instead of rows and cols.                                     */
typedef struct {
    const double *query_t, *ref_t; /* one of them NULL; indexed by row of all points */
    int closed;
    float *possible, *certain;
    int64_t *rows;
    int32_t *cols;
    const prf_halves *halves;
} prf_count;

void prf_count_prepare(const prf_pass *pass, prf_count *task);
/* `half` [room] of the packed references, armed with ref_t, which is indexed by row of all points.
 * Padding never reaches.                                                                       */
void prf_int8_arm(const prf_pass *pass, const double *ref_t, float *half);
void prf_head_arm(const prf_pass *pass, const double *ref_t, float *most); /* the same for heads */

/* All that is done with a pair in one pass: it is offered to the list of its query (lists may be NULL) and
 * counted for every task. */
typedef struct {
    prf_lists *lists;
    prf_count *tasks;
    int64_t tasks_count;
    const float *ref_half; /* int8, heads: armed with the largest ref_t of all tasks, or NULL */
} prf_fused;

/* best[query] = max(best, max of T / D over the references), T as for counts, 0/0 = 1.  */
typedef struct {
    const double *ref_t;
    double *best;
} prf_ratio;

/* The nearest references of each query where lists do not reach so far: intervals, and D itself where these
 * overlap.  Room for `capacity` > k of them, arrays [queries][capacity], fill[queries] zeroed by the
 * caller before the first super-block.  Row 0 belongs to query `first_query`.  After the last
 * super-block the k nearest are among those kept: lo <= D <= hi, ref their row.  tau: a bound of the
 * k-th distance, inf at first.                                                                   */
typedef struct {
    int64_t first_query, k, capacity;
    double *lo, *hi;
    int32_t *ref;
    int32_t *fill;
    double *tau;
} prf_nearest;

/* Lists within a set, each pair computed once: the set is queries and references, all of it packed,
 * `exact` not set, and lists of all its points, empty or with limits from elsewhere (prf_limits).
 *
 * parts[row] = {first, end, from, to}: the pairs (i, r), i in [first, end), r in [from, to), i < r;
 * both ends are offered the other.  first and from are multiples of PRF_PANEL, or the set's
 * end.  Points without limits are first in a row with themselves, from = first.  The reduction's [first, first + count) are rows; those that are
 * taken at the same time have no point in common, on either side.                                */
typedef struct {
    const int64_t *parts; /* [rows][4] */
    prf_lists *lists;
    float *ref_half; /* int8, heads: all points armed with their limits, by `lower`; or NULL */
    int is_fair;     /* whether points in a row are a sample of all; else they are near each other */
} prf_symmetric;

/* Between rounds: lower the limits of points [first, first + count), which have been offered seen[row]
 * of the others, and arm them for the int8 filter where that is used.                            */
typedef struct {
    const int64_t *seen;
    prf_symmetric *symmetric;
} prf_lower;

/* The answers of the lists of a set, or of two with one center and scale, by row of all queries.
 *
 * d2[s][query][ks[s]]: the k-th smallest D in the first set, in the second, in both.
 * of[s][…][ks[2]]: how many of set s have D <= the D of ks[2], or D < it where not closed.
 * across[s][…][ks of the other set]: how many of set s are as near as the k-th of the other; −1 where
 * the list does not reach so far; NULL if not needed.
 * failed[query]: 1 where a list does not reach so far; nothing else of that query is written.
 * least[query]: the least of values[ref] over all references of the first set that are at the
 * D of the first of its ks, which is 1; both NULL if not needed.                                  */
typedef struct {
    const prf_lists *lists[2]; /* the second may be NULL */
    const prf_pass *passes[2];
    const int64_t *ks[3];
    int64_t ks_count[3];
    int closed;
    double *d2[3];
    int64_t *of[2], *across[2];
    uint8_t *failed;
    const double *values;
    double *least;
} prf_finish;

/* The k-th smallest D of the references that are in the same half as the query, d2[query − first_query][ks][halving];
 * NaN where a list does not reach so far.  Lists as for prf_finish, without unrefined keys; sides as for prf_halves. */
typedef struct {
    const prf_lists *lists;
    const uint16_t *query_side, *ref_side;
    const int64_t *ks;
    int64_t ks_count, halvings, first_query;
    double *d2;
} prf_half_kth;

/* What the lists of a set, or of two with one center and scale, leave open, where the references are
 * not at hand: of the pass, the columns and the scale are read.  Row i of all arrays is query i;
 * lists begin with query 0, norms are |û|² of the filter.
 *
 * A ball is that of a k-th nearest, in the order of ks: in the first set, in the second, in both.
 * below[i][ball][set]: how many of a set are certain to be nearer than the k-th; −1 of a set that is not
 * asked for: one that the ball is not about, without `across` or where the list does not reach so far.
 * opened[i][ball][set]: how many may be the k-th, or as near.  They are named, in the order of queries,
 * balls and sets: query, ref, set [count], room for what the lists hold for each ball.
 * failed[i]: 1 where a list does not reach so far; nothing else is said of that query.                    */
typedef struct {
    const prf_lists *lists[2]; /* the second may be NULL */
    const double *norms;
    const int64_t *ks[3];
    int64_t ks_count[3];
    int across;
    int64_t *below, *opened;
    uint8_t *failed;
    int32_t *query, *ref;
    uint8_t *set;
    int64_t count;
} prf_open;

/* Lists of a set without what is certain to be farther than the k-th nearest; else as prf_open. */
typedef struct {
    const prf_lists *lists;
    const double *norms;
    int64_t k;
} prf_shorten;

/* limit[i]: no key of a pair with D <= d2[i] is above it; of no pair where d2[i] < 0. */
void prf_limits(const prf_pass *pass, const double *d2, int64_t count, float *limit);
/* d2[i] = D of pair i. */
prf_status prf_pairs(const prf_points *queries, const int64_t *query, const prf_points *refs,
                     const int64_t *ref, int64_t count, double *d2);
/* Sums of a kernel k over pairs of two blocks of points, from products[row][column] of float32.  With
 * q = factor × product + a[row] + b[column], k is q (q (q + 3) + 3), cubic, or 2^q, of q in [−126, 0],
 * less `shift`: near the mean of k, it keeps sums of float32, and their errors, small.
 * same: the blocks are the same, and no point is paired with itself.                           */
typedef struct {
    const float *products, *a, *b;
    int64_t rows, columns;
    float factor, shift;
    int cubic, same;
    double *of_rows, *of_columns, *squared; /* Σ k of each row and each column, Σ k² */
} prf_kernel;

/* The reductions of one instruction set, and what `into` is. */
typedef struct {
    int64_t panel;               /* references of a register tile, and of a packed panel */
    prf_reduction *fused;        /* prf_fused */
    prf_reduction *ratio;        /* prf_ratio */
    prf_reduction *nearest;      /* prf_nearest */
    prf_reduction *symmetric;     /* prf_symmetric */
    prf_reduction *lower;        /* prf_lower */
    prf_reduction *finish;       /* prf_finish */
    prf_reduction *half_kth;     /* prf_half_kth */
    prf_reduction *open;         /* prf_open; one call at a time */
    prf_reduction *shorten;      /* prf_shorten */
    int (*int8_gain)(void);      /* int8 multiply-adds for one of float32 here; 0: not in hardware */
    prf_reduction *int8_pack;    /* NULL; references [first, first + count) of the super-block */
    prf_status (*kernel_sums)(const prf_kernel *kernel);
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
} prf_within;

prf_reduction prf_reservoir_kth, prf_reservoir_count; /* prf_kth, prf_within */

#endif
