/* The bounds of the int8 filter, derived in int8.h. */
#include "filter/int8.h"

#include <math.h>

#include "arithmetic/rounding.h"
#include "distances/points.h"

static const double A_WIDE = 0x20p-24, B_WIDE = 0x40p-24, NORM_WIDE = 0x10p-24;

prf_int8_bound prf_int8_bound_of(const prf_pass *pass)
{
    double d = (double)pass->refs.dim;
    prf_int8_bound bound = {pass->scale * pass->scale, ldexp(d + 8.0, -52), ldexp(d + 1.0, -120),
                            pass->int8->cauchy};
    return bound;
}

static double square_of(const prf_int8_point *x)
{
    return (double)x->step * (double)x->step * (double)x->squares;
}

/* t², 0 where there is no T. */
static double reach_of(const prf_int8_bound *b, double t)
{
    return t > 0.0 ? t * b->square * (1.0 + b->slack) + b->phi : b->phi;
}

static float inverse_step(const prf_int8_point *x)
{
    return (float)(1.0 / (double)x->step);
}

/* `half` and `first` of (A), armed. */
static prf_int8_terms triangle_terms(const prf_int8_bound *b, const prf_int8_point *x, double t)
{
    double s = (double)x->step, inverse = 1.0 / s;
    double g = sqrt(reach_of(b, t)) * (1.0 + 0x1p-50) + (double)x->error;
    prf_int8_terms terms = {-INFINITY, inverse_step(x), 0.0f, 0.0f};
    if (t < 0.0)
        terms.half = INFINITY;
    else if (g < 0x1p40) { /* beyond: farther than any pair of points */
        double half = square_of(x) * (1.0 - A_WIDE) - g * g * (1.0 + A_WIDE);
        terms.half = prf_float_down(0.5 * half * inverse);
        terms.first = prf_float_up(g * inverse);
    }
    return terms;
}

/* `half` of (B), armed. */
static float cauchy_half(const prf_int8_bound *b, const prf_int8_point *x, double t)
{
    double rho = (double)x->norm, e = (double)x->error;
    double half = rho * rho * (1.0 - B_WIDE - NORM_WIDE) - e * e * (B_WIDE + NORM_WIDE) -
                  reach_of(b, t) * (1.0 + A_WIDE);
    return t < 0.0 ? INFINITY : prf_float_down(0.5 * half / (double)x->step);
}

static float in_steps(const prf_int8_point *x, float length)
{
    return prf_float_up((double)length / (double)x->step);
}

prf_int8_terms prf_int8_of_query(const prf_int8_bound *b, const prf_int8_point *x, double t)
{
    prf_int8_terms terms;
    if (b->cauchy)
        terms = (prf_int8_terms){cauchy_half(b, x, t), inverse_step(x), in_steps(x, x->error),
                                 prf_float_up(sqrt((double)x->squares))};
    else
        terms = triangle_terms(b, x, t);
    terms.first = -terms.first;
    terms.second = -terms.second;
    return terms;
}

prf_int8_terms prf_int8_of_ref(const prf_int8_bound *b, const prf_int8_point *y, double t)
{
    if (b->cauchy)
        return (prf_int8_terms){cauchy_half(b, y, t), inverse_step(y), in_steps(y, y->norm),
                                in_steps(y, y->error)};
    return triangle_terms(b, y, t);
}

/* What x̂·ŷ is at most off by: the integer was rounded to float32, products to float64. */
static double shift_of(double product)
{
    return fabs(product) * 0x1.1p-24;
}

/* Float64 D of a |z − w|² that is within [lo, hi]. */
static void of_float64(const prf_int8_bound *b, double *lo, double *hi)
{
    *lo = *lo * (1.0 - b->slack) - b->phi;
    *hi = *hi * (1.0 + b->slack) + b->phi;
    if (*lo < 0.0)
        *lo = 0.0;
}

void prf_int8_triangle(const prf_int8_bound *b, const prf_int8_point *x, const prf_int8_point *y,
                       float dot, double *lo, double *hi)
{
    double product = (double)x->step * (double)y->step * (double)dot;
    double norms = square_of(x) + square_of(y), e = (double)x->error + (double)y->error;
    double near = norms - 2.0 * product, shift = 2.0 * shift_of(product) + 0x1p-48 * norms;
    double below = sqrt(near > shift ? near - shift : 0.0) * (1.0 - 0x1p-50) - e;
    double above = sqrt(near + shift) * (1.0 + 0x1p-50) + e;
    *lo = below > 0.0 ? below * below : 0.0;
    *hi = above * above;
    of_float64(b, lo, hi);
}

void prf_int8_cauchy(const prf_int8_bound *b, const prf_int8_point *x, const prf_int8_point *y,
                     float dot, double *lo, double *hi)
{
    double product = (double)x->step * (double)y->step * (double)dot;
    double rho_x = (double)x->norm, rho_y = (double)y->norm, norms = rho_x * rho_x + rho_y * rho_y;
    double one = (double)x->error * rho_y + sqrt(square_of(x)) * (double)y->error;
    double other = (double)y->error * rho_x + sqrt(square_of(y)) * (double)x->error;
    double spread = 2.0 * (one < other ? one : other) * (1.0 + 0x1p-48) + 2.0 * shift_of(product);
    *lo = norms * (1.0 - NORM_WIDE) - 2.0 * product - spread;
    *hi = norms * (1.0 + 0x1p-48) - 2.0 * product + spread;
    of_float64(b, lo, hi);
}

void prf_int8_interval(const prf_int8_bound *b, const prf_int8_point *x, const prf_int8_point *y,
                       float dot, double *lo, double *hi)
{
    double lowest, highest;
    prf_int8_triangle(b, x, y, dot, lo, hi);
    prf_int8_cauchy(b, x, y, dot, &lowest, &highest);
    *lo = lowest > *lo ? lowest : *lo;
    *hi = highest < *hi ? highest : *hi;
}

void prf_int8_arm(const prf_pass *pass, const double *ref_t, float *half, float *first)
{
    prf_int8_bound bound = prf_int8_bound_of(pass);
    for (int64_t i = 0; i < round_up(pass->ref_count, pass->panel); i++) {
        prf_int8_terms terms = {INFINITY, 0.0f, 0.0f, 0.0f};
        if (i < pass->ref_count)
            terms = prf_int8_of_ref(&bound, pass->int8->points + i, ref_t[pass->ref_first + i]);
        half[i] = terms.half;
        first[i] = terms.first;
    }
}
