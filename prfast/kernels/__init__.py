"""The Python side of the C kernels: compiled modules and instruction sets.

    curve, theory, neighbors  callers, with validated arrays; methods.auto, that of the others
        │
    masses  distances         compiled: memoryviews in, OpenMP over blocks, status codes out
        │       │  trees      compiled, serial: columns in bins, boosted trees
        │       │  monotone   compiled from Cython alone: monotone polylines
        └─ capi ┘             the functions of prfast/include/prfast.h for other compiled code
    contract.pxd  part.pxd    csrc/prfast.h for Cython; the public functions of a module
    points.pxd                array types for Cython
        │
    csrc                      serial C without Python

Two environment variables are read when a pass begins (`neighbors.passes`):

    PRFAST_ISA     base, avx2, avxvnni, avx512, avx512vnni; on ARM base, dotprod, i8mm;
                   default: the last of these that the CPU supports
    PRFAST_FILTER  auto (default), head, int8 (also where slower), float32 (without both),
                   off (float64 only)

Sums are compensated or of integers, and blocks do not depend on the number of threads.  So results
are the same for every number of threads, instruction set and filter.
"""
