/* The public sweep for one type of SCORE; included by masses.c once for each type. */

/* Are there only numbers?  *sorted: are they ascending? */
static int NAME(check_scores)(const SCORE *scores, int64_t n, int *sorted)
{
    int64_t numbers = 0, rises = 0;
    for (int64_t i = 0; i < n; i++) {
        numbers += scores[i] == scores[i];
        rises += i > 0 && scores[i - 1] <= scores[i];
    }
    *sorted = rises == n - 1;
    return numbers == n ? PRFAST_OK : PRFAST_BAD_NUMBER;
}

/* counts[room × 2], copies[n + m]: scratch. */
static int NAME(sweep_with)(const SCORE *real, int64_t n, const SCORE *fake, int64_t m,
                            const int sorted[2], int64_t *counts, SCORE *copies, double *p,
                            double *q, int64_t *cells)
{
    int64_t room = prfast_sweep_room(n, m);
    if (!sorted[0]) {
        TRY(check_kernel(NAME(prf_sort)(real, n, copies)));
        real = copies;
    }
    if (!sorted[1]) {
        TRY(check_kernel(NAME(prf_sort)(fake, m, copies + n)));
        fake = copies + n;
    }
    TRY(check_kernel(NAME(prf_sweep)(real, n, fake, m, counts, counts + room, cells)));
    for (int64_t i = 0; i < *cells; i++) {
        p[i] = (double)counts[i];
        q[i] = (double)counts[room + i];
    }
    return PRFAST_OK;
}

static int NAME(sweep)(const SCORE *real, int64_t n, const SCORE *fake, int64_t m, double *p,
                       double *q, int64_t *cells)
{
    int sorted[2];
    TRY(check_cells(p, q, cells));
    TRY(check_array(real, sizeof *real));
    TRY(check_array(fake, sizeof *fake));
    TRY(check_size(n, 1, MOST_POINTS));
    TRY(check_size(m, 1, MOST_POINTS));
    TRY(NAME(check_scores)(real, n, &sorted[0]));
    TRY(NAME(check_scores)(fake, m, &sorted[1]));
    int64_t *counts = malloc((size_t)prfast_sweep_room(n, m) * 2 * sizeof *counts);
    SCORE *copies = sorted[0] && sorted[1] ? NULL : malloc((size_t)(n + m) * sizeof *copies);
    int status = PRFAST_NO_MEMORY;
    if (counts && (copies || (sorted[0] && sorted[1])))
        status = NAME(sweep_with)(real, n, fake, m, sorted, counts, copies, p, q, cells);
    free(counts);
    free(copies);
    return status;
}
