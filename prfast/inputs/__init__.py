"""What a user passes in, checked: arrays and plain options.

    kinds       what a value is, by the names of its type
    columns     columns of tables: numbers, and vectors a row
    tables      tables of other libraries, and their columns by name
    foreign     which arrays of other libraries are recognised, and as what
    arrays      numbers, vectors, weights, shares: dtype, shape, finiteness, range
    samples     sets of samples (samples × features), pairs of them, labels
    features    what samples are features of, and whether two sets are features of one kind
    options     seeds, counts, numbers, flags, lists
    errors      of arguments: the name apart from what is wrong, for those who know another name
    extra       packages that are imported when they are needed, or the advice to install them
    blocks      rows a block at a time
    streams     random numbers: a stream of its own for each purpose of a seed
    locks       one thread at a time uses an object or changes the filters of warnings
    caching     attributes that are computed on first access
    executor    threads that end with the block that started them

A reader takes the argument's name and its value, and gives it back as the rest of the package
computes with it, or raises TypeError or ValueError with one line: which argument, what was
expected, what came.  Nothing is cast, clipped, subsampled or scaled silently.
"""
