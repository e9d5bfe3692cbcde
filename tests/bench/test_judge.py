"""The inception score of the bench is a double loop."""

from math import exp, log

import numpy as np
import pytest

from bench.papers.judge import judgement_of

pytestmark = pytest.mark.nightly


def double_loop(p):
    """exp of the mean over x of KL(p(y|x), p(y))."""
    marginal = [sum(row[y] for row in p) / len(p) for y in range(p.shape[1])]
    total = 0.0
    for row in p:
        for y, share in enumerate(row):
            if share:
                total += share * log(share / marginal[y])
    return exp(total / len(p))


@pytest.mark.parametrize("concentration", [1e-3, 0.1, 1.0, 100.0])  # zeros among the first
@pytest.mark.parametrize(("samples", "classes"), [(1, 3), (7, 2), (40, 10)])
def test_it_is_a_double_loop(samples, classes, concentration):
    p = np.random.default_rng(0).dirichlet([concentration] * classes, samples)
    result = judgement_of(p)
    assert result.score == pytest.approx(double_loop(p), rel=1e-12)
    assert 1 - 1e-12 <= result.score <= classes
    assert result.confidence == pytest.approx(sum(max(row) for row in p) / samples)
    largest = [list(row).index(max(row)) for row in p]
    assert result.shares == [largest.count(y) / samples for y in range(classes)]
