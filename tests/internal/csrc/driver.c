/* What the engine of an instruction set answers, against the double loop: for processors and systems that are
 * emulated.  Names of those that run here, or the name of the one to check.                     */
#include <string.h>

#include "prfast/include/prfast.h"
#include "sets.h"

enum { H = PRF_HALVINGS, TASKS = 4 };

/* `width` thresholds for each center: one, or those of H halvings. */
typedef struct {
    int of_refs, closed, width;
    double *t, *most; /* thresholds, and the largest of each center */
    int64_t *rows;
    int32_t *half_rows, *cols; /* or NULL */
} counted;

/* Thresholds are distances that occur, so that each comparison is as close as it can be.
 * width: 1, or H of halves.                                                                      */
static counted *counts_make(const sets *s, int width)
{
    counted *tasks = NEW(counted, TASKS);
    for (int t = 0; t < TASKS; t++) {
        int of_refs = t % 2;
        int64_t centers = of_refs ? s->n : s->m;
        counted k = {.of_refs = of_refs, .closed = t % 3 == 0, .width = width,
                     .t = NEW(double, centers * width), .most = NEW(double, centers)};
        for (int64_t i = 0; i < centers; i++) {
            k.most[i] = -1.0;
            for (int64_t h = 0; h < width; h++) {
                int64_t other = random_below(of_refs ? s->m : s->n), odd = random_below(9);
                double d2 = of_refs ? s->d2[other * s->n + i] : s->d2[i * s->n + other];
                d2 = odd == 0 ? -1.0 : odd == 1 && i % 4 == 0 ? INFINITY : d2;
                k.t[i * width + h] = d2;
                k.most[i] = fmax(k.most[i], d2);
            }
        }
        k.rows = width == H ? NULL : NEW(int64_t, s->m);
        k.half_rows = width == H && t != 2 ? NEW(int32_t, s->m * H) : NULL;
        k.cols = t == 3 ? NULL : NEW(int32_t, s->n * width);
        tasks[t] = k;
    }
    return tasks;
}

/* A pass over all pairs, `most` references packed at a time, `block` queries together. */
static void scan(sets *s, int64_t most, int64_t block, prf_lists *lists, const counted *c)
{
    double *largest = NEW(double, s->n);
    for (int64_t j = 0; j < s->n; j++)
        largest[j] = fmax(c[1].most[j], c[3].most[j]);
    for (int64_t first = 0; first < s->n; first += most) {
        sets_load(s, first, s->n - first < most ? s->n - first : most);
        int64_t room = room_of(&s->pass);
        prf_halves halves[TASKS];
        prf_count tasks[TASKS];
        for (int t = 0; t < TASKS; t++) {
            const counted *k = &c[t];
            int32_t *cols = k->cols ? k->cols + first * k->width : NULL;
            halves[t] = (prf_halves){k->t, s->query_side, s->ref_side, NEW(float, room * H),
                                     NEW(float, room * H), k->half_rows, cols};
            tasks[t] = (prf_count){k->of_refs ? NULL : k->most, k->of_refs ? k->most : NULL, k->closed,
                                   NEW(float, room), NEW(float, room), k->rows, cols,
                                   k->width == H ? &halves[t] : NULL};
            prf_count_prepare(&s->pass, &tasks[t]);
        }
        float *armed = s->pass.int8 || s->pass.head ? NEW(float, room) : NULL;
        if (armed)
            (s->pass.head ? prf_head_arm : prf_int8_arm)(&s->pass, largest, armed);
        prf_fused what = {lists, tasks, TASKS, armed};
        reduce(s, s->engine->fused, 0, block, &what);
    }
}

static void counts_check(const counted *c, const sets *s)
{
    for (const counted *k = c; k < c + TASKS; k++) {
        for (int64_t at = 0; at < s->m * s->n * k->width; at++) {
            int64_t h = at % k->width, i = at / k->width / s->n, j = at / k->width % s->n;
            double radius = k->t[(k->of_refs ? j : i) * k->width + h], d = s->d2[i * s->n + j];
            int inside = (k->width == 1 || is_same(s->query_side[i], s->ref_side[j], h)) &&
                         (k->closed ? d <= radius : d < radius);
            if (k->rows)
                k->rows[i] -= inside;
            if (k->half_rows)
                k->half_rows[i * H + h] -= inside;
            if (k->cols)
                k->cols[j * k->width + h] -= inside;
        }
        for (int64_t i = 0; k->rows && i < s->m; i++)
            REQUIRE(k->rows[i] == 0);
        for (int64_t at = 0; k->half_rows && at < s->m * H; at++)
            REQUIRE(k->half_rows[at] == 0);
        for (int64_t at = 0; k->cols && at < s->n * k->width; at++)
            REQUIRE(k->cols[at] == 0);
    }
}

