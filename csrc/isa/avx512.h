/* Vectors of AVX-512: 12 × 32 sums are 24 of 32 registers. */
#ifndef PRFAST_ISA_AVX512_H
#define PRFAST_ISA_AVX512_H

enum { MR = 12, VF = 16, VD = 8 };
typedef __m512 vf;
typedef __m512d vd;
#define vf_load(p) _mm512_loadu_ps(p)
#define vf_store(p, v) _mm512_storeu_ps(p, v)
#define vf_set1(x) _mm512_set1_ps(x)
#define vf_zero() _mm512_setzero_ps()
#define vf_add(a, b) _mm512_add_ps(a, b)
#define vf_sub(a, b) _mm512_sub_ps(a, b)
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
