"""What lies behind the door: engines that answer tasks.

    engine       the contract: run(queries, refs, tasks, resources)
    table        a row an engine: how it is made, what it answers, when "auto" takes it

    exact        csrc: filters with a certified error, float64 where they cannot decide
    tree         SciPy's k-d tree finds candidates, D decides; where the dimension is low
    approximate  pynndescent (extra: ann); only when asked for

What the exact engine is made of, each from those below it:

    divide       how the k nearest of two sets divide, by counting what the others do not tell
    within       radii inside a set, each pair of points looked at once for both
    nearest      the k nearest in one set or in two: from lists, and reservoirs where these fail
    lists        of each set the references with the smallest keys, and counts in the same look
    reservoirs   the nearest of each set with their intervals, for queries that are redone
    passes       what a pass of the kernels is given, and how much of it is one call
    pairs        every pair of points of a set once, in rounds whose parts do not meet
    order        a fixed order in which the first of some points stand for all

One look at a pair offers the reference to the list of its query and counts it for every radius that
is known.  What decides it (`csrc/engine/cascade.h`):

    int8 products ──> float32 differences ──> D     where the processor has int8 products, as long
             └──(float64 rows)──────────────> D     as they leave little
    float32 products ───────────────────────> D     elsewhere, and for first limits
    D                                               where filters are off or of no use

A level hands on what its bound leaves open (`csrc/filter/int8.h`, `csrc/filter/bound.h`,
`csrc/engine/differences.h`).  A list holds keys: float32 numbers with key <= V, V = s² D / 2, and
V < t for keys up to t − w(t), whichever level made them.  So the k-th smallest V lies between the
k-th smallest key and a little more, and D is computed for the keys there (`csrc/engine/finish.h`).
Limits of lists are guessed from the first references.  Where one was too low, or a list overflows
(ties, or data that no filter can see), that is noticed, and the query is redone from reservoirs.

A new engine is a file here and a row of the table.

    blocks       samples in pieces: asks the exact engine about blocks, where these are, and what
                 it found is merged (`prfast/balls/tasks.py`)
"""
