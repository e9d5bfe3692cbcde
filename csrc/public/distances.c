/* k-th distances and counts for others: a serial pass over packed super-blocks of references; what is
 * counted the int8 filter decides first, where that pays.
 *
 * Queries are looked at a block at a time, so that memory is bounded, whatever the sets.          */
#include <stdlib.h>
#include <string.h>

#include "prfast.h"
#include "public/distances_pass.h"
#include "public/check.h"
#include "public/fill.h"

enum { KEPT = 1 << 25 }; /* bytes of what is kept of the nearest */

/* ---- k-th distances ---- */

/* Reservoirs of `queries` queries. */
static int kept_make(prf_nearest *kept, int64_t queries, int64_t k)
{
    int64_t capacity = 2 * k + 16;
    size_t all = (size_t)queries * (size_t)capacity, each = (size_t)queries;
    *kept = (prf_nearest){.k = k, .capacity = capacity};
    kept->lo = malloc(all * sizeof *kept->lo);
    kept->hi = malloc(all * sizeof *kept->hi);
    kept->ref = malloc(all * sizeof *kept->ref);
    kept->fill = malloc(each * sizeof *kept->fill);
    kept->tau = malloc(each * sizeof *kept->tau);
    int there = kept->lo && kept->hi && kept->ref && kept->fill && kept->tau;
    return there ? PRFAST_OK : PRFAST_NO_MEMORY;
}

static void kept_free(prf_nearest *kept)
{
    free(kept->lo), free(kept->hi), free(kept->ref), free(kept->fill), free(kept->tau);
}

static void kept_begin(prf_nearest *kept, int64_t first, int64_t count)
{
    kept->first_query = first;
    for (int64_t i = 0; i < count; i++) {
        kept->fill[i] = 0;
        kept->tau[i] = INFINITY;
    }
}

static int kth_of(prf_looking *l, prf_nearest *kept, int64_t queries, const int64_t *ks,
                  int64_t ks_count, int64_t first, int64_t count, double *d2)
{
    int64_t n = l->pass.refs.count;
    for (int64_t at = 0; at < count; at += queries) {
        int64_t size = count - at < queries ? count - at : queries;
        kept_begin(kept, first + at, size);
        for (int64_t ref = 0; ref < n; ref += l->room) {
            if (at == 0 || l->room < n)
                TRY(prf_load(l, ref));
            TRY(prf_over_blocks(l, l->engine->nearest, kept, first + at, size, PRF_QUERY_BLOCK));
        }
        prf_kth kth = {.state = kept, .ks = ks, .ks_count = ks_count, .first_query = first + at,
                       .d2 = d2 + at * ks_count};
        TRY(prf_over_blocks(l, prf_reservoir_kth, &kth, first + at, size, PRF_QUERY_BLOCK));
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
    int64_t together = prf_share(count, 24 * (2 * k + 16), KEPT, PRF_QUERY_BLOCK);
    prf_looking l;
    prf_nearest kept = {0};
    int status = prf_looking_begin(&l, &all, &others, &seen);
    l.pass.self = within;
    if (status == PRFAST_OK)
        status = kept_make(&kept, together, k);
    if (status == PRFAST_OK)
        status = kth_of(&l, &kept, together, ks, ks_count, first, count, d2);
    kept_free(&kept);
    prf_looking_end(&l);
    return status;
}

/* ---- counts ---- */

/* Queries that are looked at together: with the int8 filter more of them, which reads rows of references
 * less often. */
static int64_t block_of(const prf_looking *l, int64_t count)
{
    int64_t blocks = l->pass.int8 ? count / (4 * PRF_QUERY_BLOCK) : 1;
    return PRF_QUERY_BLOCK * (blocks < 1 ? 1 : blocks > 10 ? 10 : blocks);
}

static int count_all(prf_looking *l, prf_count *task, int64_t count, int64_t *cols)
{
    for (int64_t ref = 0; ref < l->pass.refs.count; ref += l->room) {
        prf_fused fused = {.tasks = task, .tasks_count = 1};
        int64_t block = block_of(l, count);
        TRY(prf_load(l, ref));
        prf_count_prepare(&l->pass, task);
        if (l->pass.int8 && task->ref_t) {
            prf_int8_arm(&l->pass, task->ref_t, l->arms, l->arms + l->room);
            fused.ref_half = l->arms;
            fused.ref_first = l->arms + l->room;
        }
        if (cols)
            memset(task->cols, 0, (size_t)l->room * sizeof *task->cols);
        TRY(prf_over_blocks(l, l->engine->fused, &fused, 0, count, block));
        for (int64_t i = 0; cols && i < l->pass.ref_count; i++)
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
    prf_looking l;
    int status = prf_looking_begin(&l, &some, &others, &some);
    size_t room = (size_t)l.room;
    prf_count task = {
        .query_t = query_t ? query_t + first : NULL, .ref_t = ref_t, .closed = closed, .rows = rows,
        .possible = malloc(room * sizeof(float)), .certain = malloc(room * sizeof(float)),
        .cols = cols ? malloc(room * sizeof(int32_t)) : NULL,
    };
    if (status == PRFAST_OK && !(task.possible && task.certain && (task.cols || !cols)))
        status = PRFAST_NO_MEMORY;
    if (status == PRFAST_OK && prf_int8_pays(&l))
        status = prf_use_int8(&l);
    if (status == PRFAST_OK && rows)
        memset(rows, 0, (size_t)count * sizeof *rows);
    if (status == PRFAST_OK)
        status = count_all(&l, &task, count, cols);
    free(task.possible), free(task.certain), free(task.cols);
    prf_looking_end(&l);
    return status;
}

/* ---- the table ---- */

static void fill(prfast_api *api)
{
    api->kth_distances = prfast_kth_distances;
    api->count = prfast_count;
}

const prf_part prf_distances_part = {fill};
