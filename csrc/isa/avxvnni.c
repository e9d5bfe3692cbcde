/* AVX2 with FMA and AVX-VNNI: four products of bytes and their sum in one instruction. */
#include "prfast.h"

/* The compilers that know it. */
#if defined(__x86_64__) && (defined(__clang__) ? __clang_major__ >= 12 : __GNUC__ >= 11)

/* The system's headers first: only our own functions are for this instruction set. */
#include <cpuid.h>
#include <float.h>
#include <immintrin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int runs(void)
{
    unsigned a = 0, b, c, d;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a >> 4 & 1);
}

#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx2,fma,avxvnni,popcnt,bmi"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,avxvnni,popcnt,bmi")
#endif

#include "isa/avx2.h"

enum { I8_LEVELS = 127, I8_OFFSET = 128, I8_DEEP = 4, I8_GAIN = 4 };
#define VI_DOT(sum, refs, query) \
    ((sum) = (vi)_mm256_dpbusd_avx_epi32((__m256i)(sum), (__m256i)(refs), (__m256i)(query)))

#include "engine/engine.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif

const prf_isa prf_isa_avxvnni = {"avxvnni", runs, &engine};

#else
const prf_isa prf_isa_avxvnni = {.name = "avxvnni"};
#endif
