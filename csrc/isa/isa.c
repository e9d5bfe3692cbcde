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
