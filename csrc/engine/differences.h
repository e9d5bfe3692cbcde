/* D from differences of float32 rows: an error relative to D itself, and not to the norms.
 *
 * Σ (x_j − y_j)² in float32, ε = 2⁻²⁴.  A term is rounded twice in its factor, once as a product; a
 * sum of what is >= 0 adds a relative ε for each addition on its way, and no more than
 *
 *     d/(4 VF) + 3    additions in one of 4 VF partial sums, the fourth of vectors among them
 *     VF              in the sum of what is left over at the end of the row
 *     log₂ VF + 3     of partial sums, with each other and with that
 *
 * so |S − D| <= δ D, δ = (d/(4 VF) + VF + log₂ VF + 9) (1 + 2⁻⁵) ε while that is below 2⁻⁵; D in float64 is
 * (d + 4) 2⁻⁵² off.  A product that underflows loses 2⁻¹²⁶ at most, flushed to zero or not.  Beyond
 * float32 there is only a lower end: what overflowed was at least half of the largest number.    */

typedef struct {
    double below, above, lost; /* S below − lost <= D <= S above + lost */
} differences_bound;

static differences_bound differences_bound_of(int64_t dim)
{
    enum { LOG_VF = VF == 16 ? 4 : VF == 8 ? 3 : VF == 4 ? 2 : 0 };
    double delta = (double)(dim / (4 * VF) + VF + LOG_VF + 9) * 0x1.08p-24;
    double slack = (double)(dim + 8) * 0x1p-52;
    differences_bound bound = {0.0, INFINITY, (double)dim * 0x1p-126};
    if (delta < 0x1p-5) {
        bound.below = (1.0 - slack) / (1.0 + delta);
        bound.above = (1.0 + slack) / (1.0 - delta);
    }
    return bound;
}

static inline float difference_sum(const float *x, const float *y, int64_t dim)
{
    vf sum[4] = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
    float lanes[VF], rest = 0.0f;
    int64_t j = 0;
    vf minus = vf_set1(-1.0f);
    for (; j + 4 * VF <= dim; j += 4 * VF)
        for (int v = 0; v < 4; v++) {
            vf off = vf_fma(minus, vf_load(y + j + v * VF), vf_load(x + j + v * VF));
            sum[v] = vf_fma(off, off, sum[v]);
        }
    for (; j + VF <= dim; j += VF) {
        vf off = vf_fma(minus, vf_load(y + j), vf_load(x + j));
        sum[0] = vf_fma(off, off, sum[0]);
    }
    for (; j < dim; j++)
        rest += (x[j] - y[j]) * (x[j] - y[j]);
    vf_store(lanes, vf_add(vf_add(sum[0], sum[1]), vf_add(sum[2], sum[3])));
    for (int half = VF / 2; half; half /= 2)
        for (int l = 0; l < half; l++)
            lanes[l] += lanes[l + half];
    return lanes[0] + rest;
}

/* lo <= D <= hi. */
static inline void difference_interval(const differences_bound *b, const float *x, const float *y,
                                       int64_t dim, double *lo, double *hi)
{
    float sum = difference_sum(x, y, dim);
    if (!(sum <= FLT_MAX)) {
        *lo = 0.5 * (double)FLT_MAX * b->below;
        *hi = INFINITY;
        return;
    }
    *lo = (double)sum * b->below - b->lost;
    *hi = (double)sum * b->above + b->lost;
    if (*lo < 0.0)
        *lo = 0.0;
}

static const float *float_row(const prf_points *points, int64_t i)
{
    return (const float *)points->rows + prf_start(points, i);
}

static prf_status differences_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                                    prf_work *work)
{
    const prf_intervals *found = into;
    int64_t dim = pass->refs.dim;
    differences_bound bound = differences_bound_of(dim);
    (void)work;
    for (int64_t i = 0; i < count; i++)
        for (int64_t r = 0; r < pass->ref_count; r++)
            difference_interval(&bound, float_row(&pass->queries, first + i),
                                float_row(&pass->refs, pass->ref_first + r), dim,
                                found->lo + i * pass->ref_count + r,
                                found->hi + i * pass->ref_count + r);
    return PRF_OK;
}
