/* Sets of points packed for an engine, and what the double loop says of them. */
#include "driver.h"

#ifndef FAILING /* which has an answer of its own */
_Noreturn void give_up(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, condition);
    exit(1);
}
#endif

static uint64_t seed = 1;

void random_again(void)
{
    seed = 1;
}

uint64_t random_bits(void)
{
    return seed;
}

int64_t random_below(int64_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(seed >> 33) % n;
}

enum { LARGE = 1 << 16, COPIED = 7 };

static void *numbers(int64_t count, int64_t dim, int values, int wide, int filter)
{
    size_t size = (size_t)(count * dim);
    double *x = malloc(size * sizeof *x);
    float *narrow = malloc(size * sizeof *narrow);
    for (int64_t i = 0; i < count * dim; i++) {
        int64_t column = i % dim, from = i;
        if (filter == HEAD_COPIES)
            from = i % (COPIED * dim);
        if (filter == HEAD_FLAT)
            from = i - column + column % 2;
        double large = filter == HEAD_HUGE && column == 0 ? LARGE : 1.0;
        x[i] = from < i ? x[from] : (double)random_below(values) * 0.25 * large;
        narrow[i] = (float)x[i];
    }
    free(wide ? (void *)narrow : (void *)x);
    return wide ? (void *)x : (void *)narrow;
}

static double number(const prf_points *points, int64_t i, int64_t j)
{
    int64_t at = (points->index ? points->index[i] : i) * points->stride + j;
    return points->wide ? ((const double *)points->rows)[at] : ((const float *)points->rows)[at];
}

/* Rows one after the other, in float64. */
static double *laid_out(const prf_points *points, int64_t count, int64_t dim)
{
    double *rows = malloc((size_t)(count * dim) * sizeof *rows);
    for (int64_t i = 0; i < count; i++)
        for (int64_t f = 0; f < dim; f++)
            rows[i * dim + f] = number(points, i, f);
    return rows;
}

void sets_measure(sets *s)
{
    double *queries = laid_out(&s->pass.queries, s->m, s->dim);
    double *refs = laid_out(&s->pass.refs, s->n, s->dim);
    free(s->d2);
    s->d2 = malloc((size_t)(s->m * s->n) * sizeof *s->d2);
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t j = 0; j < s->n; j++) {
            const double *x = queries + i * s->dim, *y = refs + j * s->dim;
            double sum = 0.0;
            for (int64_t f = 0; f < s->dim; f++) {
                double d = x[f] - y[f];
                sum += d * d;
            }
            s->d2[i * s->n + j] = sum;
        }
    free(queries), free(refs);
}

/* Heads of all rows.  The axes are the first r columns of 1 − 2/d, a reflection: what they leave of a row lies along
 * the others.  Its numbers in float64 are so exact that those in float32 are e = 2⁻²³ of its length off.    */
