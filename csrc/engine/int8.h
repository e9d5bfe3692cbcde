/* The int8 filter: a block of queries against groups of references, four products a lane at a time.
 *
 * A strip of queries goes over a group that stays in the second-level cache, and what its tiles leave
 * possible is handed on at once, so that the rows of the group are still near.                    */

enum { INT8_GROUP_BYTES = 768 * 1024, INT8_GROUP_MOST = 2048 };

/* What NR references add to the comparison, with a radius or without one. */
typedef struct {
    vf inverse[2], half[2], first[2];
    const float *second;
} int8_refs;

static inline int8_refs int8_refs_of(const prf_int8 *refs, const float *half, int64_t ref)
{
    int8_refs terms = {.second = refs->second + ref};
    for (int v = 0; v < 2; v++) {
        terms.inverse[v] = vf_load(refs->inverse + ref + v * VF);
        terms.half[v] = vf_load(half + ref + v * VF);
        terms.first[v] = vf_load(refs->first + ref + v * VF);
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
        vf sum = vf_mul(vf_set1(x->second), vf_load(refs->second + v * VF));
        sum = vf_fma(e, refs->first[v], sum);
        sum = vf_fma(s, refs->half[v], sum);
        sum = vf_fma(h, refs->inverse[v], sum);
        bits |= vf_ge(dots[v], sum) << (v * VF);
    }
    return bits;
}

/* sums[i][r] = start + Σ_j q_i[j] code_r[j] of the strip at `query` and the panel at `ref`; exact. */
#if defined(VI_DOT) || defined(VI_DOTS) || defined(VI_BLOCK)
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
#if defined(VI_BLOCK)
    enum { BLOCKS = NR / 2 };
    _Static_assert(!I8_OFFSET && MR % 2 == 0 && BLOCKS % 2 == 0, "sums start at zero, pairs of rows");
    vi block[MR / 2][BLOCKS];
    (void)start;
    for (int i = 0; i < MR / 2; i++)
        for (int r = 0; r < BLOCKS; r++)
            block[i][r] = vi_set1(0);
    for (int64_t j = 0; j < width; j += I8_DEEP, strip += I8_DEEP * MR, panel += I8_DEEP * NR)
        for (int i = 0; i < MR / 2; i++) {
            vi q = vi_load(strip + 2 * I8_DEEP * i);
            for (int r = 0; r < BLOCKS; r++)
                VI_BLOCK(block[i][r], q, vi_load(panel + 2 * I8_DEEP * r));
        }
    for (int i = 0; i < MR; i += 2)
        for (int v = 0; v < 2; v++) {
            vi left = block[i / 2][2 * v], right = block[i / 2][2 * v + 1];
            sums[i][v] = vi_upper(left, right);
            sums[i + 1][v] = vi_lower(left, right);
        }
#elif defined(VI_DOT) || defined(VI_DOTS)
    vi sum[MR][2];
    UNROLLED
    for (int i = 0; i < MR; i++)
        sum[i][0] = sum[i][1] = vi_set1(start[i]);
#if defined(VI_DOTS)
    for (int64_t j = 0; j < width; j += 8, strip += 8 * MR, panel += 8 * NR)
        for (int v = 0; v < 2; v++) {
            vi near = vi_load(panel + 4 * VF * v), far = vi_load(panel + 4 * (NR + VF * v));
            UNROLLED
            for (int i = 0; i < MR; i++)
                VI_DOTS(sum[i][v], near, vi_four(strip + 4 * i), far, vi_four(strip + 4 * (MR + i)));
        }
#else
    for (int64_t j = 0; j < width; j += 4, strip += 4 * MR, panel += 4 * NR) {
        vi left = vi_load(panel), right = vi_load(panel + 4 * VF);
        UNROLLED
        for (int i = 0; i < MR; i++) {
            vi q = vi_four(strip + 4 * i);
            VI_DOT(sum[i][0], left, q);
            VI_DOT(sum[i][1], right, q);
        }
    }
#endif
    UNROLLED
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

/* Lower ends of V of a row, T = 0:  (half inverse[r] + inverse half[r] + first first[r]
 * + second second[r] − dot) step step[r].  Three more roundings than the comparison has: 11 ε of the
 * sum of the terms' sizes, 55 ε where 40 ε are for 8 (filter/int8.h), less than the 64 ε there are.  */
