/* Lists: of each query the references with the smallest keys so far, 8 bytes each (prfast.h).
 *
 * A list takes in every key at or below its limit.  Where it is full, it is cut to what may still be
 * among the k nearest: with t its k-th smallest key, keys above prf_key_beyond(t) are not.  Where
 * that is nearly all of it (ties), the list is given up: it has no limit, and takes in nothing.
 */

/* The mark of an unrefined key's reference (unrefined.h), and the reference of any key. */
static inline int32_t unrefined_of(int64_t ref)
{
    return (int32_t)(ref + INT32_MIN);
}

static inline int is_unrefined(int32_t ref)
{
    return ref < 0;
}

static inline int32_t ref_of(int32_t ref)
{
    return ref & INT32_MAX;
}

/* The list of a query during a pass over its block. */
typedef struct {
    float *key;
    int32_t *ref;
    int64_t fill;
    float limit;
    int gave_up;
} list;

static list list_of(const prf_lists *lists, int64_t query)
{
    int64_t row = query - lists->first_query, at = row * lists->capacity;
    list l = {lists->key + at, lists->ref + at, lists->fill[row], lists->limit[row], 0};
    if (l.limit > FLT_MAX) /* padding has the key +inf */
        l.limit = FLT_MAX;
    if (l.fill < 0) {
        l.fill = 0;
        l.gave_up = 1;
    }
    return l;
}

static void list_keep(const prf_lists *lists, int64_t query, const list *l)
{
    int64_t row = query - lists->first_query;
    lists->fill[row] = l->gave_up ? -1 : (int32_t)l->fill;
    lists->limit[row] = l->gave_up ? -INFINITY : l->limit;
}

enum { LISTS_AHEAD = 2 }; /* lists that are on their way from memory while one is read */

static inline void list_soon(const list *l)
{
    int64_t fill = l->fill < 256 ? l->fill : 256;
    vf_soon(l->key, fill);
    vf_soon((const float *)(const void *)l->ref, fill);
}

/* Room for a panel more is all that is ever needed. */
static inline int list_is_full(const prf_lists *lists, int64_t fill)
{
    return fill > lists->capacity - NR;
}

/* Enough beside the k nearest that their limit falls if it is cut: heads leave fewer pairs open then. */
static inline int is_ripe(const prf_lists *lists, int64_t fill)
{
    return fill >= lists->k + lists->k / 2 + 4;
}

static int64_t keys_to(const float *key, int64_t count, float most)
{
    vf highest = vf_set1(most);
    int64_t total = 0, i = 0;
    for (; i + 2 * VF <= count; i += 2 * VF)
        total += bit_count(vf_ge(highest, vf_load(key + i)) |
                           vf_ge(highest, vf_load(key + i + VF)) << VF);
    for (; i < count; i++)
        total += key[i] <= most;
    return total;
}

/* The same of two arrays. */
typedef struct {
    const float *key[2];
    int64_t fill[2];
} both_keys;

static int64_t of_keys_to(const both_keys *of, float most)
{
    return keys_to(of->key[0], of->fill[0], most) + keys_to(of->key[1], of->fill[1], most);
}

/* Float32 numbers in their order as integers, and back. */
static inline int32_t ordered(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? bits ^ 0x7fffffff : bits;
}

