/* k-th distances and counts for others: a serial pass over packed super-blocks of references; what is
 * counted the int8 filter decides first, where that pays.
 *
 * Queries are searched a block at a time, so that memory is bounded, whatever the sets.          */
#include <stdlib.h>
#include <string.h>

#include "prfast.h"
#include "public/distances_pass.h"
#include "public/check.h"
#include "public/fill.h"

enum { NEAREST_BYTES = 1 << 25 }; /* of the nearest references of a block of queries */

/* ---- k-th distances ---- */

/* Reservoirs of `queries` queries. */
static int nearest_make(prf_nearest *nearest, int64_t queries, int64_t k)
{
    int64_t capacity = 2 * k + 16;
    size_t all = (size_t)queries * (size_t)capacity, each = (size_t)queries;
    *nearest = (prf_nearest){.k = k, .capacity = capacity};
    nearest->lo = malloc(all * sizeof *nearest->lo);
    nearest->hi = malloc(all * sizeof *nearest->hi);
    nearest->ref = malloc(all * sizeof *nearest->ref);
    nearest->fill = malloc(each * sizeof *nearest->fill);
    nearest->tau = malloc(each * sizeof *nearest->tau);
    int there = nearest->lo && nearest->hi && nearest->ref && nearest->fill && nearest->tau;
    return there ? PRFAST_OK : PRFAST_NO_MEMORY;
}

static void nearest_free(prf_nearest *nearest)
{
    free(nearest->lo), free(nearest->hi), free(nearest->ref);
    free(nearest->fill), free(nearest->tau);
}

static void nearest_begin(prf_nearest *nearest, int64_t first, int64_t count)
{
    nearest->first_query = first;
    for (int64_t i = 0; i < count; i++) {
        nearest->fill[i] = 0;
        nearest->tau[i] = INFINITY;
    }
}

static int kth_of(prf_search *s, prf_nearest *nearest, int64_t queries, const int64_t *ks,
                  int64_t ks_count, int64_t first, int64_t count, double *d2)
{
    int64_t n = s->pass.refs.count;
    for (int64_t at = 0; at < count; at += queries) {
        int64_t size = count - at < queries ? count - at : queries;
        nearest_begin(nearest, first + at, size);
        for (int64_t ref = 0; ref < n; ref += s->room) {
            if (at == 0 || s->room < n)
                TRY(prf_load(s, ref));
            TRY(prf_over_blocks(s, s->engine->nearest, nearest, first + at, size, PRF_QUERY_BLOCK));
        }
        prf_kth kth = {.state = nearest, .ks = ks, .ks_count = ks_count, .first_query = first + at,
                       .d2 = d2 + at * ks_count};
        TRY(prf_over_blocks(s, prf_reservoir_kth, &kth, first + at, size, PRF_QUERY_BLOCK));
    }
    return PRFAST_OK;
}

static int check_ks(const int64_t *ks, int64_t ks_count, int64_t count, int64_t neighbors,
                    int64_t *largest)
{
    TRY(check_array(ks, sizeof *ks));
    TRY(check_size(ks_count, 1, MOST_NUMBERS / count));
    *largest = 0;
    for (int64_t s = 0; s < ks_count; s++) {
        if (ks[s] < 1 || ks[s] > neighbors)
            return PRFAST_BAD_K;
        *largest = ks[s] > *largest ? ks[s] : *largest;
    }
    return PRFAST_OK;
}

static int check_range_of(const prfast_points *queries, int64_t first, int64_t count)
{
    TRY(check_size(first, 0, queries->count - 1));
    return check_size(count, 1, queries->count - first);
}

static int same_points(const prfast_points *one, const prfast_points *other)
{
    return one->rows == other->rows && one->count == other->count && one->dim == other->dim &&
           one->stride == other->stride && one->wide == other->wide;
}

