/* The int8 filter: a block of queries against groups of references, four products a lane at a time.
 *
 * References are unsigned, q + I8_OFFSET; a query's sums start at −I8_OFFSET Σ q.  A strip of queries
 * goes over a group that stays in the second-level cache, and what its tiles leave possible is handed
 * on at once, so that the rows of the group are still near.                                       */

enum { INT8_GROUP_BYTES = 256 * 1024, INT8_GROUP_MOST = 2048, INT8_FEW = 8192, INT8_QUERY_LEVELS = 127 };

enum { OF_QUERIES = 1, OF_REFS = 2 }; /* who bears a radius */

/* A block of queries and what is done with it.
 * terms: of the queries without a radius; armed: with theirs, which `few` may change; both [padded].
 * ref_half, ref_first [room]: references armed with theirs.  few: pairs that may be within a radius,
 * queries by their number in the block and references by that in the super-block, in the order of
 * strips; never more than INT8_FEW.                                                              */
typedef struct {
    const prf_pass *pass;
    int64_t count, waiting;
    int8_t *strips; /* [strips][width / 4][MR][4] */
    int32_t *start; /* [padded] */
    prf_int8_point *points;
    prf_int8_terms *terms, *armed;
    const float *ref_half, *ref_first;
    int sides;
    int32_t *query, *ref;
    float *dot;
    void (*few)(void *self, const int32_t *query, const int32_t *ref, const float *dot, int64_t count);
    void *self;
    void *memory;
} int8_block;

/* Row i of the points into its column of a strip or panel of `across` rows, plus an offset. */
static int32_t int8_column(const prf_points *points, int64_t i, const prf_pass *pass, int levels,
                           int offset, int64_t across, float *row, uint8_t *column,
                           prf_int8_point *point)
{
    int64_t width = pass->int8->width, room = prf_rotate_room(width);
    int8_t *q = (int8_t *)(row + 2 * room);
    int32_t sum = prf_quantise(points, i, pass->centre, pass->scale, levels, width, row,
                               row + room, q, point);
    for (int64_t j = 0; j < width; j += 4, column += 4 * across) {
        uint8_t four[4] = {(uint8_t)(q[j] + offset), (uint8_t)(q[j + 1] + offset),
                           (uint8_t)(q[j + 2] + offset), (uint8_t)(q[j + 3] + offset)};
        memcpy(column, four, 4);
    }
    return sum;
}

/* Bytes of int8_column's scratch. */
static size_t int8_scratch(int64_t width)
{
    return (size_t)prf_rotate_room(width) * (2 * sizeof(float) + 1);
}

static prf_status int8_pack(const prf_pass *pass, int64_t first, int64_t count, void *into,
                            prf_work *work)
{
    const prf_int8 *to = pass->int8;
    prf_int8_bound bound = prf_int8_bound_of(pass);
    float *row = malloc(int8_scratch(to->width));
    (void)into;
    (void)work;
    if (!row)
        return PRF_NO_MEMORY;
    for (int64_t i = first; i < round_up(first + count, NR); i++) {
        uint8_t *column = to->codes + i / NR * NR * to->width + i % NR * 4;
        prf_int8_terms terms = {INFINITY, 0.0f, 0.0f, 0.0f};
        if (i < pass->ref_count) {
            int8_column(&pass->refs, pass->ref_first + i, pass, I8_LEVELS, I8_OFFSET, NR, row,
                        column, to->points + i);
            terms = prf_int8_of_ref(&bound, to->points + i, 0.0);
        } else
            for (int64_t j = 0; j < to->width; j += 4)
                memset(column + j * NR, 0, 4);
        to->half[i] = terms.half;
        to->inverse[i] = terms.inverse;
        to->first[i] = terms.first;
        to->second[i] = terms.second;
    }
    free(row);
    return PRF_OK;
}

static prf_status int8_make(int8_block *b, const prf_pass *pass, int64_t first, int64_t count)
{
    int64_t width = pass->int8->width, padded = round_up(count, MR);
    prf_int8_bound bound = prf_int8_bound_of(pass);
    size_t each = 2 * sizeof(prf_int8_terms) + sizeof(prf_int8_point) + sizeof(int32_t);
    char *memory = malloc((size_t)padded * each + INT8_FEW * 3 * sizeof(float) +
                          int8_scratch(width) + (size_t)(padded * width));
    if (!memory)
        return PRF_NO_MEMORY;
    b->pass = pass;
    b->count = count;
    b->waiting = 0;
    b->memory = memory;
    b->terms = (prf_int8_terms *)(void *)memory;
    b->armed = b->terms + padded;
    b->points = (prf_int8_point *)(b->armed + padded);
    b->start = (int32_t *)(b->points + padded);
    b->query = b->start + padded;
    b->ref = b->query + INT8_FEW;
    b->dot = (float *)(b->ref + INT8_FEW);
    float *row = b->dot + INT8_FEW;
    b->strips = (int8_t *)row + int8_scratch(width);
    for (int64_t i = 0; i < padded; i++) {
        int8_t *column = b->strips + i / MR * MR * width + i % MR * 4;
        prf_int8_terms terms = {INFINITY, 0.0f, 0.0f, 0.0f}; /* padding reaches nothing */
        b->start[i] = 0;
        if (i < count) {
            b->start[i] = -I8_OFFSET * int8_column(&pass->queries, first + i, pass,
                                                   INT8_QUERY_LEVELS, 0, MR, row,
                                                   (uint8_t *)column, b->points + i);
            terms = prf_int8_of_query(&bound, b->points + i, 0.0);
        } else
            for (int64_t j = 0; j < width; j += 4)
                memset(column + j * MR, 0, 4);
        b->terms[i] = b->armed[i] = terms;
    }
    return PRF_OK;
}