static prf_points heads_of(const prf_points *points, int64_t count, int64_t r)
{
    int64_t dim = points->dim, stride = r + 2;
    prf_points in_order = *points;
    in_order.index = NULL;
    double *rows = laid_out(&in_order, count, dim);
    float *heads = malloc((size_t)(count * stride) * sizeof *heads);
    for (int64_t i = 0; i < count; i++) {
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
    free(rows);
    return (prf_points){heads, points->count, r + 1, stride, 0, points->index};
}

static void make_heads(sets *s, int filter)
{
    int64_t r = filter == HEAD_SHORT ? 1 : filter == HEAD_WHOLE ? s->dim : s->dim / 4 + 1;
    s->head = s->pass;
    s->head.refs = heads_of(&s->pass.refs, s->n, r);
    s->head.queries = s->pass.self ? s->head.refs : heads_of(&s->pass.queries, s->m, r);
    s->head.slack = 1;
    s->pass.forced = filter != HEAD_SHORT;
    s->pass.head = &s->head;
}

void sets_make(sets *s, const prf_engine *engine, int64_t n, int64_t m, int64_t dim, int values,
               int wide, int filter, const sets *same)
{
    double scale = 1.0;
    while (scale * 0.25 * values * (filter == HEAD_HUGE ? LARGE : 1) > 1.0)
        scale *= 0.5;
    *s = (sets){.engine = engine, .n = n, .m = m ? m : n, .dim = dim};
    s->center = calloc((size_t)dim + 1, sizeof *s->center);
    s->index = malloc((size_t)n * sizeof *s->index);
    for (int64_t i = 0; i < n; i++)
        s->index[i] = n - 1 - i;
    s->x = numbers(n, dim, values, wide, filter);
    s->y = m && !same ? numbers(m, dim, values, wide, filter) : NULL;
    s->pass = (prf_pass){
        .refs = {s->x, n, dim, dim, wide, s->index},
        .queries = {s->y, m, dim, dim, wide, NULL},
        .center = s->center, .scale = scale, .self = !m, .panel = engine->panel,
        .int8 = filter == INT8 ? &s->packed : NULL,
    };
    if (!m)
        s->pass.queries = s->pass.refs;
    if (same)
        s->pass.queries = same->pass.queries;
    if (filter >= HEAD)
        make_heads(s, filter);
    s->packed = (prf_int8){.width = prf_int8_width(dim)};
    sets_measure(s);
}

static void unload(sets *s)
{
    free(s->pass.panels), free(s->pass.norms), free(s->pass.half_lo);
    free(s->head.panels), free(s->head.norms), free(s->head.half_lo);
    free(s->packed.codes), free(s->packed.points), free(s->packed.half);
}

static size_t room_of(const prf_pass *pass)
{
    return (size_t)((pass->ref_count + pass->panel - 1) / pass->panel * pass->panel);
}

static void pack(prf_pass *pass, int64_t first, int64_t count)
{
    pass->ref_first = first;
    pass->ref_count = count;
    pass->panels = malloc(room_of(pass) * (size_t)pass->refs.dim * sizeof *pass->panels);
    pass->norms = malloc(room_of(pass) * sizeof *pass->norms);
    pass->half_lo = malloc(room_of(pass) * sizeof *pass->half_lo);
    for (int64_t i = 0; i < count; i += 2 * pass->panel)
        prf_pack(pass, i, count - i < 2 * pass->panel ? count - i : 2 * pass->panel);
}

void sets_load(sets *s, int64_t first, int64_t count)
{
    prf_pass *pass = &s->pass;
    prf_work work = {0};
    unload(s);
    pack(pass, first, count);
    if (pass->head)
        pack(&s->head, first, count);
    size_t room = room_of(pass);
    s->packed.codes = malloc(room * (size_t)s->packed.width);
    s->packed.points = malloc(room * sizeof *s->packed.points);
    s->packed.half = malloc(5 * room * sizeof(float));
    s->packed.inverse = s->packed.half + room;
    s->packed.first = s->packed.inverse + room;
    s->packed.second = s->packed.first + room;
    s->packed.step = s->packed.second + room;
    for (int64_t i = 0; pass->int8 && i < count; i += pass->panel)
        REQUIRE(s->engine->int8_pack(pass, i, count - i < pass->panel ? count - i : pass->panel,
                                     NULL, &work) == PRF_OK);
}

float *sets_arm(const sets *s, const double *largest)
{
    if (!s->pass.int8 && !s->pass.head)
        return NULL;
    float *armed = malloc(room_of(&s->pass) * sizeof *armed);
    (s->pass.head ? prf_head_arm : prf_int8_arm)(&s->pass, largest, armed);
    return armed;
}

void sets_free(sets *s)
{
    unload(s);
    if (!s->pass.self)
        free((void *)s->head.queries.rows);
    free((void *)s->head.refs.rows);
    free(s->center), free(s->x), free(s->y), free(s->index), free(s->d2);
}

prf_lists lists_make(const sets *s, int64_t k, int64_t capacity)
{
    size_t room = (size_t)(s->m * capacity), limits = (size_t)(s->m + s->pass.panel);
    prf_lists lists = {.k = k, .capacity = capacity};
    lists.key = malloc(room * sizeof *lists.key);
    lists.ref = malloc(room * sizeof *lists.ref);
    lists.fill = calloc((size_t)s->m, sizeof *lists.fill);
    lists.limit = malloc(limits * sizeof *lists.limit);
    for (size_t i = 0; i < limits; i++)
        lists.limit[i] = (int64_t)i < s->m ? INFINITY : -INFINITY;
    return lists;
}

void lists_free(prf_lists *lists)
{
    free(lists->key), free(lists->ref), free(lists->fill), free(lists->limit);
}

void ranks(const sets *s, int64_t i, double t, int64_t *below, int64_t *through)
{
    *below = *through = 0;
    for (int64_t j = 0; j < s->n; j++) {
        int other = !(s->pass.self && i == j);
        *below += other && s->d2[i * s->n + j] < t;
        *through += other && s->d2[i * s->n + j] <= t;
    }
}
