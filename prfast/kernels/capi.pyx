"""The table of the functions of prfast/include/prfast.h, for other compiled code.

`prfast_import()` of that header, also by `from prfast cimport prfast_import`, reads the capsule
`_C_API` and checks its version.
"""

from cpython.pycapsule cimport PyCapsule_New

from prfast.kernels import distances, masses

from prfast.kernels.part cimport part_in, prfast_api

cdef extern from "prfast/include/prfast.h":
    int PRFAST_ABI, PRFAST_ABI_ADDED
    const char *PRFAST_CAPSULE


cdef extern from *:
    """
    /* Static, because other modules keep its address. */
    static prfast_api prf_table = {PRFAST_ABI, (int64_t)sizeof(prfast_api)};
    """
    prfast_api prf_table


ABI = (PRFAST_ABI, PRFAST_ABI_ADDED)

part_in(masses._C_PART).fill(&prf_table)
part_in(distances._C_PART).fill(&prf_table)
_C_API = PyCapsule_New(&prf_table, PRFAST_CAPSULE, NULL)