/* What the lists of two sets answer, for the queries from `from` on.  Of lists that keep what is nearer
 * unrefined the k-th alone is needed.  few_ties: no list fails.                                  */
static void finish(const sets *a, const sets *b, const prf_lists *of_a, const prf_lists *of_b, int64_t k,
                   int64_t from, int closed, int few_ties)
{
    int64_t count = a->m - from, room = 2 * count;
    int64_t ks[2] = {of_a->unrefined == PRF_ALL_BUT_KTH_UNREFINED ? k : 1, k};
    prf_finish what = {
        .lists = {of_a, of_b}, .passes = {&a->pass, b ? &b->pass : NULL}, .ks = {ks, ks, ks},
        .ks_count = {2, b ? 2 : 0, b ? 2 : 0}, .first_query = from, .closed = closed,
        .d2 = {NEW(double, room), NEW(double, room), NEW(double, room)},
        .of = {NEW(int64_t, room), NEW(int64_t, room)}, .failed = NEW(uint8_t, count),
        .across = {b ? NEW(int64_t, room) : NULL, b ? NEW(int64_t, room) : NULL},
    };
    reduce(a, a->engine->finish, from, PRF_QUERY_BLOCK, &what);
    for (int64_t at = 0; at < room; at++) {
        int64_t i = from + at / 2, its_k = ks[at % 2];
        REQUIRE(!few_ties || !what.failed[at / 2]);
        if (what.failed[at / 2])
            continue;
        REQUIRE(is_kth(a, NULL, i, its_k, what.d2[0][at], -1));
        if (!b)
            continue;
        REQUIRE(is_kth(b, NULL, i, its_k, what.d2[1][at], -1));
        REQUIRE(is_kth(a, b, i, its_k, what.d2[2][at], -1));
        for (int set = 0; set < 2; set++) {
            const sets *own = set ? b : a;
            int64_t across = what.across[set][at];
            REQUIRE(what.of[set][at] == inside(own, i, what.d2[2][at], closed, -1));
            REQUIRE(across < 0 || across == inside(own, i, what.d2[!set][at], closed, -1));
        }
    }
}

/* Queries against two sets. */
static void lists(const prf_engine *engine, const int64_t shape[4], int values, int wide, int filter,
                  int exact, int unrefined)
{
    int64_t n = shape[0], m = shape[1], dim = shape[2], k = shape[3];
    int64_t capacity = 3 * k + 2 * PRF_QUERY_BLOCK;
    int few_ties = values >= 1000 && dim >= 9;
    sets a, b;
    sets_make(&a, engine, n, m, dim, values, wide, filter, NULL);
    sets_make(&b, engine, n + 5, m, dim, values, wide, filter, &a);
    a.pass.exact = b.pass.exact = exact;
    prf_lists of_a = lists_make(&a, k, capacity), of_b = lists_make(&b, k, capacity);
    counted *in_a = counts_make(&a, 1), *in_b = counts_make(&b, 1);
    of_a.unrefined = of_b.unrefined = unrefined;
    scan(&a, n, filter == NO_FILTER ? PRF_QUERY_BLOCK : m, &of_a, in_a);
    scan(&b, n > 500 ? 2 * PRF_SAMPLE : n + 5, filter == NO_FILTER ? 50 : 150, &of_b, in_b);
    counts_check(in_a, &a);
    counts_check(in_b, &b);
    if (unrefined != PRF_ALL_BUT_KTH_UNREFINED)
        finish(&a, &b, &of_a, &of_b, k, m / 3, m % 2 == 0, few_ties);
    finish(&a, NULL, &of_a, NULL, k, 0, 1, few_ties);
    release();
}

