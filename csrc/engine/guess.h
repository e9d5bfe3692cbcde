/* A first threshold.
 *
 * Started from tau = inf, a reservoir takes in k ln(n / k) references and more before its threshold
 * is of use.  So tau is guessed from a sample of the references: the distance of the rank that k
 * of n has among them, with a margin of four standard deviations.  The guess is only taken where all
 * references are at hand, and is checked at the end: with k intervals at or below tau nothing that
 * it kept out can matter; otherwise the block is done again without it.                           */
enum { SAMPLE_PANELS = 256 / NR, SAMPLE_FROM = 4096 };

static void guess(const prf_pass *pass, const scratch *s, int64_t count, int64_t k, double *tau)
{
    int64_t dim = pass->refs.dim, panels = pass->ref_count / NR;
    double share = (double)(k * SAMPLE_PANELS * NR) / (double)pass->ref_count;
    int64_t rank = (int64_t)(share + 4.0 * sqrt(share)) + 3;
    double sample[SAMPLE_PANELS * NR], lo;
    float dots[SAMPLE_PANELS][MR * NR];
    for (int64_t query = 0; query < count; query += MR) {
        for (int64_t p = 0; p < SAMPLE_PANELS; p++) {
            int64_t ref = panels * p / SAMPLE_PANELS * NR;
            dot_tile(s->strips + query * dim, pass->panels + ref * dim, dim, 0, dots[p]);
        }
        for (int64_t i = 0; i < MR && query + i < count; i++) {
            for (int64_t p = 0; p < SAMPLE_PANELS; p++) {
                int64_t ref = panels * p / SAMPLE_PANELS * NR;
                for (int64_t c = 0; c < NR; c++)
                    prf_interval(&s->bound, s->norms[query + i] + pass->norms[ref + c],
                                 dots[p][i * NR + c], &lo, &sample[p * NR + c]);
            }
            tau[query + i] = rank > SAMPLE_PANELS * NR
                                 ? INFINITY
                                 : prf_select(sample, SAMPLE_PANELS * NR, rank);
        }
    }
}
