/* The instruction sets, from the plainest to the best. */
#include "prfast.h"

#include <stddef.h>

extern const prf_isa prf_isa_base, prf_isa_avx2, prf_isa_avxvnni, prf_isa_avx512,
    prf_isa_avx512vnni, prf_isa_dotprod, prf_isa_i8mm;

static const prf_isa *const isas[] = {&prf_isa_base, &prf_isa_avx2, &prf_isa_avxvnni, &prf_isa_avx512,
                                     &prf_isa_avx512vnni, &prf_isa_dotprod, &prf_isa_i8mm};

const prf_isa *prf_isa_at(int64_t i)
{
    return i < (int64_t)(sizeof isas / sizeof *isas) ? isas[i] : NULL;
}
