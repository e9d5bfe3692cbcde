/* AVX2 with FMA: 6 × 16 sums are 12 of 16 registers. */
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
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* These multiply floats in two ports, and bytes in one. */
static int bytes_gain(void)
{
    int one_port = __builtin_cpu_is("haswell") || __builtin_cpu_is("broadwell") ||
                   __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2");
    return one_port ? 1 : 2;
}

#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx2,fma,popcnt,bmi"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,popcnt,bmi")
#endif

#include "isa/avx2.h"

/* Seven bits of a reference and of a query: the sum of four products is an int16. */
enum { I8_LEVELS = 63, I8_OFFSET = 64, I8_DEEP = 4 };
#define I8_GAIN bytes_gain()
#define VI_PAIRS(refs, query) _mm256_maddubs_epi16((__m256i)(refs), (__m256i)(query))
#define VI_DOTS(sum, refs, query, more_refs, more_query)                                    \
    ((sum) += (vi)_mm256_madd_epi16(                                                        \
         _mm256_add_epi16(VI_PAIRS(refs, query), VI_PAIRS(more_refs, more_query)),          \
         _mm256_set1_epi16(1)))

#include "engine/engine.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif

const prf_isa prf_isa_avx2 = {"avx2", runs, &engine};

#else
const prf_isa prf_isa_avx2 = {.name = "avx2"};
#endif
