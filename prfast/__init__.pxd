# What prfast gives to other Cython code; the comments are in include/prfast.h.
#
#     from prfast cimport prfast_api, prfast_import
#     cdef const prfast_api *api = prfast_import()     # at import; then api.count(...), without the GIL
#
# and where it is compiled, include_dirs=[prfast.get_include()].
from libc.stdint cimport int32_t, int64_t

cdef extern from "prfast.h" nogil:
    enum: PRFAST_ABI, PRFAST_ABI_ADDED

    ctypedef enum prfast_status:
        PRFAST_OK
        PRFAST_NO_MEMORY
        PRFAST_BAD_POINTER
        PRFAST_BAD_SIZE
        PRFAST_BAD_OPTION
        PRFAST_BAD_K
        PRFAST_BAD_NUMBER
        PRFAST_OUT_OF_RANGE

    ctypedef struct prfast_points:
        const void *rows
        int64_t count
        int64_t dim
        int64_t stride
        int32_t wide
        int32_t reserved

    ctypedef struct prfast_api:
        int64_t abi
        int64_t size
        const char *(*status_text)(int status) noexcept nogil
        int64_t (*sweep_room)(int64_t n, int64_t m) noexcept nogil
        int (*sweep)(const double *real, int64_t n, const double *fake, int64_t m, double *p,
                     double *q, int64_t *cells) noexcept nogil
        int (*vertices)(const double *p, const double *q, int64_t cells, double *fpr, double *fnr,
                        double *ratio) noexcept nogil
        int (*min_sums)(const double *p, const double *q, int64_t cells, const double *lam,
                        int64_t lams, double *alpha) noexcept nogil
        int (*kth_distances)(const prfast_points *queries, const prfast_points *refs, int within,
                             const int64_t *ks, int64_t ks_count, int64_t first, int64_t count,
                             double *d2) noexcept nogil
        int (*count)(const prfast_points *queries, const prfast_points *refs,
                     const double *query_t, const double *ref_t, int closed, int64_t first,
                     int64_t count, int64_t *rows, int64_t *cols) noexcept nogil


cdef extern from "prfast.h":
    const prfast_api *prfast_import() except NULL
