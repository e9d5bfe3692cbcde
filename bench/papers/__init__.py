"""The papers' experiments that a notebook of docs/notebook has no time for: a file an experiment.

An experiment is a case as in bench/speed: a docstring, whose first line names the paper and its
figure, and `run(options)`, which returns `Findings`.  Instead of contenders it has figures with the
paper's claim as their target, and rows of numbers.

To add one, write the file; nothing lists it but the test.  Whatever several experiments share has
no `run`:

    experiments.py  numbers of draws, means
    judge.py        classes of generated samples by a classifier
    paper_grid.py   the 2024 paper's own reading of a curve, on a grid
"""
