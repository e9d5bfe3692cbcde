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

/* What NR references add to the comparison, with a radius or without one. */
typedef struct {
    vf inverse[2], half[2], first[2];
    const float *second; /* NULL: (A) has none */
} int8_refs;

static inline int8_refs int8_refs_of(const prf_int8 *refs, const float *half, const float *first,
                                     int64_t ref)
{
    int8_refs terms = {.second = refs->cauchy ? refs->second + ref : NULL};
    for (int v = 0; v < 2; v++) {
        terms.inverse[v] = vf_load(refs->inverse + ref + v * VF);
        terms.half[v] = vf_load(half + ref + v * VF);
        terms.first[v] = vf_load(first + ref + v * VF);
    }
    return terms;
}

/* Which of the NR references of a row reach half inverse[r] + inverse half[r] + first first[r]
 * + second second[r]?  One bit each. */
static inline unsigned int8_reach(const vf dots[2], const prf_int8_terms *x, const int8_refs *refs)
{
    vf h = vf_set1(x->half), s = vf_set1(x->inverse), e = vf_set1(x->first);
    unsigned bits = 0;
    for (int v = 0; v < 2; v++) {
        vf sum = refs->second ? vf_fma(vf_set1(x->second), vf_load(refs->second + v * VF), vf_zero())
                              : vf_zero();
        sum = vf_fma(e, refs->first[v], sum);
        sum = vf_fma(s, refs->half[v], sum);
        sum = vf_fma(h, refs->inverse[v], sum);
        bits |= vf_ge(dots[v], sum) << (v * VF);
    }
    return bits;
}

/* sums[i][r] = start + Σ_j q_i[j] code_r[j] of the strip at `query` and the panel at `ref`; exact. */
#ifdef VI_DOT
typedef vi int8_sums[MR][2];
#define int8_row(sums, i, v) vi_float((sums)[i][v])
#else
typedef int32_t int8_sums[MR][NR];
static inline vf int8_row(int8_sums sums, int i, int v)
{
    float row[VF];
    for (int l = 0; l < VF; l++)
        row[l] = (float)sums[i][v * VF + l];
    return vf_load(row);
}
#endif

static inline void int8_dots(const int8_block *b, int64_t query, int64_t ref, int8_sums sums)
{
    int64_t width = b->pass->int8->width;
    const int8_t *strip = b->strips + query * width;
    const uint8_t *panel = b->pass->int8->codes + ref * width;
    const int32_t *start = b->start + query;
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
    for (int i = 0; i < MR; i++)
        for (int v = 0; v < 2; v++)
            sums[i][v] = sum[i][v];
#else
    for (int i = 0; i < MR; i++)
        for (int r = 0; r < NR; r++)
            sums[i][r] = start[i];
    for (int64_t j = 0; j < width; j += 4, strip += 4 * MR, panel += 4 * NR)
        for (int i = 0; i < MR; i++)
            for (int r = 0; r < NR; r++)
                for (int k = 0; k < 4; k++)
                    sums[i][r] += (int)strip[4 * i + k] * (int)panel[4 * r + k];
#endif
}

/* A tile: the pairs of each row that may be within a radius, and the dot products of those rows as
 * float32.  0: none.                                                                           */
static inline unsigned int8_tile(const int8_block *b, int sides, int64_t query, int64_t ref,
                                 unsigned *rows, float *dots)
{
    const prf_int8 *refs = b->pass->int8;
    unsigned any = 0;
    int8_sums sums;
    int8_dots(b, query, ref, sums);
    int8_refs plain = {.second = NULL}, armed = plain;
    if (sides & OF_QUERIES)
        plain = int8_refs_of(refs, refs->half, refs->first, ref);
    if (sides & OF_REFS)
        armed = int8_refs_of(refs, b->ref_half, b->ref_first, ref);
    for (int i = 0; i < MR; i++) {
        vf row[2] = {int8_row(sums, i, 0), int8_row(sums, i, 1)};
        rows[i] = 0;
        if (sides & OF_QUERIES)
            rows[i] = int8_reach(row, b->armed + query + i, &plain);
        if (sides & OF_REFS)
            rows[i] |= int8_reach(row, b->terms + query + i, &armed);
        any |= rows[i];
        if (rows[i]) {
            vf_store(dots + i * NR, row[0]);
            vf_store(dots + i * NR + VF, row[1]);
        }
    }
    return any;
}

static void int8_hand_on(int8_block *b)
{
    if (b->waiting)
        b->few(b->self, b->query, b->ref, b->dot, b->waiting);
    b->waiting = 0;
}

/* A strip of queries against the references [from, to); `sides` is the block's, a constant where the
 * tile is to know it. */
static inline void int8_strip(int8_block *b, int sides, int64_t query, int64_t from, int64_t to)
{
    float dots[MR * NR];
    unsigned rows[MR];
    for (int64_t ref = from; ref < to; ref += NR) {
        if (!int8_tile(b, sides, query, ref, rows, dots))
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

/* References of a group, whose codes stay in the second-level cache; where rows are short, the rows as
 * well.                                                                                          */
static int64_t int8_group(const prf_pass *pass)
{
    int64_t width = pass->int8->width, each = width <= 128 ? 4 * width : width;
    int64_t group = INT8_GROUP_BYTES / (each * NR) * NR;
    return group < NR ? NR : group > INT8_GROUP_MOST ? INT8_GROUP_MOST : group;
}

/* A group of references, [from, to). */
static void int8_visit(int8_block *b, int64_t from, int64_t to)
{
    for (int64_t query = 0; query < b->count; query += MR) {
        if (b->sides == OF_QUERIES)
            int8_strip(b, OF_QUERIES, query, from, to);
        else if (b->sides == OF_REFS)
            int8_strip(b, OF_REFS, query, from, to);
        else
            int8_strip(b, OF_QUERIES | OF_REFS, query, from, to);
    }
}
