/* What an instruction set brings: the file of isa/ that includes the engine has defined
 *
 *     vf, vd             vectors of float and of double; VF, VD: their lengths
 *     vf_load vf_store vf_set1 vf_zero vf_add vf_sub vf_mul vf_min vf_max
 *     vf_if_ge(a, b, x, y)    x where a is at least b, else y
 *     vf_fma(a, b, c)    a b + c, fused or not
 *     vf_ge(a, b)        the low VF bits of an unsigned: which of a are at least those of b?
 *     vf_two_to(n)       2ⁿ of numbers n + 1.5 × 2²³, n an integer from −126 to 127
 *     vf_take(to, rows, v, row, mask)    store the numbers of v with a bit, one behind the other, and the
 *                        rows row, row + 1, … that they have; how many.  All of a vector is overwritten.
 *     vd_load vd_store vd_set1 vd_zero vd_add vd_sub vd_mul      never fused
 *     vd_floats(p)       VD numbers of float
 *     MR                 queries of a register tile, MR × 2 VF sums
 *     GROUP_BYTES        of references that a block of queries goes over, strip by strip: well within the
 *                        second-level cache of processors that have no better instruction set
 *     I8_LEVELS, I8_OFFSET   integers: within ±I8_LEVELS; I8_OFFSET is added to those of references
 *     I8_DEEP            integers of a point that lie beside each other: 4, or 8
 *     I8_GAIN            multiply-adds of int8 for one of float on this processor; 0 where there is neither of
 *     VI_DOT(sum, refs, query)   in place: plus Σ of 4 products, a lane each; exact
 *     VI_DOTS(sum, refs, query, more_refs, more_query)   in place of it: of 4 and 4 products
 *     VI_BLOCK(sum, queries, refs)   in place: 2 queries by 2 references, plus Σ of 8 products; exact
 *     vi                 VF int32; vi_set1; vi_load(p): 4 VF integers;  vi_float(v): as vf, rounded to nearest
 *     vi_four(p)         4 integers of a query in every lane
 *     vi_upper, vi_lower (a, b)  of two blocks the sums of their first query, of their second
 *
 * and here is what all of them do with the bits.
 */
#ifndef PRFAST_ENGINE_SIMD_H
#define PRFAST_ENGINE_SIMD_H

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

/* Before a loop over the rows of a register tile: unrolled early, or else gcc has the sums in memory before
 * the loop over dimensions and after it.                                                         */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 16")
#define UNROLLED_SOME _Pragma("GCC unroll 4")
#else
#define UNROLLED
#define UNROLLED_SOME
#endif

/* A row will be read soon. */
static inline void vf_soon(const float *row, int64_t dim)
{
#if defined(__GNUC__)
    for (int64_t j = 0; j < dim; j += 16)
        __builtin_prefetch(row + j);
#else
    (void)row;
    (void)dim;
#endif
}

#endif
