# The C contract, as Cython sees it; the comments are in csrc/prfast.h.
from libc.stdint cimport int32_t, int64_t

cdef extern from "prfast.h" nogil:
    ctypedef enum prf_status:
        PRF_OK
        PRF_NO_MEMORY, PRF_GAVE_UP

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

    ctypedef struct prf_points:
        const void *rows
        int64_t count
        int64_t dim
        int64_t stride
        int wide
        const int64_t *index

    ctypedef struct prf_pass:
        prf_points queries
        prf_points refs
        const double *centre
        double scale
        int64_t ref_first
        int64_t ref_count
        float *panels
        double *norms
        float *half_lo
        float *half_hi
        int self
        int isa
        int exact

    ctypedef struct prf_work:
        int64_t refined
        int64_t unfiltered
        int64_t redone

    ctypedef struct prf_count:
        const double *query_t
        const double *ref_t
        int closed
        float *ref_lo
        float *ref_hi
        int64_t *rows
        int32_t *cols

    ctypedef struct prf_nearest:
        int64_t first_query
        int64_t k
        int64_t capacity
        double *lo
        double *hi
        int32_t *ref
        int32_t *fill
        double *tau
        float *reach

    int PRF_BASE, PRF_AVX2, PRF_AVX512, PRF_QUERY_BLOCK
    int prf_isa_runs(int isa)
    int64_t prf_panel(int isa)
    void prf_pack(const prf_pass *pass_, int64_t first, int64_t count)
    void prf_count_prepare(const prf_pass *pass_, prf_count *task)
    prf_status prf_count_block(const prf_pass *pass_, int64_t first, int64_t count,
                               prf_count *tasks, int64_t tasks_count, prf_work *work)
    prf_status prf_logsum_block(const prf_pass *pass_, int64_t first, int64_t count, double t,
                                double *sum, prf_work *work)
    prf_status prf_ratio_block(const prf_pass *pass_, int64_t first, int64_t count,
                               const double *ref_t, double *best, prf_work *work)
    prf_status prf_intervals_block(const prf_pass *pass_, int64_t first, int64_t count, double *lo,
                                   double *hi)
    prf_status prf_nearest_block(const prf_pass *pass_, int64_t first, int64_t count,
                                 prf_nearest *state, prf_work *work)
    prf_status prf_within_start(const prf_pass *pass_, int64_t first, int64_t count,
                                prf_nearest *state)
    prf_status prf_within_block(const prf_pass *pass_, int64_t first, int64_t count,
                                int64_t from_, int64_t to, prf_nearest *state, prf_work *work)
    prf_status prf_within_end(const prf_pass *pass_, int64_t first, int64_t count,
                              prf_nearest *state, prf_work *work)
    prf_status prf_nearest_finish(const prf_pass *pass_, const prf_nearest *state,
                                  const prf_pass *other_pass, const prf_nearest *other,
                                  int64_t first, int64_t count, const int64_t *ks,
                                  int64_t ks_count, double *d2, prf_work *work)
    prf_status prf_nearest_within(const prf_pass *pass_, const prf_nearest *state, int64_t first,
                                  int64_t count, const double *t, int64_t ks_count, int closed,
                                  int64_t *counts, prf_work *work)


# Status codes as exceptions, and the one check that all share.

cdef inline int check(prf_status status) except -1:
    if status == PRF_NO_MEMORY:
        raise MemoryError("prfast: no memory for scratch")
    return 0


cdef inline int same_length(int64_t n, int64_t m) except -1:
    if n != m:
        raise ValueError(f"arrays of one length expected, got {n} and {m}")
    return 0
