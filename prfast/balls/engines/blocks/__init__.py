"""Distances between sets that nobody holds: blocks of queries × blocks of references, on a cluster.

    engine     the driver: which tasks are submitted, and what becomes of their answers
    window     submits them, not too many at a time
    merges     what tasks return, put together by other tasks
    looks      what a task finds in a block: pure functions of two parts of sets
    parts      a set as parts that a task can hold
    sizes      how many rows a part has, and what a task with two of them takes

The driver holds numbers and, at the end, answers as long as a set.  Rows, lists of the nearest and
what is found of a block stay where the tasks run.
"""
