/* The distance engine for one instruction set; included by isa_*.c after NAME and the macro that
 * simd.h looks at.  From the innermost out: a register tile of dot products, reductions on the
 * tile while it is in the first-level cache, a block of queries against a super-block of references.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "balls.h"
#include "simd.h"

/* MR queries × NR references: with two vectors a row as many sums as the registers hold. */
enum { MR = VF == 16 ? 12 : 6, NR = 2 * VF };

/* Parts of a set that threads work on at the same time are whole blocks, so they share no tile. */
_Static_assert(PRF_QUERY_BLOCK % NR == 0, "a block is whole panels");

/* A block of queries goes over a group of references strip by strip, so that the group stays in the
 * second-level cache: GROUP_BYTES of it.  Where rows are long, a strip would leave the first-level
 * cache and a group would be a panel or two; there the dimensions are cut into slices of at most
 * SLICE, and the sums of a group wait in memory for their next slice.  After a group the filter's
 * use is judged, so a group is not longer than GROUP_MOST references.                             */
enum { GROUP_BYTES = 512 * 1024, GROUP_MOST = 1024, SLICE = 1024 };

/* ---- scratch of a block ------------------------------------------------------------------- */

typedef struct {
    float *strips;       /* [strips][dim][MR]: the queries, packed as the references are */
    double *rows;        /* [count][dim]: the queries in float64 */
    double *norms;       /* [count] */
    double *panel;       /* [dim][2 VD]: references in float64, for the exact tile */
    float *bounds;       /* [2][tasks][padded count]: what a query adds to the comparison */
    float *dots;         /* [strips][group / NR][MR][NR]: sums of the slices, if there are several */
    int64_t slices, group;
    void *memory;
} NAME(scratch);

/* How the dimensions and the references are cut up. */
static void NAME(scratch_cut)(NAME(scratch) *s, int64_t dim)
{
    s->slices = (dim + SLICE - 1) / SLICE;
    s->group = GROUP_BYTES / ((dim + s->slices - 1) / s->slices * NR * (int64_t)sizeof(float)) * NR;
    if (s->group > GROUP_MOST)
        s->group = GROUP_MOST;
}

static prf_status NAME(scratch_make)(NAME(scratch) *s, const prf_pass *pass, int64_t first,
                                     int64_t count, int64_t tasks)
{
    int64_t dim = pass->refs.dim, padded = round_up(count, MR);
    NAME(scratch_cut)(s, dim);
    size_t doubles = (size_t)(count * dim + padded + 2 * VD * dim);
    size_t floats = (size_t)(padded * dim + 2 * tasks * padded +
                             (s->slices > 1 ? padded * s->group : MR * NR));
    char *memory = malloc(doubles * sizeof(double) + floats * sizeof(float));
    if (!memory)
        return PRF_NO_MEMORY;
    s->memory = memory;
    s->rows = (double *)memory;
    s->norms = s->rows + count * dim;
    s->panel = s->norms + padded;
    s->strips = (float *)(s->panel + 2 * VD * dim);
    s->bounds = s->strips + padded * dim;
    s->dots = s->bounds + 2 * tasks * padded;
    for (int64_t i = 0; i < padded; i++) {
        float *column = s->strips + i / MR * MR * dim + i % MR;
        double norm = 0.0;
        if (i < count)
            prf_row(&pass->queries, first + i, s->rows + i * dim);
        for (int64_t j = 0; j < dim; j++) {
            float packed = i < count ? (float)((s->rows[i * dim + j] - pass->centre[j]) *
                                               pass->scale)
                                     : 0.0f;
            column[j * MR] = packed;
            norm += (double)packed * (double)packed;
        }
        s->norms[i] = norm;
    }
    return PRF_OK;
}

/* ---- the tiles ---------------------------------------------------------------------------- */

/* out[i][r] (+)= Σ_j strip[j][i] panel[j][r], any order of summation. */
static void NAME(dots)(const float *strip, const float *panel, int64_t dim, int add, float *out)
{
    vf sum[MR][2];
    for (int i = 0; i < MR; i++) {
        sum[i][0] = add ? vf_load(out + i * NR) : vf_zero();
        sum[i][1] = add ? vf_load(out + i * NR + VF) : vf_zero();
    }
    for (int64_t j = 0; j < dim; j++, strip += MR, panel += NR) {
        vf left = vf_load(panel), right = vf_load(panel + VF);
        for (int i = 0; i < MR; i++) {
            vf q = vf_set1(strip[i]);
            sum[i][0] = vf_fma(q, left, sum[i][0]);
            sum[i][1] = vf_fma(q, right, sum[i][1]);
        }
    }
    for (int i = 0; i < MR; i++) {
        vf_store(out + i * NR, sum[i][0]);
        vf_store(out + i * NR + VF, sum[i][1]);
    }
}

