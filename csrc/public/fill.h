/* The table of functions: each compiled module fills in those that it has. */
#ifndef PRFAST_PUBLIC_FILL_H
#define PRFAST_PUBLIC_FILL_H

#include "prfast/include/prfast.h"

/* What the capsule of such a module holds. */
typedef struct {
    void (*fill)(prfast_api *api);
} prf_part;

extern const prf_part prf_masses_part, prf_distances_part;

#endif