static inline void int8_keys(const vf dots[2], const prf_int8_terms *x, float step,
                             const int8_refs *refs, const float *steps, vf key[2])
{
    vf h = vf_set1(x->half), s = vf_set1(x->inverse), e = vf_set1(x->first), own = vf_set1(step);
    for (int v = 0; v < 2; v++) {
        vf sum = vf_mul(vf_set1(x->second), vf_load(refs->second + v * VF));
        sum = vf_fma(e, refs->first[v], sum);
        sum = vf_fma(s, refs->half[v], sum);
        sum = vf_fma(h, refs->inverse[v], sum);
        vf grid = vf_mul(own, vf_load(steps + v * VF));
        key[v] = vf_mul(vf_sub(sum, dots[v]), grid);
    }
}

/* Offer a row's unrefined keys to the list of its query. */
static inline void int8_offer(int8_block *b, int64_t query, int64_t ref, const vf key[2])
{
    list *l = &b->rows[query];
    vf limit = vf_set1(l->limit);
    unsigned left = vf_ge(limit, key[0]), right = vf_ge(limit, key[1]);
    if (!(left | right))
        return;
    int32_t at = unrefined_of(b->pass->ref_first + ref);
    int64_t fill = l->fill;
    int64_t middle = fill + vf_take(l->key + fill, l->ref + fill, key[0], at, left);
    l->fill = middle + vf_take(l->key + middle, l->ref + middle, key[1], at + VF, right);
    b->taken += l->fill - fill;
    if (l->fill > b->most)
        b->full(b->self, query);
}

/* A first test of a strip's pairs, for both sides at once and without what differs from row to row but the
 * norm: the comparison of int8_reach, times a query's step, with the largest spread of the strip,
 *
 *     dot step  >=  min(armed inverse[r] + own[r], plain inverse[r] + theirs[r]),
 *     own[r] = half[r] + first first[r] + second second[r],     theirs[r]: with the references' T.
 *
 * What the spread is larger by than that of a row is subtracted, and more than its rounding.  `step` and the
 * products with it instead of `inverse` are two roundings more: 10 ε of the sum of the terms' sizes where
 * 8 ε are reckoned with, 50 of 64 ε (filter/int8.h).
 * NaN are padding's alone, and reach nothing.                                                     */
typedef struct {
    float step[MR], armed[MR], plain[MR];
    vf first[2], second[2]; /* of the armed, of the plain */
} int8_rows;

static int8_rows int8_rows_of(const int8_block *b, int64_t query)
{
    int8_rows rows;
    float first[2] = {0.0f, 0.0f}, second[2] = {0.0f, 0.0f};
    for (int i = 0; i < MR; i++) {
        const prf_int8_terms *x[2] = {b->armed + query + i, b->terms + query + i};
        float step = rows.step[i] = query + i < b->count ? b->points[query + i].step : 1.0f;
        rows.armed[i] = x[0]->half * step;
        rows.plain[i] = x[1]->half * step;
        for (int s = 0; s < 2; s++) {
            float one = x[s]->first * step, two = x[s]->second * step;
            first[s] = one < first[s] ? one : first[s];
            second[s] = two < second[s] ? two : second[s];
        }
    }
    for (int s = 0; s < 2; s++) {
        rows.first[s] = vf_set1(first[s]);
        rows.second[s] = vf_set1(second[s]);
    }
    return rows;
}

/* The pairs of each row that may be within a radius, by the first test; 0: none. */
static inline unsigned int8_first(const int8_block *b, const int8_rows *of, int64_t ref,
                                  int8_sums sums, unsigned *rows)
{
    const prf_int8 *refs = b->pass->int8;
    vf inverse[2], own[2], theirs[2];
    unsigned any = 0;
    for (int v = 0; v < 2; v++) {
        int64_t at = ref + v * VF;
        vf second = vf_load(refs->second + at);
        inverse[v] = vf_load(refs->inverse + at);
        own[v] = vf_fma(of->first[0], vf_load(refs->first + at), vf_load(refs->half + at));
        own[v] = vf_fma(of->second[0], second, own[v]);
        theirs[v] = vf_set1(INFINITY);
        if (b->sides & OF_REFS) {
            theirs[v] = vf_fma(of->first[1], vf_load(refs->first + at), vf_load(b->ref_half + at));
            theirs[v] = vf_fma(of->second[1], second, theirs[v]);
        }
    }
    UNROLLED
    for (int i = 0; i < MR; i++) {
        vf step = vf_set1(of->step[i]), armed = vf_set1(of->armed[i]), plain = vf_set1(of->plain[i]);
        unsigned half[2];
        for (int v = 0; v < 2; v++) {
            vf least = vf_min(vf_fma(plain, inverse[v], theirs[v]), vf_fma(armed, inverse[v], own[v]));
            half[v] = vf_ge(vf_mul(int8_row(sums, i, v), step), least);
        }
        rows[i] = half[0] | half[1] << VF;
        any |= rows[i];
    }
    return any;
}

