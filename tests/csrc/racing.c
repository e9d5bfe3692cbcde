/* Two threads on different blocks of the same pass, as OpenMP has them; run under TSan, so what it checks
 * is that blocks share nothing that one of them writes.                                          */
#include <pthread.h>

#include "driver.h"

enum { THREADS = 2 };

typedef struct {
    sets *s;
    prf_reduction *f;
    void *into[THREADS];
    int64_t count, block; /* queries of all, and of one block */
    int thread;
} share;

/* Every second block. */
static void *work_on(void *given)
{
    const share *its = given;
    prf_work work = {0};
    for (int64_t i = its->thread * its->block; i < its->count; i += THREADS * its->block)
        REQUIRE(its->f(&its->s->pass, i, its->count - i < its->block ? its->count - i : its->block,
                       its->into[its->thread], &work) == PRF_OK);
    return NULL;
}

static void race(sets *s, prf_reduction *f, void *one, void *other, int64_t count, int64_t block)
{
    pthread_t threads[THREADS];
    share shares[THREADS];
    for (int t = 0; t < THREADS; t++) {
        shares[t] = (share){s, f, {one, other}, count, block, t};
        REQUIRE(pthread_create(&threads[t], NULL, work_on, &shares[t]) == 0);
    }
    for (int t = 0; t < THREADS; t++)
        REQUIRE(pthread_join(threads[t], NULL) == 0);
}

static void check_answers(const sets *s, const double *d2, const uint8_t *failed, int64_t k)
{
    for (int64_t i = 0; i < s->m; i++) {
        int64_t below, through;
        ranks(s, i, d2[i], &below, &through);
        REQUIRE(!failed[i] && below < k && k <= through);
    }
}

/* Lists and counts of queries, and what the lists answer. */
static void queries(const prf_engine *engine, int int8)
{
    enum { N = 800, M = 301, K = 5 };
    sets s;
    sets_make(&s, engine, N, M, 12, 1000, 0, int8, NULL);
    sets_load(&s, 0, N);
    prf_lists lists = lists_make(&s, K, 3 * K + 2 * PRF_QUERY_BLOCK);
    double *t = malloc(M * sizeof *t), *d2 = malloc(M * sizeof *d2);
    int64_t *rows = calloc(M, sizeof *rows), k = K, inside = 0, columns = 0;
    int32_t *cols[THREADS];
    uint8_t *failed = malloc(M);
    prf_count tasks[THREADS];
    prf_fused into[THREADS];
    for (int64_t i = 0; i < M; i++)
        t[i] = s.d2[i * N + i];
    for (int thread = 0; thread < THREADS; thread++) {
        cols[thread] = calloc(N, sizeof **cols);
        tasks[thread] = (prf_count){.query_t = t, .closed = 1, .rows = rows, .cols = cols[thread]};
        into[thread] = (prf_fused){.lists = &lists, .tasks = &tasks[thread], .tasks_count = 1};
    }
    race(&s, engine->fused, &into[0], &into[1], M, int8 == NO_INT8 ? PRF_QUERY_BLOCK : 150);
    prf_finish what = {.lists = {&lists, NULL}, .passes = {&s.pass, NULL}, .ks = {&k, &k, &k},
                       .ks_count = {1, 0, 0}, .closed = 1, .d2 = {d2, NULL, NULL},
                       .failed = failed};
    race(&s, engine->finish, &what, &what, M, PRF_QUERY_BLOCK);
    check_answers(&s, d2, failed, K);
    for (int64_t at = 0; at < M * N; at++)
        inside += s.d2[at] <= t[at / N];
    for (int64_t j = 0; j < N; j++)
        columns += cols[0][j] + cols[1][j];
    for (int64_t i = 0; i < M; i++)
        inside -= rows[i];
    REQUIRE(inside == 0 && columns > 0);
    lists_free(&lists);
    sets_free(&s);
    free(t), free(d2), free(rows), free(cols[0]), free(cols[1]), free(failed);
}

/* Pairs of parts of a set that do not meet. */
static void within(const prf_engine *engine)
{
    enum { N = 576, K = 4, B = PRF_QUERY_BLOCK };
    const int64_t rounds[3][4][4] = {
        {{2 * B, 3 * B, 2 * B, 3 * B}, {3 * B, 4 * B, 3 * B, 4 * B}, {4 * B, 5 * B, 4 * B, 5 * B},
         {5 * B, N, 5 * B, N}},
        {{2 * B, 3 * B, 3 * B, 4 * B}, {4 * B, 5 * B, 5 * B, N}},
        {{2 * B, 4 * B, 4 * B, N}},
    };
    const int64_t sizes[3] = {4, 2, 1};
    sets s;
    sets_make(&s, engine, N, 0, 12, 1000, 1, NO_INT8, NULL);
    sets_load(&s, 0, N);
    prf_lists lists = lists_make(&s, K + 1, 3 * K + 2 * PRF_QUERY_BLOCK);
    prf_fused all = {.lists = &lists}, few = {.lists = &lists, .sample = 1};
    double *d2 = malloc(N * sizeof *d2);
    uint8_t *failed = malloc(N);
    int64_t k = K;
    race(&s, engine->fused, &all, &all, PRF_SAMPLE, B);
    prf_work work = {0};
    for (int64_t i = PRF_SAMPLE; i < N; i += B)
        REQUIRE(engine->fused(&s.pass, i, B, &few, &work) == PRF_OK);
    for (int r = 0; r < 3; r++) {
        prf_symmetric pairs = {rounds[r][0], &lists};
        race(&s, engine->symmetric, &pairs, &pairs, sizes[r], 1);
    }
    prf_finish what = {.lists = {&lists, NULL}, .passes = {&s.pass, NULL}, .ks = {&k, &k, &k},
                       .ks_count = {1, 0, 0}, .closed = 1, .d2 = {d2, NULL, NULL},
                       .failed = failed};
    race(&s, engine->finish, &what, &what, N, B);
    check_answers(&s, d2, failed, K);
    lists_free(&lists);
    sets_free(&s);
    free(d2), free(failed);
}

/* What must be reported: two threads count in one number. */
static void *count(void *number)
{
    for (int i = 0; i < 1000; i++)
        ++*(int64_t *)number;
    return NULL;
}

static void control(void)
{
    pthread_t threads[THREADS];
    int64_t number = 0;
    for (int t = 0; t < THREADS; t++)
        REQUIRE(pthread_create(&threads[t], NULL, count, &number) == 0);
    for (int t = 0; t < THREADS; t++)
        REQUIRE(pthread_join(threads[t], NULL) == 0);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return control(), 0;
    for (int64_t i = 0; prf_isa_at(i); i++)
        if (prf_isa_at(i)->runs && prf_isa_at(i)->runs()) {
            queries(prf_isa_at(i)->engine, NO_INT8);
            queries(prf_isa_at(i)->engine, CAUCHY);
            within(prf_isa_at(i)->engine);
        }
    return 0;
}
