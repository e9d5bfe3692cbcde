"""Siry et al. 2023, §5.3: bounds over a class of hypotheses, the triangle inequalities that they
need, and the margin loss."""

import numpy as np
import oracles
import pytest
from domains import ALL, SEEDS, TABLED, domains, largest_loss
from hypothesis import given, settings
from hypothesis import strategies as st

from prfast.theory import discrepancy, hypothesis_bound, margin_loss, phi_function


def hypotheses(rng, name):
    """Return a domain of samples × labels and the losses |h − y| and |h − h'| on it, scaled."""
    samples, labels, count = 4, 3, int(rng.integers(1, 7))
    p, q = domains(rng, samples * labels)
    y = np.tile(np.arange(labels), samples)
    h = np.repeat(rng.integers(0, labels, (count, samples)), labels, axis=1)
    scale = largest_loss(name) / (labels - 1)
    return p, q, scale * np.abs(h - y), scale * np.abs(h[:, None] - h[None])


@given(SEEDS, st.sampled_from(ALL), st.floats(1e-3, 5))
@settings(max_examples=40, deadline=None)
def test_corollary_34_no_hypothesis_is_above_its_bound(seed, name, lam):
    """Corollary 34, Eq. 39: R_Q^ℓ(h) <= R_{λP}^{ℓ_φ}(h) + D(Q_X‖λP_X) + γ*_λ, each term by its
    definition; of hypotheses that share features it is Eq. 40."""
    rng = np.random.default_rng(seed)
    p, q, losses, pairs = hypotheses(rng, name)
    top = 0.95 if name == "reverse_kl" else largest_loss(name)
    losses, pairs = losses * top / largest_loss(name), pairs * top / largest_loss(name)
    star = phi_function(name).conjugate
    factor = star(top) / top  # ℓ_φ = factor × ℓ, Remark 35
    on_p, on_q = losses @ p, losses @ q
    for h in range(len(losses)):
        sets = losses, losses, pairs[h], pairs[h]
        bound = hypothesis_bound(h, *sets, name, lam, p=p, q=q, loss_max=top)
        apart = (pairs[h] @ q - lam * star(pairs[h]) @ p).max()
        terms = lam * factor * on_p[h], apart, (on_q + lam * factor * on_p).min()
        assert bound[2:] == pytest.approx(terms, rel=1e-12, abs=1e-15)
        assert bound.value == pytest.approx(sum(terms), rel=1e-12, abs=1e-15)
        assert on_q[h] <= bound.value + 1e-12


@given(SEEDS, st.sampled_from(TABLED), st.floats(0.1, 5))
@settings(max_examples=40)
def test_definition_33_a_discrepancy_is_at_most_the_divergence(seed, name, lam):
    """Definition 33, Eq. 38: the supremum of ∫f dQ − ∫φ*(f) d(λP) over fewer f than all."""
    p, q, _, pairs = hypotheses(np.random.default_rng(seed), name)
    actual = discrepancy(pairs[0], pairs[0], name, lam, p=p, q=q)
    assert 0 <= actual <= oracles.divergence(q, lam * p, name) * (1 + 1e-12)


def zero_one(a, b):
    return (a != b).astype(float)


def absolute(a, b):
    return np.abs(a - b) / 3


def one_sided(a, b):
    """ℓ(ŷ; y) = max(0, y − ŷ): in TI, not in TI′."""
    return np.maximum(b - a, 0) / 3


def squared(a, b):
    """The squared loss: in neither TI nor TI′."""
    return (a - b) ** 2 / 9


def margin(a, b):
    """Return the margin loss of scores −0.4 (a + 1)(a − k)²: 0.8 to 0.2 where b is a, as a
    hypothesis is more sure."""
    a = a[:, None]
    return margin_loss(-0.4 * (a + 1) * (a - np.arange(4)) ** 2, b)


LOSSES = [zero_one, absolute, one_sided, squared, margin]
IN_TI, IN_TI_PRIME = {zero_one, absolute, one_sided, margin}, {zero_one, absolute, margin}


