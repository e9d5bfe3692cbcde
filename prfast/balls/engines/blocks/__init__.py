"""Distances between sets that nobody holds: parts of queries × parts of references, on a cluster.

    engine     the driver: which tasks are submitted for a question, what becomes of their answers
    listing    the k nearest from keys that blocks list
    nearest    the k nearest from k of every block, where filters or lists do not tell
    asking     sets in parts, thresholds and samples of them: what all questions need
    window     submits tasks, not too many at a time
    listed     what tasks of `listing` do
    merges     what tasks return, put together by other tasks
    looks      what a task finds in a block: the exact engine on two parts
    sample     how far a query has to look, from a few references that stand for all
    sizes      how many rows a part has, and what a task with two of them takes
    parts      a set as parts that a task can hold

Counts are added up, maxima compared, a sum in the order of the references is a chain.  Of the k
nearest, blocks cannot know how near the k-th of all is:

    sample ──> D beyond the k-th, query by query; a centre and a scale that all blocks share
                 │
    block  ──> keys up to there, 8 bytes each; inside a set from each pair once, for both ends
                 │     eight blocks at a time: cut to what may be among the k nearest
    all    ──> how many are certain to be nearer than the k-th; pairs that may be the k-th
                 │
    block  ──> D of these pairs
                 │
    all    ──> D of the k-th, and what its ball holds of either set

A query for which the lists do not tell (ties, a filter that sees nothing, a sample that misled) is
answered from the k nearest of every block.  Of two sets the farther one comes first, as then its
balls are counted in the look at the other.

The driver holds numbers and, at the end, answers as long as a set.  Rows, lists and what is found
of a block stay where the tasks run; functions given to tasks know nothing of the cluster.
"""
