/* Sums of a kernel over the pairs of two blocks of points, from their products u·v in float32. */

/* 2^y of y in [−126, 0].  With n the integer nearest to y and r = y − n, which is exact, it is 2ⁿ 2^r, and 2^r
 * is Σ (r ln 2)^i / i! up to i = 7: |r| <= ½, so that the rest is below 2⁻²⁷ of it.  Sums and products
 * leave a relative error below 2⁻²².                                                             */
static inline vf power_of_two(vf y)
{
    const vf whole = vf_set1(0x1.8p+23f);
    vf n = vf_add(y, whole); /* the last bits are those of n */
    vf r = vf_sub(y, vf_sub(n, whole));
    vf low = vf_fma(vf_set1(0x1.62e43p-1f), r, vf_set1(1.0f));
    vf middle = vf_fma(vf_set1(0x1.c6b08ep-5f), r, vf_set1(0x1.ebfbep-3f));
    vf high = vf_fma(vf_set1(0x1.5d87fep-10f), r, vf_set1(0x1.3b2ab6p-7f));
    vf last = vf_fma(vf_set1(0x1.ffcbfcp-17f), r, vf_set1(0x1.430912p-13f));
    vf square = vf_mul(r, r);
    vf sum = vf_fma(vf_fma(vf_fma(last, square, high), square, middle), square, low);
    return vf_mul(sum, vf_two_to(n));
}

static inline vf cubic(vf q)
{
    vf three = vf_set1(3.0f);
    return vf_mul(q, vf_fma(q, vf_add(q, three), three));
}

enum { SUM_ROWS = 64 }; /* whose columns are summed in float32 */

static inline vf kernel_of(const prf_kernel *kernel, vf product, vf a, vf b)
{
    vf q = vf_fma(product, vf_set1(kernel->factor), vf_add(a, b));
    if (kernel->cubic)
        return vf_sub(cubic(q), vf_set1(kernel->shift));
    /* Rounding of far rows may leave q > 0: no sum may be larger than that of ones, as `accurate` tells
     * these rows by sums.                                                                          */
    q = vf_min(vf_max(q, vf_set1(-126.0f)), vf_zero());
    return vf_sub(power_of_two(q), vf_set1(kernel->shift));
}

/* The VF pairs, or fewer, of a row from column j on, that of the row itself left out. */
static vf some_of(const prf_kernel *kernel, int64_t i, int64_t j)
{
    float product[VF] = {0}, b[VF] = {0}, some[VF] = {0};
    for (int64_t l = 0; l < VF && j + l < kernel->columns; l++) {
        product[l] = kernel->products[i * kernel->columns + j + l];
        b[l] = kernel->b[j + l];
        some[l] = !kernel->same || j + l != i;
    }
    return vf_mul(kernel_of(kernel, vf_load(product), vf_set1(kernel->a[i]), vf_load(b)),
                  vf_load(some));
}

static double sum_of(vf v)
{
    float numbers[VF];
    double sum = 0.0;
    vf_store(numbers, v);
    for (int l = 0; l < VF; l++)
        sum += (double)numbers[l];
    return sum;
}

static prf_status kernel_sums(const prf_kernel *kernel)
{
    int64_t columns = kernel->columns, padded = (columns + VF - 1) / VF * VF;
    float *sums = malloc((size_t)padded * sizeof *sums);
    if (!sums)
        return PRF_NO_MEMORY;
    *kernel->squared = 0.0;
    for (int64_t j = 0; j < columns; j++)
        kernel->of_columns[j] = 0.0;
    for (int64_t first = 0; first < kernel->rows; first += SUM_ROWS) {
        memset(sums, 0, (size_t)padded * sizeof *sums);
        for (int64_t i = first; i < kernel->rows && i < first + SUM_ROWS; i++) {
            const float *products = kernel->products + i * columns;
            vf a = vf_set1(kernel->a[i]), sum = vf_zero(), squares = vf_zero();
            for (int64_t j = 0; j < columns; j += VF) {
                int some = j + VF > columns || (kernel->same && i >= j && i < j + VF);
                vf k = some ? some_of(kernel, i, j)
                            : kernel_of(kernel, vf_load(products + j), a, vf_load(kernel->b + j));
                sum = vf_add(sum, k);
                squares = vf_fma(k, k, squares);
                vf_store(sums + j, vf_add(vf_load(sums + j), k));
            }
            kernel->of_rows[i] = sum_of(sum);
            *kernel->squared += sum_of(squares);
        }
        for (int64_t j = 0; j < columns; j++)
            kernel->of_columns[j] += (double)sums[j];
    }
    free(sums);
    return PRF_OK;
}
