/* float64 to float32, rounded to a side. */
#ifndef PRFAST_ARITHMETIC_ROUNDING_H
#define PRFAST_ARITHMETIC_ROUNDING_H

/* x rounded to float32, never above (below) x; ±inf beyond the range. */
float prf_float_down(double x);
float prf_float_up(double x);

#endif
