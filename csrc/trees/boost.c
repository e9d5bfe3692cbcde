/* Gradient boosting of trees on binned columns, for the logistic loss.
 *
 * The slopes of the loss, p − y, and its curvatures, p (1 − p), are rounded to integers, so that a sum
 * does not depend on its order, and the histogram of a leaf is that of its parent less its sibling's. */
#include "prfast.h"

#include <stdlib.h>
#include <string.h>

#include "trees/sigmoid.h"

enum { MOST_BINS = 256 };

/* Sums over samples: slopes in a unit of which all together are below 2³¹, curvatures in a quarter of
 * it.  The fourth number is 0: one instruction adds four.                                         */
typedef struct {
    int32_t slope, curvature, count, zero;
} sums;

/* A leaf of the tree so far, with the samples order[first .. first + count), and its best split. */
typedef struct {
    int64_t first, count, node;
    sums total;
    sums *histogram; /* [columns][bins]; NULL where too few samples are left to split */
    double gain;     /* 0 where there is no split */
    int64_t column, bin;
} leaf;

typedef struct {
    const prf_boosting *of;
    double unit, curvature_unit;
    int32_t *used; /* bins of each column */
    sums *samples;
    int32_t *order, *right;
    leaf *leaves;
    sums *histograms; /* one for each leaf */
    sums **spare;     /* those that no leaf has */
    int64_t spares;
} growth;

static inline void add(sums *to, sums s)
{
    to->slope += s.slope;
    to->curvature += s.curvature;
    to->count += s.count;
    to->zero += s.zero;
}

static inline void subtract(sums *from, sums s)
{
    from->slope -= s.slope;
    from->curvature -= s.curvature;
    from->count -= s.count;
    from->zero -= s.zero;
}

/* The nearest integer, |x| < 2³¹; of two the even one. */
static inline int32_t rounded(double x)
{
    return (int32_t)(int64_t)(prf_bits_of(x + 0x1.8p52) - prf_bits_of(0x1.8p52));
}

/* Round the slopes and curvatures of all samples; return their sums. */
static sums measure(const growth *g)
{
    const prf_boosting *of = g->of;
    double slopes = 1.0 / g->unit, curvatures = 1.0 / g->curvature_unit;
    sums total = {0, 0, 0, 0};
    for (int64_t i = 0; i < of->rows; i++) {
        double p = prf_sigmoid(of->odds[i]), weight = of->weights ? of->weights[i] : 1.0;
        int32_t slope = rounded((p - of->labels[i]) * weight * slopes);
        g->samples[i] = (sums){slope, rounded(p * (1.0 - p) * weight * curvatures), 1, 0};
        g->order[i] = (int32_t)i;
        add(&total, g->samples[i]);
    }
    return total;
}

static void fill(const growth *g, leaf *l)
{
    int64_t columns = g->of->columns, bins = g->of->bins;
    memset(l->histogram, 0, (size_t)(columns * bins) * sizeof *l->histogram);
    for (int64_t i = l->first; i < l->first + l->count; i++) {
        const uint8_t *row = g->of->binned + g->order[i] * columns;
        sums sample = g->samples[g->order[i]], *histogram = l->histogram;
        for (int64_t j = 0; j < columns; j++, histogram += bins)
            add(&histogram[row[j]], sample);
    }
}

/* Find the best split, of equal ones the first.
 *
 * With the slopes s and t of both sides and their curvatures c and d, to which l2 is added,
 *
 *     s² / c + t² / d  =  (s + t)² / (c + d)  +  (s d − t c)² / (c d (c + d)),
 *
 * where s d − t c = s (c + d) − (s + t) c, and the sums s + t and c + d are the same for all splits. */
static void find_split(const growth *g, leaf *l)
{
    int32_t slopes[MOST_BINS], curvatures[MOST_BINS];
    uint8_t bins[MOST_BINS];
    double scores[MOST_BINS];
    int64_t least = g->of->least;
    double unit = g->curvature_unit, l2 = g->of->l2, slope = l->total.slope * g->unit;
    double curvature = l->total.curvature * unit, both = curvature + 2.0 * l2, best = 0.0;
    for (int64_t j = 0; j < g->of->columns; j++) {
        const sums *histogram = l->histogram + j * g->of->bins;
        sums left = {0, 0, 0, 0};
        int64_t first = 0, end = g->used[j], right = 0, splits = 0;
        /* The splits that leave enough samples on both sides, after a bin with some. */
        for (; first + 1 < end && left.count + histogram[first].count < least; first++)
            add(&left, histogram[first]);
        while (first < end && right < least)
            right += histogram[--end].count;
        for (int64_t b = first; b < end; b++) {
            add(&left, histogram[b]);
            slopes[splits] = left.slope, curvatures[splits] = left.curvature;
            bins[splits] = (uint8_t)b;
            splits += histogram[b].count > 0;
        }
        for (int64_t s = 0; s < splits; s++) {
            double c = curvatures[s] * unit + l2;
            double difference = slopes[s] * g->unit * both - slope * c;
            scores[s] = difference * difference / (c * (both - c));
        }
        for (int64_t s = 0; s < splits; s++)
            if (scores[s] > best)
                best = scores[s], l->column = j, l->bin = bins[s];
    }
    l->gain = 0.0;
    if (best > 0.0)
        l->gain = (best + slope * slope) / both - slope * slope / (curvature + l2);
}

static int can_split(const growth *g, const leaf *l)
{
    return l->count >= 2 * g->of->least;
}

