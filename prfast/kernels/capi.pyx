"""The functions of prfast/include/prfast.h in one table: a capsule, `_C_API`, for other compiled code.

`prfast_import()` of that header, also by `from prfast cimport prfast_import`, takes the table from
here and checks that it is what the header knows.
"""

from cpython.pycapsule cimport PyCapsule_New

from prfast.kernels import balls, masses

from prfast.kernels.part cimport part_in, prfast_api

cdef extern from "prfast/include/prfast.h":
    int PRFAST_ABI, PRFAST_ABI_ADDED
    const char *PRFAST_CAPSULE


cdef extern from *:
    """
    /* As long as the process. */
    static prfast_api prf_table = {PRFAST_ABI, (int64_t)sizeof(prfast_api)};
    """
    prfast_api prf_table


ABI = (PRFAST_ABI, PRFAST_ABI_ADDED)

part_in(masses._C_PART).fill(&prf_table)
part_in(balls._C_PART).fill(&prf_table)
_C_API = PyCapsule_New(&prf_table, PRFAST_CAPSULE, NULL)
