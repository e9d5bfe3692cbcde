/* Vectors of AVX2 with FMA: 6 × 16 sums are 12 of 16 registers. */
#ifndef PRFAST_ISA_AVX2_H
#define PRFAST_ISA_AVX2_H

enum { MR = 6, VF = 8, VD = 4 };
typedef __m256 vf;
typedef __m256d vd;
#define vf_load(p) _mm256_loadu_ps(p)
#define vf_store(p, v) _mm256_storeu_ps(p, v)
#define vf_set1(x) _mm256_set1_ps(x)
#define vf_zero() _mm256_setzero_ps()
#define vf_add(a, b) _mm256_add_ps(a, b)
#define vf_sub(a, b) _mm256_sub_ps(a, b)
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

/* Vectors of int32 and not of 64 bits: gcc 12 keeps a sum that has both types twice, and spills it. */
typedef int32_t vi __attribute__((vector_size(32)));
#define vi_set1(x) ((vi)_mm256_set1_epi32(x))
#define vi_load(p) ((vi)_mm256_loadu_si256((const __m256i *)(const void *)(p)))
#define vi_float(v) _mm256_cvtepi32_ps((__m256i)(v))
static inline vi vi_four(const int8_t *p)
{
    int32_t four;
    memcpy(&four, p, 4);
    return vi_set1(four);
}

#endif
