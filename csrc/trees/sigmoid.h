/* 1 / (1 + e^−x): the same bits on every processor, and a loop over it can be vectorized.
 *
 * With −x = k ln 2 + r, |r| <= ½ ln 2, e^−x = 2ᵏ e^r, and e^r by its series up to r¹¹/11!, whose
 * remainder is below 7 · 10⁻¹⁵.  Beyond ±700 x is taken as ±700.                                  */
#ifndef PRFAST_TREES_SIGMOID_H
#define PRFAST_TREES_SIGMOID_H

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

static inline double prf_sigmoid(double x)
{
    const double whole = 0x1.8p52; /* added, it leaves a whole number in the last bits */
    double t = x < -700.0 ? 700.0 : x > 700.0 ? -700.0 : -x;
    double shifted = t * 0x1.71547652b82fep+0 + whole;
    double r = t - (shifted - whole) * 0x1.62e42fefa39efp-1;
    double r2 = r * r, r4 = r2 * r2;
    double low = (1.0 + r) + (1.0 / 2 + r * (1.0 / 6)) * r2;
    double middle = (1.0 / 24 + r * (1.0 / 120)) + (1.0 / 720 + r * (1.0 / 5040)) * r2;
    double high = (1.0 / 40320 + r * (1.0 / 362880)) + (1.0 / 3628800 + r * (1.0 / 39916800)) * r2;
    double series = low + (middle + high * r4) * r4;
    double power = prf_of_bits((prf_bits_of(shifted) + 1023) << 52);
    return 1.0 / (1.0 + series * power);
}

#endif
