/* The int8 filter: references packed for it, and a block of queries.
 *
 * References are unsigned, q + I8_OFFSET; a query's sums start at −I8_OFFSET Σ q, so that what comes out is
 * the dot product of the integers.                                                                */

enum { INT8_FEW = 8192 /* pairs that wait to be handed on */ };

_Static_assert(MR * NR <= INT8_FEW, "a tile is handed on at once");
_Static_assert(PRF_INT8_DEEPEST % I8_DEEP == 0, "a row is whole steps of a tile");

enum { OF_QUERIES = 1, OF_REFS = 2, OF_LISTS = 4 }; /* who bears a radius */

/* A block of queries and what is done with it.
 * terms: of the queries without a radius; armed: with theirs, which `few` may change; both [padded].
 * ref_half [room]: references armed with theirs.  few: pairs that may be within a radius,
 * queries by their number in the block and references by that in the super-block, in the order of
 * strips; never more than INT8_FEW.  rows: lists that take in unrefined keys (unrefined.h), where the limits of
 * lists are radii; full: one has to be cut. */
typedef struct {
    const prf_pass *pass;
    int64_t count, waiting;
    int8_t *strips; /* [strips][width / I8_DEEP][MR][I8_DEEP] */
    int32_t *start; /* [padded] */
    prf_int8_point *points;
    prf_int8_terms *terms, *armed;
    const float *ref_half;
    int sides;
    int32_t *query, *ref;
    float *dot;
    void (*few)(void *self, const int32_t *query, const int32_t *ref, const float *dot, int64_t count);
    list *rows;
    int64_t most; /* keys of a list without one of a panel */
    void (*full)(void *self, int64_t query);
    void *self;
    int64_t taken; /* unrefined keys */
    void *memory;
} int8_block;

/* Row i of the points into its column of a strip or panel of `across` rows, plus an offset; row: the
 * scratch.                                                                                       */
static int32_t int8_column(const prf_points *points, int64_t i, const prf_pass *pass, int levels,
                           int offset, int64_t across, float *row, uint8_t *column,
                           prf_int8_point *point)
{
    int64_t width = pass->int8->width, room = prf_rotate_room(width);
    int8_t *q = (int8_t *)(row + 3 * room);
    int32_t sum = prf_quantize(points, i, pass->center, pass->scale, levels, width, row + 2 * room,
                               row, row + room, q, point);
    for (int64_t j = 0; j < width; j += I8_DEEP, column += I8_DEEP * across) {
        uint8_t some[I8_DEEP];
        for (int k = 0; k < I8_DEEP; k++)
            some[k] = (uint8_t)(q[j + k] + offset);
        memcpy(column, some, I8_DEEP);
    }
    return sum;
}

/* Bytes of int8_column's scratch: two rows, the signs of columns, integers. */
static size_t int8_scratch(int64_t width)
{
    return (size_t)prf_rotate_room(width) * (3 * sizeof(float) + 1);
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
    prf_signs(to->width, row + 2 * prf_rotate_room(to->width));
    for (int64_t i = first; i < round_up(first + count, NR); i++) {
        uint8_t *column = to->codes + i / NR * NR * to->width + i % NR * I8_DEEP;
        prf_int8_terms terms = {INFINITY, 0.0f, 0.0f, 0.0f};
        if (i < pass->ref_count) {
            int8_column(&pass->refs, pass->ref_first + i, pass, I8_LEVELS, I8_OFFSET, NR, row,
                        column, to->points + i);
            terms = prf_int8_of_ref(&bound, to->points + i, 0.0);
        } else
            for (int64_t j = 0; j < to->width; j += I8_DEEP)
                memset(column + j * NR, 0, I8_DEEP);
        to->half[i] = terms.half;
        to->inverse[i] = terms.inverse;
        to->first[i] = terms.first;
        to->second[i] = terms.second;
        to->step[i] = i < pass->ref_count ? to->points[i].step : 1.0f;
    }
    free(row);
    return PRF_OK;
}

