/* Vectors of AVX2 with FMA: 6 × 16 sums are 12 of 16 registers. */
#ifndef PRFAST_ISA_AVX2_H
#define PRFAST_ISA_AVX2_H

/* Of each mask of eight bits the places of its bits, one behind the other, a byte each. */
#define BELOW(m, b) ((unsigned)(m) & ((1u << (b)) - 1u))
#define PAIR(x) (((x) & 1u) + ((x) >> 1 & 1u))
#define BITS(x) (PAIR(x) + PAIR((x) >> 2) + PAIR((x) >> 4) + PAIR((x) >> 6))
#define PLACE(m, b) ((uint64_t)((m) >> (b) & 1u) * (uint64_t)(b) << 8 * BITS(BELOW(m, b)))
#define PLACES(m)                                                                            \
    (PLACE(m, 1) | PLACE(m, 2) | PLACE(m, 3) | PLACE(m, 4) | PLACE(m, 5) | PLACE(m, 6) |    \
     PLACE(m, 7))
#define FOUR(m) PLACES(m), PLACES((m) + 1u), PLACES((m) + 2u), PLACES((m) + 3u)
#define SIXTEEN(m) FOUR(m), FOUR((m) + 4u), FOUR((m) + 8u), FOUR((m) + 12u)
#define SIXTY_FOUR(m) SIXTEEN(m), SIXTEEN((m) + 16u), SIXTEEN((m) + 32u), SIXTEEN((m) + 48u)
static const uint64_t places[256] = {SIXTY_FOUR(0u), SIXTY_FOUR(64u), SIXTY_FOUR(128u),
                                     SIXTY_FOUR(192u)};

enum { MR = 6, VF = 8, VD = 4, GROUP_BYTES = 192 * 1024 };
typedef __m256 vf;
typedef __m256d vd;
#define vf_load(p) _mm256_loadu_ps(p)
#define vf_store(p, v) _mm256_storeu_ps(p, v)
#define vf_set1(x) _mm256_set1_ps(x)
#define vf_zero() _mm256_setzero_ps()
#define vf_add(a, b) _mm256_add_ps(a, b)
#define vf_sub(a, b) _mm256_sub_ps(a, b)
#define vf_mul(a, b) _mm256_mul_ps(a, b)
#define vf_min(a, b) _mm256_min_ps(a, b)
#define vf_max(a, b) _mm256_max_ps(a, b)
#define vf_if_ge(a, b, x, y) _mm256_blendv_ps(y, x, _mm256_cmp_ps(a, b, _CMP_GE_OQ))
#define vf_fma(a, b, c) _mm256_fmadd_ps(a, b, c)
#define vf_ge(a, b) ((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ)))
static inline vf vf_two_to(vf n)
{
    __m256i bits = _mm256_slli_epi32(_mm256_castps_si256(n), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(bits, _mm256_set1_epi32(0x3f800000)));
}
static inline int vf_take(float *to, int32_t *rows, vf v, int32_t row, unsigned mask)
{
    __m256i at = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)places[mask]));
    _mm256_storeu_ps(to, _mm256_permutevar8x32_ps(v, at));
    _mm256_storeu_si256((__m256i *)(void *)rows, _mm256_add_epi32(_mm256_set1_epi32(row), at));
    return __builtin_popcount(mask);
}
#define vd_load(p) _mm256_loadu_pd(p)
#define vd_store(p, v) _mm256_storeu_pd(p, v)
#define vd_floats(p) _mm256_cvtps_pd(_mm_loadu_ps(p))
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
