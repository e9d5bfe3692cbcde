/* Lists within a set, every pair once.
 *
 * All points are packed, so a tile of dot products belongs to MR points by their strips and to NR by
 * their panel; a key is the same for both ends of its pair, and is offered to the lists of both.
 */

/* Strips of the points [first, first + count), copied from their panels. */
static prf_status scratch_within(scratch *s, const prf_pass *pass, int64_t first, int64_t count)
{
    int64_t dim = pass->refs.dim, padded = round_up(count, MR);
    scratch_cut(s, pass);
    size_t floats = (size_t)(padded * dim + (s->slices > 1 ? padded * s->group : MR * NR));
    s->memory = calloc(floats, sizeof(float));
    if (!s->memory)
        return PRF_NO_MEMORY;
    s->strips = s->memory;
    s->dots = s->strips + padded * dim;
    s->norms = pass->norms + first;
    for (int64_t i = 0; i < count;) { /* as many as lie in one strip and in one panel */
        int64_t point = first + i, run = MR - i % MR;
        run = run < NR - point % NR ? run : NR - point % NR;
        run = run < count - i ? run : count - i;
        const float *packed = pass->panels + point / NR * NR * dim + point % NR;
        float *column = s->strips + i / MR * MR * dim + i % MR;
        for (int64_t j = 0; j < dim; j++)
            memcpy(column + j * MR, packed + j * NR, (size_t)run * sizeof *column);
        i += run;
    }
    return PRF_OK;
}

typedef struct {
    const prf_pass *pass;
    prf_lists *lists;
    const scratch *s;
    int64_t first, count;
    int64_t refined; /* none: for `visit` */
} meeting;

/* Take a row of keys into the list of point i. */
static inline void meet_row(const meeting *m, int64_t i, int64_t ref, vf left, vf right,
                            unsigned wanted)
{
    prf_lists *lists = m->lists;
    int64_t at = i * lists->capacity + lists->fill[i], fill = lists->fill[i];
    int taken = vf_take(lists->key + at, lists->ref + at, left, (int32_t)ref,
                        wanted & ((1u << VF) - 1));
    at += taken;
    taken += vf_take(lists->key + at, lists->ref + at, right, (int32_t)ref + VF, wanted >> VF);
    fill += taken;
    lists->fill[i] = (int32_t)fill;
    if (list_is_full(lists, fill)) {
        list l = list_of(lists, i);
        list_cut(lists, &m->s->bound, m->pass->norms[i], &l);
        list_keep(lists, i, &l);
    }
}

/* Take one key into the list of point `ref`. */
static inline void meet_back(const meeting *m, int64_t ref, int64_t i, float key)
{
    prf_lists *lists = m->lists;
    int64_t at = ref * lists->capacity + lists->fill[ref];
    lists->key[at] = key;
    lists->ref[at] = (int32_t)i;
    if (list_is_full(lists, ++lists->fill[ref])) {
        list l = list_of(lists, ref);
        list_cut(lists, &m->s->bound, m->pass->norms[ref], &l);
        list_keep(lists, ref, &l);
    }
}

/* One bit for each of the NR references from ref on that come after point i. */
static inline unsigned after(int64_t i, int64_t ref)
{
    return i < ref ? ~0u : i + 1 - ref < NR ? ~0u << (i + 1 - ref) : 0u;
}

static void meet_tile(void *self, const float *dots, int64_t query, int64_t ref, int64_t to)
{
    const meeting *m = self;
    const prf_pass *pass = m->pass;
    const float *limits = m->lists->limit + ref;
    int64_t end = query + MR < m->count ? query + MR : m->count;
    float keys_here[NR];
    (void)to; /* padding has the key +inf */
    for (int64_t i = m->first + query; i < m->first + end; i++, dots += NR) {
        vf left, right, limit = vf_set1(m->lists->limit[i]);
        row_keys(dots, pass->half_lo + ref, pass->half_lo[i], &left, &right);
        unsigned later = after(i, ref);
        unsigned here = (vf_ge(limit, left) | vf_ge(limit, right) << VF) & later;
        unsigned back = (vf_ge(vf_load(limits), left) | vf_ge(vf_load(limits + VF), right) << VF) &
                        later;
        if (m->lists->fill[i] >= 0) /* given up: its limit lets nothing in */
            meet_row(m, i, ref, left, right, here);
        if (!back)
            continue;
        vf_store(keys_here, left);
        vf_store(keys_here + VF, right);
        for (; back; back &= back - 1)
            meet_back(m, ref + first_bit(back), i, keys_here[first_bit(back)]);
    }
}

static prf_status triangle_block(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                                 int64_t to, prf_lists *lists, prf_work *work)
{
    scratch s;
    prf_status status = scratch_within(&s, pass, first, count);
    if (status != PRF_OK)
        return status;
    meeting m = {pass, lists, &s, first, count, 0};
    reduction r = {meet_tile, NULL, &m, &m.refined, NULL};
    status = visit(pass, &s, count, from, to, &r, work);
    free(s.memory);
    return status;
}

/* Rows of parts, block by block. */
static prf_status triangle(const prf_pass *pass, int64_t first, int64_t count, void *into,
                           prf_work *work)
{
    const prf_triangle *within = into;
    prf_status status = PRF_OK;
    for (int64_t row = first; row < first + count; row++) {
        const int64_t *part = within->parts + 4 * row;
        for (int64_t i = part[0]; i < part[1] && status == PRF_OK; i += PRF_QUERY_BLOCK) {
            int64_t end = i + PRF_QUERY_BLOCK < part[1] ? i + PRF_QUERY_BLOCK : part[1];
            status = triangle_block(pass, i, end - i, i > part[2] ? i : part[2], part[3],
                                    within->lists, work);
        }
    }
    return status;
}
