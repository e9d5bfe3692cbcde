"""Definition 30 and Lemma 32 of 2023: `hypothesis_bound` takes losses of which its inequalities
hold, and of those risks have them, over any measure."""

import numpy as np
import pytest
from domains import SEEDS
from hypothesis import given, settings

from prfast.theory import hypothesis_bound, margin_loss


def zero_one(a, b):
    return (a != b).astype(float)


def absolute(a, b):
    return np.abs(a - b) / 3


def one_sided(a, b):
    """ℓ(ŷ; y) = max(0, y − ŷ): in TI, not in TI′."""
    return np.maximum(b - a, 0) / 3


def squared(a, b):
    """In neither."""
    return (a - b) ** 2 / 9


def margin(a, b):
    """Of scores −0.4 (a + 1)(a − k)²: 0.8 to 0.2 where b is a, as a hypothesis is more sure."""
    a = a[:, None]
    return margin_loss(-0.4 * (a + 1) * (a - np.arange(4)) ** 2, b)


LOSSES = [zero_one, absolute, one_sided, squared, margin]
IN_TI, IN_TI_PRIME = {zero_one, absolute, one_sided, margin}, {zero_one, absolute, margin}


def drawn(seed, loss):
    """ℓ(h′; y) and ℓ(h₀; h′) of three hypotheses on 8 points (x, y)."""
    rng = np.random.default_rng(seed)
    h, y = rng.integers(0, 4, (3, 8)), rng.integers(0, 4, 8)
    return np.array([loss(x, y) for x in h]), np.array([loss(h[0], x) for x in h]), rng


def first_break(less, more):
    """The hypothesis and the sample of the largest excess, by a double loop."""
    worst, at = 1e-9, None
    for row in range(more.shape[0]):
        for column in range(more.shape[1]):
            excess = np.broadcast_to(less, more.shape)[row, column] - more[row, column]
            if excess > worst:
                worst, at = excess, (row, column)
    return at


def broken(side, hypothesis, sample):
    return (
        rf"^{side}_losses and {side}_pairs: a loss with the triangle inequality expected, "
        rf"broken by hypothesis {hypothesis}, sample {sample}$"
    )


@pytest.mark.parametrize("loss", LOSSES)
@given(seed=SEEDS)
@settings(max_examples=60)
def test_definition_30_of_2023_a_loss_that_breaks_an_inequality_is_refused(loss, seed):
    """TI is asked of ℓ(h; y) on the target, TI′ of ℓ(h; h′) on the source, at every point."""
    own, pairs, _ = drawn(seed, loss)
    none = np.zeros_like(own)
    of_target = first_break(own[0], pairs + own)
    of_source = first_break(pairs, own[0] + own)
    assert of_target is None or loss not in IN_TI
    assert of_source is None or loss not in IN_TI_PRIME
    for at, side, sides in (
        (of_target, "target", (none, own, none, pairs)),
        (of_source, "source", (own, none, pairs, none)),
    ):
        if at is None:
            hypothesis_bound(0, *sides, "tv")
            continue
        with pytest.raises(ValueError, match=broken(side, *at)):
            hypothesis_bound(0, *sides, "tv")


@pytest.mark.parametrize("loss", LOSSES)
@given(seed=SEEDS)
@settings(max_examples=60)
def test_lemma_32_of_2023_a_risk_is_at_most_the_others_and_what_is_between(loss, seed):
    """R(h) <= R(h′) + R(h; h′) on the target, R(h; h′) <= R(h) + R(h′) on the source."""
    own, pairs, rng = drawn(seed, loss)
    mu = rng.random(8) ** 4 * rng.choice([1e-300, 1e-3, 1.0, 1e3], 8)
    weights = {"source_weights": mu, "target_weights": mu}
    try:
        hypothesis_bound(0, own, own, pairs, pairs, "tv", **weights)
    except ValueError:
        assert loss in (one_sided, squared)
        return
    risks, between, slack = own @ mu, pairs @ mu, 1e-9 * mu.sum()
    assert (risks[0] <= risks + between + slack).all()  # Eq. 34, by 36
    assert (between <= risks[0] + risks + slack).all()  # Eq. 35, by 37


def test_lemma_32_of_2023_needs_its_inequalities():
    """Of the squared loss neither holds, of the one-sided one the second does not."""
    y, h, other = np.array([0]), np.array([2]), np.array([1])
    own = np.array([squared(h, y), squared(other, y)])
    pairs = np.array([squared(h, h), squared(h, other)])
    assert own[0] > own[1] + pairs[1]
    with pytest.raises(ValueError, match=broken("target", 1, 0)):
        hypothesis_bound(0, own, own, pairs, pairs, "tv")
    y, h, other = np.array([0]), np.array([1]), np.array([2])
    own = np.array([one_sided(h, y), one_sided(other, y)])
    pairs = np.array([one_sided(h, h), one_sided(h, other)])
    assert pairs[1] > own[0] + own[1]
    with pytest.raises(ValueError, match=broken("source", 1, 0)):
        hypothesis_bound(0, own, own, pairs, pairs, "tv")
