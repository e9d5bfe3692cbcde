/* α_λ = Σ_i min(λ p_i, q_i) for many λ and many cells (2018, Theorem 2), without a
 * cells × λ array: cell i gives λ p_i to every λ <= r_i = q_i / p_i and q_i to the others, so each
 * cell is searched once among the sorted λ, and two running sums over the bins do the rest.
 */
#include "prfast.h"

#include "arithmetic/compensated.h"
#include "masses/pool.h"

/* Cells searched side by side: a search waits for its own loads, eight of them do not. */
enum { LANES = 8 };

/* at[c] = #{l : lam[l] <= r[c]}, lam ascending; no branch to mispredict. */
static inline void count_at_or_below(const double *lam, int64_t lams, const double *r, int64_t *at)
{
    const double *base[LANES];
    for (int c = 0; c < LANES; c++)
        base[c] = lam;
    for (int64_t length = lams; length > 1;) {
        int64_t half = length / 2;
        for (int c = 0; c < LANES; c++)
            base[c] += half & -(int64_t)(base[c][half - 1] <= r[c]);
        length -= half;
    }
    for (int c = 0; c < LANES; c++)
        at[c] = (base[c] - lam) + (*base[c] <= r[c]);
}

void prf_minsum_add(const double *p, const double *q, int64_t cells, const double *lam,
                    int64_t lams, double *bins)
{
    for (int64_t i = 0; i < cells; i += LANES) {
        int64_t lanes = cells - i < LANES ? cells - i : LANES, at[LANES];
        double ratio[LANES] = {0.0};
        for (int64_t c = 0; c < lanes; c++)
            ratio[c] = cell_ratio(p[i + c], q[i + c]); /* NaN, an empty cell, adds nothing */
        count_at_or_below(lam, lams, ratio, at);
        for (int64_t c = 0; c < lanes; c++) {
            double *bin = bins + 4 * at[c];
            compensated sum_p = {bin[0], bin[1]}, sum_q = {bin[2], bin[3]};
            compensated_add(&sum_p, p[i + c]);
            compensated_add(&sum_q, q[i + c]);
            bin[0] = sum_p.sum;
            bin[1] = sum_p.error;
            bin[2] = sum_q.sum;
            bin[3] = sum_q.error;
        }
    }
}

/* Add one bin (0: its p, 2: its q) of every block. */
static void add_bin(compensated *sum, const double *bins, int64_t blocks, int64_t lams,
                    int64_t bin, int which)
{
    for (int64_t b = 0; b < blocks; b++) {
        const double *at = bins + 4 * (b * (lams + 1) + bin) + which;
        compensated_add(sum, at[0]);
        compensated_add(sum, at[1]);
    }
}

void prf_minsum_finish(const double *bins, int64_t blocks, const double *lam, int64_t lams,
                       double *alpha)
{
    /* λ Σ_{bin > l} p: cells whose ratio is at or above λ_l; 0 × ∞ = 0 */
    compensated p = {0.0, 0.0};
    for (int64_t l = lams; l-- > 0;) {
        add_bin(&p, bins, blocks, lams, l + 1, 0);
        double sum_p = compensated_value(&p);
        alpha[l] = sum_p > 0.0 ? lam[l] * sum_p : 0.0;
    }
    /* + Σ_{bin <= l} q: cells whose ratio is below λ_l */
    compensated q = {0.0, 0.0};
    for (int64_t l = 0; l < lams; l++) {
        add_bin(&q, bins, blocks, lams, l, 2);
        alpha[l] += compensated_value(&q);
    }
}
