/* One engine an instruction set. */
#ifndef PRFAST_ISA_ISA_H
#define PRFAST_ISA_ISA_H

#include "prfast.h"

extern const prf_engine prf_engine_base;
#if defined(__x86_64__) || defined(_M_X64)
extern const prf_engine prf_engine_avx2, prf_engine_avx512;
#endif
#endif