int prfast_kth_distances(const prfast_points *queries, const prfast_points *refs, int within,
                         const int64_t *ks, int64_t ks_count, int64_t first, int64_t count,
                         double *d2)
{
    int64_t k;
    TRY(check_flag(within));
    TRY(prf_check_points(refs));
    if (within && !queries)
        queries = refs;
    TRY(prf_check_points(queries));
    if (within && !same_points(queries, refs))
        return PRFAST_BAD_OPTION;
    if (queries->dim != refs->dim)
        return PRFAST_BAD_SIZE;
    TRY(check_range_of(queries, first, count));
    TRY(check_array(d2, sizeof *d2));
    TRY(check_ks(ks, ks_count, count, refs->count - within, &k));

    prf_points all = prf_points_of(queries, 0, queries->count);
    prf_points seen = prf_points_of(queries, first, count);
    prf_points others = prf_points_of(refs, 0, refs->count);
    int64_t together = prf_share(count, 24 * (2 * k + 16), NEAREST_BYTES, PRF_QUERY_BLOCK);
    prf_search s;
    prf_nearest nearest = {0};
    int status = prf_search_begin(&s, &all, &others, &seen);
    s.pass.self = within;
    if (status == PRFAST_OK)
        status = nearest_make(&nearest, together, k);
    if (status == PRFAST_OK)
        status = kth_of(&s, &nearest, together, ks, ks_count, first, count, d2);
    nearest_free(&nearest);
    prf_search_end(&s);
    return status;
}

/* ---- counts ---- */

/* Queries that are searched together: with the int8 filter more of them, which reads rows of references
 * less often. */
static int64_t block_of(const prf_search *s, int64_t count)
{
    int64_t blocks = s->pass.int8 ? count / (4 * PRF_QUERY_BLOCK) : 1;
    return PRF_QUERY_BLOCK * (blocks < 1 ? 1 : blocks > 10 ? 10 : blocks);
}

static int count_all(prf_search *s, prf_count *task, int64_t count, int64_t *cols)
{
    for (int64_t ref = 0; ref < s->pass.refs.count; ref += s->room) {
        prf_fused fused = {.tasks = task, .tasks_count = 1};
        int64_t block = block_of(s, count);
        TRY(prf_load(s, ref));
        prf_count_prepare(&s->pass, task);
        if (s->pass.int8 && task->ref_t) {
            prf_int8_arm(&s->pass, task->ref_t, s->arms);
            fused.ref_half = s->arms;
        }
        if (cols)
            memset(task->cols, 0, (size_t)s->room * sizeof *task->cols);
        TRY(prf_over_blocks(s, s->engine->fused, &fused, 0, count, block));
        for (int64_t i = 0; cols && i < s->pass.ref_count; i++)
            cols[ref + i] += task->cols[i];
    }
    return PRFAST_OK;
}

int prfast_count(const prfast_points *queries, const prfast_points *refs, const double *query_t,
                 const double *ref_t, int closed, int64_t first, int64_t count, int64_t *rows,
                 int64_t *cols)
{
    TRY(check_flag(closed));
    TRY(prf_check_points(queries));
    TRY(prf_check_points(refs));
    if (queries->dim != refs->dim)
        return PRFAST_BAD_SIZE;
    TRY(check_range_of(queries, first, count));
    if (!query_t == !ref_t)
        return PRFAST_BAD_OPTION;
    TRY(check_optional(query_t, sizeof *query_t));
    TRY(check_optional(ref_t, sizeof *ref_t));
    TRY(check_optional(rows, sizeof *rows));
    TRY(check_optional(cols, sizeof *cols));
    if (query_t)
        TRY(check_numbers(query_t + first, count, -INFINITY, INFINITY));
    else
        TRY(check_numbers(ref_t, refs->count, -INFINITY, INFINITY));

    /* Queries of the range alone: their rows, thresholds and counts begin with it. */
    prf_points some = prf_points_of(queries, first, count);
    prf_points others = prf_points_of(refs, 0, refs->count);
    prf_search s;
    int status = prf_search_begin(&s, &some, &others, &some);
    size_t room = (size_t)s.room;
    prf_count task = {
        .query_t = query_t ? query_t + first : NULL, .ref_t = ref_t, .closed = closed, .rows = rows,
        .possible = malloc(room * sizeof(float)), .certain = malloc(room * sizeof(float)),
        .cols = cols ? malloc(room * sizeof(int32_t)) : NULL,
    };
    if (status == PRFAST_OK && !(task.possible && task.certain && (task.cols || !cols)))
        status = PRFAST_NO_MEMORY;
    if (status == PRFAST_OK && prf_int8_pays(&s))
        status = prf_use_int8(&s);
    if (status == PRFAST_OK && rows)
        memset(rows, 0, (size_t)count * sizeof *rows);
    if (status == PRFAST_OK)
        status = count_all(&s, &task, count, cols);
    free(task.possible), free(task.certain), free(task.cols);
    prf_search_end(&s);
    return status;
}

/* ---- the table ---- */

static void fill(prfast_api *api)
{
    api->kth_distances = prfast_kth_distances;
    api->count = prfast_count;
}

const prf_part prf_distances_part = {fill};