/* Which of the NR references of a row reach a[r] + b?  One bit each. */
static inline unsigned NAME(reach)(const float *row, const float *a, float b)
{
    vf shift = vf_set1(b);
    unsigned left = vf_ge(vf_load(row), vf_add(vf_load(a), shift));
    unsigned right = vf_ge(vf_load(row + VF), vf_add(vf_load(a + VF), shift));
    return left | right << VF;
}

/* D of `queries` (at most 4) float64 rows and 2 VD references, exactly: no fused operation. */
static void NAME(exact_tile)(const double *rows, int64_t queries, const double *panel, int64_t dim,
                             double *out)
{
    vd sum[4][2];
    const double *q[4];
    for (int i = 0; i < 4; i++) {
        q[i] = rows + (i < queries ? i : 0) * dim;
        sum[i][0] = sum[i][1] = vd_zero();
    }
    for (int64_t j = 0; j < dim; j++, panel += 2 * VD) {
        vd left = vd_load(panel), right = vd_load(panel + VD);
        for (int i = 0; i < 4; i++) {
            vd x = vd_set1(q[i][j]);
            vd dl = vd_sub(x, left), dr = vd_sub(x, right);
            sum[i][0] = vd_add(sum[i][0], vd_mul(dl, dl));
            sum[i][1] = vd_add(sum[i][1], vd_mul(dr, dr));
        }
    }
    for (int i = 0; i < 4; i++) {
        vd_store(out + i * 2 * VD, sum[i][0]);
        vd_store(out + i * 2 * VD + VD, sum[i][1]);
    }
}

/* References [at, at + 2 VD) of the super-block in float64, columns beyond the last repeated. */
static void NAME(exact_panel)(const prf_pass *pass, int64_t at, double *panel)
{
    const prf_points *refs = &pass->refs;
    for (int64_t r = 0; r < 2 * VD; r++) {
        int64_t i = at + r < pass->ref_count ? at + r : pass->ref_count - 1;
        int64_t start = prf_start(refs, pass->ref_first + i);
        if (refs->wide)
            for (int64_t j = 0; j < refs->dim; j++)
                panel[j * 2 * VD + r] = ((const double *)refs->rows)[start + j];
        else
            for (int64_t j = 0; j < refs->dim; j++)
                panel[j * 2 * VD + r] = (double)((const float *)refs->rows)[start + j];
    }
}

/* Has the filter left so much undecided that computing every D is cheaper? */
static inline int NAME(useless)(int64_t refined, int64_t pairs)
{
    return refined > 2048 + pairs / 16;
}

/* The dot products of a whole block with the references [from, to) of a group, slice by slice. */
static void NAME(group_dots)(const NAME(scratch) *s, const float *panels, int64_t dim,
                             int64_t count, int64_t from, int64_t to)
{
    for (int64_t slice = 0; slice < s->slices; slice++) {
        int64_t j = dim * slice / s->slices, end = dim * (slice + 1) / s->slices;
        float *out = s->dots;
        for (int64_t query = 0; query < count; query += MR)
            for (int64_t ref = from; ref < to; ref += NR, out += MR * NR)
                NAME(dots)(s->strips + query * dim + j * MR, panels + ref * dim + j * NR, end - j,
                           slice > 0, out);
    }
}

/* What a reduction does with a block: `tile` with MR × NR dot products of the queries from `query` on
 * and the references from `ref` on, `exact` with D of some queries and of 2 VD references, rows of
 * 2 VD.  Queries at `count` and beyond, and references at `to` and beyond, are padding.            */
typedef struct {
    void (*tile)(void *self, const float *dots, int64_t query, int64_t ref, int64_t to);
    void (*exact)(void *self, const double *d2, int64_t query, int64_t queries, int64_t ref,
                  int64_t to);
    void *self;
    const int64_t *refined; /* pairs that the reduction has computed in float64 so far */
} NAME(reduction);

