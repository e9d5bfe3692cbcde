# Declarations of csrc/prfast.h, which has the comments.
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

cdef extern from "prfast.h" nogil:
    ctypedef enum prf_status:
        PRF_OK
        PRF_NO_MEMORY

    prf_status prf_sort_f32(const float *scores, int64_t n, float *sorted_scores)
    prf_status prf_sort_f64(const double *scores, int64_t n, double *sorted_scores)
    prf_status prf_sort_weighted(const double *scores, const double *weights, int64_t n,
                                 double *sorted_scores, double *sorted_weights)

    prf_status prf_sweep_f32(const float *real, int64_t n, const float *fake, int64_t m,
                             int64_t *p, int64_t *q, int64_t *cells)
    prf_status prf_sweep_f64(const double *real, int64_t n, const double *fake, int64_t m,
                             int64_t *p, int64_t *q, int64_t *cells)
    prf_status prf_sweep_weighted(const double *real, const double *real_weight, int64_t n,
                                  const double *fake, const double *fake_weight, int64_t m,
                                  double *p, double *q, int64_t *cells)

    void prf_ratios(const double *p, const double *q, int64_t cells, double *ratio)
    prf_status prf_pool(double *p, double *q, int64_t *cells)
    void prf_hull(double *fpr, double *fnr, int64_t *points)
    void prf_vertices(const double *p, const double *q, int64_t cells, double *fpr, double *fnr,
                      double *totals)

    void prf_minsum_add(const double *p, const double *q, int64_t cells, const double *lam,
                        int64_t lams, double *bins)
    void prf_minsum_finish(const double *bins, int64_t blocks, const double *lam, int64_t lams,
                           double *alpha)

    void prf_tree_edges(const double *sorted_values, int64_t n, int64_t most, double *edges)
    void prf_tree_bins(const double *x, int64_t rows, int64_t columns, const double *edges,
                       int64_t most, uint8_t *binned)

    ctypedef struct prf_boosting:
        const uint8_t *binned
        int64_t rows
        int64_t columns
        int64_t bins
        const uint8_t *labels
        const double *weights
        int64_t leaves
        int64_t least
        double rate
        double l2
        double *odds

    prf_status prf_boost(const prf_boosting *of, int64_t trees, uint32_t *splits, double *values)
    void prf_boosted(const uint32_t *splits, const double *values, int64_t trees, int64_t nodes,
                     const uint8_t *binned, int64_t rows, int64_t columns, double *odds)

    ctypedef struct prf_points:
        const void *rows
        int64_t count
        int64_t dim
        int64_t stride
        int wide
        const int64_t *index

    ctypedef struct prf_int8_point:
        pass

    enum: PRF_INT8_WIDEST

    int64_t prf_int8_width(int64_t dim)

    ctypedef struct prf_int8:
        int64_t width
        int forced
        uint8_t *codes
        prf_int8_point *points
        float *half
        float *inverse
        float *first
        float *second
        float *step

    ctypedef struct prf_pass:
        prf_points queries
        prf_points refs
        const double *center
        double scale
        int64_t ref_first
        int64_t ref_count
        int64_t panel
        float *panels
        double *norms
        float *half_lo
        int self
        const int64_t *own
        int exact
        const prf_int8 *int8
        const prf_pass *head
        int slack
        int forced

    ctypedef struct prf_work:
        pass

    enum: PRF_QUERY_BLOCK, PRF_SAMPLE, PRF_PANEL
    enum: PRF_NONE_UNREFINED, PRF_FAR_UNREFINED, PRF_ALL_BUT_KTH_UNREFINED

    ctypedef prf_status prf_reduction(const prf_pass *pass_, int64_t first, int64_t count,
                                      void *into, prf_work *work)

    void prf_pack(const prf_pass *pass_, int64_t first, int64_t count)

    ctypedef struct prf_lists:
        int64_t first_query
        int64_t k
        int64_t capacity
        float *key
        int32_t *ref
        int32_t *fill
        float *limit
        int unrefined

    enum: PRF_HALVINGS

    ctypedef struct prf_halves:
        const double *t
        const uint16_t *query_side
        const uint16_t *ref_side
        float *possible
        float *certain
        int32_t *rows
        int32_t *cols

    ctypedef struct prf_count:
        const double *query_t
        const double *ref_t
        int closed
        float *possible
        float *certain
        int64_t *rows
        int32_t *cols
        const prf_halves *halves

    void prf_count_prepare(const prf_pass *pass_, prf_count *task)
    void prf_int8_arm(const prf_pass *pass_, const double *ref_t, float *half)
    void prf_head_arm(const prf_pass *pass_, const double *ref_t, float *most)

    ctypedef struct prf_fused:
        prf_lists *lists
        prf_count *tasks
        int64_t tasks_count
        const float *ref_half

    ctypedef struct prf_ratio:
        const double *ref_t
        double *best

    ctypedef struct prf_nearest:
        int64_t first_query
        int64_t k
        int64_t capacity
        double *lo
        double *hi
        int32_t *ref
        int32_t *fill
        double *tau

    ctypedef struct prf_symmetric:
        const int64_t *parts
        prf_lists *lists
        float *ref_half
        int is_fair

    ctypedef struct prf_lower:
        const int64_t *seen
        prf_symmetric *symmetric

    ctypedef struct prf_finish:
        const prf_lists *lists[2]
        const prf_pass *passes[2]
        const int64_t *ks[3]
        int64_t ks_count[3]
        int closed
        double *d2[3]
        int64_t *of[2]
        int64_t *across[2]
        uint8_t *failed
        const double *values
        double *least

    ctypedef struct prf_half_kth:
        const prf_lists *lists
        const uint16_t *query_side
        const uint16_t *ref_side
        const int64_t *ks
        int64_t ks_count
        int64_t halvings
        int64_t first_query
        double *d2

    ctypedef struct prf_open:
        const prf_lists *lists[2]
        const double *norms
        const int64_t *ks[3]
        int64_t ks_count[3]
        int across
        int64_t *below
        int64_t *opened
        uint8_t *failed
        int32_t *query
        int32_t *ref
        uint8_t *set
        int64_t count

    ctypedef struct prf_shorten:
        const prf_lists *lists
        const double *norms
        int64_t k

    void prf_limits(const prf_pass *pass_, const double *d2, int64_t count, float *limit)
    prf_status prf_pairs(const prf_points *queries, const int64_t *query, const prf_points *refs,
                         const int64_t *ref, int64_t count, double *d2)

    ctypedef struct prf_kernel:
        const float *products
        const float *a
        const float *b
        int64_t rows, columns
        float factor, shift
        int cubic, same
        double *of_rows
        double *of_columns
        double *squared

    ctypedef struct prf_engine:
        int64_t panel
        prf_reduction *fused
        prf_reduction *ratio
        prf_reduction *nearest
        prf_reduction *symmetric
        prf_reduction *lower
        prf_reduction *finish
        prf_reduction *half_kth
        prf_reduction *open
        prf_reduction *shorten
        int (*int8_gain)() noexcept nogil
        prf_reduction *int8_pack
        prf_status (*kernel_sums)(const prf_kernel *kernel) noexcept nogil

    ctypedef struct prf_isa:
        const char *name
        int (*runs)()
        const prf_engine *engine

    const prf_isa *prf_isa_at(int64_t i)

    ctypedef struct prf_kth:
        const prf_nearest *state
        const prf_nearest *other
        const prf_pass *other_pass
        const int64_t *ks
        int64_t ks_count
        int64_t first_query
        double *d2

    ctypedef struct prf_within:
        const prf_nearest *state
        const double *t
        int64_t ks_count
        int64_t first_query
        int closed
        int64_t *counts

    prf_reduction prf_reservoir_kth, prf_reservoir_count


# Status codes as exceptions; the check of lengths.

cdef inline int check(prf_status status) except -1:
    if status == PRF_NO_MEMORY:
        raise MemoryError("prfast: no memory for scratch")
    return 0


cdef inline int same_length(int64_t n, int64_t m) except -1:
    if n != m:
        raise ValueError(f"arrays of one length expected, got {n} and {m}")
    return 0
