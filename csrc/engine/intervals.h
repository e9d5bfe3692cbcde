/* What the filter knows of every pair, for tests. */

typedef struct {
    const prf_pass *pass;
    const scratch *s;
    int64_t count;
    double *lo, *hi;
} intervals;

static void intervals_tile(void *self, const float *dots, int64_t query, int64_t ref, int64_t to)
{
    const intervals *v = self;
    const prf_pass *pass = v->pass;
    for (int64_t i = query; i < query + MR && i < v->count; i++)
        for (int64_t r = ref; r < ref + NR && r < to; r++)
            prf_interval(&v->s->bound, v->s->norms[i] + pass->norms[r],
                         dots[(i - query) * NR + r - ref], v->lo + i * pass->ref_count + r,
                         v->hi + i * pass->ref_count + r);
}

static prf_status intervals_block(const prf_pass *pass, int64_t first, int64_t count, void *into,
                                  prf_work *work)
{
    const prf_intervals *out = into;
    int64_t refined = 0;
    scratch s;
    prf_status status = scratch_make(&s, pass, first, count, 1);
    if (status != PRF_OK)
        return status;
    intervals v = {pass, &s, count, out->lo, out->hi};
    (void)work;
    reduction r = {intervals_tile, NULL, &v, &refined, NULL, NULL, 16};
    for (int64_t from = 0; from < pass->ref_count; from += s.group) /* also where the filter is off */
        visit_tiles(pass, &s, count, from,
                    from + s.group < pass->ref_count ? from + s.group : pass->ref_count, &r);
    free(s.memory);
    return PRF_OK;
}
