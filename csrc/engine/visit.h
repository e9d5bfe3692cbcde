/* A block of queries against a super-block of references, tile by tile. */

/* The dot products of a whole block with the references [from, to) of a group, slice by slice; `stride`
 * tiles from one strip to the next.                                                              */
static void group_dots(const scratch *s, const float *panels, int64_t dim, int64_t count,
                       int64_t from, int64_t to, int64_t stride, float *dots)
{
    for (int64_t slice = 0; slice < s->slices; slice++) {
        int64_t j = dim * slice / s->slices, end = dim * (slice + 1) / s->slices;
        for (int64_t query = 0; query < count; query += MR) {
            float *out = dots + query * stride * NR;
            for (int64_t ref = from; ref < to; ref += NR, out += MR * NR)
                dot_tile(s->strips + query * dim + j * MR, panels + ref * dim + j * NR, end - j,
                         slice > 0, out);
        }
    }
}

/* The keys of a whole block and the references [from, to), group by group: all panels of a strip, then those
 * of the next.  NULL without memory.                                                              */
static float *key_tiles(const scratch *s, const prf_pass *pass, const float *lo, int64_t count,
                        int64_t from, int64_t to)
{
    int64_t dim = pass->refs.dim, panels = (to - from + NR - 1) / NR;
    float *made = malloc((size_t)(round_up(count, MR) * panels * NR) * sizeof *made), *tile = made;
    if (!made)
        return NULL;
    for (int64_t ref = from; ref < to; ref += s->group) {
        int64_t end = ref + s->group < to ? ref + s->group : to;
        group_dots(s, pass->panels, dim, count, ref, end, panels, made + (ref - from) * MR);
    }
    for (int64_t query = 0; query < count; query += MR)
        for (int64_t ref = from; ref < to; ref += NR, tile += MR * NR)
            keys_of_dots(pass->half_lo + ref, lo + query, tile);
    return made;
}

/* A query's row of these. */
static void key_row(const float *tiles, int64_t panels, int64_t query, float *key)
{
    const float *row = tiles + (query / MR * panels * MR + query % MR) * NR;
    for (int64_t panel = 0; panel < panels; panel++, row += MR * NR)
        memcpy(key + panel * NR, row, NR * sizeof *key);
}

/* What a reduction does with a block: `tile` with MR × NR dot products of the queries from `query` on
 * and the references from `ref` on, or with keys where the queries' `lo` is given, whole strips of it;
 * `exact` with D of some queries and of 2 VD references, rows of 2 VD.  Queries at `count` and beyond,
 * and references at `to` and beyond, are padding.                                                 */
typedef struct {
    void (*tile)(void *self, const float *tile, int64_t query, int64_t ref, int64_t to);
    void (*exact)(void *self, const double *d2, int64_t query, int64_t queries, int64_t ref,
                  int64_t to);
    void *self;
    const int64_t *refined; /* pairs that the reduction has computed in float64 so far */
    void (*seen)(void *self, int64_t to); /* the references below `to` have passed; may be NULL */
    const float *lo;
    int64_t in; /* given up where more than one pair in so many needs D */
} reduction;

static void visit_exact(const prf_pass *pass, const scratch *s, int64_t count, int64_t from,
                        int64_t to, const reduction *r)
{
    double d2[4 * 2 * VD];
    for (int64_t ref = from; ref < to; ref += 2 * VD) {
        exact_panel(pass, ref, s->panel);
        for (int64_t query = 0; query < count; query += 4) {
            int64_t queries = count - query < 4 ? count - query : 4;
            exact_tile(s->rows + query * pass->refs.dim, queries, s->panel, pass->refs.dim, d2);
            r->exact(r->self, d2, query, queries, ref, to);
        }
    }
}

/* Has the filter left so many of the pairs undecided, one in `in`, that computing every D is cheaper? */
static inline int useless(int64_t refined, int64_t pairs, int64_t in)
{
    return refined > 2048 + pairs / in;
}

static void visit_tiles(const prf_pass *pass, const scratch *s, int64_t count, int64_t from,
                        int64_t to, const reduction *r)
{
    int64_t dim = pass->refs.dim;
    float *tile = s->dots;
    if (s->slices > 1)
        group_dots(s, pass->panels, dim, count, from, to, (to - from + NR - 1) / NR, tile);
    for (int64_t query = 0; query < count; query += MR)
        for (int64_t ref = from; ref < to; ref += NR) {
            const float *strip = s->strips + query * dim, *panel = pass->panels + ref * dim;
            if (s->slices == 1 && r->lo)
                key_tile(strip, panel, dim, pass->half_lo + ref, r->lo + query, tile);
            else if (s->slices == 1)
                dot_tile(strip, panel, dim, 0, tile);
            else if (r->lo)
                keys_of_dots(pass->half_lo + ref, r->lo + query, tile);
            r->tile(r->self, tile, query, ref, to);
            tile += s->slices > 1 ? MR * NR : 0;
        }
}

/* A block against the references [from, to), group by group, through the filter or, where it is off
 * or has proved useless, without it.  A reduction without `exact` leaves nothing to D.            */
static void visit(const prf_pass *pass, const scratch *s, int64_t count, int64_t from,
                        int64_t to, const reduction *r, prf_work *work)
{
    int exact = pass->exact;
    int64_t pairs = 0, before = *r->refined;
    for (int64_t start = from; start < to; start += s->group) {
        int64_t end = start + s->group < to ? start + s->group : to;
        exact = exact || useless(*r->refined - before, pairs, r->in);
        if (exact) {
            visit_exact(pass, s, count, start, end, r);
            work->unfiltered += count * (end - start);
        } else {
            work->float32 += count * (end - start);
            visit_tiles(pass, s, count, start, end, r);
            pairs += count * (end - start);
        }
        if (r->seen)
            r->seen(r->self, end);
    }
}
