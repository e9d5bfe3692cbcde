"""The edge: the C kernels as Python sees them.

    curve, tradeoffs, balls  arrays that have been read and checked
        │
    masses    balls         compiled: memoryviews in, OpenMP over blocks, status codes out
        │       │  choice   the instruction set and the filter: PRFAST_ISA, PRFAST_FILTER
        │       │  sorting  scores in order, by the faster of two sorts: PRFAST_SORT
        │       │  threads  how many, and why a forked child has one
        │       │  blas     linear algebra of NumPy and SciPy on one thread
    contract.pxd            csrc/prfast.h for Cython
    points.pxd              arrays as it knows them
        │
    csrc                    serial C without Python

Sums are compensated and blocks are cut alike for every number of threads: results do not depend on
threads, instruction set, filter or sort.
"""
