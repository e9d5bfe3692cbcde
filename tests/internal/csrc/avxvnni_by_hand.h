/* Included before all else, where the processor has no AVX-VNNI: its one instruction, written out. */
#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

static inline __attribute__((target("avx2"))) __m256i by_hand(__m256i sum, __m256i refs, __m256i query)
{
    uint8_t r[32];
    int8_t q[32];
    int32_t sums[8];
    memcpy(r, &refs, sizeof r);
    memcpy(q, &query, sizeof q);
    memcpy(sums, &sum, sizeof sums);
    for (int j = 0; j < 32; j++)
        sums[j / 4] += (int)r[j] * (int)q[j];
    memcpy(&sum, sums, sizeof sums);
    return sum;
}

#define _mm256_dpbusd_avx_epi32 by_hand
/* and leaf 7, 1 of a processor that has it */
#define __get_cpuid_count(leaf, part, a, b, c, d) (*(a) = 1u << 4, *(b) = *(c) = *(d) = 0, 1)
