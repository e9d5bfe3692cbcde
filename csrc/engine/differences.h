/* D from differences of float32 rows: an error relative to D itself, and not to the norms.
 *
 * S = Σ (x_j − y_j)² in float32, ε = 2⁻²⁴.  A term is rounded twice in its factor, once as a product; a
 * sum of what is >= 0 adds a relative ε for each addition on its way, and no more than
 *
 *     d/(2 VF) + 1    additions in one of 2 VF partial sums
 *     VF + 1          of partial sums
 *     VF              of what is left over at the end of the row
 *
 * so |S − D| <= δ D, δ = (d/(2 VF) + 2 VF + 6) (1 + 2⁻⁵) ε while that is below 2⁻⁵; D in float64 is
 * (d + 4) 2⁻⁵² off.  A product that underflows loses 2⁻¹²⁶ at most, flushed to zero or not.  Beyond
 * float32 there is only a lower end: what overflowed was at least half of the largest number.    */

enum { DIFFERENCES = 4 }; /* pairs beside each other, so that a row that some of them share is read once */

typedef struct {
    double below, above, lost; /* S below − lost <= D <= S above + lost */
} differences_bound;

static differences_bound differences_bound_of(int64_t dim)
{
    double delta = (double)(dim / (2 * VF) + 2 * VF + 6) * 0x1.08p-24;
    double slack = (double)(dim + 8) * 0x1p-52;
    differences_bound bound = {0.0, INFINITY, (double)dim * 0x1p-126};
    if (delta < 0x1p-5) {
        bound.below = (1.0 - slack) / (1.0 + delta);
        bound.above = (1.0 + slack) / (1.0 - delta);
    }
    return bound;
}

static inline void difference_sums(const float *const *x, const float *const *y, int64_t dim, float *out)
{
    vf sum[DIFFERENCES][2];
    float lanes[DIFFERENCES][VF];
    int64_t j = 0;
    for (int p = 0; p < DIFFERENCES; p++)
        sum[p][0] = sum[p][1] = vf_zero();
    for (; j + 2 * VF <= dim; j += 2 * VF) {
        for (int p = 0; p < DIFFERENCES; p++) {
            vf dl = vf_sub(vf_load(x[p] + j), vf_load(y[p] + j));
            vf dr = vf_sub(vf_load(x[p] + j + VF), vf_load(y[p] + j + VF));
            sum[p][0] = vf_fma(dl, dl, sum[p][0]);
            sum[p][1] = vf_fma(dr, dr, sum[p][1]);
        }
    }
    if (j + VF <= dim) {
        for (int p = 0; p < DIFFERENCES; p++) {
            vf off = vf_sub(vf_load(x[p] + j), vf_load(y[p] + j));
            sum[p][0] = vf_fma(off, off, sum[p][0]);
        }
        j += VF;
    }
    for (int p = 0; p < DIFFERENCES; p++)
        vf_store(lanes[p], vf_add(sum[p][0], sum[p][1]));
    for (int p = 0; p < DIFFERENCES; p++)
        out[p] = 0.0f;
    for (int l = 0; l < VF; l++)
        for (int p = 0; p < DIFFERENCES; p++)
            out[p] += lanes[p][l];
    for (; j < dim; j++)
        for (int p = 0; p < DIFFERENCES; p++)
            out[p] += (x[p][j] - y[p][j]) * (x[p][j] - y[p][j]);
}

static const float *float_row(const prf_points *points, int64_t i)
{
    return (const float *)points->rows + prf_start(points, i);
}

/* lo <= D <= hi of up to DIFFERENCES pairs of float32 rows. */
static inline void difference_intervals(const differences_bound *b, const float **x, const float **y,
                                        int64_t dim, int64_t pairs, double *lo, double *hi)
{
    float sum[DIFFERENCES];
    for (int64_t p = pairs; p < DIFFERENCES; p++) {
        x[p] = x[0];
        y[p] = y[0];
    }
    difference_sums(x, y, dim, sum);
    for (int64_t p = 0; p < pairs; p++) {
        int finite = sum[p] <= FLT_MAX;
        double below = (double)sum[p] * b->below - b->lost;
        lo[p] = !finite ? 0.5 * (double)FLT_MAX * b->below : below > 0.0 ? below : 0.0;
        hi[p] = finite ? (double)sum[p] * b->above + b->lost : INFINITY;
    }
}
