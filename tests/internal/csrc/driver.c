/* What the engine of an instruction set answers, against the double loop: for processors and systems that are
 * emulated.  Names of those that run here, or the name of the one to check.                     */
#include <string.h>

#include "prfast/include/prfast.h"
#include "sets.h"

enum { TASKS = 4 };

typedef struct {
    int of_refs, closed;
    double *t; /* a threshold for each center */
    int64_t *rows;
    int32_t *cols; /* or NULL */
} counted;

/* Thresholds are distances that occur, so that each comparison is as close as it can be. */
static counted *counts_make(const sets *s)
{
    counted *tasks = NEW(counted, TASKS);
    for (int t = 0; t < TASKS; t++) {
        int of_refs = t % 2;
        int64_t centers = of_refs ? s->n : s->m;
        counted k = {.of_refs = of_refs, .closed = t % 3 == 0, .t = NEW(double, centers)};
        for (int64_t i = 0; i < centers; i++) {
            int64_t other = random_below(of_refs ? s->m : s->n), odd = random_below(9);
            double d2 = of_refs ? s->d2[other * s->n + i] : s->d2[i * s->n + other];
            k.t[i] = odd == 0 ? -1.0 : odd == 1 && i % 4 == 0 ? INFINITY : d2;
        }
        k.rows = NEW(int64_t, s->m);
        k.cols = t == 3 ? NULL : NEW(int32_t, s->n);
        tasks[t] = k;
    }
    return tasks;
}

/* A pass over all pairs, `most` references packed at a time, `block` queries together. */
static void scan(sets *s, int64_t most, int64_t block, prf_lists *lists, const counted *c)
{
    double *largest = NEW(double, s->n);
    for (int64_t j = 0; j < s->n; j++)
        largest[j] = fmax(c[1].t[j], c[3].t[j]);
    for (int64_t first = 0; first < s->n; first += most) {
        sets_load(s, first, s->n - first < most ? s->n - first : most);
        int64_t room = room_of(&s->pass);
        prf_count tasks[TASKS];
        for (int t = 0; t < TASKS; t++) {
            const counted *k = &c[t];
            tasks[t] = (prf_count){k->of_refs ? NULL : k->t, k->of_refs ? k->t : NULL, k->closed,
                                   NEW(float, room), NEW(float, room), k->rows,
                                   k->cols ? k->cols + first : NULL, NULL};
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
        for (int64_t at = 0; at < s->m * s->n; at++) {
            int64_t i = at / s->n, j = at % s->n;
            double radius = k->t[k->of_refs ? j : i];
            int inside = k->closed ? s->d2[at] <= radius : s->d2[at] < radius;
            k->rows[i] -= inside;
            if (k->cols)
                k->cols[j] -= inside;
        }
        for (int64_t i = 0; i < s->m; i++)
            REQUIRE(k->rows[i] == 0);
        for (int64_t j = 0; k->cols && j < s->n; j++)
            REQUIRE(k->cols[j] == 0);
    }
}

/* What the lists of two sets answer, for the queries from `from` on.  Of lists that keep what is nearer
 * unrefined the k-th alone is needed.  few_ties: no list fails.                                  */
static void finish(const sets *a, const sets *b, const prf_lists *of_a, const prf_lists *of_b, int64_t k,
                   int64_t from, int closed, int few_ties)
{
    int64_t room = 2 * a->m;
    int64_t ks[2] = {of_a->unrefined == PRF_ALL_BUT_KTH_UNREFINED ? k : 1, k};
    prf_finish what = {
        .lists = {of_a, of_b}, .passes = {&a->pass, b ? &b->pass : NULL}, .ks = {ks, ks, ks},
        .ks_count = {2, b ? 2 : 0, b ? 2 : 0}, .closed = closed,
        .d2 = {NEW(double, room), NEW(double, room), NEW(double, room)},
        .of = {NEW(int64_t, room), NEW(int64_t, room)}, .failed = NEW(uint8_t, a->m),
        .across = {b ? NEW(int64_t, room) : NULL, b ? NEW(int64_t, room) : NULL},
    };
    reduce(a, a->engine->finish, from, PRF_QUERY_BLOCK, &what);
    for (int64_t at = 2 * from; at < room; at++) {
        int64_t i = at / 2, its_k = ks[at % 2];
        REQUIRE(!few_ties || !what.failed[i]);
        if (what.failed[i])
            continue;
        REQUIRE(is_kth(a, NULL, i, its_k, what.d2[0][at]));
        if (!b)
            continue;
        REQUIRE(is_kth(b, NULL, i, its_k, what.d2[1][at]));
        REQUIRE(is_kth(a, b, i, its_k, what.d2[2][at]));
        for (int set = 0; set < 2; set++) {
            const sets *own = set ? b : a;
            int64_t across = what.across[set][at];
            REQUIRE(what.of[set][at] == inside(own, i, what.d2[2][at], closed));
            REQUIRE(across < 0 || across == inside(own, i, what.d2[!set][at], closed));
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
    counted *in_a = counts_make(&a), *in_b = counts_make(&b);
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
            prf_symmetric pairs = {part, &lists, arms, (int)itself};
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

static void check(const prf_engine *engine)
{
    const int64_t shapes[][4] = {{1, 1, 1, 1},   {2, 3, 4, 2},    {31, 7, 3, 5},    {33, 97, 17, 30},
                                 {191, 5, 2, 3}, {192, 5, 33, 9}, {193, 95, 9, 3},  {767, 3, 65, 20},
                                 {768, 9, 9, 3}, {900, 20, 50, 9}, {4500, 4, 12, 5}, {300, 4, 1030, 3}};
    const int kinds[] = {1, 10, 1000, 0};
    for (int v = 0; v < 4; v++) {
        int values = kinds[v];
        for (int i = 0; i < (int)(sizeof shapes / sizeof *shapes); i++) {
            int int8 = (i + v) % 2 ? INT8 : NO_FILTER, wide = i % 2, head = HEAD + (i + v) / 2 % 2;
            for (int unrefined = PRF_NONE_UNREFINED; unrefined <= (int8 ? PRF_ALL_BUT_KTH_UNREFINED : 0);
                 unrefined++)
                lists(engine, shapes[i], values, (i + v / 2) % 2, int8, !int8 && i % 3 == 1, unrefined);
            lists(engine, shapes[i], values, wide, head, 0, i % 3);
        }
        for (int filter = 0; filter < FILTERS; filter++) {
            const int64_t sizes[][3] = {{2, 1, 1}, {96, 95, 5}, {193, 4, 33}, {400, 30, 9}, {1300, 5, 5}};
            for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
                within(engine, sizes[j][0], sizes[j][1], sizes[j][2], values, (filter + v) % 2, filter);
        }
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
