"""What lies behind the door: engines that answer tasks.

    engine       the contract: run(queries, refs, tasks, resources)
    table        a row an engine: how it is made, what it answers, when "auto" takes it

    exact        csrc: a float32 filter with a certified error, float64 where it cannot decide
    tree         SciPy's k-d tree finds candidates, D decides; where the dimension is low
    approximate  pynndescent (extra: ann); only when asked for

What the exact engine is made of, each from those below it:

    within       radii inside a set, each pair of points computed once
    reservoirs   the nearest of each set, kept for a super-block of queries
    divide       how the k nearest of two sets divide, by counting what the reservoirs do not tell
    passes       what a pass of the kernels is given, and how much of it is one call
    pairs        every pair of points of a set once, in rounds whose parts do not meet

A new engine is a file here and a row of the table.  One that works on blocks asks another for the
parts of a task and merges them (`prfast/balls/tasks.py`).
"""
