/* Vectors of float and double of one instruction set, chosen by the file that includes this:
 *
  *     PRF_USE_AVX512   16 floats, 8 doubles   PRF_USE_AVX2   8 and 4 (with FMA)
 *     neither      4 and 2: SSE2, NEON, or plain C where there is neither
 *
 * vf, vd: the vectors; VF, VD: their lengths.  The masks are the low VF bits of an unsigned.
 */
#ifndef PRFAST_SIMD_H
#define PRFAST_SIMD_H

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static inline int first_bit(unsigned x)
{
    unsigned long at;
    _BitScanForward(&at, x);
    return (int)at;
}
static inline int bit_count(unsigned x)
{
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}
#else
static inline int first_bit(unsigned x)
{
    return __builtin_ctz(x);
}
static inline int bit_count(unsigned x)
{
    return __builtin_popcount(x);
}
#endif

#if defined(PRF_USE_AVX512)

#include <immintrin.h>
enum { VF = 16, VD = 8 };
typedef __m512 vf;
typedef __m512d vd;
#define vf_load(p) _mm512_loadu_ps(p)
#define vf_store(p, v) _mm512_storeu_ps(p, v)
#define vf_set1(x) _mm512_set1_ps(x)
#define vf_zero() _mm512_setzero_ps()
#define vf_add(a, b) _mm512_add_ps(a, b)
#define vf_min(a, b) _mm512_min_ps(a, b)
#define vf_fma(a, b, c) _mm512_fmadd_ps(a, b, c)
#define vf_ge(a, b) ((unsigned)_mm512_cmp_ps_mask(a, b, _CMP_GE_OQ))
#define vd_load(p) _mm512_loadu_pd(p)
#define vd_store(p, v) _mm512_storeu_pd(p, v)
#define vd_set1(x) _mm512_set1_pd(x)
#define vd_zero() _mm512_setzero_pd()
#define vd_add(a, b) _mm512_add_pd(a, b)
#define vd_sub(a, b) _mm512_sub_pd(a, b)
#define vd_mul(a, b) _mm512_mul_pd(a, b)

#elif defined(PRF_USE_AVX2)

#include <immintrin.h>
enum { VF = 8, VD = 4 };
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

#elif defined(__SSE2__) || defined(_M_X64)

#include <emmintrin.h>
enum { VF = 4, VD = 2 };
typedef __m128 vf;
typedef __m128d vd;
#define vf_load(p) _mm_loadu_ps(p)
#define vf_store(p, v) _mm_storeu_ps(p, v)
#define vf_set1(x) _mm_set1_ps(x)
#define vf_zero() _mm_setzero_ps()
#define vf_add(a, b) _mm_add_ps(a, b)
#define vf_min(a, b) _mm_min_ps(a, b)
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
#define vf_min(a, b) vminq_f32(a, b)
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
#define vf_min(a, b) ((a) < (b) ? (a) : (b))
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
#endif
