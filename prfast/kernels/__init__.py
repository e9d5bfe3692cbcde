"""The Python side of the C kernels: compiled modules, threads, instruction sets.

    curve, tradeoffs, balls  callers, with validated arrays
        │
    masses    balls         compiled: memoryviews in, OpenMP over blocks, status codes out
        │       │  choice   instruction set and filter: PRFAST_ISA, PRFAST_FILTER
        │       │  threads  the number of threads; one in a forked child
        │       │  blas     limits BLAS and OpenMP of NumPy, SciPy and scikit-learn to one thread
        └─ capi ┘           the functions of prfast/include/prfast.h for other compiled code
    contract.pxd  part.pxd  csrc/prfast.h for Cython; which public functions a module has
    points.pxd    include   array types for Cython; the folder of the public header
        │
    csrc                    serial C without Python

Two environment variables are read when a pass begins:

    PRFAST_ISA     base, avx2, avxvnni, avx512, avx512vnni; on ARM base, dotprod, i8mm;
                   default: the last of these that the CPU supports
    PRFAST_FILTER  auto (default), int8 (also where it is slower), float32 (without int8),
                   off (float64 only)

Sums are compensated, and blocks do not depend on the number of threads: results are the same for
every number of threads, instruction set and filter.
"""

from prfast.kernels.include import get_include

__all__ = ["get_include"]
