/* The bounds of the int8 filter, derived in int8.h. */
#include "filter/int8.h"

#include <math.h>

#include "arithmetic/rounding.h"
#include "distances/points.h"

/* What ρ² and e² are widened by; t²; ρ² for its own ends. */
static const double WIDE = 0x40p-24, REACH_WIDE = 0x20p-24, NORM_WIDE = 0x10p-24;

prf_int8_bound prf_int8_bound_of(const prf_pass *pass)
{
    double d = (double)pass->refs.dim;
    return (prf_int8_bound){pass->scale * pass->scale, ldexp(d + 8.0, -52), ldexp(d + 1.0, -120)};
}

/* `half`, armed. */
static float half_of(const prf_int8_bound *b, const prf_int8_point *x, double t)
{
    double rho = (double)x->norm, e = (double)x->error;
    double reach = t > 0.0 ? t * b->square * (1.0 + b->slack) + b->phi : b->phi;
    double half = rho * rho * (1.0 - WIDE - NORM_WIDE) - e * e * (WIDE + NORM_WIDE) -
                  reach * (1.0 + REACH_WIDE);
    return t < 0.0 ? INFINITY : prf_float_down(0.5 * half / (double)x->step);
}

static float inverse_step(const prf_int8_point *x)
{
    return (float)(1.0 / (double)x->step);
}

static float in_steps(const prf_int8_point *x, float length)
{
    return prf_float_up((double)length / (double)x->step);
}

prf_int8_terms prf_int8_of_query(const prf_int8_bound *b, const prf_int8_point *x, double t)
{
    return (prf_int8_terms){half_of(b, x, t), inverse_step(x), -in_steps(x, x->error),
                            -prf_float_up(sqrt((double)x->squares))};
}

prf_int8_terms prf_int8_of_ref(const prf_int8_bound *b, const prf_int8_point *y, double t)
{
    return (prf_int8_terms){half_of(b, y, t), inverse_step(y), in_steps(y, y->norm),
                            in_steps(y, y->error)};
}

void prf_int8_arm(const prf_pass *pass, const double *ref_t, float *half)
{
    prf_int8_bound bound = prf_int8_bound_of(pass);
    for (int64_t i = 0; i < round_up(pass->ref_count, pass->panel); i++)
        half[i] = i < pass->ref_count
                      ? half_of(&bound, pass->int8->points + i, ref_t[pass->ref_first + i])
                      : INFINITY;
}