/* Those that are left of a row after the test of it alone, with both sides' radii. */
static inline unsigned int8_second(const int8_block *b, int64_t query, int64_t ref, const vf dots[2])
{
    const prf_int8 *refs = b->pass->int8;
    unsigned bits = 0;
    if (b->sides & OF_QUERIES) {
        int8_refs plain = int8_refs_of(refs, refs->half, ref);
        bits = int8_reach(dots, b->armed + query, &plain);
    }
    if (b->sides & OF_REFS) {
        int8_refs armed = int8_refs_of(refs, b->ref_half, ref);
        bits |= int8_reach(dots, b->terms + query, &armed);
    }
    return bits;
}

/* Rows of a tile that are for lists. */
static inline void int8_more(int8_block *b, int64_t query, int64_t ref, int8_sums sums)
{
    const prf_int8 *refs = b->pass->int8;
    int8_refs plain = int8_refs_of(refs, refs->half, ref);
    int end = b->count - query < MR ? (int)(b->count - query) : MR;
    for (int i = 0; i < end; i++) {
        vf row[2] = {int8_row(sums, i, 0), int8_row(sums, i, 1)}, key[2];
        const prf_int8_terms *x = b->terms + query + i;
        float step = b->points[query + i].step;
        int8_keys(row, x, step, &plain, refs->step + ref, key);
        int8_offer(b, query + i, ref, key);
    }
}

static void int8_hand_on(int8_block *b)
{
    if (b->waiting)
        b->few(b->self, b->query, b->ref, b->dot, b->waiting);
    b->waiting = 0;
}

/* Pairs of a tile that may be within a radius, by their rows' bits. */
static inline void int8_wait(int8_block *b, int64_t query, int64_t ref, int8_sums sums,
                             const unsigned *rows)
{
    if (b->waiting > INT8_FEW - MR * NR)
        int8_hand_on(b);
    for (int i = 0; i < MR; i++) {
        if (!rows[i])
            continue;
        vf row[2] = {int8_row(sums, i, 0), int8_row(sums, i, 1)};
        float dots[NR];
        vf_store(dots, row[0]);
        vf_store(dots + VF, row[1]);
        for (unsigned left = int8_second(b, query + i, ref, row); left; left &= left - 1) {
            int r = first_bit(left);
            b->query[b->waiting] = (int32_t)(query + i);
            b->ref[b->waiting] = (int32_t)(ref + r);
            b->dot[b->waiting++] = dots[r];
        }
    }
}

/* References of a group, whose codes and rows stay in the second-level cache. */
static int64_t int8_group(const prf_pass *pass)
{
    int64_t group = INT8_GROUP_BYTES / (5 * pass->int8->width * NR) * NR;
    return group < NR ? NR : group > INT8_GROUP_MOST ? INT8_GROUP_MOST : group;
}

/* A strip of queries and a group of references, [from, to). */
static void int8_visit(int8_block *b, int64_t query, int64_t from, int64_t to)
{
    int radii = b->sides & (OF_QUERIES | OF_REFS), more = b->sides & OF_LISTS;
    int8_rows of = int8_rows_of(b, query);
    int8_sums sums;
    unsigned rows[MR];
    for (int64_t ref = from; ref < to; ref += NR) {
        int8_dots(b, query, ref, sums);
        if (radii && int8_first(b, &of, ref, sums, rows))
            int8_wait(b, query, ref, sums, rows);
        if (more)
            int8_more(b, query, ref, sums);
    }
    int8_hand_on(b);
}