def excesses(seed, loss):
    """ℓ(h; y) − ℓ(h; h') − ℓ(h'; y), TI, and ℓ(h; h') − ℓ(h; y) − ℓ(h'; y), TI', of three
    hypotheses on 8 points, by h' and point."""
    rng = np.random.default_rng(seed)
    h, y = rng.integers(0, 4, (3, 8)), rng.integers(0, 4, 8)
    losses, pairs = np.array([loss(x, y) for x in h]), np.array([loss(h[0], x) for x in h])
    return losses[0] - pairs - losses, pairs - losses[0] - losses


@pytest.mark.parametrize("loss", LOSSES)
@given(seed=SEEDS)
@settings(max_examples=40)
def test_definition_30_both_inequalities_hold_for_these_losses(loss, seed):
    target, source = excesses(seed, loss)
    assert loss not in IN_TI or target.max() <= 1e-12
    assert loss not in IN_TI_PRIME or source.max() <= 1e-12


def test_definition_30_some_losses_break_them():
    worst = {
        loss: [
            max(excess.max() for excess in side)
            for side in zip(*(excesses(seed, loss) for seed in range(50)), strict=True)
        ]
        for loss in LOSSES
    }
    assert {loss for loss, (target, _) in worst.items() if target <= 1e-12} == IN_TI
    assert {loss for loss, (_, source) in worst.items() if source <= 1e-12} == IN_TI_PRIME


@pytest.mark.parametrize("loss", sorted(IN_TI & IN_TI_PRIME, key=lambda loss: loss.__name__))
@given(seed=SEEDS)
@settings(max_examples=40)
def test_lemma_32_a_risk_is_at_most_the_others_and_what_is_between(loss, seed):
    """R(h) <= R(h′) + R(h; h′) on the target, R(h; h′) <= R(h) + R(h′) on the source: means of the
    inequalities at every point (Eq. 34 to 37)."""
    mu = np.random.default_rng(seed).random(8) ** 4
    for excess in excesses(seed, loss):
        assert (excess @ mu <= 1e-9).all()


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
        differs = delta < 0
        actual.append(1.0 if differs else max(0.0, 1 - delta / rho))
    return actual


@given(SEEDS, RHOS, st.integers(2, 5))
def test_eq_33_the_margin_loss(seed, rho, classes):
    a, b, _ = random_scores(np.random.default_rng(seed), 12, classes)
    chosen = b.argmax(axis=1)
    expected = by_definition(a, chosen, rho)
    np.testing.assert_allclose(margin_loss(a, chosen, rho), expected, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(margin_loss(a, b, rho), margin_loss(a, chosen, rho))
    wrong = a.argmax(axis=1) != chosen
    assert (margin_loss(a, b, rho) >= wrong).all()  # footnote 15
    assert (margin_loss(a, b, rho)[wrong] == 1).all()


@given(SEEDS, RHOS, st.sampled_from(["kl", "chi2", "tv"]))
def test_remark_35_its_conjugate_has_both_inequalities(seed, rho, name):
    """Remark 35 says that φ*∘ℓ of kl and this loss has no TI': that is so of |y_a − y_b|."""
    a, b, c = random_scores(np.random.default_rng(seed), 40, 3)
    star = phi_function(name).conjugate
    whole = star(margin_loss(a, c, rho))
    assert (whole <= star(margin_loss(a, b, rho)) + star(margin_loss(b, c, rho)) + 1e-12).all()
    assert (whole <= star(margin_loss(a, b, rho)) + star(margin_loss(c, b, rho)) + 1e-12).all()
    if name != "tv":
        assert star(1.0) > star(0.5) + star(0.5)


def test_section_5_3_1_of_two_classes_it_is_the_ramp():
    """§5.3.1: (1 − (ŷy)₊)₊ of a score ŷ and a label y = ±1."""
    score = np.array([-2.0, -0.4, 0.0, 0.4, 1.0, 3.0])
    for y in (-1, 1):
        ramp = np.maximum(1 - np.maximum(score * y, 0), 0)
        actual = margin_loss(np.stack([-score, score], axis=1), np.full(6, (y + 1) // 2))
        np.testing.assert_allclose(actual, ramp)


def test_footnote_14_its_psi_transform_is_the_identity():
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


def test_principle_3_it_is_bounded_below_and_not_convex():
    """§5.3.1; so is φ*(1) ℓ, a multiple of it."""
    losses = margin_loss([[2.0, -2.0], [0.0, 0.0], [-2.0, 2.0]], [0, 0, 0])
    assert losses.tolist() == [0, 1, 1]  # above the chord in the middle
