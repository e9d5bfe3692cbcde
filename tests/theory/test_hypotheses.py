"""Bounds over hypotheses, the triangle inequalities they need, and the margin loss (§5.3)."""

import numpy as np
import oracles
import pytest
from domains import ALL, SEEDS, TABLED, domains, largest_loss
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusals

from prfast.theory import discrepancy, hypothesis_bound, margin_loss, phi_function


def hypotheses(rng, name):
    """Return a domain of samples × labels and the losses |h − y| and |h − h'| on it, scaled."""
    samples, labels, count = 4, 3, int(rng.integers(1, 7))
    p, q = domains(rng, samples * labels)
    y = np.tile(np.arange(labels), samples)
    h = np.repeat(rng.integers(0, labels, (count, samples)), labels, axis=1)
    scale = largest_loss(name) / (labels - 1)
    return p, q, scale * np.abs(h - y), scale * np.abs(h[:, None] - h[None])


def least_by_lambda(p, q, losses, pairs, name, top):
    """The sum of Corollary 34 at many λ, by its definition, for the first hypothesis."""
    phi = phi_function(name)
    lam = np.append(0, np.geomspace(1e-3, 1e3, 400))
    transformed = [lam * (phi.conjugate(top) / top) * (p @ x) for x in losses]
    apart = [q @ x - lam * (p @ phi.conjugate(x)) for x in pairs]
    gamma = [q @ x + t for x, t in zip(losses, transformed, strict=True)]
    return (transformed[0] + np.max(apart, axis=0) + np.min(gamma, axis=0)).min()


@given(SEEDS, st.sampled_from(ALL))
@settings(max_examples=40, deadline=None)
def test_corollary_34_of_2023_no_hypothesis_is_above_its_bound(seed, name):
    rng = np.random.default_rng(seed)
    p, q, losses, pairs = hypotheses(rng, name)
    top = 0.95 if name == "reverse_kl" else largest_loss(name)
    losses, pairs = losses * top / largest_loss(name), pairs * top / largest_loss(name)
    weights = {"source_weights": p, "target_weights": q}
    for h in range(len(losses)):
        bound = hypothesis_bound(
            h, losses, losses, pairs[h], pairs[h], name, loss_max=top, **weights
        )
        assert q @ losses[h] <= bound.value + 1e-12
        assert bound.value == pytest.approx(sum(bound[2:]))
        apart = discrepancy(pairs[h], pairs[h], name, bound.lam, **weights)
        assert bound.discrepancy == pytest.approx(apart, abs=1e-12)
        if h == 0:
            by_grid = least_by_lambda(p, q, losses, pairs[h], name, top)
            assert bound.value <= by_grid + 1e-12
            assert bound.value == pytest.approx(by_grid, rel=0.02)


@given(SEEDS, st.sampled_from(TABLED), st.floats(0.1, 5))
@settings(max_examples=40)
def test_definition_33_of_2023_a_discrepancy_is_at_most_the_divergence(seed, name, lam):
    """It is the supremum of ∫f dQ − ∫φ*(f) d(λP) over fewer f."""
    p, q, _, pairs = hypotheses(np.random.default_rng(seed), name)
    actual = discrepancy(pairs[0], pairs[0], name, lam, source_weights=p, target_weights=q)
    assert 0 <= actual <= oracles.divergence(q, lam * p, name) * (1 + 1e-12)


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


def loss_matrices(seed, loss):
    """ℓ(h′; y) and ℓ(h₀; h′) of three hypotheses on 8 points (x, y)."""
    rng = np.random.default_rng(seed)
    h, y = rng.integers(0, 4, (3, 8)), rng.integers(0, 4, 8)
    return np.array([loss(x, y) for x in h]), np.array([loss(h[0], x) for x in h]), rng


def first_break(less, more):
    """Return the hypothesis and the sample of the largest excess, by a double loop."""
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
@settings(max_examples=40)
def test_definition_30_of_2023_a_loss_that_breaks_an_inequality_is_refused(loss, seed):
    """ℓ(h; y) needs TI on the target, ℓ(h; h′) TI′ on the source, at every point."""
    own, pairs, _ = loss_matrices(seed, loss)
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
@settings(max_examples=40)
def test_lemma_32_of_2023_a_risk_is_at_most_the_others_and_what_is_between(loss, seed):
    """R(h) <= R(h′) + R(h; h′) on the target, R(h; h′) <= R(h) + R(h′) on the source."""
    own, pairs, rng = loss_matrices(seed, loss)
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


RHOS = st.sampled_from([0.05, 0.5, 1.0, 4.0])


def random_scores(rng, count, classes):
    """Scores of three hypotheses, ties among them."""
    scores = rng.normal(size=(3, count, classes)) * rng.choice([0.3, 1, 3], (3, count, 1))
    return np.where(rng.random(scores.shape) < 0.3, np.round(scores), scores)


def by_definition(scores, chosen, rho):
    """Eq. 33, sample by sample: by its second form where the two classes differ."""
    actual = []
    for row, k_y in zip(scores, chosen, strict=True):
        delta = min((row[k_y] - row[k]) / 2 for k in range(row.size) if k != k_y)
        other = delta < 0
        actual.append(1.0 if other else max(0.0, 1 - delta / rho))
    return actual


