/* How queries and references are cut up, and the scratch of a block of queries. */

/* MR queries × NR references: with two vectors a row as many sums as the registers hold. */
enum { NR = 2 * VF };

/* Parts of a set that threads work on at the same time begin panels, so they share no tile. */
_Static_assert(PRF_PANEL % NR == 0, "no panel has more references");

/* A block of queries goes over a group of references strip by strip, so that the group stays in the
 * second-level cache: GROUP_BYTES of it (simd.h).  Where rows are long, a strip would leave the first-level
 * cache and a group would be a panel or two; there the dimensions are cut into slices of at most
 * SLICE, and the sums of a group wait in memory for their next slice.  After a group the filter's
 * use is judged, so a group is not longer than GROUP_MOST references.                             */
enum { GROUP_MOST = 1024, SLICE = 1024 };

typedef struct {
    float *strips;       /* [strips][dim][MR]: the queries, packed as the references are */
    double *rows;        /* [count][dim]: the queries in float64 */
    double *norms;       /* [count] */
    double *panel;       /* [dim][2 VD]: references in float64, for the exact tile */
    float *bounds;       /* [2][tasks][padded count]: what a query adds to the comparison, or to keys */
    float *dots;         /* [strips][group / NR][MR][NR]: sums of the slices, if there are several */
    int64_t slices, group;
    prf_bound bound;
    void *memory;
} scratch;

/* How the dimensions and the references are cut up, and the filter's bound. */
static void scratch_cut(scratch *s, const prf_pass *pass)
{
    int64_t dim = pass->refs.dim;
    s->bound = prf_bound_of(pass);
    s->slices = (dim + SLICE - 1) / SLICE;
    s->group = GROUP_BYTES / ((dim + s->slices - 1) / s->slices * NR * (int64_t)sizeof(float)) * NR;
    if (s->group > GROUP_MOST)
        s->group = GROUP_MOST;
}

/* |û|² of a row. */
static double packed_norm(const prf_pass *pass, const double *row)
{
    double norm = 0.0;
    for (int64_t j = 0; j < pass->refs.dim; j++) {
        float packed = (float)((row[j] - pass->center[j]) * pass->scale);
        norm += (double)packed * (double)packed;
    }
    return norm;
}

static prf_status scratch_make(scratch *s, const prf_pass *pass, int64_t first, int64_t count,
                               int64_t tasks)
{
    int64_t dim = pass->refs.dim, padded = round_up(count, MR);
    scratch_cut(s, pass);
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
            float packed = i < count ? (float)((s->rows[i * dim + j] - pass->center[j]) *
                                               pass->scale)
                                     : 0.0f;
            column[j * MR] = packed;
            norm += (double)packed * (double)packed;
        }
        s->norms[i] = norm;
    }
    return PRF_OK;
}

/* Strips of the points [first, first + count), copied from their panels. */
static prf_status scratch_within(scratch *s, const prf_pass *pass, int64_t first, int64_t count)
{
    int64_t dim = pass->refs.dim, padded = round_up(count, MR);
    scratch_cut(s, pass);
    size_t floats = (size_t)(padded * (dim + 1) + (s->slices > 1 ? padded * s->group : MR * NR));
    s->memory = calloc(floats, sizeof(float));
    if (!s->memory)
        return PRF_NO_MEMORY;
    s->strips = s->memory;
    s->bounds = s->strips + padded * dim;
    s->dots = s->bounds + padded;
    memcpy(s->bounds, pass->half_lo + first, (size_t)count * sizeof(float));
    s->norms = pass->norms + first;
    for (int64_t i = 0; i < padded; i += MR) {
        const float *packed[MR];
        float *strip = s->strips + i * dim;
        for (int r = 0; r < MR; r++) { /* padding repeats the last */
            int64_t point = first + (i + r < count ? i + r : count - 1);
            packed[r] = pass->panels + point / NR * NR * dim + point % NR;
        }
        for (int64_t j = 0; j < dim; j++)
            for (int r = 0; r < MR; r++)
                strip[j * MR + r] = packed[r][j * NR];
    }
    return PRF_OK;
}

/* One bit for each of the NR references from ref on that come after point i. */
static inline unsigned after(int64_t i, int64_t ref)
{
    return i < ref ? ~0u : i + 1 - ref < NR ? ~0u << (i + 1 - ref) : 0u;
}
