/* Boosted trees. */
#include "driver.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Arrays of exactly the promised size: a step outside is an error. */
static void bin(int64_t n, int64_t columns, int64_t values, int64_t most, uint8_t *binned)
{
    double *x = calloc((size_t)(n * columns), sizeof *x), *sorted = malloc((size_t)n * sizeof *x);
    double *edges = calloc((size_t)(columns * most), sizeof *edges);
    for (int64_t i = 0; i < n * columns; i++)
        x[i] = (double)random_below(values);
    for (int64_t j = 0; j < columns; j++) {
        for (int64_t i = 0; i < n; i++)
            sorted[i] = x[i * columns + j];
        qsort(sorted, (size_t)n, sizeof *sorted, ascending);
        prf_tree_edges(sorted, n, most, edges + j * most);
    }
    prf_tree_bins(x, n, columns, edges, most, binned);
    for (int64_t i = 0; i < n * columns; i++)
        REQUIRE(binned[i] <= most);
    free(x), free(sorted), free(edges);
}

static void boost(int64_t n, int64_t columns, int64_t most, int64_t leaves, int64_t least)
{
    int64_t nodes = 2 * leaves - 1, trees = 3;
    uint8_t *binned = malloc((size_t)(n * columns)), *labels = malloc((size_t)n);
    uint32_t *splits = malloc((size_t)(trees * nodes) * sizeof *splits);
    double *values = malloc((size_t)(trees * nodes) * sizeof *values);
    double *odds = calloc((size_t)n, sizeof *odds), *again = calloc((size_t)n, sizeof *again);
    bin(n, columns, 2 * most, most, binned);
    for (int64_t i = 0; i < n; i++) {
        labels[i] = random_below(most + 1) < binned[i * columns];
        odds[i] = again[i] = i % 50 ? 0.0 : 1e4;
    }
    prf_boosting of = {binned, n, columns, most + 1, labels, NULL, leaves, least, 0.1, 1.0, odds};
    REQUIRE(prf_boost(&of, trees, splits, values) == PRF_OK);
    prf_boosted(splits, values, trees, nodes, binned, n, columns, again);
    for (int64_t i = 0; i < n; i++)
        REQUIRE(odds[i] == again[i]);
    free(binned), free(labels), free(splits), free(values), free(odds), free(again);
}

void check_trees(void)
{
    const int64_t sizes[] = {1, 2, 39, 40, 41, 200, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        boost(sizes[i], 1, 1, 2, 1);
        boost(sizes[i], 3, 7, 128, 1);
        boost(sizes[i], 17, 63, 31, 20);
        boost(sizes[i], 2, 255, 1, 5);
    }
}