static void NAME(visit_exact)(const prf_pass *pass, const NAME(scratch) *s, int64_t count,
                              int64_t from, int64_t to, const NAME(reduction) *r)
{
    double d2[4 * 2 * VD];
    for (int64_t ref = from; ref < to; ref += 2 * VD) {
        NAME(exact_panel)(pass, ref, s->panel);
        for (int64_t query = 0; query < count; query += 4) {
            int64_t queries = count - query < 4 ? count - query : 4;
            NAME(exact_tile)(s->rows + query * pass->refs.dim, queries, s->panel, pass->refs.dim,
                             d2);
            r->exact(r->self, d2, query, queries, ref, to);
        }
    }
}

static void NAME(visit_tiles)(const prf_pass *pass, const NAME(scratch) *s, int64_t count,
                              int64_t from, int64_t to, const NAME(reduction) *r)
{
    int64_t dim = pass->refs.dim;
    const float *dots = s->dots;
    if (s->slices > 1)
        NAME(group_dots)(s, pass->panels, dim, count, from, to);
    for (int64_t query = 0; query < count; query += MR)
        for (int64_t ref = from; ref < to; ref += NR) {
            if (s->slices == 1)
                NAME(dots)(s->strips + query * dim, pass->panels + ref * dim, dim, 0, s->dots);
            r->tile(r->self, dots, query, ref, to);
            dots += s->slices > 1 ? MR * NR : 0;
        }
}

/* A block against the references [from, to), group by group, through the filter or, where it is off
 * or has proved useless (never without `exact`), without it.                                      */
static void NAME(visit)(const prf_pass *pass, const NAME(scratch) *s, int64_t count, int64_t from,
                        int64_t to, const NAME(reduction) *r, prf_work *work)
{
    int exact = pass->exact;
    int64_t pairs = 0, before = *r->refined;
    for (int64_t start = from; start < to; start += s->group) {
        int64_t end = start + s->group < to ? start + s->group : to;
        exact = r->exact && (exact || NAME(useless)(*r->refined - before, pairs));
        if (exact) {
            NAME(visit_exact)(pass, s, count, start, end, r);
            work->unfiltered += count * (end - start);
        } else {
            NAME(visit_tiles)(pass, s, count, start, end, r);
            pairs += count * (end - start);
        }
    }
}

/* The interval of one pair, from its dot product: s² D = |û|² + |v̂|² − 2 û·v̂ ± E. */
static inline void NAME(interval)(double norms, float dot, prf_error error, double back, double *lo,
                                  double *hi)
{
    double d = norms - 2.0 * (double)dot, spread = error.kappa * norms + error.phi;
    *lo = (d - spread) * back;
    *hi = (d + spread) * back;
}

/* ---- what the filter knows, for tests ---- */

typedef struct {
    const prf_pass *pass;
    const double *norms; /* of the queries */
    int64_t count;
    double *lo, *hi;
} NAME(intervals);

static void NAME(intervals_tile)(void *self, const float *dots, int64_t query, int64_t ref,
                                 int64_t to)
{
    const NAME(intervals) *v = self;
    const prf_pass *pass = v->pass;
    prf_error error = prf_error_bound(pass->refs.dim);
    double back = 1.0 / (pass->scale * pass->scale);
    for (int64_t i = query; i < query + MR && i < v->count; i++)
        for (int64_t r = ref; r < ref + NR && r < to; r++)
            NAME(interval)(v->norms[i] + pass->norms[r], dots[(i - query) * NR + r - ref], error,
                           back, v->lo + i * pass->ref_count + r, v->hi + i * pass->ref_count + r);
}

static prf_status NAME(intervals_block)(const prf_pass *pass, int64_t first, int64_t count,
                                        double *lo, double *hi)
{
    int64_t refined = 0;
    prf_work work = {0, 0, 0};
    NAME(scratch) s;
    prf_status status = NAME(scratch_make)(&s, pass, first, count, 1);
    if (status != PRF_OK)
        return status;
    NAME(intervals) v = {pass, s.norms, count, lo, hi};
    NAME(reduction) r = {NAME(intervals_tile), NULL, &v, &refined};
    NAME(visit)(pass, &s, count, 0, pass->ref_count, &r, &work);
    free(s.memory);
    return PRF_OK;
}

#include "engine_count.h"
#include "engine_nearest.h"
#include "engine_within.h"
#include "engine_values.h"

const prf_engine NAME(prf_engine) = {
    NR, NAME(count_block), NAME(nearest_block), NAME(logsum_block), NAME(ratio_block),
    NAME(intervals_block), NAME(within_start), NAME(within_block), NAME(within_end),
};
