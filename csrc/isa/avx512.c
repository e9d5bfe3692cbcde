/* The engine for processors with AVX-512; runs only where prf_isa_runs says so. */
#if defined(__x86_64__) || defined(_M_X64)
/* The system's headers first: only our own functions are for this instruction set. */
#include <float.h>
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,popcnt,bmi"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,popcnt,bmi")
#endif
#define PRF_USE_AVX512
#define NAME(stem) stem##_avx512
#include "engine/engine.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int prf_nothing_to_compile;
#endif
