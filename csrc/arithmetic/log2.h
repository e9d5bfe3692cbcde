/* Binary logarithms in fixed point: the same bits on every processor.
 *
 * level(x) is log2 x in units of 2⁻⁵¹, an integer, so that sums of levels do not depend on their order.
 * With x = 2ᵉ m, m from √½ to √2, s = (m − 1) / (m + 1) and z = s²
 *
 *     log2 x  =  e + s (c₀ + c₁ z + … + c₉ z⁹) + remainder,        c_i = 2 / ((2i + 1) ln 2).
 *
 * |s| <= 0.1716, so the remainder is below 2⁻⁵⁶.  m − 1 is exact; the sum m + 1, the quotient, z, the
 * products and sums of the polynomial and the last product leave a relative error below 5 · 2⁻⁵³ of
 * |log2 m| <= ½, that is 0.7 units; the sum with 3 rounds to whole units.  So
 *
 *     |level(x) − 2⁵¹ log2 x|  <=  1.25.
 *
 * x >= 0 may be subnormal; level(0) is below that of every other number by 80 · 2⁵¹ and more.
 *
 * Additions, products and quotients of float64, never contracted, and integers: nothing else, so that
 * a loop over numbers can be vectorized and all of its forms agree.                              */
#ifndef PRFAST_ARITHMETIC_LOG2_H
#define PRFAST_ARITHMETIC_LOG2_H

#include <stdint.h>
#include <string.h>

static inline uint64_t prf_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double prf_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline int64_t prf_level(double x)
{
    const uint64_t root = 0x3fe6a09e667f3bcd; /* of √½ */
    const uint64_t bias = UINT64_C(2048) << 52;
    double normal = x < 0x1p-1022 ? x * 0x1p54 : x;
    int64_t shift = x < 0x1p-1022 ? x == 0.0 ? 200 : 54 : 0;
    uint64_t bits = prf_bits_of(normal);
    uint64_t exponent = (bits - root + bias) >> 52; /* e + 2048 */
    double m = prf_of_bits(bits - (exponent << 52) + bias);
    double s = (m - 1.0) / (m + 1.0), z = s * s;
    double z2 = z * z, z4 = z2 * z2; /* by parts, as a chain of ten would wait for itself */
    double low = (0x1.71547652b82fep+1 + 0x1.ec709dc3a03fdp-1 * z) +
                 (0x1.2776c50ef9bfep-1 + 0x1.a61762a7aded9p-2 * z) * z2;
    double high = (0x1.484b13d7c02a9p-2 + 0x1.0c9a84994022dp-2 * z) +
                  (0x1.c68f568d31760p-3 + 0x1.89f3b1694cffep-3 * z) * z2;
    double last = 0x1.5b9ac9b743f0dp-3 + 0x1.3703c1f4d0ffep-3 * z;
    double sum = low + (high + last * z4) * z4;
    int64_t fraction = (int64_t)(prf_bits_of(s * sum + 3.0) - prf_bits_of(3.0));
    return ((int64_t)exponent - 2048 - shift) * (INT64_C(1) << 51) + fraction;
}

#endif
