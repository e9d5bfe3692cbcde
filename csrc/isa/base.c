/* Every processor of its kind: SSE2, NEON or, where there is neither, plain C. */
#include "prfast.h"

#include <string.h>

#include "engine/simd.h"

static int runs(void)
{
    return 1;
}

enum { MR = 6 };

#if defined(__SSE2__) || defined(_M_X64)

#include <emmintrin.h>
enum { VF = 4, VD = 2 };
typedef __m128 vf;
typedef __m128d vd;
#define vf_load(p) _mm_loadu_ps(p)
#define vf_store(p, v) _mm_storeu_ps(p, v)
#define vf_set1(x) _mm_set1_ps(x)
#define vf_zero() _mm_setzero_ps()
#define vf_add(a, b) _mm_add_ps(a, b)
#define vf_sub(a, b) _mm_sub_ps(a, b)
#define vf_min(a, b) _mm_min_ps(a, b)
#define vf_max(a, b) _mm_max_ps(a, b)
static inline vf vf_if_ge(vf a, vf b, vf x, vf y)
{
    vf held = _mm_cmpge_ps(a, b);
    return _mm_or_ps(_mm_and_ps(held, x), _mm_andnot_ps(held, y));
}
#define vf_fma(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)
#define vf_ge(a, b) ((unsigned)_mm_movemask_ps(_mm_cmpge_ps(a, b)))
#define vd_load(p) _mm_loadu_pd(p)
#define vd_store(p, v) _mm_storeu_pd(p, v)
#define vd_set1(x) _mm_set1_pd(x)
#define vd_zero() _mm_setzero_pd()
#define vd_add(a, b) _mm_add_pd(a, b)
#define vd_sub(a, b) _mm_sub_pd(a, b)
#define vd_mul(a, b) _mm_mul_pd(a, b)

#elif defined(__aarch64__) && defined(__ARM_NEON)

#include <arm_neon.h>
enum { VF = 4, VD = 2 };
typedef float32x4_t vf;
typedef float64x2_t vd;
#define vf_load(p) vld1q_f32(p)
#define vf_store(p, v) vst1q_f32(p, v)
#define vf_set1(x) vdupq_n_f32(x)
#define vf_zero() vdupq_n_f32(0.0f)
#define vf_add(a, b) vaddq_f32(a, b)
#define vf_sub(a, b) vsubq_f32(a, b)
#define vf_min(a, b) vminq_f32(a, b)
#define vf_max(a, b) vmaxq_f32(a, b)
#define vf_if_ge(a, b, x, y) vbslq_f32(vcgeq_f32(a, b), x, y)
#define vf_fma(a, b, c) vfmaq_f32(c, a, b)
static inline unsigned vf_ge(vf a, vf b)
{
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcgeq_f32(a, b), vld1q_u32(bit)));
}
#define vd_load(p) vld1q_f64(p)
#define vd_store(p, v) vst1q_f64(p, v)
#define vd_set1(x) vdupq_n_f64(x)
#define vd_zero() vdupq_n_f64(0.0)
#define vd_add(a, b) vaddq_f64(a, b)
#define vd_sub(a, b) vsubq_f64(a, b)
#define vd_mul(a, b) vmulq_f64(a, b)

#else

enum { VF = 1, VD = 1 };
typedef float vf;
typedef double vd;
#define vf_load(p) (*(p))
#define vf_store(p, v) (*(p) = (v))
#define vf_set1(x) (x)
#define vf_zero() 0.0f
#define vf_add(a, b) ((a) + (b))
#define vf_sub(a, b) ((a) - (b))
#define vf_min(a, b) ((a) < (b) ? (a) : (b))
#define vf_max(a, b) ((a) > (b) ? (a) : (b))
#define vf_if_ge(a, b, x, y) ((a) >= (b) ? (x) : (y))
#define vf_fma(a, b, c) ((a) * (b) + (c))
#define vf_ge(a, b) ((unsigned)((a) >= (b)))
#define vd_load(p) (*(p))
#define vd_store(p, v) (*(p) = (v))
#define vd_set1(x) (x)
#define vd_zero() 0.0
#define vd_add(a, b) ((a) + (b))
#define vd_sub(a, b) ((a) - (b))
#define vd_mul(a, b) ((a) * (b))

#endif

static inline int vf_take(float *to, int32_t *rows, vf v, int32_t row, unsigned mask)
{
    float numbers[VF];
    int taken = 0;
    vf_store(numbers, v);
    for (; mask; mask &= mask - 1) {
        int at = first_bit(mask);
        to[taken] = numbers[at];
        rows[taken++] = row + at;
    }
    return taken;
}

static inline void vd_columns(const float *const *rows, int64_t j, vd *to)
{
    double lanes[VD];
    for (int c = 0; c < 4; c++) {
        for (int l = 0; l < VD; l++)
            lanes[l] = (double)rows[l][j + c];
        to[c] = vd_load(lanes);
    }
}

#if defined(__aarch64__) && defined(__ARM_FEATURE_DOTPROD)

/* Both signed: no offset. */
enum { I8_LEVELS = 127, I8_OFFSET = 0, I8_GAIN = 4 };
typedef int32x4_t vi;
#define vi_set1(x) vdupq_n_s32(x)
#define vi_load(p) vreinterpretq_s32_u8(vld1q_u8(p))
#define vi_float(v) vcvtq_f32_s32(v)
#define VI_DOT(sum, refs, query) \
    ((sum) = vdotq_s32(sum, vreinterpretq_s8_s32(refs), vreinterpretq_s8_s32(query)))
static inline vi vi_four(const int8_t *p)
{
    int32_t four;
    memcpy(&four, p, 4);
    return vi_set1(four);
}

#else

enum { I8_LEVELS = 127, I8_OFFSET = 128, I8_GAIN = 0 }; /* a loop over integers */

#endif

#include "engine/engine.h"

const prf_isa prf_isa_base = {"base", runs, &engine};
