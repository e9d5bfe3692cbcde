/* prfast for C, and for whatever calls C.
 *
 * Plain functions over flat arrays: the caller owns every array and gives its sizes, nothing is kept
 * between calls, scratch is allocated and freed within one.  They are serial, hold no lock, know no
 * Python, and may be called from any number of threads at once.  A result has the bits that Python's
 * has; it does not depend on the machine, nor on how work is cut into calls.
 *
 * Every function that can fail returns a prfast_status.  Then nothing that it wrote is of use, but
 * nothing else was touched.  Sizes, options, NULL, alignment and numbers are checked; that arrays
 * are as long as they are said to be cannot be, and output that overlaps other arrays is undefined.
 *
 * Two ways to the same functions:
 *
 *     linked     prfast_sweep(...): with csrc/ of the sources, as a library or among one's own files
 *     imported   api->sweep(...): out of an installed prfast, in the process of a Python; after
 *                #include <Python.h>,  const prfast_api *api = prfast_import();
 *
 * docs/embedding.md has examples, and says what stays.
 */
#ifndef PRFAST_PUBLIC_H
#define PRFAST_PUBLIC_H

#include <stdint.h>

/* Raised where a struct, a function or what it means changes; the second where functions are added. */
#define PRFAST_ABI 1
#define PRFAST_ABI_ADDED 0

/* Symbols that a shared library shows: compile csrc/ with -fvisibility=hidden -DPRFAST_SHARED. */
#if !defined(PRFAST_SHARED)
#define PRFAST_PUBLIC
#elif defined(_WIN32)
#define PRFAST_PUBLIC __declspec(dllexport)
#else
#define PRFAST_PUBLIC __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* From here to the line that ends it: declarations without a preprocessor, for parsers of C. */
/* [declarations */

typedef enum {
    PRFAST_OK = 0,
    PRFAST_NO_MEMORY = 1,   /* no memory for scratch */
    PRFAST_BAD_POINTER = 2, /* NULL where an array is needed, or one that is not aligned */
    PRFAST_BAD_SIZE = 3,    /* a size, a stride or a range that does not fit */
    PRFAST_BAD_OPTION = 4,  /* a flag that is not 0 or 1; `reserved` that is not 0; two arrays, or none,
                               where one is asked for; with `within`, queries that are not the references */
    PRFAST_BAD_K = 5,       /* k below 1, or above the number of neighbors */
    PRFAST_BAD_NUMBER = 6,  /* NaN; an infinite or negative number where none may be; all zero */
    PRFAST_OUT_OF_RANGE = 7 /* sums or squares of differences that leave float64 */
} prfast_status;

/* What a status means, in English; of any other number as well. */
PRFAST_PUBLIC const char *prfast_status_text(int status);

/* PRFAST_ABI of the functions, which may be another than that of the header. */
PRFAST_PUBLIC int prfast_abi(void);

/* ---- scores -> cells -> vertices ----------------------------------------------------------
 *
 * Scores are larger where more like real.  A cell is a set of samples with a mass p of real and a
 * mass q of generated data.  Cells go by strictly falling ratio q / p: what PRCurve is made of.  */

/* Room for the cells of n real and m generated scores: min(n, m) + 2; 0 where a size is not allowed. */
PRFAST_PUBLIC int64_t prfast_sweep_room(int64_t n, int64_t m);

/* Cells of the lower convex hull of (#{real < t}, #{fake >= t}) over all thresholds t; Σp = n, Σq = m.
 * real[n], fake[m]: in any order, ±∞ allowed, no NaN; n, m in [1, 2³¹).  Ascending scores are not
 * copied.  p, q: room for prfast_sweep_room(n, m); *cells: how many they are.                    */
PRFAST_PUBLIC int prfast_sweep(const double *real, int64_t n, const double *fake, int64_t m, double *p,
                               double *q, int64_t *cells);

/* Vertices of the error-rate polyline of pooled cells, from (0, 1) to (1, 0):
 *
 *     fpr[i] = Σ_{j<i} p[j] / Σp,   fnr[i] = Σ_{j>=i} q[j] / Σq,   i = 0 .. cells.
 *
 * ratio[i]: (q/Σq) / (p/Σp) of the edge that ends at vertex i, ratio[0] = ∞; NULL if not wanted.
 * p, q: finite, >= 0, neither all zero.  fpr, fnr, ratio: cells + 1 numbers.                      */
PRFAST_PUBLIC int prfast_vertices(const double *p, const double *q, int64_t cells, double *fpr,
                                  double *fnr, double *ratio);

