"""The engine for partitioned samples: parts of queries × parts of references, on a cluster.

    engine       the driver: which functions are submitted for each task, and the k nearest from
                 lists of blocks, or from the k nearest of every block
    partitioned  sets in parts, their thresholds and samples; submission; the size of parts
    parts        a part of a set, and the functions that run the exact engine on two parts
    listed       the functions that list the nearest in blocks and combine the lists

Counts are added, maxima compared; a sum in the order of the references is a chain of blocks.  For
the k nearest, no block knows how near the k-th of all is:

    sample ──> D beyond the k-th, for each query; a centre and a scale that all blocks share
                 │
    block  ──> keys up to that D, 8 bytes each; inside a set each pair once, for both ends
                 │     eight blocks at a time are cut to what may be among the k nearest
    all    ──> how many are certainly nearer than the k-th; pairs that may be the k-th
                 │
    block  ──> D of these pairs
                 │
    all    ──> D of the k-th, and how many points of each set its ball contains

A query that the lists do not answer (ties, a filter without useful bounds, an unlucky sample) is
answered from the k nearest of every block.  Of two sets the farther one is scanned first, because
its balls are then counted while the other is scanned.

The driver holds numbers and, at the end, results as long as a set.  Rows, lists and partial results
stay where the functions run; these know nothing of the cluster.
"""
