/* AVX-512: 12 × 32 sums are 24 of 32 registers. */
#include "prfast.h"

#if defined(__x86_64__) && defined(__GNUC__)

/* The system's headers first: only our own functions are for this instruction set. */
#include <float.h>
#include <immintrin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int runs(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}

#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,popcnt,bmi"))), \
    apply_to = function)
#else
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,popcnt,bmi")
#endif

#include "isa/avx512.h"

/* Seven bits of a reference and of a query: the sum of four products is an int16. */
enum { I8_LEVELS = 63, I8_OFFSET = 64, I8_DEEP = 4, I8_GAIN = 2 };
#define VI_PAIRS(refs, query) _mm512_maddubs_epi16((__m512i)(refs), (__m512i)(query))
#define VI_DOTS(sum, refs, query, more_refs, more_query)                                    \
    ((sum) += (vi)_mm512_madd_epi16(                                                        \
         _mm512_add_epi16(VI_PAIRS(refs, query), VI_PAIRS(more_refs, more_query)),          \
         _mm512_set1_epi16(1)))

#include "engine/engine.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif

const prf_isa prf_isa_avx512 = {"avx512", runs, &engine};

#else
const prf_isa prf_isa_avx512 = {.name = "avx512"};
#endif
