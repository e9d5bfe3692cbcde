"""Slow twins of every kernel: plain loops and fractions, written to be obviously right."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np


def error_counts(real, fake, w_real=None, w_fake=None):
    """(#real < t, #fake >= t) for every threshold t in [−∞, ∞]; sums of weights if given."""
    w_real = [1] * len(real) if w_real is None else [Fraction(float(w)) for w in w_real]
    w_fake = [1] * len(fake) if w_fake is None else [Fraction(float(w)) for w in w_fake]
    points = []
    for t in sorted({float(s) for s in [*real, *fake]}):
        rejected = sum(w for s, w in zip(real, w_real, strict=True) if s < t)
        accepted = sum(w for s, w in zip(fake, w_fake, strict=True) if s >= t)
        points.append((rejected, accepted))
    return [*points, (sum(w_real), 0)]  # above every score: all rejected


def hull_cells(points):
    """Cells (p, q) on the edges of the lower convex hull of exact points, by falling q / p."""
    chain = []
    for x, y in sorted(set(points), key=lambda point: (point[0], -point[1])):
        while len(chain) >= 2:
            (x1, y1), (x2, y2) = chain[-2:]
            # Drop the middle point unless it lies strictly below the chord.
            if (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1) > 0:
                break
            chain.pop()
        chain.append((x, y))
    return [(x2 - x1, y1 - y2) for (x1, y1), (x2, y2) in pairwise(chain)]


def sweep(real, fake, w_real=None, w_fake=None):
    """Masses of the level sets of the best ratio, exactly."""
    return hull_cells(error_counts(real, fake, w_real, w_fake))


def alpha_of_thresholds(real, fake, lam):
    """min over all thresholds of λ fpr + fnr: the double loop of the 2019 paper's Algorithm 1."""
    n, m = len(real), len(fake)
    return min(lam * x / n + y / m for x, y in error_counts(real, fake))


def alpha(p, q, lam):
    """Σ min(λ p_i, q_i); 0 × ∞ = 0."""
    terms = []
    for p_i, q_i in zip(map(float, p), map(float, q), strict=True):
        terms.append(min(lam * p_i, q_i) if p_i > 0 else 0.0)
    return math.fsum(terms)


def beta(p, q, lam):
    """Σ min(p_i, q_i / λ); q / 0 = ∞ for q > 0, 0 / 0 = 0."""
    terms = []
    for p_i, q_i in zip(map(float, p), map(float, q), strict=True):
        terms.append(min(p_i, q_i / lam if lam > 0 else math.inf) if q_i > 0 else 0.0)
    return math.fsum(terms)


def pooled(p, q):
    """Cells by falling ratio, equal ratios merged, empty cells dropped; exact for whole numbers."""
    merged: dict[object, list[Fraction]] = {}
    for p_i, q_i in zip(p, q, strict=True):
        if p_i == 0 and q_i == 0:
            continue
        ratio = Fraction(float(q_i)) / Fraction(float(p_i)) if p_i else math.inf
        cell = merged.setdefault(ratio, [Fraction(0), Fraction(0)])
        cell[0] += Fraction(float(p_i))
        cell[1] += Fraction(float(q_i))
    return [tuple(merged[ratio]) for ratio in sorted(merged, reverse=True)]


def vertices(p, q):
    """fpr and fnr of the polyline with edges (p, −q), each correctly rounded."""
    p, q = [Fraction(float(x)) for x in p], [Fraction(float(x)) for x in q]
    fpr = [float(sum(p[:i]) / sum(p)) for i in range(len(p) + 1)]
    fnr = [float(sum(q[i:]) / sum(q)) for i in range(len(q) + 1)]
    return fpr, fnr


def normalised(masses):
    masses = np.asarray(masses, float)
    return masses / masses.sum()
