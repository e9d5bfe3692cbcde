/* References packed for the filter, and thresholds that belong to them. */
#include <math.h>
#include <stddef.h>

#include "distances/points.h"
#include "filter/bound.h"
#include "filter/head.h"
#include "prfast.h"

void prf_pack(const prf_pass *pass, int64_t first, int64_t count)
{
    int64_t dim = pass->refs.dim, nr = pass->panel;
    prf_bound bound = prf_bound_of(pass);
    for (int64_t i = first; i < round_up(first + count, nr); i++) {
        float *column = pass->panels + i / nr * nr * dim + i % nr;
        if (i >= pass->ref_count) { /* beyond the last: no dot product reaches +inf */
            for (int64_t j = 0; j < dim; j++)
                column[j * nr] = 0.0f;
            pass->norms[i] = INFINITY;
            pass->half_lo[i] = INFINITY;
            continue;
        }
        double norm = 0.0;
        int64_t start = prf_start(&pass->refs, pass->ref_first + i);
        for (int64_t j = 0; j < dim; j++) {
            double x = prf_number(&pass->refs, pass->refs.wide, start + j);
            float packed = (float)((x - pass->center[j]) * pass->scale);
            column[j * nr] = packed;
            norm += (double)packed * (double)packed;
        }
        pass->norms[i] = norm;
        pass->half_lo[i] = prf_half_lo(&bound, norm, prf_slack(pass, &pass->refs, pass->ref_first + i));
    }
}

void prf_count_prepare(const prf_pass *pass, prf_count *task)
{
    if (!task->ref_t)
        return;
    prf_bound bound = prf_bound_of(pass);
    const double *t = task->ref_t + pass->ref_first;
    for (int64_t i = 0; i < pass->ref_count; i++) {
        task->possible[i] = prf_key_possible(&bound, t[i]);
        task->certain[i] = prf_key_certain(&bound, pass->norms[i], prf_v_of(&bound, t[i]));
    }
    for (int64_t i = pass->ref_count; i < round_up(pass->ref_count, pass->panel); i++)
        task->possible[i] = task->certain[i] = -INFINITY;
    for (int64_t i = 0; task->halves && i < pass->ref_count; i++)
        prf_halves_keys(&bound, pass->norms[i], task->halves->t + (pass->ref_first + i) * PRF_HALVINGS,
                        task->halves->possible + i * PRF_HALVINGS,
                        task->halves->certain + i * PRF_HALVINGS);
}

void prf_head_arm(const prf_pass *pass, const double *ref_t, float *most)
{
    prf_bound bound = prf_bound_of(pass->head);
    for (int64_t i = 0; i < round_up(pass->ref_count, pass->panel); i++)
        most[i] = i < pass->ref_count ? prf_head_possible(&bound, ref_t[pass->ref_first + i]) : -INFINITY;
}
