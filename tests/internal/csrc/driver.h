/* What the parts of the driver share: checks, numbers, and sets of points packed for an engine. */
#ifndef DRIVER_H
#define DRIVER_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "prfast.h"

#define REQUIRE(condition) ((condition) ? (void)0 : give_up(__FILE__, __LINE__, #condition))

/* Say what does not hold, and end. */
_Noreturn void give_up(const char *file, int line, const char *condition);

/* The same numbers in every run, and after `random_again`. */
void random_again(void);
int64_t random_below(int64_t n);
uint64_t random_bits(void);

/* Queries and references of float32 or float64, and D of all pairs by the double loop.  What is packed
 * has exactly the promised size: a step outside is an error.                                    */
typedef struct {
    const prf_engine *engine;
    int64_t n, m, dim; /* references, queries */
    double *d2;        /* [m][n] */
    prf_pass pass;
    prf_int8 packed;
    prf_pass head;
    double *center;
    void *x, *y;
    int64_t *index;
} sets;

/* What comes before dot products, and the data of heads. */
enum {
    NO_INT8,
    INT8,
    HEAD,       /* forced */
    HEAD_SHORT, /* of an axis, given up where that is too slow */
    HEAD_WHOLE, /* as many axes as features */
    HEAD_COPIES,
    HEAD_HUGE, /* a column of large numbers */
    HEAD_FLAT, /* of rank 2 */
    FILTERS
};

/* Numbers are 0.25 times those below `values`.  same: sets that have the queries, or NULL; with m = 0
 * the queries are the references, none its own neighbor.                                       */
void sets_make(sets *s, const prf_engine *engine, int64_t n, int64_t m, int64_t dim, int values,
               int wide, int filter, const sets *same);
/* D of all pairs once more. */
void sets_measure(sets *s);
void sets_load(sets *s, int64_t first, int64_t count);
/* Room for the packed references, armed with the largest radius of each; NULL where filters have no use of it. */
float *sets_arm(const sets *s, const double *largest);
void sets_free(sets *s);

/* Lists of all queries. */
prf_lists lists_make(const sets *s, int64_t k, int64_t capacity);
void lists_free(prf_lists *lists);

/* How many references of query i have D < t, and D <= t; within a set without the query. */
void ranks(const sets *s, int64_t i, double t, int64_t *below, int64_t *through);

void check_masses(void);
void check_trees(void);
void check_distances(const prf_engine *engine);
void check_halves(const prf_engine *engine);
void check_kernels(const prf_engine *engine);
void check_keys(const prf_engine *engine);
void check_lists(const prf_engine *engine);
void check_open(const prf_engine *engine);
void check_longest(const prf_engine *engine);
void check_public(void);

#endif
