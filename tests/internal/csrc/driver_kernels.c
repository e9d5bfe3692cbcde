/* Sums of a kernel over pairs, against the double loop. */
#include "driver.h"

static void sums(const prf_engine *engine, int64_t rows, int64_t columns, int cubic, int same)
{
    float *products = malloc((size_t)(rows * columns) * sizeof *products);
    float *a = malloc((size_t)rows * sizeof *a), *b = malloc((size_t)columns * sizeof *b);
    double *of_rows = malloc((size_t)rows * sizeof *of_rows), squared, square = 0.0;
    double *of_columns = malloc((size_t)columns * sizeof *of_columns);
    double *row_size = calloc((size_t)rows, sizeof *row_size);
    double *column_size = calloc((size_t)columns, sizeof *column_size);
    for (int64_t i = 0; i < rows * columns; i++)
        products[i] = (float)random_below(64) / 16.0f;
    for (int64_t i = 0; i < rows; i++)
        a[i] = -(float)random_below(i % 7 ? 64 : 8192) / 16.0f;
    for (int64_t j = 0; j < columns; j++)
        b[j] = -(float)random_below(64) / 16.0f;
    prf_kernel kernel = {products, a, b, rows, columns, 0.5f, 0.25f, cubic, same, of_rows, of_columns, &squared};
    REQUIRE(engine->kernel_sums(&kernel) == PRF_OK);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            double q = 0.5 * (double)products[i * columns + j] + (double)a[i] + (double)b[j];
            double k = cubic ? q * (q * (q + 3.0) + 3.0) : exp2(fmin(fmax(q, -126.0), 0.0));
            double t = 8.0 + fabs((double)a[i]), size = cubic ? t * (t * (t + 3.0) + 3.0) : 2.0; /* of terms */
            k = same && i == j ? 0.0 : k - 0.25;
            row_size[i] += size;
            column_size[j] += size;
            of_rows[i] -= k;
            of_columns[j] -= k;
            square += k * k;
        }
    for (int64_t i = 0; i < rows; i++)
        REQUIRE(fabs(of_rows[i]) <= row_size[i] * 0x1p-18);
    for (int64_t j = 0; j < columns; j++)
        REQUIRE(fabs(of_columns[j]) <= column_size[j] * 0x1p-18);
    REQUIRE(fabs(squared - square) <= square * 0x1p-18);
    free(products), free(a), free(b), free(of_rows), free(of_columns);
    free(row_size), free(column_size);
}

void check_kernels(const prf_engine *engine)
{
    for (int64_t columns = 1; columns < 40; columns += 6)
        for (int cubic = 0; cubic < 2; cubic++) {
            sums(engine, 3, columns, cubic, 0);
            sums(engine, columns, columns, cubic, 1);
        }
    sums(engine, 130, 70, 0, 0);
}
