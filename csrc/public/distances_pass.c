/* Queries against packed super-blocks of references. */
#include "public/distances_pass.h"

#include <stdlib.h>

#include "public/check.h"

enum { PACKED = 1 << 25 }; /* bytes of packed references */

/* The best of the instruction sets that run here. */
static const prf_isa *best_isa(void)
{
    const prf_isa *best = prf_isa_at(0);
    for (int64_t i = 0; prf_isa_at(i); i++)
        if (prf_isa_at(i)->runs && prf_isa_at(i)->runs())
            best = prf_isa_at(i);
    return best;
}

void prf_search_end(prf_search *s)
{
    free(s->frame.center);
    free(s->pass.panels);
    free(s->pass.norms);
    free(s->pass.half_lo);
    free(s->int8.codes);
    free(s->int8.points);
    free(s->int8.half);
}

int prf_int8_pays(const prf_search *s)
{
    int64_t queries = s->pass.queries.count, n = s->pass.refs.count, dim = s->pass.refs.dim;
    return !s->pass.exact && 32 <= dim && dim <= PRF_INT8_WIDEST && queries >= 512 && n >= 512 &&
           s->engine->int8_gain() >= 2;
}

int prf_use_int8(prf_search *s)
{
    size_t room = (size_t)s->room;
    s->int8 = (prf_int8){.width = prf_int8_width(s->pass.refs.dim)};
    s->int8.codes = malloc(room * (size_t)s->int8.width);
    s->int8.points = malloc(room * sizeof *s->int8.points);
    s->int8.half = malloc(room * 6 * sizeof(float));
    if (!(s->int8.codes && s->int8.points && s->int8.half))
        return PRFAST_NO_MEMORY;
    s->int8.inverse = s->int8.half + room;
    s->int8.first = s->int8.inverse + room;
    s->int8.second = s->int8.first + room;
    s->int8.step = s->int8.second + room;
    s->arms = s->int8.step + room;
    s->pass.int8 = &s->int8;
    return PRFAST_OK;
}

int prf_search_begin(prf_search *s, const prf_points *queries, const prf_points *refs,
                      const prf_points *seen)
{
    *s = (prf_search){.engine = best_isa()->engine};
    TRY(prf_frame_of(seen, refs, &s->frame));
    s->room = prf_share(refs->count, 5 * refs->dim + 64, PACKED, s->engine->panel);
    size_t room = (size_t)s->room;
    s->pass = (prf_pass){
        .queries = *queries, .refs = *refs, .center = s->frame.center, .scale = s->frame.scale,
        .panel = s->engine->panel, .exact = s->frame.exact,
        .panels = malloc(room * (size_t)refs->dim * sizeof(float)),
        .norms = malloc(room * sizeof(double)), .half_lo = malloc(room * sizeof(float)),
    };
    int there = s->pass.panels && s->pass.norms && s->pass.half_lo;
    return there ? PRFAST_OK : PRFAST_NO_MEMORY;
}

int prf_over_blocks(prf_search *s, prf_reduction *f, void *into, int64_t first, int64_t count,
                    int64_t size)
{
    prf_work work = {0};
    for (int64_t i = 0; i < count; i += size) {
        int64_t some = count - i < size ? count - i : size;
        TRY(check_kernel(f(&s->pass, first + i, some, into, &work)));
    }
    if (work.abandoned) /* it would be for the rest as well */
        s->pass.int8 = NULL;
    return PRFAST_OK;
}

int prf_load(prf_search *s, int64_t first)
{
    int64_t left = s->pass.refs.count - first;
    s->pass.ref_first = first;
    s->pass.ref_count = left < s->room ? left : s->room;
    prf_pack(&s->pass, 0, s->pass.ref_count);
    if (!s->pass.int8)
        return PRFAST_OK;
    return prf_over_blocks(s, s->engine->int8_pack, NULL, 0, s->pass.ref_count, 8 * s->pass.panel);
}

