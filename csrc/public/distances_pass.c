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

void prf_looking_end(prf_looking *l)
{
    free(l->frame.center);
    free(l->pass.panels);
    free(l->pass.norms);
    free(l->pass.half_lo);
    free(l->int8.codes);
    free(l->int8.points);
    free(l->int8.half);
}

int prf_int8_pays(const prf_looking *l)
{
    int64_t queries = l->pass.queries.count, n = l->pass.refs.count, dim = l->pass.refs.dim;
    return !l->pass.exact && 32 <= dim && dim <= PRF_INT8_WIDEST && queries >= 512 && n >= 512 &&
           l->engine->int8_gain >= 2;
}

int prf_use_int8(prf_looking *l)
{
    size_t room = (size_t)l->room;
    l->int8 = (prf_int8){.width = prf_int8_width(l->pass.refs.dim), .cauchy = 1};
    l->int8.codes = malloc(room * (size_t)l->int8.width);
    l->int8.points = malloc(room * sizeof *l->int8.points);
    l->int8.half = malloc(room * 7 * sizeof(float));
    if (!(l->int8.codes && l->int8.points && l->int8.half))
        return PRFAST_NO_MEMORY;
    l->int8.inverse = l->int8.half + room;
    l->int8.first = l->int8.inverse + room;
    l->int8.second = l->int8.first + room;
    l->int8.step = l->int8.second + room;
    l->arms = l->int8.step + room;
    l->pass.int8 = &l->int8;
    return PRFAST_OK;
}

int prf_looking_begin(prf_looking *l, const prf_points *queries, const prf_points *refs,
                      const prf_points *seen)
{
    *l = (prf_looking){.engine = best_isa()->engine};
    TRY(prf_frame_of(seen, refs, &l->frame));
    l->room = prf_share(refs->count, 5 * refs->dim + 64, PACKED, l->engine->panel);
    size_t room = (size_t)l->room;
    l->pass = (prf_pass){
        .queries = *queries, .refs = *refs, .center = l->frame.center, .scale = l->frame.scale,
        .panel = l->engine->panel, .exact = l->frame.exact,
        .panels = malloc(room * (size_t)refs->dim * sizeof(float)),
        .norms = malloc(room * sizeof(double)), .half_lo = malloc(room * sizeof(float)),
    };
    int there = l->pass.panels && l->pass.norms && l->pass.half_lo;
    return there ? PRFAST_OK : PRFAST_NO_MEMORY;
}

int prf_over_blocks(prf_looking *l, prf_reduction *f, void *into, int64_t first, int64_t count,
                    int64_t size)
{
    prf_work work = {0};
    for (int64_t i = 0; i < count; i += size) {
        int64_t some = count - i < size ? count - i : size;
        TRY(check_kernel(f(&l->pass, first + i, some, into, &work)));
    }
    if (work.abandoned) /* it would be for the rest as well */
        l->pass.int8 = NULL;
    return PRFAST_OK;
}

int prf_load(prf_looking *l, int64_t first)
{
    int64_t left = l->pass.refs.count - first;
    l->pass.ref_first = first;
    l->pass.ref_count = left < l->room ? left : l->room;
    prf_pack(&l->pass, 0, l->pass.ref_count);
    if (!l->pass.int8)
        return PRFAST_OK;
    return prf_over_blocks(l, l->engine->int8_pack, NULL, 0, l->pass.ref_count, 8 * l->pass.panel);
}

