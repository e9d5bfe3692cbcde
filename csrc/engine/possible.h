/* What the int8 filter leaves possible, for tests. */

typedef struct {
    const prf_possible *out;
    const int8_block *block;
    int64_t first, refs;
    prf_int8_bound bound;
} possible;

static void possible_few(void *self, const int32_t *query, const int32_t *ref, const float *dot,
                         int64_t count)
{
    const possible *v = self;
    const prf_possible *out = v->out;
    for (int64_t l = 0; l < count; l++) {
        int64_t at = (v->first + query[l]) * v->refs + ref[l];
        out->candidates[v->first + query[l]]++;
        if (out->possible)
            out->possible[at] = 1;
        if (!out->lo)
            continue;
        (out->by == 0   ? prf_int8_interval
         : out->by == 1 ? prf_int8_triangle
                          : prf_int8_cauchy)(&v->bound, v->block->points + query[l],
                                             v->block->pass->int8->points + ref[l], dot[l],
                                             out->lo + at, out->hi + at);
        out->lo[at] /= v->bound.square;
        out->hi[at] /= v->bound.square;
    }
}

static prf_status possible_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                                 prf_work *work)
{
    const prf_possible *out = into;
    int64_t room = round_up(pass->ref_count, NR);
    int8_block block;
    (void)work;
    prf_status status = int8_make(&block, pass, first, count);
    if (status != PRF_OK)
        return status;
    float *arms = malloc((size_t)(2 * room) * sizeof *arms);
    possible v = {out, &block, first, pass->ref_count, prf_int8_bound_of(pass)};
    block.few = possible_few;
    block.self = &v;
    block.sides = (out->query_t ? OF_QUERIES : 0) | (out->ref_t ? OF_REFS : 0);
    if (out->query_t)
        for (int64_t i = 0; i < count; i++)
            block.armed[i] = prf_int8_of_query(&v.bound, block.points + i, out->query_t[first + i]);
    if (out->ref_t && arms) {
        prf_int8_arm(pass, out->ref_t, arms, arms + room);
        block.ref_half = arms;
        block.ref_first = arms + room;
    }
    int64_t group = int8_group(pass), count_of_refs = pass->ref_count;
    for (int64_t from = 0; arms && from < count_of_refs; from += group)
        for (int64_t query = 0; query < count; query += MR)
            int8_visit(&block, query, from,
                       from + group < count_of_refs ? from + group : count_of_refs);
    free(block.memory);
    status = arms ? PRF_OK : PRF_NO_MEMORY;
    free(arms);
    return status;
}
