# The functions of prfast/include/prfast.h that a compiled module supplies.
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New


cdef extern from "public/fill.h":
    ctypedef struct prfast_api:
        pass

    ctypedef struct prf_part:
        void (*fill)(prfast_api *api) noexcept

    const prf_part prf_masses_part, prf_distances_part


cdef inline object part_of_table(const prf_part *part):
    """Return a capsule for `prfast.kernels.capi`."""
    return PyCapsule_New(<void *>part, "prfast part", NULL)


cdef inline const prf_part *part_in(capsule) except NULL:
    return <const prf_part *>PyCapsule_GetPointer(capsule, "prfast part")