/* Within a set, each pair once: blocks with themselves, and then with all that come after. */
static void within(const prf_engine *engine, int64_t n, int64_t k, int64_t dim, int values, int wide,
                   int filter)
{
    sets s;
    sets_make(&s, engine, n, 0, dim, values, wide, filter, NULL);
    sets_load(&s, 0, n);
    prf_lists lists = lists_make(&s, k + 1, 3 * k + 2 * PRF_QUERY_BLOCK + 1);
    prf_work work = {0};
    int64_t room = room_of(&s.pass), *seen = NEW(int64_t, n);
    float *arms = NEW(float, room);
    for (int64_t r = n; r < room; r++) /* padding reaches nothing */
        arms[r] = filter >= HEAD ? -INFINITY : INFINITY;
    for (int itself = 1; itself >= 0; itself--)
        for (int64_t first = 0, step = 2 * PRF_QUERY_BLOCK; first < n; first += step) { /* rows of parts, one by one */
            int64_t end = first + step < n ? first + step : n;
            int64_t part[4] = {first, end, itself ? first : end, itself ? end : n};
            prf_symmetric pairs = {part, &lists, arms};
            prf_lower lower = {seen, &pairs};
            for (int64_t r = 0; r < n; r++) /* points before have met all, the others all those */
                seen[r] = itself ? 0 : r < first ? n : end;
            REQUIRE(engine->lower(&s.pass, 0, n, &lower, &work) == PRF_OK);
            if (part[2] < part[3])
                REQUIRE(engine->symmetric(&s.pass, 0, 1, &pairs, &work) == PRF_OK);
        }
    finish(&s, NULL, &lists, NULL, k, 0, 1, values >= 1000 && dim >= 9);
    release();
}

/* Pairs counted in each half, and the k-th nearest in the half of each query; m = 0: within a set, without
 * counts.  k: that of the lists, too short for most halves where it is small.                       */
static void halves(const prf_engine *engine, int64_t n, int64_t m, int64_t dim, int64_t k, int values, int wide,
                   int filter, int exact)
{
    sets s;
    sets_make(&s, engine, n, m, dim, values, wide, filter, NULL);
    s.pass.exact = exact;
    prf_lists lists = lists_make(&s, k, 2 * k + 2 * PRF_QUERY_BLOCK);
    counted *c = counts_make(&s, H);
    scan(&s, n > 500 ? 2 * PRF_SAMPLE : n, filter == NO_FILTER ? 50 : 150, &lists, c);
    const int64_t ks[3] = {n / 4 + 1, 1, 3}, from = s.m / 3; /* the first among keys that hardly differ */
    double *d2 = NEW(double, (s.m - from) * 3 * H);
    prf_half_kth what = {&lists, s.query_side, s.ref_side, ks, 3, H, from, d2};
    reduce(&s, engine->half_kth, from, PRF_QUERY_BLOCK, &what);
    for (int64_t at = 0; at < (s.m - from) * 3 * H; at++) {
        int64_t i = from + at / (3 * H), its_k = ks[at / H % 3], h = at % H;
        REQUIRE(isnan(d2[at]) ? k < n || inside(&s, i, INFINITY, 1, h) < its_k
                              : is_kth(&s, NULL, i, its_k, d2[at], h));
    }
    if (m)
        counts_check(c, &s);
    release();
}

/* Without lists: reservoirs, with the least room that the contract allows or more, and ratios. */
static void reservoirs(const prf_engine *engine, int exact, int64_t n, int64_t m, int64_t dim, int64_t spare,
                       int values, int wide)
{
    sets s;
    sets_make(&s, engine, n, m, dim, values, wide, NO_FILTER, NULL);
    s.pass.exact = exact;
    sets_load(&s, 0, n);
    int64_t k = n < 3 ? 1 : 3, capacity = k + spare, places = m * capacity, *among = NEW(int64_t, m);
    double *tau = NEW(double, m), *d2 = NEW(double, m), *best = NEW(double, m), *ref_t = NEW(double, n);
    prf_nearest state = {0, k, capacity, NEW(double, places), NEW(double, places), NEW(int32_t, places),
                         NEW(int32_t, m), tau};
    for (int64_t i = 0; i < m; i++)
        tau[i] = INFINITY;
    for (int64_t j = 0; j < n; j++)
        ref_t[j] = j % 5 ? s.d2[j % m * n + j] : -1.0;
    prf_ratio ratio = {ref_t, best};
    prf_kth kth = {.state = &state, .ks = &k, .ks_count = 1, .d2 = d2};
    prf_within closer = {.state = &state, .t = d2, .ks_count = 1, .counts = among};
    reduce(&s, engine->nearest, 0, PRF_QUERY_BLOCK, &state);
    reduce(&s, prf_reservoir_kth, 0, PRF_QUERY_BLOCK, &kth);
    reduce(&s, prf_reservoir_count, 0, PRF_QUERY_BLOCK, &closer);
    reduce(&s, engine->ratio, 0, PRF_QUERY_BLOCK, &ratio);
    for (int64_t i = 0; i < m; i++) {
        double largest = 0.0;
        for (int64_t j = 0; j < n; j++) {
            double d = s.d2[i * n + j], t = ref_t[j];
            largest = fmax(largest, t < 0.0 ? 0.0 : d > 0.0 ? t / d : t > 0.0 ? INFINITY : 1.0);
        }
        REQUIRE(is_kth(&s, NULL, i, k, d2[i], -1) && among[i] == inside(&s, i, d2[i], 0, -1) && best[i] == largest);
    }
    release();
}