/* Split a leaf, which becomes its left child; return the right one. */
static leaf split(const growth *g, leaf *l, uint32_t *splits, int64_t *nodes)
{
    const uint8_t *column = g->of->binned + l->column;
    int32_t *order = g->order + l->first;
    int64_t left = 0, right = 0;
    sums total = {0, 0, 0, 0};
    for (int64_t b = 0; b <= l->bin; b++)
        add(&total, l->histogram[l->column * g->of->bins + b]);
    for (int64_t i = 0; i < l->count; i++) {
        int32_t sample = order[i];
        int is_left = column[sample * g->of->columns] <= l->bin;
        order[left] = g->right[right] = sample;
        left += is_left;
        right += !is_left;
    }
    memcpy(order + left, g->right, (size_t)right * sizeof *order);
    splits[l->node] = (uint32_t)(l->column << 16 | l->bin << 8 | *nodes);
    leaf other = {.first = l->first + left, .count = right, .node = *nodes + 1, .total = l->total};
    subtract(&other.total, total);
    l->count = left, l->node = *nodes, l->total = total;
    *nodes += 2;
    return other;
}

/* Find the best splits of both children of a leaf, whose histogram the left one has. */
static void open_children(growth *g, leaf *left, leaf *right)
{
    leaf *small = left->count < right->count ? left : right;
    leaf *large = small == left ? right : left;
    sums *histogram = left->histogram;
    left->histogram = right->histogram = NULL;
    left->gain = right->gain = 0.0;
    if (!can_split(g, large)) {
        g->spare[g->spares++] = histogram;
        return;
    }
    large->histogram = histogram;
    small->histogram = g->spare[--g->spares];
    fill(g, small);
    for (int64_t i = 0; i < g->of->columns * g->of->bins; i++)
        subtract(&large->histogram[i], small->histogram[i]);
    find_split(g, large);
    if (can_split(g, small)) {
        find_split(g, small);
    } else {
        g->spare[g->spares++] = small->histogram;
        small->histogram = NULL;
    }
}

static void grow(growth *g, uint32_t *splits, double *values)
{
    const prf_boosting *of = g->of;
    int64_t count = 1, nodes = 1;
    leaf *leaves = g->leaves;
    memset(splits, 0, (size_t)(2 * of->leaves - 1) * sizeof *splits);
    for (int64_t i = 0; i < 2 * of->leaves - 1; i++)
        values[i] = 0.0;
    for (g->spares = 0; g->spares < of->leaves; g->spares++)
        g->spare[g->spares] = g->histograms + g->spares * of->columns * of->bins;
    leaves[0] = (leaf){.count = of->rows, .total = measure(g)};
    if (can_split(g, &leaves[0])) {
        leaves[0].histogram = g->spare[--g->spares];
        fill(g, &leaves[0]);
        find_split(g, &leaves[0]);
    }
    while (count < of->leaves) {
        leaf *best = leaves;
        for (leaf *l = leaves + 1; l < leaves + count; l++)
            if (l->gain > best->gain)
                best = l;
        if (!(best->gain > 0.0))
            break;
        leaves[count] = split(g, best, splits, &nodes);
        if (++count < of->leaves)
            open_children(g, best, &leaves[count - 1]);
    }
    for (const leaf *l = leaves; l < leaves + count; l++) {
        double curvature = l->total.curvature * g->curvature_unit + of->l2;
        double value = -of->rate * (l->total.slope * g->unit) / curvature;
        values[l->node] = value;
        for (int64_t i = l->first; i < l->first + l->count; i++)
            of->odds[g->order[i]] += value;
    }
}

prf_status prf_boost(const prf_boosting *of, int64_t trees, uint32_t *splits, double *values)
{
    size_t rows = (size_t)of->rows, columns = (size_t)of->columns, leaves = (size_t)of->leaves;
    growth g = {.of = of, .unit = 1.0};
    g.used = calloc(columns, sizeof *g.used);
    g.samples = malloc(rows * sizeof *g.samples);
    g.order = malloc(2 * rows * sizeof *g.order);
    g.leaves = malloc(leaves * sizeof *g.leaves);
    g.histograms = malloc(leaves * columns * (size_t)of->bins * sizeof *g.histograms);
    g.spare = malloc(leaves * sizeof *g.spare);
    prf_status status = PRF_NO_MEMORY;
    if (g.used && g.samples && g.order && g.leaves && g.histograms && g.spare) {
        g.right = g.order + rows;
        double total = 0.0;
        for (int64_t i = 0; i < of->rows; i++)
            total += of->weights ? of->weights[i] : 1.0;
        while (total > g.unit * 0x1p30)
            g.unit *= 2.0;
        while (total <= g.unit * 0x1p29)
            g.unit *= 0.5;
        g.curvature_unit = 0.25 * g.unit;
        for (int64_t i = 0; i < of->rows; i++)
            for (int64_t j = 0; j < of->columns; j++)
                if (of->binned[i * of->columns + j] >= g.used[j])
                    g.used[j] = of->binned[i * of->columns + j] + 1;
        for (int64_t t = 0, nodes = 2 * of->leaves - 1; t < trees; t++)
            grow(&g, splits + t * nodes, values + t * nodes);
        status = PRF_OK;
    }
    free(g.used), free(g.samples), free(g.order), free(g.leaves), free(g.histograms), free(g.spare);
    return status;
}

void prf_boosted(const uint32_t *splits, const double *values, int64_t trees, int64_t nodes,
                 const uint8_t *binned, int64_t rows, int64_t columns, double *odds)
{
    for (int64_t t = 0; t < trees; t++, splits += nodes, values += nodes)
        for (int64_t i = 0; i < rows; i++) {
            const uint8_t *row = binned + i * columns;
            uint32_t node = 0;
            for (uint32_t s = splits[0]; s; s = splits[node])
                node = (s & 255) + (row[s >> 16] > (s >> 8 & 255));
            odds[i] += values[node];
        }
}
