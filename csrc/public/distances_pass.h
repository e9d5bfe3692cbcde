/* Queries against packed super-blocks of references: what k-th distances and counts share. */
#ifndef PRFAST_PUBLIC_BALLS_PASS_H
#define PRFAST_PUBLIC_BALLS_PASS_H

#include "distances/points.h"
#include "public/distances_frame.h"

typedef struct {
    prf_pass pass;
    const prf_engine *engine;
    prf_frame frame;
    int64_t room; /* references that are packed together, whole panels */
    prf_int8 int8;
    float *arms; /* [2][room]: thresholds of references, as the int8 filter takes them */
} prf_search;

/* At least one, whole multiples of `step`, and no more than fill `bytes` or hold all. */
static inline int64_t prf_share(int64_t all, int64_t each, int64_t bytes, int64_t step)
{
    int64_t most = bytes / each / step * step, whole = round_up(all, step);
    return most < step ? step : most < whole ? most : whole;
}

/* `seen`: the queries whose neighbors are searched.  What ends with prf_search_end in any case. */
int prf_search_begin(prf_search *s, const prf_points *queries, const prf_points *refs,
                      const prf_points *seen);
void prf_search_end(prf_search *s);

/* Whether the int8 filter may be faster, by the rule for counts of `_int8_pays` in
 * prfast/neighbors/passes.py.                                                                         */
int prf_int8_pays(const prf_search *s);

/* Room to pack references for it as well. */
int prf_use_int8(prf_search *s);

/* Pack the references from `first` on, as many as there is room for. */
int prf_load(prf_search *s, int64_t first);

/* Do f with the queries [first, first + count), `size` at a time. */
int prf_over_blocks(prf_search *s, prf_reduction *f, void *into, int64_t first, int64_t count,
                    int64_t size);

#endif