/* What lists leave open without their references, before they are cut and after. */
static void open_lists(const prf_engine *engine, int64_t n, int64_t m, int64_t dim, int values)
{
    sets s;
    sets_make(&s, engine, n, m, dim, values, 0, NO_FILTER, NULL);
    prf_lists lists = lists_make(&s, n, n + 2 * PRF_QUERY_BLOCK);
    for (int64_t i = 4; i < m; i += 9) /* which reach nothing */
        lists.limit[i] = -INFINITY;
    scan(&s, n, m, &lists, counts_make(&s, 1));
    const int64_t ks[2] = {1, n < 6 ? n : 6}, room = 2 * m * n + 1;
    double *norms = NEW(double, m);
    for (int64_t at = 0; at < m * dim; at++) {
        float packed = (float)(s.y[at] * s.pass.scale);
        norms[at / dim] += (double)packed * (double)packed;
    }
    prf_open what = {.lists = {&lists}, .norms = norms, .ks = {ks}, .ks_count = {2},
                     .below = NEW(int64_t, 4 * m), .opened = NEW(int64_t, 4 * m), .failed = NEW(uint8_t, m),
                     .query = NEW(int32_t, room), .ref = NEW(int32_t, room), .set = NEW(uint8_t, room)};
    prf_shorten cut = {&lists, norms, ks[1]};
    for (int shortened = 0; shortened < 2; shortened++) {
        reduce(&s, engine->open, 0, PRF_QUERY_BLOCK, &what);
        int64_t at = 0;
        for (int64_t ball = 0; ball < 2 * m; ball++) { /* of a query, k and two sets */
            int64_t i = ball / 2, below = what.below[2 * ball], its_k = ks[ball % 2], nearer = 0, all = 0;
            double t = INFINITY;
            REQUIRE(what.failed[i] == (i % 9 == 4));
            for (int64_t j = 0; j < n; j++)
                t = s.d2[i * n + j] < t && inside(&s, i, s.d2[i * n + j], 1, -1) >= its_k ? s.d2[i * n + j] : t;
            for (int64_t end = at + (what.failed[i] ? 0 : what.opened[2 * ball]); at < end; at++) {
                nearer += s.d2[i * n + what.ref[at]] < t;
                all += s.d2[i * n + what.ref[at]] <= t;
                REQUIRE(what.query[at] == i && what.set[at] == 0);
            }
            REQUIRE(what.failed[i] || (below + nearer == inside(&s, i, t, 0, -1) &&
                                       below + all == inside(&s, i, t, 1, -1)));
        }
        REQUIRE(at == what.count && at < room);
        reduce(&s, engine->shorten, 0, PRF_QUERY_BLOCK, &cut);
    }
    release();
}

