/* NEON with SMMLA: two rows of eight bytes by two, four sums of eight products, in one instruction. */
#include "prfast.h"

/* The compilers that know it. */
#if defined(__aarch64__) && defined(__ARM_NEON) && \
    (defined(__ARM_FEATURE_MATMUL_INT8) || (defined(__clang__) ? __clang_major__ >= 16 : __GNUC__ >= 10))

/* The system's headers first: only our own functions are for this instruction set. */
#include <arm_neon.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isa/hwcap.h"

static int runs(void)
{
    return HAS_I8MM() != 0;
}

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("i8mm"))), apply_to = function)
#else
#pragma GCC target("arch=armv8.2-a+i8mm")
#endif

#include "engine/simd.h"
#include "isa/neon.h"
#include "isa/lanes.h"

/* Both signed: no offset.  Rows of sums are made of the blocks at the end. */
enum { I8_LEVELS = 127, I8_OFFSET = 0, I8_DEEP = 8, I8_GAIN = 8 };
#define VI_BLOCK(sum, queries, refs) \
    ((sum) = vmmlaq_s32(sum, vreinterpretq_s8_s32(queries), vreinterpretq_s8_s32(refs)))
#define vi_upper(a, b) \
    vreinterpretq_s32_s64(vtrn1q_s64(vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b)))
#define vi_lower(a, b) \
    vreinterpretq_s32_s64(vtrn2q_s64(vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b)))

#include "engine/engine.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif

const prf_isa prf_isa_i8mm = {"i8mm", runs, &engine};

#else
const prf_isa prf_isa_i8mm = {.name = "i8mm"};
#endif