/* Memory for a block of so many queries; the scratch of a row in *row. */
static prf_status int8_room(int8_block *b, const prf_pass *pass, int64_t count, float **row)
{
    int64_t width = pass->int8->width, padded = round_up(count, MR);
    size_t each = 2 * sizeof(prf_int8_terms) + sizeof(prf_int8_point) + sizeof(int32_t);
    char *memory = malloc((size_t)padded * each + INT8_FEW * 3 * sizeof(float) +
                          int8_scratch(width) + (size_t)(padded * width));
    if (!memory)
        return PRF_NO_MEMORY;
    b->pass = pass;
    b->count = count;
    b->waiting = 0;
    b->taken = 0;
    b->memory = memory;
    b->terms = (prf_int8_terms *)(void *)memory;
    b->armed = b->terms + padded;
    b->points = (prf_int8_point *)(b->armed + padded);
    b->start = (int32_t *)(b->points + padded);
    b->query = b->start + padded;
    b->ref = b->query + INT8_FEW;
    b->dot = (float *)(b->ref + INT8_FEW);
    *row = b->dot + INT8_FEW;
    b->strips = (int8_t *)*row + int8_scratch(width);
    return PRF_OK;
}

/* Where the integers of query i begin, I8_DEEP of every MR. */
static int8_t *int8_place(const int8_block *b, int64_t i)
{
    return b->strips + i / MR * MR * b->pass->int8->width + i % MR * I8_DEEP;
}

/* A query that there is not: it reaches nothing. */
static void int8_padding(int8_block *b, int64_t i)
{
    int8_t *column = int8_place(b, i);
    for (int64_t j = 0; j < b->pass->int8->width; j += I8_DEEP)
        memset(column + j * MR, 0, I8_DEEP);
    b->start[i] = 0;
    b->terms[i] = b->armed[i] = (prf_int8_terms){INFINITY, 0.0f, 0.0f, 0.0f};
}

static prf_status int8_make(int8_block *b, const prf_pass *pass, int64_t first, int64_t count)
{
    int64_t width = pass->int8->width;
    prf_int8_bound bound = prf_int8_bound_of(pass);
    float *row;
    if (int8_room(b, pass, count, &row) != PRF_OK)
        return PRF_NO_MEMORY;
    prf_signs(width, row + 2 * prf_rotate_room(width));
    for (int64_t i = 0; i < count; i++) {
        b->start[i] = -I8_OFFSET * int8_column(&pass->queries, first + i, pass, I8_LEVELS,
                                               0, MR, row, (uint8_t *)int8_place(b, i),
                                               b->points + i);
        b->terms[i] = b->armed[i] = prf_int8_of_query(&bound, b->points + i, 0.0);
    }
    for (int64_t i = count; i < round_up(count, MR); i++)
        int8_padding(b, i);
    return PRF_OK;
}

/* Queries that are the packed references [first, first + count), copied from there. */
static prf_status int8_make_within(int8_block *b, const prf_pass *pass, int64_t first, int64_t count)
{
    const prf_int8 *from = pass->int8;
    prf_int8_bound bound = prf_int8_bound_of(pass);
    float *row;
    if (int8_room(b, pass, count, &row) != PRF_OK)
        return PRF_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        int64_t point = first + i;
        const uint8_t *codes = from->codes + point / NR * NR * from->width + point % NR * I8_DEEP;
        int8_t *column = int8_place(b, i);
        int32_t sum = 0;
        for (int64_t j = 0; j < from->width; j += I8_DEEP)
            for (int k = 0; k < I8_DEEP; k++) {
                int q = (int)(I8_OFFSET ? codes[j * NR + k] : (uint8_t)(codes[j * NR + k] ^ 128)) -
                        (I8_OFFSET ? I8_OFFSET : 128);
                column[j * MR + k] = (int8_t)q;
                sum += q;
            }
        b->start[i] = -I8_OFFSET * sum;
        b->points[i] = from->points[point];
        b->terms[i] = b->armed[i] = prf_int8_of_query(&bound, b->points + i, 0.0);
    }
    for (int64_t i = count; i < round_up(count, MR); i++)
        int8_padding(b, i);
    return PRF_OK;
}