/* Sums of a kernel over pairs. */
static void kernel_sums(const prf_engine *engine, int64_t rows, int64_t columns, int cubic, int same)
{
    float *products = NEW(float, rows * columns), *a = NEW(float, rows), *b = NEW(float, columns);
    double *of_rows = NEW(double, rows), *of_columns = NEW(double, columns), squared, square = 0.0;
    double *row_size = NEW(double, rows), *column_size = NEW(double, columns);
    for (int64_t i = 0; i < rows * columns; i++)
        products[i] = (float)random_below(64) / 16.0f;
    for (int64_t i = 0; i < rows; i++)
        a[i] = -(float)random_below(i % 7 ? 64 : 8192) / 16.0f;
    for (int64_t j = 0; j < columns; j++)
        b[j] = -(float)random_below(64) / 16.0f;
    prf_kernel kernel = {products, a, b, rows, columns, 0.5f, 0.25f, cubic, same, of_rows, of_columns, &squared};
    REQUIRE(engine->kernel_sums(&kernel) == PRF_OK);
    for (int64_t at = 0; at < rows * columns; at++) {
        int64_t i = at / columns, j = at % columns;
        double q = 0.5 * (double)products[at] + (double)a[i] + (double)b[j], t = 8.0 + fabs((double)a[i]);
        double k = cubic ? q * (q * (q + 3.0) + 3.0) : exp2(fmin(fmax(q, -126.0), 0.0));
        double size = cubic ? t * (t * (t + 3.0) + 3.0) : 2.0; /* of terms */
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
    release();
}

/* Min-sums of scores from 0 to values − 1, against #{real < t} and #{fake >= t} of every threshold t. */
static void min_sums(int64_t n, int64_t m, int values)
{
    double *real = NEW(double, n), *fake = NEW(double, m), alpha[3];
    const double lam[3] = {2.0, 0.0, 0.5};
    int64_t room = prfast_sweep_room(n, m), cells;
    double *p = NEW(double, room), *q = NEW(double, room);
    for (int64_t i = 0; i < n + m; i++)
        *(i < n ? &real[i] : &fake[i - n]) = (double)random_below(values);
    REQUIRE(prfast_sweep(real, n, fake, m, p, q, &cells) == PRFAST_OK);
    REQUIRE(prfast_min_sums(p, q, cells, lam, 3, alpha) == PRFAST_OK);
    for (int l = 0; l < 3; l++) {
        double least = INFINITY;
        for (int t = 0; t <= values; t++) {
            double sum = 0.0;
            for (int64_t i = 0; i < n + m; i++)
                sum += i < n ? lam[l] * (real[i] < t) : fake[i - n] >= t;
            least = fmin(least, sum);
        }
        REQUIRE(alpha[l] == least);
    }
    release();
}

static void check(const prf_engine *engine)
{
    const int64_t shapes[][4] = {{1, 1, 1, 1},   {2, 3, 4, 2},    {31, 7, 3, 5},    {33, 97, 17, 30},
                                 {191, 5, 2, 3}, {192, 5, 33, 9}, {193, 95, 9, 3},  {767, 3, 65, 20},
                                 {768, 9, 9, 3}, {900, 20, 50, 9}, {4500, 4, 12, 5}, {300, 4, 1030, 3}};
    const int kinds[] = {1, 10, 1000, 0};
    for (int v = 0; v < 4; v++) {
        int values = kinds[v];
        for (int i = 0; i < (int)(sizeof shapes / sizeof *shapes); i++) {
            int64_t n = shapes[i][0], m = shapes[i][1], dim = shapes[i][2], k = shapes[i][3];
            int int8 = (i + v) % 2 ? INT8 : NO_FILTER, wide = i % 2, head = HEAD + (i + v) / 2 % 2;
            for (int unrefined = PRF_NONE_UNREFINED; unrefined <= (int8 ? PRF_ALL_BUT_KTH_UNREFINED : 0);
                 unrefined++)
                lists(engine, shapes[i], values, (i + v / 2) % 2, int8, !int8 && i % 3 == 1, unrefined);
            lists(engine, shapes[i], values, wide, head, 0, i % 3);
            halves(engine, n, i % 3 ? m : 0, dim, n < 400 ? n : 12, values, wide, int8, 0);
            halves(engine, n, m, dim, k, values, !wide, head, 0);
            halves(engine, n, m, dim, k, values, !wide, i % 2 ? INT8 : NO_FILTER, i % 4 == 2);
            reservoirs(engine, i % 4 == 2, n, m, dim, 1 + i % 5, values, wide);
            reservoirs(engine, 0, n, m, dim, 19, values, !wide);
            if (n <= 767 && m <= PRF_QUERY_BLOCK)
                open_lists(engine, n, m, dim, values);
        }
        for (int filter = 0; filter < FILTERS; filter++) {
            const int64_t sizes[][3] = {{2, 1, 1}, {96, 95, 5}, {193, 4, 33}, {400, 30, 9}, {1300, 5, 5}};
            for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
                within(engine, sizes[j][0], sizes[j][1], sizes[j][2], values, (filter + v) % 2, filter);
        }
        min_sums(40 + 700 * v, 300, values + 1);
    }
    for (int64_t columns = 1; columns < 40; columns += 6)
        for (int cubic = 0; cubic < 2; cubic++) {
            kernel_sums(engine, 3, columns, cubic, 0);
            kernel_sums(engine, columns, columns, cubic, 1);
        }
    kernel_sums(engine, 130, 70, 0, 0);
}

int main(int argc, char **argv)
{
    for (int64_t i = 0; prf_isa_at(i); i++) {
        const prf_isa *isa = prf_isa_at(i);
        if (!isa->runs || !isa->runs())
            continue;
        if (argc < 2)
            printf("%s\n", isa->name);
        else if (strcmp(argv[1], isa->name) == 0) {
            check(isa->engine);
            return 0;
        }
    }
    return argc > 1;
}
