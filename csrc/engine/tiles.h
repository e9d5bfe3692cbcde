/* The tiles: a register tile of dot products, and one of D in float64. */

/* sum[i][r] += Σ_j strip[j][i] panel[j][r], any order of summation. */
static inline void dot_sums(const float *strip, const float *panel, int64_t dim, vf sum[MR][2])
{
    UNROLLED_SOME
    for (int64_t j = 0; j < dim; j++, strip += MR, panel += NR) {
        vf left = vf_load(panel), right = vf_load(panel + VF);
        UNROLLED
        for (int i = 0; i < MR; i++) {
            vf q = vf_set1(strip[i]);
            sum[i][0] = vf_fma(q, left, sum[i][0]);
            sum[i][1] = vf_fma(q, right, sum[i][1]);
        }
    }
}

/* out[i][r] (+)= these. */
static void dot_tile(const float *strip, const float *panel, int64_t dim, int add, float *out)
{
    vf sum[MR][2];
    UNROLLED
    for (int i = 0; i < MR; i++) {
        sum[i][0] = add ? vf_load(out + i * NR) : vf_zero();
        sum[i][1] = add ? vf_load(out + i * NR + VF) : vf_zero();
    }
    dot_sums(strip, panel, dim, sum);
    UNROLLED
    for (int i = 0; i < MR; i++) {
        vf_store(out + i * NR, sum[i][0]);
        vf_store(out + i * NR + VF, sum[i][1]);
    }
}

/* key[i][r] = (ref_lo[r] + lo[i]) − Σ_j strip[j][i] panel[j][r]  (filter/bound.h). */
static void key_tile(const float *strip, const float *panel, int64_t dim, const float *ref_lo,
                     const float *lo, float *key)
{
    vf sum[MR][2];
    UNROLLED
    for (int i = 0; i < MR; i++)
        sum[i][0] = sum[i][1] = vf_zero();
    dot_sums(strip, panel, dim, sum);
    vf left = vf_load(ref_lo), right = vf_load(ref_lo + VF);
    UNROLLED
    for (int i = 0; i < MR; i++) {
        vf shift = vf_set1(lo[i]);
        vf_store(key + i * NR, vf_sub(vf_add(left, shift), sum[i][0]));
        vf_store(key + i * NR + VF, vf_sub(vf_add(right, shift), sum[i][1]));
    }
}

/* The same, in place of the products. */
static void keys_of_dots(const float *ref_lo, const float *lo, float *dots)
{
    vf left = vf_load(ref_lo), right = vf_load(ref_lo + VF);
    for (int i = 0; i < MR; i++, dots += NR) {
        vf shift = vf_set1(lo[i]);
        vf_store(dots, vf_sub(vf_add(left, shift), vf_load(dots)));
        vf_store(dots + VF, vf_sub(vf_add(right, shift), vf_load(dots + VF)));
    }
}

/* Which of the NR references of a row reach a[r] + b?  One bit each. */
static inline unsigned reach(const float *row, const float *a, float b)
{
    vf shift = vf_set1(b);
    unsigned left = vf_ge(vf_load(row), vf_add(vf_load(a), shift));
    unsigned right = vf_ge(vf_load(row + VF), vf_add(vf_load(a + VF), shift));
    return left | right << VF;
}

/* D of `queries` (at most 4) float64 rows and 2 VD references, exactly: no fused operation. */
static void exact_tile(const double *rows, int64_t queries, const double *panel, int64_t dim,
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
static void exact_panel(const prf_pass *pass, int64_t at, double *panel)
{
    const prf_points *refs = &pass->refs;
    for (int64_t r = 0; r < 2 * VD; r++) {
        int64_t i = at + r < pass->ref_count ? at + r : pass->ref_count - 1;
        int64_t start = prf_start(refs, pass->ref_first + i);
        for (int64_t j = 0; j < refs->dim; j++)
            panel[j * 2 * VD + r] = prf_number(refs, refs->wide, start + j);
    }
}