@given(SEEDS, RHOS, st.integers(2, 5))
def test_it_is_equation_33(seed, rho, classes):
    a, b, _ = random_scores(np.random.default_rng(seed), 12, classes)
    chosen = b.argmax(axis=1)
    expected = by_definition(a, chosen, rho)
    np.testing.assert_allclose(margin_loss(a, chosen, rho), expected, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(margin_loss(a, b, rho), margin_loss(a, chosen, rho))
    wrong = a.argmax(axis=1) != chosen
    assert (margin_loss(a, b, rho) >= wrong).all()  # footnote 15
    assert (margin_loss(a, b, rho)[wrong] == 1).all()


@given(SEEDS, RHOS, st.sampled_from(["kl", "chi2", "tv"]))
def test_its_conjugate_has_them_too_unlike_that_of_other_losses(seed, rho, name):
    """Remark 35 says that φ*∘ℓ of kl and this loss has no TI': that is so of |y_a − y_b|."""
    a, b, c = random_scores(np.random.default_rng(seed), 40, 3)
    star = phi_function(name).conjugate
    whole = star(margin_loss(a, c, rho))
    assert (whole <= star(margin_loss(a, b, rho)) + star(margin_loss(b, c, rho)) + 1e-12).all()
    assert (whole <= star(margin_loss(a, b, rho)) + star(margin_loss(c, b, rho)) + 1e-12).all()
    if name != "tv":
        assert star(1.0) > star(0.5) + star(0.5)


def test_of_two_classes_it_is_the_ramp():
    """§5.3.1: (1 − (ŷy)₊)₊ of a score ŷ and a label y = ±1."""
    score = np.array([-2.0, -0.4, 0.0, 0.4, 1.0, 3.0])
    for y in (-1, 1):
        ramp = np.maximum(1 - np.maximum(score * y, 0), 0)
        actual = margin_loss(np.stack([-score, score], axis=1), np.full(6, (y + 1) // 2))
        np.testing.assert_allclose(actual, ramp)


def test_footnote_14_of_2023_its_psi_transform_is_the_identity():
    """Two classes: ψ(ε) = H⁻(η) − H(η) at η = (1 + ε) / 2, H the least conditional risk and H⁻ that
    of scores of the wrong sign (Bartlett et al. 2006)."""
    score = np.linspace(-2, 2, 401)
    scores = np.stack([-score, score], axis=1)
    negative, positive = (margin_loss(scores, np.full(401, y)) for y in (0, 1))
    for epsilon in (0.0, 0.1, 0.5, 1.0):
        eta = (1 + epsilon) / 2
        risk = eta * positive + (1 - eta) * negative
        least, wrong = risk.min(), risk[score <= 0].min()
        assert (least, wrong) == pytest.approx((min(eta, 1 - eta), max(eta, 1 - eta)))
        assert wrong - least == pytest.approx(epsilon)


def test_principle_3_of_2023_it_is_bounded_below_and_not_convex():
    """§5.3.1; so is φ*(1) ℓ, a multiple of it."""
    losses = margin_loss([[2.0, -2.0], [0.0, 0.0], [-2.0, 2.0]], [0, 0, 0])
    assert losses.tolist() == [0, 1, 1]  # above the chord in the middle


def test_extreme_scores():
    scores = [[1e308, -1e308], [-1e308, 1e308], [1e-310, 0.0]]
    assert margin_loss(scores, [0, 0, 0]).tolist() == [0, 1, 1]
    assert margin_loss(scores, [0, 0, 0], rho=1e-310).tolist() == pytest.approx([0, 1, 0.5])


ZEROS, ONE_ROW = np.zeros((2, 2)), np.zeros((1, 2))


def bound(h=0, a=ZEROS, b=ZEROS, c=ZEROS, d=ZEROS, phi="kl", **options):
    return lambda: hypothesis_bound(h, a, b, c, d, phi, **options)


TWO_SCORES = [[1.0, 2.0], [1.0, 2.0]]


test_wrong_arguments_are_refused = refusals("""
discrepancy(ZEROS, ONE_ROW, "kl")
    ValueError: target_pairs: shape (2, any) expected, got (1
bound(phi="hellinger")()
    ValueError: loss_max: below 1 expected, where φ* of hellinger is ∞
bound(c=[[0, 0], [0, 1]])()
    ValueError: source_losses and source_pairs: a loss with the triangle inequality expected, broken
    by hypothesis 1, sample 1
margin_loss([1.0, 2.0], [0])
    ValueError: scores: a 2-D array (samples × features) expected, got shape (2,)
margin_loss(TWO_SCORES, [[1.0, 2.0]])
    ValueError: labels: shape (2, 2) expected as of scores
margin_loss(TWO_SCORES, [0.0, 1.0])
    TypeError: labels: whole numbers, or scores, expected,
margin_loss(TWO_SCORES, [0, 2])
    ValueError: labels: classes 0 to 1 expected, got 0 to 2
""")
