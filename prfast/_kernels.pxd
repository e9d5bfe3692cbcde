# The C contract, as Cython sees it; the comments are in csrc/prfast.h.
from libc.stdint cimport int64_t

cdef extern from "prfast.h" nogil:
    ctypedef enum prf_status:
        PRF_OK
        PRF_NO_MEMORY

    prf_status prf_sweep_f32(const float *real, int64_t n, const float *fake, int64_t m,
                             int64_t *p, int64_t *q, int64_t *cells)
    prf_status prf_sweep_f64(const double *real, int64_t n, const double *fake, int64_t m,
                             int64_t *p, int64_t *q, int64_t *cells)
    prf_status prf_sweep_weighted(const double *real, const double *real_weight, int64_t n,
                                  const double *fake, const double *fake_weight, int64_t m,
                                  double *p, double *q, int64_t *cells)

    void prf_ratios(const double *p, const double *q, int64_t cells, double *ratio)
    prf_status prf_pool(double *p, double *q, int64_t *cells)
    void prf_vertices(const double *p, const double *q, int64_t cells, double *fpr, double *fnr,
                      double *totals)

    void prf_minsum_add(const double *p, const double *q, int64_t cells, const double *lam,
                        int64_t lams, double *bins)
    void prf_minsum_finish(const double *bins, int64_t blocks, const double *lam, int64_t lams,
                           double *alpha)

# The one door to OpenMP: a build without it sees one thread.
cdef extern from * nogil:
    """
    #ifdef _OPENMP
    static const int PRF_OPENMP = 1;
    #else
    static const int PRF_OPENMP = 0;
    #endif
    """
    const int PRF_OPENMP
