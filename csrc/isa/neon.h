/* Vectors of NEON: 8 × 8 sums are 16 of 32 registers, of 24 gcc 12 spills some. */
#ifndef PRFAST_ISA_NEON_H
#define PRFAST_ISA_NEON_H

#include <arm_neon.h>
#include <string.h>

enum { MR = 8, VF = 4, VD = 2, GROUP_BYTES = 512 * 1024 };
typedef float32x4_t vf;
typedef float64x2_t vd;
#define vf_load(p) vld1q_f32(p)
#define vf_store(p, v) vst1q_f32(p, v)
#define vf_set1(x) vdupq_n_f32(x)
#define vf_zero() vdupq_n_f32(0.0f)
#define vf_add(a, b) vaddq_f32(a, b)
#define vf_sub(a, b) vsubq_f32(a, b)
#define vf_mul(a, b) vmulq_f32(a, b)
#define vf_min(a, b) vminq_f32(a, b)
#define vf_max(a, b) vmaxq_f32(a, b)
#define vf_if_ge(a, b, x, y) vbslq_f32(vcgeq_f32(a, b), x, y)
#define vf_fma(a, b, c) vfmaq_f32(c, a, b)
static inline vf vf_two_to(vf n)
{
    int32x4_t bits = vshlq_n_s32(vreinterpretq_s32_f32(n), 23);
    return vreinterpretq_f32_s32(vaddq_s32(bits, vdupq_n_s32(0x3f800000)));
}
static inline unsigned vf_ge(vf a, vf b)
{
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcgeq_f32(a, b), vld1q_u32(bit)));
}
#define vd_load(p) vld1q_f64(p)
#define vd_store(p, v) vst1q_f64(p, v)
#define vd_floats(p) vcvt_f64_f32(vld1_f32(p))
#define vd_set1(x) vdupq_n_f64(x)
#define vd_zero() vdupq_n_f64(0.0)
#define vd_add(a, b) vaddq_f64(a, b)
#define vd_sub(a, b) vsubq_f64(a, b)
#define vd_mul(a, b) vmulq_f64(a, b)

typedef int32x4_t vi;
#define vi_set1(x) vdupq_n_s32(x)
#define vi_load(p) vreinterpretq_s32_u8(vld1q_u8((const uint8_t *)(p)))
#define vi_float(v) vcvtq_f32_s32(v)
static inline vi vi_four(const int8_t *p)
{
    int32_t four;
    memcpy(&four, p, 4);
    return vi_set1(four);
}

#endif
