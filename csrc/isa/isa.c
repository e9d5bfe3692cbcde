/* The door to the engines. */
#include "isa/isa.h"

int prf_isa_runs(int isa)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (isa == PRF_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (isa == PRF_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#endif
    return isa == PRF_BASE;
}

const prf_engine *prf_engine_of(int isa)
{
#if defined(__x86_64__) || defined(_M_X64)
    if (isa == PRF_AVX2)
        return &prf_engine_avx2;
    if (isa == PRF_AVX512)
        return &prf_engine_avx512;
#endif
    (void)isa;
    return &prf_engine_base;
}

int64_t prf_panel(int isa)
{
    return prf_engine_of(isa)->nr;
}

prf_status prf_count_block(const prf_pass *pass, int64_t first, int64_t count, prf_count *tasks,
                           int64_t tasks_count, prf_work *work)
{
    return prf_engine_of(pass->isa)->count(pass, first, count, tasks, tasks_count, work);
}

prf_status prf_nearest_block(const prf_pass *pass, int64_t first, int64_t count,
                             prf_nearest *state, prf_work *work)
{
    return prf_engine_of(pass->isa)->nearest(pass, first, count, state, work);
}

prf_status prf_logsum_block(const prf_pass *pass, int64_t first, int64_t count, double t,
                            double *sum, prf_work *work)
{
    return prf_engine_of(pass->isa)->logsum(pass, first, count, t, sum, work);
}

prf_status prf_ratio_block(const prf_pass *pass, int64_t first, int64_t count, const double *ref_t,
                           double *best, prf_work *work)
{
    return prf_engine_of(pass->isa)->ratio(pass, first, count, ref_t, best, work);
}

prf_status prf_intervals_block(const prf_pass *pass, int64_t first, int64_t count, double *lo,
                               double *hi)
{
    return prf_engine_of(pass->isa)->intervals(pass, first, count, lo, hi);
}

prf_status prf_within_start(const prf_pass *pass, int64_t first, int64_t count,
                            prf_nearest *state)
{
    return prf_engine_of(pass->isa)->within_start(pass, first, count, state);
}

prf_status prf_within_block(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                            int64_t to, prf_nearest *state, prf_work *work)
{
    return prf_engine_of(pass->isa)->within(pass, first, count, from, to, state, work);
}

prf_status prf_within_end(const prf_pass *pass, int64_t first, int64_t count, prf_nearest *state,
                          prf_work *work)
{
    return prf_engine_of(pass->isa)->within_end(pass, first, count, state, work);
}
