"""Distances without a cluster: jobs that know nothing of each other, and a folder that they share.

    prfast plan ─► plan.json ─► jobs of an array: prfast block ─► blocks/ ─► prfast finalize
                                     (again for each round)

    plan      what is asked, and of which files: their rows in chunks, with checksums
    folder    the folder as a cluster: a task is a file, known by the digest of what it is given
    digest    the name of a question: equal for equal questions, whoever asks
    stored    what a task found, in a file with a checksum
    asking    the questions, of which those wait that need what is not known yet
    answer    a job's share, and the answers once all is there

Every job goes through the whole computation, as one process does, and takes what the folder has.
Where the folder has not what comes next, the job makes its share of it.  What depends on that is
unknown: NaN, and no question is asked about it.  So there are as many rounds as questions that
depend on each other: radii, then counts.  A block is a chunk of queries and one of references, a
chain of references for sums of logarithms; its file is written whole or not at all, and a job that
is run again does what is missing.
"""
