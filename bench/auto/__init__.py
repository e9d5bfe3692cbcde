"""How close the estimates of every method come to curves that are known exactly.

    auto.py         the case: options, what is run, what is found
    cases.py        what is drawn: a family with its truth, or images
    estimates.py    the curve of every method, and of the exact ratio, from one draw
    classifiers.py  boosted trees, logistic regression and a perceptron, cross-fitted
    kept.py         results by family, sizes, seed, draw and method: none is measured twice
    tables.py       families × methods, as text and as Markdown; figures, exceptions
    families/       pairs of distributions, a row each, and features of images

To add a family, write a function that makes the pair and a row of `FAMILIES` in families/later.py,
or in families/independent.py where its author does not know the estimator's bases;
tests/bench/test_families.py tries every row.
"""
