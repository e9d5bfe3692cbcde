"""Validation of arguments, and small tools that all other packages use.

    arrays       numbers, vectors and weights as arrays; labels; row blocks
    tables       tables and columns of pandas, polars, pyarrow; columns matched by name
    frames       columns of data frames by kind: numbers, categories, dates, durations
    parts        what of a cell is compared beside its value: decimals, units, shapes of text
    options      seeds, counts, numbers, flags, lists; the progress bar
    errors       exceptions that keep an argument's name apart; type names; optional dependencies
    concurrency  numbers of threads, limits of those of libraries, pools, work with a bar, locks

A `read_…` function returns an argument in the form that the package computes with.  Else it raises
TypeError or ValueError with one line: which argument, what was expected, what came.
"""
