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

#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx2,fma,popcnt,bmi"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,popcnt,bmi")
#endif

enum { MR = 6, VF = 8, VD = 4 };
typedef __m256 vf;
typedef __m256d vd;
#define vf_load(p) _mm256_loadu_ps(p)
#define vf_store(p, v) _mm256_storeu_ps(p, v)
#define vf_set1(x) _mm256_set1_ps(x)
#define vf_zero() _mm256_setzero_ps()
#define vf_add(a, b) _mm256_add_ps(a, b)
#define vf_min(a, b) _mm256_min_ps(a, b)
#define vf_fma(a, b, c) _mm256_fmadd_ps(a, b, c)
#define vf_ge(a, b) ((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ)))
#define vd_load(p) _mm256_loadu_pd(p)
#define vd_store(p, v) _mm256_storeu_pd(p, v)
#define vd_set1(x) _mm256_set1_pd(x)
#define vd_zero() _mm256_setzero_pd()
#define vd_add(a, b) _mm256_add_pd(a, b)
#define vd_sub(a, b) _mm256_sub_pd(a, b)
#define vd_mul(a, b) _mm256_mul_pd(a, b)

#include "engine/engine.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif

const prf_isa prf_isa_avx2 = {"avx2", runs, &engine};

#else
const prf_isa prf_isa_avx2 = {.name = "avx2"};
#endif