static inline float from_ordered(int32_t at)
{
    int32_t bits = at < 0 ? at ^ 0x7fffffff : at;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The largest key at or below a number, and the smallest above it. */
static void around(const both_keys *of, float middle, float *below, float *above)
{
    vf mid = vf_set1(middle), low = vf_set1(-INFINITY), high = vf_set1(INFINITY);
    vf most = low, least = high;
    float lows[VF], highs[VF];
    *below = -INFINITY;
    *above = INFINITY;
    for (int s = 0; s < 2; s++) {
        int64_t i = 0;
        for (; i + VF <= of->fill[s]; i += VF) {
            vf key = vf_load(of->key[s] + i);
            most = vf_max(most, vf_if_ge(mid, key, key, low));
            least = vf_min(least, vf_if_ge(mid, key, high, key));
        }
        for (; i < of->fill[s]; i++) {
            float key = of->key[s][i];
            if (key <= middle)
                *below = key > *below ? key : *below;
            else
                *above = key < *above ? key : *above;
        }
    }
    vf_store(lows, most);
    vf_store(highs, least);
    for (int l = 0; l < VF; l++) {
        *below = lows[l] > *below ? lows[l] : *below;
        *above = highs[l] < *above ? highs[l] : *above;
    }
}

static float least_key(const both_keys *of)
{
    vf least = vf_set1(INFINITY);
    float lows[VF], lowest = INFINITY;
    for (int s = 0; s < 2; s++) {
        int64_t i = 0;
        for (; i + VF <= of->fill[s]; i += VF)
            least = vf_min(least, vf_load(of->key[s] + i));
        for (; i < of->fill[s]; i++)
            lowest = of->key[s][i] < lowest ? of->key[s][i] : lowest;
    }
    vf_store(lows, least);
    for (int l = 0; l < VF; l++)
        lowest = lows[l] < lowest ? lows[l] : lowest;
    return lowest;
}

/* Short arrays in one, filled up with +inf to whole vectors, if they are not already. */
enum { TOGETHER = 512 };

static both_keys together(const both_keys *of, float *room)
{
    int64_t fill = 0;
    for (int s = 0; s < 2; s++)
        for (int64_t i = 0; i < of->fill[s]; i++)
            room[fill++] = of->key[s][i];
    for (; fill % (2 * VF); fill++)
        room[fill] = INFINITY;
    return (both_keys){{room, room}, {fill, 0}};
}

/* Roughly a logarithm of x > 0, in steps of 2⁻²³. */
static inline double roughly_log(double x)
{
    return (double)ordered((float)x);
}

/* Where the number of keys, which grows about exponentially, is about that of the rank. */
static inline float guessed_key(float low, float high, int64_t below, double rank, int64_t through)
{
    double from = roughly_log(below > 0 ? (double)below : 0.5);
    double share = (roughly_log(rank) - from) / (roughly_log((double)through) - from);
    return (float)((double)low + ((double)high - (double)low) * share);
}

/* The k-th smallest of the least keys of buckets, every BUCKETS-th key in one: at least k keys are at or
 * below it and, where k is small, seldom more than one or two others.  +inf where some are equal.  */
enum { BUCKETS = VF >= 16 ? VF : 2 * VF };

static float bucket_key(const float *key, int64_t fill, int64_t k)
{
    enum { VECTORS = BUCKETS / VF };
    vf least[VECTORS], rank[VECTORS], one = vf_set1(1.0f), at = vf_set1((float)k);
    float of_bucket[BUCKETS];
    for (int b = 0; b < VECTORS; b++) {
        least[b] = vf_set1(INFINITY);
        rank[b] = vf_zero();
    }
    for (int64_t i = 0; i < fill; i += BUCKETS)
        for (int b = 0; b < VECTORS; b++)
            least[b] = vf_min(least[b], vf_load(key + i + b * VF));
    for (int b = 0; b < VECTORS; b++)
        vf_store(of_bucket + b * VF, least[b]);
    for (int l = 0; l < BUCKETS; l++)
        for (int b = 0; b < VECTORS; b++)
            rank[b] = vf_add(rank[b], vf_if_ge(least[b], vf_set1(of_bucket[l]), one, vf_zero()));
    for (int b = 0; b < VECTORS; b++) {
        unsigned is = vf_ge(rank[b], at) & vf_ge(at, rank[b]);
        if (is)
            return of_bucket[b * VF + first_bit(is)];
    }
    return INFINITY;
}

/* A number that at least k keys are at or below, 1 <= k <= their number, finite all of them, and at
 * most `enough` of them but for equal ones; the k-th smallest key where that is k: by regula falsi on
 * how many are at or below a number, every third step a bisection of the float32 numbers in between.
 * most: none is above it, FLT_MAX where that is all that is known.
 *
 * Keys above `most` there may be where it is a list's limit, as tightened keys rise and stay (unrefined.h).
 * Where k are not above it nothing changes; where fewer are, what comes is not below `most`, and
 * prf_key_beyond of that is above the limit: no limit falls by it, and finish.h has no answer.    */
static float key_of_rank(const both_keys *all, int64_t k, int64_t enough, float most)
{
    _Alignas(64) float room[TOGETHER + 2 * VF];
    int64_t below, through = all->fill[0] + all->fill[1];
    int whole = all->fill[0] % (2 * VF) == 0 && all->fill[1] == 0;
    both_keys one = through <= TOGETHER && !whole ? together(all, room) : *all;
    const both_keys *of = &one;
    float high = most, none, few = INFINITY;
    double rank = 0.5 * (double)(k + enough) - (enough > k ? 0.0 : 0.5);
    if (through <= TOGETHER && 2 * k <= BUCKETS)
        few = bucket_key(of->key[0], of->fill[0], k);
    for (int turn = 0; few <= most && turn < 4; turn++) { /* down, key by key */
        int64_t count = of_keys_to(of, few);
        if (count < k)
            return high;
        if (count <= enough)
            return few;
        high = few;
        through = count;
        around(of, prf_float_below(few), &few, &none);
    }
    float low = least_key(of);
    if (!(high < FLT_MAX))
        around(of, FLT_MAX, &high, &none);
    below = of_keys_to(of, low);
    if (below >= k)
        return low;
    /* below keys <= low, through keys <= high, below < k <= through */
    for (int turn = 1;; turn++) {
        int32_t a = ordered(low), b = ordered(high);
        int32_t at = (int32_t)(((int64_t)a + b) >> 1);
        if (turn % 3) {
            float guess = guessed_key(low, high, below, rank, through);
            if (guess > low && guess < high)
                at = ordered(guess);
        }
        if (at <= a || at >= b) {
            if ((int64_t)b - a < 2)
                return high;
            at = a + 1;
        }
        float mid = from_ordered(at);
        int64_t count = of_keys_to(of, mid);
        if (enough > k && k <= count && count <= enough)
            return mid;
        if (count == k || count == k - 1) {
            float below_mid, above_mid;
            around(of, mid, &below_mid, &above_mid);
            return count == k ? below_mid : above_mid;
        }
        if (count < k) {
            low = mid;
            below = count;
        } else {
            high = mid;
            through = count;
        }
    }
}

static float kth_key(const both_keys *of, int64_t k, float most)
{
    return key_of_rank(of, k, k, most);
}

/* Drop the keys above the limit. */
static void list_drop(list *l)
{
    int64_t fill = 0;
    for (int64_t i = 0; i < l->fill; i++) {
        float key = l->key[i];
        int32_t ref = l->ref[i];
        l->key[fill] = key;
        l->ref[fill] = ref;
        fill += key <= l->limit;
    }
    l->fill = fill;
}

/* A number that at least k keys are at or below, and at most `enough`; not below the limit where fewer
 * than k are not above it, see key_of_rank.                                                      */
static float list_kth(const list *l, int64_t k, int64_t enough)
{
    both_keys of = {{l->key, l->key}, {l->fill, 0}};
    return key_of_rank(&of, k, enough, l->limit < FLT_MAX ? l->limit : FLT_MAX);
}

/* Cut a full list; norm: that of its query. */
static void list_cut(const prf_lists *lists, const prf_bound *bound, double norm, list *l)
{
    float beyond = prf_key_beyond(bound, norm, list_kth(l, lists->k, lists->k));
    if (beyond < l->limit)
        l->limit = beyond;
    list_drop(l);
    if (l->fill > lists->capacity - 2 * NR) { /* it would be cut again and again */
        l->gave_up = 1;
        l->fill = 0;
        l->limit = -INFINITY;
    }
}

/* Cut the list of a query where it lies. */
static void list_cut_in_place(const prf_lists *lists, const prf_bound *bound, double norm,
                              int64_t query)
{
    list l = list_of(lists, query);
    list_cut(lists, bound, norm, &l);
    list_keep(lists, query, &l);
}

/* Limits from what has been seen.
 *
 * Started from +inf, a list takes in k ln(n / k) keys before its limit is of use.  The references lie
 * in an order that is independent of their positions (`golden_permutation` in
 * prfast/neighbors/passes.py), so the first of them, PRF_SAMPLE at first and later more, are a
 * fair sample: the limit is the key of the rank that k of n has among them, with a margin of five
 * standard deviations.  A limit that is too low is detected at the end (finish.h).                */
static int64_t rank_among(int64_t seen, int64_t k, int64_t n)
{
    double share = (double)k * (double)seen / (double)n;
    return (int64_t)(share + 5.0 * sqrt(share)) + 4;
}

/* A guess need not be of one rank: to find a rank about it takes half the time. */
static int64_t about(int64_t rank)
{
    return rank + rank / 8 + 1;
}

/* From the keys of a sample, or of references that are near, of which so many are finite. */
static float first_limit(const float *key, int64_t count, int64_t finite, int64_t k, int64_t n, int is_fair)
{
    both_keys of = {{key, key}, {count, 0}};
    int64_t rank = rank_among(finite, k, n);
    rank = is_fair || rank > k ? rank : k;
    return rank > finite ? INFINITY : key_of_rank(&of, rank, about(rank), FLT_MAX);
}

/* Lower the limit, after `seen` of n references. */
static void list_lower(list *l, int64_t seen, int64_t k, int64_t n)
{
    int64_t rank = rank_among(seen, k, n);
    if (rank >= l->fill)
        return;
    l->limit = list_kth(l, rank, about(rank));
    list_drop(l);
}

/* The same where the k-th is all that is needed: it is not farther than the k-th of those seen.  is_fair: are these
 * a sample of all? */
static void list_lower_to_kth(const prf_lists *lists, const prf_bound *bound, double norm, list *l,
                              int64_t seen, int64_t n, int is_fair)
{
    int64_t k = lists->k;
    if (is_fair && rank_among(seen, k, n) < k) {
        list_lower(l, seen, k, n);
    } else if (l->fill > k) {
        float beyond = prf_key_beyond(bound, norm, list_kth(l, k, about(k)));
        if (beyond < l->limit)
            l->limit = beyond;
        list_drop(l);
    }
}
