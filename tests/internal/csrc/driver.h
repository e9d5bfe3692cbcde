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
    double *center;
    void *x, *y;
    int64_t *index;
} sets;

enum { NO_INT8 = 0, INT8 = 1 };

/* Numbers are 0.25 times those below `values`.  same: sets that have the queries, or NULL; with m = 0
 * the queries are the references, none its own neighbor.                                       */
void sets_make(sets *s, const prf_engine *engine, int64_t n, int64_t m, int64_t dim, int values,
               int wide, int int8, const sets *same);
/* D of all pairs once more. */
void sets_measure(sets *s);
void sets_load(sets *s, int64_t first, int64_t count);
void sets_free(sets *s);

/* Lists of all queries. */
prf_lists lists_make(const sets *s, int64_t k, int64_t capacity);
void lists_free(prf_lists *lists);

/* Pass all queries over the packed references, `block` together. */
void sets_fused(const sets *s, int64_t block, prf_fused *what, prf_work *work);

/* |û|² of a query, as the filter has it. */
double query_norm(const sets *s, int64_t query);

/* Which half each of so many points is in, a bit for each halving; whether two are in one half. */
uint16_t *sides_make(int64_t count);
int is_same_side(uint16_t a, uint16_t b, int halving);

/* The order of two doubles, for qsort. */
int ascending(const void *a, const void *b);

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
