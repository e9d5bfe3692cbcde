"""The two sets of samples that every public function compares.

    samples      Samples: one set of rows with weights, groups, names of columns and record
    pair         Pair: two sets of one space; units, divisions, selections, noise
    repetition   Repetition: which rows of two sets are equal
    overlap      Overlap: equal training, held-out and generated samples
    large        LargeUnits: units with a large share of a set; what the other set has of them
    order        rows that depend on their neighbors
    codes        whole numbers that have no order
    relations    columns that are sums, products or ratios of columns
    partition    splits, coins, draws of rows by weight or evenly, and balanced weights
    noise        Noise and its scales
    ladder       Ladder: resolutions of a profile, with common noise; their numbers and words
    record       entries of a pair in the record of a result, and SamplesRecord with them
    notes        sentences about the samples of a result
    features     Features: an array with the record of its model
    partitioned  rows that are not in this process, rows by number, rows of two sets

`Pair.read` is the only place where arguments become samples.  A method gets
`scores(pair, split, context)`; a profile is the same over `pair.smoothed`, a test over
`pair.partition`.
"""