/* alpha[l] = Σ_i min(lam[l] p[i], q[i]), compensated; 0 × ∞ = 0.  lam[lams] in [0, ∞], in any order;
 * p, q: finite, >= 0, in any order.                                                              */
PRFAST_PUBLIC int prfast_min_sums(const double *p, const double *q, int64_t cells, const double *lam,
                                  int64_t lams, double *alpha);

/* ---- distances ----------------------------------------------------------------------------
 *
 * D(x, y) = Σ_j (x_j − y_j)², float64, summed in index order: distances are D, not its root.   */

/* Points: rows of float32 (wide = 0) or float64 (wide = 1), `stride` numbers from one to the next, at
 * least dim.  Finite.  count, dim in [1, 2³¹).                                                   */
typedef struct {
    const void *rows;
    int64_t count, dim, stride;
    int32_t wide;
    int32_t reserved; /* 0 */
} prfast_points;

/* d2[i][s] = D of the ks[s]-th nearest reference of query first + i, for i < count, s < ks_count.
 * within = 1: the queries are the references (`queries` is NULL or the same), and no point is its own
 * neighbor: it is left out by its row, not by its distance.  Threads of the caller's own divide the
 * queries: ranges [first, first + count) of one set are calls that know nothing of each other.   */
PRFAST_PUBLIC int prfast_kth_distances(const prfast_points *queries, const prfast_points *refs,
                                       int within, const int64_t *ks, int64_t ks_count, int64_t first,
                                       int64_t count, double *d2);

/* Count the pairs of queries first .. first + count − 1 and references with D <= T (closed = 1) or
 * D < T (closed = 0).  T is query_t[query] or ref_t[reference], arrays of the whole sets, one of them
 * NULL; T < 0 is a ball without points, ∞ holds all.
 * rows[i]: how many references, of query first + i; written.  cols[r]: how many of these queries, of
 * reference r; added to, so that calls add up.  Either may be NULL.                              */
PRFAST_PUBLIC int prfast_count(const prfast_points *queries, const prfast_points *refs,
                               const double *query_t, const double *ref_t, int closed, int64_t first,
                               int64_t count, int64_t *rows, int64_t *cols);

/* The functions, as an installed prfast hands them out.  Members are only ever added at the end. */
typedef struct {
    int64_t abi, size; /* PRFAST_ABI, sizeof(prfast_api), of the prfast that is there */
    const char *(*status_text)(int status);
    int64_t (*sweep_room)(int64_t n, int64_t m);
    int (*sweep)(const double *real, int64_t n, const double *fake, int64_t m, double *p, double *q,
                 int64_t *cells);
    int (*vertices)(const double *p, const double *q, int64_t cells, double *fpr, double *fnr,
                    double *ratio);
    int (*min_sums)(const double *p, const double *q, int64_t cells, const double *lam, int64_t lams,
                    double *alpha);
    int (*kth_distances)(const prfast_points *queries, const prfast_points *refs, int within,
                         const int64_t *ks, int64_t ks_count, int64_t first, int64_t count,
                         double *d2);
    int (*count)(const prfast_points *queries, const prfast_points *refs, const double *query_t,
                 const double *ref_t, int closed, int64_t first, int64_t count, int64_t *rows,
                 int64_t *cols);
} prfast_api;

/* declarations] */

#ifdef __cplusplus
}
#endif

/* In the process of a Python, with its lock held; Python.h comes first.  The table of the prfast that
 * is installed, valid as long as the process; NULL with an ImportError where it is not there, has
 * another PRFAST_ABI, or lacks what this header knows.                                           */
#define PRFAST_MODULE "prfast.kernels.capi"
#define PRFAST_CAPSULE "prfast.kernels.capi._C_API"

#ifdef Py_PYTHON_H
static inline const prfast_api *prfast_import(void)
{
    const prfast_api *api = NULL;
    PyObject *capsule = NULL, *module = PyImport_ImportModule(PRFAST_MODULE);
    if (module)
        capsule = PyObject_GetAttrString(module, "_C_API");
    if (capsule)
        api = (const prfast_api *)PyCapsule_GetPointer(capsule, PRFAST_CAPSULE);
    Py_XDECREF(capsule);
    Py_XDECREF(module);
    if (api && (api->abi != PRFAST_ABI || api->size < (int64_t)sizeof(prfast_api))) {
        PyErr_Format(PyExc_ImportError,
                     "prfast: compiled for ABI %d with a table of %d bytes, "
                     "got ABI %d with one of %d bytes",
                     PRFAST_ABI, (int)sizeof(prfast_api), (int)api->abi, (int)api->size);
        return NULL;
    }
    return api;
}
#endif

#endif
