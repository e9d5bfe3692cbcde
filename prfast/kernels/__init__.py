"""The edge: the C kernels as Python sees them.

    curve, tradeoffs, balls  arrays that have been read and checked
        │
    masses    balls         compiled: memoryviews in, OpenMP over blocks, status codes out
        │       │  choice   the instruction set and the filter: PRFAST_ISA, PRFAST_FILTER
        │       │  threads  how many, and why a forked child has one
        │       │  blas     linear algebra of NumPy and SciPy on one thread
        └─ capi ┘           the functions of prfast/include/prfast.h for other compiled code
    contract.pxd  part.pxd  csrc/prfast.h for Cython; which functions of the header a module has
    points.pxd    include   arrays as Cython knows them; where the header is
        │
    csrc                    serial C without Python

Two variables of the environment, read when a pass begins:

    PRFAST_ISA     base, avx2, avxvnni, avx512, avx512vnni; of ARM base, dotprod, i8mm:
                   what runs here, by default the last
    PRFAST_FILTER  auto, int8 (also where it does not pay), float32 (without int8), off (float64)

Sums are compensated and blocks are cut alike for every number of threads: results do not depend on
threads, instruction set or filter.
"""

from prfast.kernels.include import get_include

__all__ = ["get_include"]
