"""Comparison of the estimates of every method with curves that are known exactly, and what they
say of real samples.

    auto.py       the case: options, what is run, what is found
    cases.py      what is drawn: a family with its truth, or images
    estimates.py  the curve of a method, a cross-fitted classifier or the exact ratio
    tables.py     families × methods, as text and as Markdown; figures, exceptions
    ablation.py   the IoU of auto without one of its bases
    families/     pairs of distributions, a row each, and classes of images

    situations.py    situations that users have, on real samples
    order.py         damages of growing size
      sets.py          features of images, embeddings of sentences, digits, a mixture
      sentences.py     sentences of installed packages
      damages.py       pairs of a real and a damaged set
    profiles.py      profiles of damaged real samples
    resolution.py    profiles beside the smoothed truth
    two_sample.py    level and power of the two-sample test
    equal_sets.py    two samples of one distribution, by size and dimension

    lists.py         option values that are lists

To add a family, write a function that makes the pair and a row of `FAMILIES` in families/later.py,
or in families/fresh.py where its author does not know the estimator.
"""
