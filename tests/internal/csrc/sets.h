/* Sets of points packed for an engine, and D of all their pairs by the double loop. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "prfast.h"

#define REQUIRE(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)))

/* Zeros, which `release` frees with all that was taken before. */
#define NEW(type, count) ((type *)take(count, sizeof(type)))

enum { BLOCKS = 1000 };
static void *blocks[BLOCKS];
static int blocks_count;

static void *take(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + !count, size);
    REQUIRE(memory && blocks_count < BLOCKS);
    return blocks[blocks_count++] = memory;
}

static void release(void)
{
    while (blocks_count)
        free(blocks[--blocks_count]);
}

/* The same numbers in every run. */
static int64_t random_below(int64_t n)
{
    static uint64_t seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(seed >> 33) % n;
}

/* Queries and references of float32 or float64. */
typedef struct {
    const prf_engine *engine;
    int64_t n, m, dim;  /* references, queries */
    double *x, *y, *d2; /* rows of both, of references in reverse order; [m][n] */
    prf_pass pass, head;
    prf_int8 packed;
} sets;

/* What comes before dot products; heads are of many axes and forced, or of one and given up where slow. */
enum { NO_FILTER, INT8, HEAD, HEAD_SHORT, FILTERS };

/* 0.25 times numbers below `values`; 0: rows of one number each, whose products err in one direction. */
static double *numbers(int64_t count, int64_t dim, int values)
{
    double *x = NEW(double, count * dim);
    for (int64_t i = 0; i < count * dim; i++) {
        double constant = i % dim ? x[i - 1] : (i % 5 ? 1.0 : -1.0) * (1.0 + (double)random_below(1 << 20) * 0x1p-20);
        x[i] = values ? (double)random_below(values) * 0.25 : constant;
    }
    return x;
}

static prf_points points_of(double *x, int64_t count, int64_t dim, int wide, const int64_t *index)
{
    float *narrow = wide ? NULL : NEW(float, count * dim);
    for (int64_t i = 0; !wide && i < count * dim; i++)
        narrow[i] = (float)x[i]; /* exact */
    return (prf_points){wide ? (void *)x : (void *)narrow, count, dim, dim, wide, index};
}

/* Heads of all rows.  The axes are the first r columns of 1 − 2/d, a reflection: what they leave of a row lies along
 * the others.  Its numbers in float64 are so exact that those in float32 are e = 2⁻²³ of its length off.    */
static prf_points heads_of(const double *rows, const prf_points *points, int64_t r)
{
    int64_t dim = points->dim, stride = r + 2;
    float *heads = NEW(float, points->count * stride);
    for (int64_t i = 0; i < points->count; i++) {
        double mean = 0.0, left = 0.0, all = 0.0;
        for (int64_t f = 0; f < dim; f++)
            mean += rows[i * dim + f] / (double)dim;
        for (int64_t f = 0; f < dim; f++) {
            double along = rows[i * dim + f] - 2.0 * mean;
            all += along * along;
            if (f < r)
                heads[i * stride + f] = (float)along;
            else
                left += along * along;
        }
        heads[i * stride + r] = (float)sqrt(left);
        heads[i * stride + r + 1] = nextafterf((float)(2.0 * (1.0 + 0x1p11) * 0x1p-46 * all), INFINITY);
    }
    return (prf_points){heads, points->count, r + 1, stride, 0, points->index};
}

