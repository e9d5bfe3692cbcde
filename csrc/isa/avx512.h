/* Vectors of AVX-512: 12 × 32 sums are 24 of 32 registers. */
#ifndef PRFAST_ISA_AVX512_H
#define PRFAST_ISA_AVX512_H

enum { MR = 12, VF = 16, VD = 8, GROUP_BYTES = 512 * 1024 };
typedef __m512 vf;
typedef __m512d vd;
#define vf_load(p) _mm512_loadu_ps(p)
#define vf_store(p, v) _mm512_storeu_ps(p, v)
#define vf_set1(x) _mm512_set1_ps(x)
#define vf_zero() _mm512_setzero_ps()
#define vf_add(a, b) _mm512_add_ps(a, b)
#define vf_sub(a, b) _mm512_sub_ps(a, b)
#define vf_mul(a, b) _mm512_mul_ps(a, b)
#define vf_min(a, b) _mm512_min_ps(a, b)
#define vf_max(a, b) _mm512_max_ps(a, b)
#define vf_if_ge(a, b, x, y) \
    _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_GE_OQ), y, x)
#define vf_fma(a, b, c) _mm512_fmadd_ps(a, b, c)
#define vf_ge(a, b) ((unsigned)_mm512_cmp_ps_mask(a, b, _CMP_GE_OQ))
static inline vf vf_two_to(vf n)
{
    __m512i bits = _mm512_slli_epi32(_mm512_castps_si512(n), 23);
    return _mm512_castsi512_ps(_mm512_add_epi32(bits, _mm512_set1_epi32(0x3f800000)));
}
static inline int vf_take(float *to, int32_t *rows, vf v, int32_t row, unsigned mask)
{
    const __m512i steps = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i at = _mm512_add_epi32(_mm512_set1_epi32(row), steps);
    /* in registers: compressing into memory is slow on some processors */
    _mm512_storeu_ps(to, _mm512_maskz_compress_ps((__mmask16)mask, v));
    _mm512_storeu_si512(rows, _mm512_maskz_compress_epi32((__mmask16)mask, at));
    return __builtin_popcount(mask);
}
#define vd_load(p) _mm512_loadu_pd(p)
#define vd_store(p, v) _mm512_storeu_pd(p, v)
#define vd_floats(p) _mm512_cvtps_pd(_mm256_loadu_ps(p))
#define vd_set1(x) _mm512_set1_pd(x)
#define vd_zero() _mm512_setzero_pd()
#define vd_add(a, b) _mm512_add_pd(a, b)
#define vd_sub(a, b) _mm512_sub_pd(a, b)
#define vd_mul(a, b) _mm512_mul_pd(a, b)

/* Vectors of int32 and not of 64 bits: gcc 12 keeps a sum that has both types twice, and spills it. */
typedef int32_t vi __attribute__((vector_size(64)));
#define vi_set1(x) ((vi)_mm512_set1_epi32(x))
#define vi_load(p) ((vi)_mm512_loadu_si512(p))
#define vi_float(v) _mm512_cvtepi32_ps((__m512i)(v))
static inline vi vi_four(const int8_t *p)
{
    int32_t four;
    memcpy(&four, p, 4);
    return vi_set1(four);
}

#endif
