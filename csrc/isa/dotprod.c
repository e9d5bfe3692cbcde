/* NEON with SDOT: four products of bytes a lane, and their sum, in one instruction. */
#include "prfast.h"

/* The compilers that know it. */
#if defined(__aarch64__) && defined(__ARM_NEON) && \
    (defined(__ARM_FEATURE_DOTPROD) || (defined(__clang__) ? __clang_major__ >= 16 : __GNUC__ >= 8))

/* The system's headers first: only our own functions are for this instruction set. */
#include <arm_neon.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isa/hwcap.h"

static int runs(void)
{
    return HAS_DOTPROD() != 0;
}

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)
#else
#pragma GCC target("arch=armv8.2-a+dotprod")
#endif

#include "engine/simd.h"
#include "isa/neon.h"
#include "isa/lanes.h"

/* Both signed: no offset. */
enum { I8_LEVELS = 127, I8_OFFSET = 0, I8_DEEP = 4, I8_GAIN = 4 };
#define VI_DOT(sum, refs, query) \
    ((sum) = vdotq_s32(sum, vreinterpretq_s8_s32(refs), vreinterpretq_s8_s32(query)))

#include "engine/engine.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif

const prf_isa prf_isa_dotprod = {"dotprod", runs, &engine};

#else
const prf_isa prf_isa_dotprod = {.name = "dotprod"};
#endif
