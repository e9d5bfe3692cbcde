/* One engine an instruction set. */
#ifndef PRFAST_ISA_ISA_H
#define PRFAST_ISA_ISA_H

#include "prfast.h"

typedef struct {
    int64_t nr; /* references of a register tile, and of a packed panel */
    prf_status (*count)(const prf_pass *pass, int64_t first, int64_t count, prf_count *tasks,
                        int64_t tasks_count, prf_work *work);
    prf_status (*nearest)(const prf_pass *pass, int64_t first, int64_t count,
                          prf_nearest *state, prf_work *work);
    prf_status (*logsum)(const prf_pass *pass, int64_t first, int64_t count, double t, double *sum,
                         prf_work *work);
    prf_status (*ratio)(const prf_pass *pass, int64_t first, int64_t count, const double *ref_t,
                        double *best, prf_work *work);
    prf_status (*intervals)(const prf_pass *pass, int64_t first, int64_t count, double *lo,
                            double *hi);
    prf_status (*within_start)(const prf_pass *pass, int64_t first, int64_t count,
                               prf_nearest *state);
    prf_status (*within)(const prf_pass *pass, int64_t first, int64_t count, int64_t from,
                         int64_t to, prf_nearest *state, prf_work *work);
    prf_status (*within_end)(const prf_pass *pass, int64_t first, int64_t count,
                             prf_nearest *state, prf_work *work);
} prf_engine;

extern const prf_engine prf_engine_base;
#if defined(__x86_64__) || defined(_M_X64)
extern const prf_engine prf_engine_avx2, prf_engine_avx512;
#endif
const prf_engine *prf_engine_of(int isa);

#endif