/* dots[i][r] = Σ_j q_i[j] q_r[j], exact integers rounded once, to float32. */
static inline void int8_tile(const int8_t *strip, const uint8_t *panel, int64_t width,
                             const int32_t *start, float *dots)
{
#ifdef VI_DOT
    vi sum[MR][2];
    for (int i = 0; i < MR; i++)
        sum[i][0] = sum[i][1] = vi_set1(start[i]);
    for (int64_t j = 0; j < width; j += 4, strip += 4 * MR, panel += 4 * NR) {
        vi left = vi_load(panel), right = vi_load(panel + 4 * VF);
        for (int i = 0; i < MR; i++) {
            vi q = vi_four(strip + 4 * i);
            VI_DOT(sum[i][0], left, q);
            VI_DOT(sum[i][1], right, q);
        }
    }
    for (int i = 0; i < MR; i++) {
        vf_store(dots + i * NR, vi_float(sum[i][0]));
        vf_store(dots + i * NR + VF, vi_float(sum[i][1]));
    }
#else
    int32_t sum[MR][NR];
    for (int i = 0; i < MR; i++)
        for (int r = 0; r < NR; r++)
            sum[i][r] = start[i];
    for (int64_t j = 0; j < width; j += 4, strip += 4 * MR, panel += 4 * NR)
        for (int i = 0; i < MR; i++)
            for (int r = 0; r < NR; r++)
                for (int b = 0; b < 4; b++)
                    sum[i][r] += (int)strip[4 * i + b] * (int)panel[4 * r + b];
    for (int i = 0; i < MR; i++)
        for (int r = 0; r < NR; r++)
            dots[i * NR + r] = (float)sum[i][r];
#endif
}

/* Which of the NR references of a row reach half inverse[r] + inverse half[r] − first first[r]
 * − second second[r]?  One bit each. */
static inline unsigned int8_reach(const float *row, const prf_int8_terms *x, const prf_int8 *refs,
                                  const float *half, const float *first, int64_t ref)
{
    vf h = vf_set1(x->half), s = vf_set1(x->inverse), e = vf_set1(-x->first), zero = vf_zero();
    unsigned bits = 0;
    for (int v = 0; v < 2; v++) {
        int64_t r = ref + v * VF;
        vf sum = refs->cauchy ? vf_fma(vf_set1(-x->second), vf_load(refs->second + r), zero) : zero;
        sum = vf_fma(e, vf_load(first + r), sum);
        sum = vf_fma(s, vf_load(half + r), sum);
        sum = vf_fma(h, vf_load(refs->inverse + r), sum);
        bits |= vf_ge(vf_load(row + v * VF), sum) << (v * VF);
    }
    return bits;
}

static void int8_hand_on(int8_block *b)
{
    if (b->waiting)
        b->few(b->self, b->query, b->ref, b->dot, b->waiting);
    b->waiting = 0;
}

/* A strip of queries against the references [from, to). */
static void int8_strip(int8_block *b, int64_t query, int64_t from, int64_t to)
{
    const prf_int8 *refs = b->pass->int8;
    float dots[MR * NR];
    for (int64_t ref = from; ref < to; ref += NR) {
        unsigned rows[MR], any = 0;
        int8_tile(b->strips + query * refs->width, refs->codes + ref * refs->width, refs->width,
                  b->start + query, dots);
        for (int i = 0; i < MR; i++) {
            unsigned bits = 0;
            if (b->sides & OF_QUERIES)
                bits = int8_reach(dots + i * NR, b->armed + query + i, refs, refs->half,
                                  refs->first, ref);
            if (b->sides & OF_REFS)
                bits |= int8_reach(dots + i * NR, b->terms + query + i, refs, b->ref_half,
                                   b->ref_first, ref);
            rows[i] = bits;
            any |= bits;
        }
        if (!any)
            continue;
        if (b->waiting > INT8_FEW - MR * NR)
            int8_hand_on(b);
        for (int i = 0; i < MR; i++)
            for (unsigned left = rows[i]; left; left &= left - 1) {
                int r = first_bit(left);
                b->query[b->waiting] = (int32_t)(query + i);
                b->ref[b->waiting] = (int32_t)(ref + r);
                b->dot[b->waiting++] = dots[i * NR + r];
            }
    }
    int8_hand_on(b);
}

/* All the references that are packed, group by group. */
static void int8_visit(int8_block *b)
{
    int64_t width = b->pass->int8->width, count = b->pass->ref_count;
    int64_t group = INT8_GROUP_BYTES / (width * NR) * NR;
    group = group < NR ? NR : group > INT8_GROUP_MOST ? INT8_GROUP_MOST : group;
    for (int64_t from = 0; from < count; from += group)
        for (int64_t query = 0; query < b->count; query += MR)
            int8_strip(b, query, from, from + group < count ? from + group : count);
}
