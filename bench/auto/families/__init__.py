"""Pairs of distributions whose exact curve is known: what an estimator is judged on.

family.py       a row: name, sizes, how to make the pair; the pair: samples, log-ratio, truth
pairs.py        what several families are made of
developing.py   families that the design was chosen on
later.py        families made after the design was frozen: they judge it
independent.py  families like users' data, written without knowledge of the design: they judge it
images.py       classes of images, whose curve is nearly a rectangle
"""
