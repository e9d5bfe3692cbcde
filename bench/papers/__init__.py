"""The papers' experiments and what came of them: a file an experiment.

An experiment is a case as in bench/speed: a docstring, whose first line names the paper and its
figure, and `run(options)`, which returns `Findings`.  Instead of contenders it has figures with the
paper's claim as their target, numbers for the JSON file, a picture beside it (`figures.save`) and a
last note, `verdict(found, expected, figures)`.

To add one, write the file; nothing lists it but the test.  Whatever several experiments share has
no `run`:

    experiments.py  draws of samples and curves, means, the verdict
    class_cases.py  classes dropped and invented, of any features
    faults.py       models of known faults
    topics.py       sentences of five topics
    judge.py        what a classifier says of generated samples
    paper_grid.py   the 2024 paper's own reading of a curve, on a grid
    figures.py      pictures of one style

    generators.py, digit_classifier.py           what `trained` trains
    trained_figures.py, trained_pictures.py      what it finds, and draws
"""
