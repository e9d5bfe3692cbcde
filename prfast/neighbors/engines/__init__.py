"""Engines that answer the tasks of `prfast.neighbors.tasks`.

    exact        csrc: filters with a certified error, float64 where they cannot decide
    indexed      SciPy's k-d tree, for low dimensions, and pynndescent, approximate and on request
                 only; ENGINES, the table of all engines
    lists        lists and passes: what the exact engine is built from
    nearest      the k nearest in one set or in two, from lists, with reservoirs as the fallback

The exact engine lists, for each query, the references with the smallest keys, and counts in the
same pass: each pair is offered to the list of its query and compared with every radius that is
known.  The steps that decide it (`csrc/engine/cascade.h`):

    int8 products ──> float32 differences ──> D     where the processor has int8 products, while
             └──(float64 rows)──────────────> D     they leave little open
    float32 products ───────────────────────> D     elsewhere, and for first limits
    D                                               where filters are off or useless

Each step passes on what its bound leaves open (`csrc/filter/int8.h`, `csrc/filter/bound.h`,
`csrc/engine/differences.h`).  A list contains keys: float32 numbers with key <= V, where
V = s² D / 2, and V < t for keys up to t − w(t), whichever step computed them.  So the k-th smallest
V lies between the k-th smallest key and a little more, and D is computed for the keys in that
interval (`csrc/engine/finish.h`).  Limits of lists are estimated from the first references.  Where
one was too low, or a list overflows (ties, or data for which the filter bounds nothing), the engine
detects it and answers the query from reservoirs instead.

A new engine is a module here, and a row of ENGINES.
"""