/* m = 0: the queries are the references, none its own neighbor.  same: NULL, or sets with the queries. */
static void sets_make(sets *s, const prf_engine *engine, int64_t n, int64_t m, int64_t dim, int values,
               int wide, int filter, const sets *same)
{
    double scale = values ? 1.0 : 0.5;
    while (scale * 0.25 * values > 1.0)
        scale *= 0.5;
    int64_t *index = NEW(int64_t, n), r = filter == HEAD ? dim / 4 + 1 : 1;
    for (int64_t i = 0; i < n; i++)
        index[i] = n - 1 - i;
    *s = (sets){.engine = engine, .n = n, .m = m ? m : n, .dim = dim, .packed.width = prf_int8_width(dim)};
    s->x = numbers(n, dim, values);
    s->y = same ? same->y : m ? numbers(m, dim, values) : NULL;
    s->pass = (prf_pass){
        .refs = points_of(s->x, n, dim, wide, index),
        .center = NEW(double, dim + 1), .scale = scale, .self = !m, .panel = engine->panel,
        .int8 = filter == INT8 ? &s->packed : NULL,
    };
    s->pass.queries = m ? points_of(s->y, m, dim, wide, NULL) : s->pass.refs;
    if (filter >= HEAD) {
        s->head = s->pass;
        s->head.refs = heads_of(s->x, &s->pass.refs, r);
        s->head.queries = s->pass.self ? s->head.refs : heads_of(s->y, &s->pass.queries, r);
        s->head.slack = 1;
        s->pass.forced = filter == HEAD;
        s->pass.head = &s->head;
    }
    s->d2 = NEW(double, s->m * n);
    for (int64_t at = 0; at < s->m * n; at++)
        for (int64_t f = 0; f < dim; f++) {
            int64_t i = at / n, j = index[at % n];
            double d = (m ? s->y[i * dim + f] : s->x[index[i] * dim + f]) - s->x[j * dim + f];
            s->d2[at] += d * d;
        }
}

static int64_t room_of(const prf_pass *pass)
{
    return (pass->ref_count + pass->panel - 1) / pass->panel * pass->panel;
}

static void pack(prf_pass *pass, int64_t first, int64_t count)
{
    pass->ref_first = first;
    pass->ref_count = count;
    pass->panels = NEW(float, room_of(pass) * pass->refs.dim);
    pass->norms = NEW(double, room_of(pass));
    pass->half_lo = NEW(float, room_of(pass));
    prf_pack(pass, 0, count);
}

static void sets_load(sets *s, int64_t first, int64_t count)
{
    prf_pass *pass = &s->pass;
    prf_work work = {0};
    pack(pass, first, count);
    if (pass->head)
        pack(&s->head, first, count);
    int64_t room = room_of(pass);
    s->packed.codes = NEW(uint8_t, room * s->packed.width);
    s->packed.points = NEW(prf_int8_point, room);
    s->packed.half = NEW(float, room);
    s->packed.inverse = NEW(float, room);
    s->packed.first = NEW(float, room);
    s->packed.second = NEW(float, room);
    s->packed.step = NEW(float, room);
    REQUIRE(!pass->int8 || s->engine->int8_pack(pass, 0, count, NULL, &work) == PRF_OK);
}

/* How many references of query i have D <= t (closed) or D < t; within a set without the query. */
static int64_t inside(const sets *s, int64_t i, double t, int closed)
{
    int64_t count = 0;
    for (int64_t j = 0; j < s->n; j++) {
        double d = s->d2[i * s->n + j];
        count += !(s->pass.self && i == j) && (closed ? d <= t : d < t);
    }
    return count;
}

/* Is d2 the k-th of the references of one set or of two (b may be NULL)? */
static int is_kth(const sets *a, const sets *b, int64_t i, int64_t k, double d2)
{
    return inside(a, i, d2, 0) + (b ? inside(b, i, d2, 0) : 0) < k &&
           inside(a, i, d2, 1) + (b ? inside(b, i, d2, 1) : 0) >= k;
}

static prf_lists lists_make(const sets *s, int64_t k, int64_t capacity)
{
    int64_t room = s->m * capacity, limits = s->m + s->pass.panel;
    prf_lists lists = {.k = k, .capacity = capacity, .key = NEW(float, room), .ref = NEW(int32_t, room),
                       .fill = NEW(int32_t, s->m), .limit = NEW(float, limits)};
    for (int64_t i = 0; i < limits; i++)
        lists.limit[i] = i < s->m ? INFINITY : -INFINITY;
    return lists;
}

/* Run a reduction on the queries from `from` on, `block` together. */
static void reduce(const sets *s, prf_reduction *reduction, int64_t from, int64_t block, void *into)
{
    prf_work work = {0};
    for (int64_t i = from; i < s->m; i += block)
        REQUIRE(reduction(&s->pass, i, s->m - i < block ? s->m - i : block, into, &work) == PRF_OK);
}
