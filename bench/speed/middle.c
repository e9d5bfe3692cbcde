/* Tiles of 12 queries × 32 references, four bytes of each row at a time, all that the engine's tile does
 * with them but the comparison: four integers, two of 16 bits, or a float.                        */
#include <immintrin.h>
#include <stdint.h>

enum { MR = 12, NR = 32, GROUP = 768 * 1024 };

typedef int32_t vi __attribute__((vector_size(64)));

#define TILES(name, v, dot)                                                                       \
    float name(const float *queries, const float *refs, int64_t strips, int64_t panels,           \
               int64_t units)                                                                     \
    {                                                                                             \
        int64_t group = GROUP / (4 * units * NR) ? GROUP / (4 * units * NR) : 1;                  \
        float all = 0.0f;                                                                         \
        for (int64_t from = 0; from < panels; from += group)                                      \
            for (int64_t strip = 0; strip < strips; strip++)                                      \
                for (int64_t panel = from; panel < panels && panel < from + group; panel++) {     \
                    const float *q = queries + strip * units * MR;                                \
                    const float *r = refs + panel * units * NR;                                   \
                    v sum[MR][2] = {{{0}}};                                                       \
                    for (int64_t j = 0; j < units; j++, q += MR, r += NR) {                       \
                        v left = (v)_mm512_loadu_ps(r), right = (v)_mm512_loadu_ps(r + NR / 2);   \
                        for (int i = 0; i < MR; i++) {                                            \
                            v x = (v)_mm512_set1_ps(q[i]);                                        \
                            sum[i][0] = dot(sum[i][0], left, x);                                  \
                            sum[i][1] = dot(sum[i][1], right, x);                                 \
                        }                                                                         \
                    }                                                                             \
                    for (int i = 0; i < MR; i++)                                                  \
                        all += (float)(sum[i][0][0] + sum[i][1][7]);                              \
                }                                                                                 \
        return all;                                                                               \
    }

#define DOT8(sum, refs, x) ((vi)_mm512_dpbusd_epi32((__m512i)(sum), (__m512i)(refs), (__m512i)(x)))
#define DOT16(sum, refs, x) ((vi)_mm512_dpwssd_epi32((__m512i)(sum), (__m512i)(refs), (__m512i)(x)))
#define DOT32(sum, refs, x) _mm512_fmadd_ps(refs, x, sum)

TILES(int8, vi, DOT8)
TILES(int16, vi, DOT16)
TILES(float32, __m512, DOT32)
