/* AVX-512 with VNNI: four products of bytes and their sum in one instruction. */
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
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vnni");
}

#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx512vnni,avx2,fma,popcnt,bmi"))), \
    apply_to = function)
#else
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,avx512vnni,avx2,fma,popcnt,bmi")
#endif

#include "isa/avx512.h"

enum { I8_LEVELS = 127, I8_OFFSET = 128, I8_DEEP = 4, I8_GAIN = 4 };
#define VI_DOT(sum, refs, query) \
    ((sum) = (vi)_mm512_dpbusd_epi32((__m512i)(sum), (__m512i)(refs), (__m512i)(query)))

#include "engine/engine.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif

const prf_isa prf_isa_avx512vnni = {"avx512vnni", runs, &engine};

#else
const prf_isa prf_isa_avx512vnni = {.name = "avx512vnni"};
#endif
