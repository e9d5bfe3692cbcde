/* The instruction sets, from the plainest to the best. */
#include "prfast.h"

#include <stddef.h>

extern const prf_isa prf_isa_base, prf_isa_avx2, prf_isa_avxvnni, prf_isa_avx512,
    prf_isa_avx512vnni;

static const prf_isa *const isas[] = {&prf_isa_base, &prf_isa_avx2, &prf_isa_avxvnni, &prf_isa_avx512,
                                     &prf_isa_avx512vnni};

const prf_isa *prf_isa_at(int64_t i)
{
    return i < (int64_t)(sizeof isas / sizeof *isas) ? isas[i] : NULL;
}
