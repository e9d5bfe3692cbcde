/* The radix sort for one type of SCORE, with a KEY as wide and optionally a weight beside it;
 * included by sort.c once for each type.
 *
 * Scores are compared through an unsigned image of their bits, sign and magnitude as an offset:
 *
 *     key = SIGN + magnitude   of a positive score,   SIGN − magnitude   of a negative one.
 *
 * Keys ascend as scores do, and -0.0 and 0.0 have one key, that of 0.0.
 */
#define SIGN ((KEY)1 << (8 * sizeof(KEY) - 1))

static inline KEY NAME(key_of)(SCORE score)
{
    KEY bits;
    memcpy(&bits, &score, sizeof bits);
    return bits & SIGN ? 0 - bits : bits | SIGN;
}

static inline SCORE NAME(score_of)(KEY key)
{
    KEY bits = key & SIGN ? key ^ SIGN : 0 - key;
    SCORE score;
    memcpy(&score, &bits, sizeof score);
    return score;
}

/* What a pass reads or writes: scores, or if that is NULL keys; weights may be NULL. */
typedef struct {
    SCORE *scores;
    KEY *keys;
    double *weights;
} NAME(column);

/* Put numbers where their digit's place is, those of one digit in the order in which they came. */
static inline void NAME(move)(const SCORE *scores, const KEY *keys, const double *weights,
                              NAME(column) to, int64_t n, int shift, KEY digit, int64_t *place)
{
    for (int64_t i = 0; i < n; i++) {
        KEY key = scores ? NAME(key_of)(scores[i]) : keys[i];
        int64_t at = place[key >> shift & digit]++;
        if (to.scores)
            to.scores[at] = NAME(score_of)(key);
        else
            to.keys[at] = key;
        if (weights)
            to.weights[at] = weights[i];
    }
}

/* How often each value of each of `passes` digits occurs, in one read. */
static inline void NAME(count)(const SCORE *scores, int64_t n, int shift, int bits, int passes,
                               int64_t *counts)
{
    for (int64_t i = 0; i < n; i++) {
        KEY key = NAME(key_of)(scores[i]) >> shift;
        for (int pass = 0; pass < passes; pass++, key >>= bits)
            counts[((KEY)pass << bits) + (key & (((KEY)1 << bits) - 1))]++;
    }
}

/* Sort by `passes` digits of so many bits, the lowest at `shift`.  The last pass reads the buffer
 * column and writes scores; those before it write the buffer column and `sorted`, as keys, in turn.
 * places[passes << bits]: room.                                                                   */
static void NAME(by_digits)(const SCORE *scores, const double *weights, int64_t n, int shift, int bits,
                            int passes, NAME(column) buffer, NAME(column) sorted, int64_t *places)
{
    KEY digit = ((KEY)1 << bits) - 1;
    memset(places, 0, ((size_t)passes << bits) * sizeof *places);
    if (bits == MANY_BITS && passes == ENOUGH)
        NAME(count)(scores, n, shift, MANY_BITS, ENOUGH, places); /* the usual numbers, as constants */
    else
        NAME(count)(scores, n, shift, bits, passes, places);
    for (int pass = 0; pass < passes; pass++)
        running_sums(places + ((size_t)pass << bits), (int64_t)1 << bits);
    NAME(column) keys = {NULL, (KEY *)sorted.scores, sorted.weights};
    if (passes == 1) {
        NAME(move)(scores, NULL, weights, sorted, n, shift, digit, places);
        return;
    }
    NAME(column) from = passes % 2 ? keys : buffer, to = passes % 2 ? buffer : keys;
    NAME(move)(scores, NULL, weights, from, n, shift, digit, places);
    for (int pass = 1; pass < passes - 1; pass++) {
        places += digit + 1;
        NAME(move)(NULL, from.keys, from.weights, to, n, shift + pass * bits, digit, places);
        NAME(column) other = from;
        from = to;
        to = other;
    }
    places += digit + 1;
    NAME(move)(NULL, from.keys, from.weights, sorted, n, shift + (passes - 1) * bits, digit, places);
}

/* Insertion, for numbers that are nearly in order: steps backwards are counted, and more than two a
 * number are too many: 0. */
static int NAME(straighten)(NAME(column) sorted, int64_t n)
{
    int64_t steps = 0;
    for (int64_t i = 1; i < n && steps <= 2 * n; i++) {
        SCORE score = sorted.scores[i];
        if (!(sorted.scores[i - 1] > score))
            continue;
        double weight = sorted.weights ? sorted.weights[i] : 0.0;
        int64_t at = i;
        for (; at > 0 && sorted.scores[at - 1] > score; at--) {
            sorted.scores[at] = sorted.scores[at - 1];
            if (sorted.weights)
                sorted.weights[at] = sorted.weights[at - 1];
        }
        sorted.scores[at] = score;
        if (sorted.weights)
            sorted.weights[at] = weight;
        steps += i - at;
    }
    return steps <= 2 * n;
}

static prf_status NAME(sort)(const SCORE *scores, const double *weights, int64_t n,
                             SCORE *sorted_scores, double *sorted_weights)
{
    KEY differ = 0; /* the bits in which two keys differ are at low .. high - 1 */
    for (int64_t i = 1; i < n; i++)
        differ |= NAME(key_of)(scores[i]) ^ NAME(key_of)(scores[0]);
    if (!differ) {
        memcpy(sorted_scores, scores, (size_t)n * sizeof *scores);
        if (weights)
            memcpy(sorted_weights, weights, (size_t)n * sizeof *weights);
        return PRF_OK;
    }
    int low = 0, high = 8 * (int)sizeof(KEY);
    while (!(differ >> low & 1))
        low++;
    while (!(differ >> (high - 1)))
        high--;
    int bits = n < MANY ? FEW_BITS : MANY_BITS;
    int passes = (high - low + bits - 1) / bits;

    size_t room = ((size_t)passes << bits) * sizeof(int64_t);
    size_t widths = sizeof(KEY) + (weights ? sizeof(double) : 0);
    char *scratch = malloc(room + (size_t)n * widths);
    if (!scratch)
        return PRF_NO_MEMORY;
    int64_t *places = (void *)scratch;
    double *buffer_weights = weights ? (double *)(void *)(scratch + room) : NULL;
    KEY *buffer_keys = (KEY *)(void *)(scratch + room + (weights ? (size_t)n * sizeof(double) : 0));
    NAME(column) buffer = {NULL, buffer_keys, buffer_weights};
    NAME(column) sorted = {sorted_scores, NULL, sorted_weights};
    int few = passes > ENOUGH;
    if (few) {
        NAME(by_digits)(scores, weights, n, high - ENOUGH * bits, bits, ENOUGH, buffer, sorted, places);
        few = NAME(straighten)(sorted, n);
    }
    if (!few)
        NAME(by_digits)(scores, weights, n, low, bits, passes, buffer, sorted, places);
    free(scratch);
    return PRF_OK;
}
#undef SIGN
