/* Every processor of its kind: SSE2, NEON or, where there is neither, plain C. */
#include "prfast.h"

#include <string.h>

#include "engine/simd.h"

static int runs(void)
{
    return 1;
}

#if defined(__SSE2__) || defined(_M_X64)

#include <emmintrin.h>
enum { MR = 6, VF = 4, VD = 2, GROUP_BYTES = 512 * 1024 };
typedef __m128 vf;
typedef __m128d vd;
#define vf_load(p) _mm_loadu_ps(p)
#define vf_store(p, v) _mm_storeu_ps(p, v)
#define vf_set1(x) _mm_set1_ps(x)
#define vf_zero() _mm_setzero_ps()
#define vf_add(a, b) _mm_add_ps(a, b)
#define vf_sub(a, b) _mm_sub_ps(a, b)
#define vf_mul(a, b) _mm_mul_ps(a, b)
#define vf_min(a, b) _mm_min_ps(a, b)
#define vf_max(a, b) _mm_max_ps(a, b)
static inline vf vf_if_ge(vf a, vf b, vf x, vf y)
{
    vf held = _mm_cmpge_ps(a, b);
    return _mm_or_ps(_mm_and_ps(held, x), _mm_andnot_ps(held, y));
}
#define vf_fma(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)
#define vf_ge(a, b) ((unsigned)_mm_movemask_ps(_mm_cmpge_ps(a, b)))
static inline vf vf_two_to(vf n)
{
    __m128i bits = _mm_slli_epi32(_mm_castps_si128(n), 23);
    return _mm_castsi128_ps(_mm_add_epi32(bits, _mm_set1_epi32(0x3f800000)));
}
#define vd_load(p) _mm_loadu_pd(p)
#define vd_store(p, v) _mm_storeu_pd(p, v)
#define vd_floats(p) _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)(p))))
#define vd_set1(x) _mm_set1_pd(x)
#define vd_zero() _mm_setzero_pd()
#define vd_add(a, b) _mm_add_pd(a, b)
#define vd_sub(a, b) _mm_sub_pd(a, b)
#define vd_mul(a, b) _mm_mul_pd(a, b)

#elif defined(__aarch64__) && defined(__ARM_NEON)

#include "isa/neon.h"

#else

enum { MR = 6, VF = 1, VD = 1 };
typedef float vf;
typedef double vd;
#define vf_load(p) (*(p))
#define vf_store(p, v) (*(p) = (v))
#define vf_set1(x) (x)
#define vf_zero() 0.0f
#define vf_add(a, b) ((a) + (b))
#define vf_sub(a, b) ((a) - (b))
#define vf_mul(a, b) ((a) * (b))
#define vf_min(a, b) ((a) < (b) ? (a) : (b))
#define vf_max(a, b) ((a) > (b) ? (a) : (b))
#define vf_if_ge(a, b, x, y) ((a) >= (b) ? (x) : (y))
#define vf_fma(a, b, c) ((a) * (b) + (c))
#define vf_ge(a, b) ((unsigned)((a) >= (b)))
static inline vf vf_two_to(vf n)
{
    uint32_t bits;
    memcpy(&bits, &n, sizeof bits);
    bits = (bits << 23) + 0x3f800000;
    memcpy(&n, &bits, sizeof bits);
    return n;
}
#define vd_load(p) (*(p))
#define vd_store(p, v) (*(p) = (v))
#define vd_floats(p) ((double)*(p))
#define vd_set1(x) (x)
#define vd_zero() 0.0
#define vd_add(a, b) ((a) + (b))
#define vd_sub(a, b) ((a) - (b))
#define vd_mul(a, b) ((a) * (b))

#endif

#include "isa/lanes.h"

enum { I8_LEVELS = 127, I8_OFFSET = 128, I8_DEEP = 4, I8_GAIN = 0 }; /* a loop over integers */

#include "engine/engine.h"

const prf_isa prf_isa_base = {"base", runs, &engine};
