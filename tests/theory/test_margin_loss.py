"""The margin loss, its triangle inequalities (Eq. 33, Lemma 32), a shared extractor (Eq. 40)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prfast.theory import hypothesis_bound, margin_loss, phi_function

SEEDS = st.integers(0, 2**32 - 1)
RHOS = st.sampled_from([0.05, 0.5, 1.0, 4.0])


def scored(rng, count, classes):
    """Scores of three hypotheses, ties among them."""
    scores = rng.normal(size=(3, count, classes)) * rng.choice([0.3, 1, 3], (3, count, 1))
    return np.where(rng.random(scores.shape) < 0.3, np.round(scores), scores)


def by_definition(scores, chosen, rho):
    """Eq. 33, sample by sample: by its second form where the two classes differ."""
    found = []
    for row, k_y in zip(scores, chosen, strict=True):
        delta = min((row[k_y] - row[k]) / 2 for k in range(row.size) if k != k_y)
        other = delta < 0
        found.append(1.0 if other else max(0.0, 1 - delta / rho))
    return found


@given(SEEDS, RHOS, st.integers(2, 5))
def test_it_is_equation_33(seed, rho, classes):
    a, b, _ = scored(np.random.default_rng(seed), 12, classes)
    chosen = b.argmax(axis=1)
    expected = by_definition(a, chosen, rho)
    np.testing.assert_allclose(margin_loss(a, chosen, rho), expected, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(margin_loss(a, b, rho), margin_loss(a, chosen, rho))
    wrong = a.argmax(axis=1) != chosen
    assert (margin_loss(a, b, rho) >= wrong).all()  # footnote 15
    assert (margin_loss(a, b, rho)[wrong] == 1).all()


@given(SEEDS, RHOS, st.integers(2, 5))
@settings(max_examples=200)
def test_it_has_both_triangle_inequalities(seed, rho, classes):
    """Remark 31: TI is ℓ(a; c) <= ℓ(a; b) + ℓ(b; c), TI' is ℓ(a; c) <= ℓ(a; b) + ℓ(c; b)."""
    a, b, c = scored(np.random.default_rng(seed), 40, classes)
    whole = margin_loss(a, c, rho)
    assert (whole <= margin_loss(a, b, rho) + margin_loss(b, c, rho) + 1e-15).all()
    assert (whole <= margin_loss(a, b, rho) + margin_loss(c, b, rho) + 1e-15).all()


@given(SEEDS, RHOS, st.sampled_from(["kl", "chi2", "tv"]))
def test_its_conjugate_has_them_too_unlike_that_of_other_losses(seed, rho, name):
    """Remark 35 says that φ*∘ℓ of kl and this loss has no TI': that is so of |y_a − y_b|."""
    a, b, c = scored(np.random.default_rng(seed), 40, 3)
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
        found = margin_loss(np.stack([-score, score], axis=1), np.full(6, (y + 1) // 2))
        np.testing.assert_allclose(found, ramp)


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


def test_labels_of_other_libraries():
    pandas = pytest.importorskip("pandas", reason="labels in a table")
    scores, others = [[1.0, 2.0], [3.0, 4.0]], [[2.0, 1.0], [0.0, 5.0]]
    assert margin_loss(scores, pandas.Series([0, 1])).tolist() == [1, 0.5]
    assert margin_loss(scores, pandas.DataFrame(others)).tolist() == [1, 0.5]


def test_extreme_scores():
    scores = [[1e308, -1e308], [-1e308, 1e308], [1e-310, 0.0]]
    assert margin_loss(scores, [0, 0, 0]).tolist() == [0, 1, 1]
    assert margin_loss(scores, [0, 0, 0], rho=1e-310).tolist() == pytest.approx([0, 1, 0.5])


@given(SEEDS, RHOS)
def test_2023_32_risks_through_another_hypothesis(seed, rho):
    """Lemma 32, Eq. 34 and 35, over any measure."""
    rng = np.random.default_rng(seed)
    h, other, _ = scored(rng, 25, 3)
    labels, mass = rng.integers(0, 3, 25), rng.random(25) * 3
    own, rest = (mass @ margin_loss(x, labels, rho) for x in (h, other))
    assert own <= rest + mass @ margin_loss(h, other, rho) + 1e-12
    # TI' of ℓ(h; h') takes ℓ(h'; y), so that y stands in the middle.
    assert mass @ margin_loss(h, other, rho) <= own + rest + 1e-12


# ---- a shared feature extractor (Eq. 40) -------------------------------------------------------


def extracted(g, x, slopes):
    """Scores of the linear classifiers h(z) = slope · z on z = g(x): (hypotheses, n, 2)."""
    score = np.array([slope * g(x) for slope in slopes])
    return np.stack([-score, score], axis=-1)


def of_extractor(g, source, target, slopes=(-2.0, -0.5, 0.5, 2.0)):
    """The bound of every hypothesis h∘g with the margin loss, and its true target error."""
    bounds, risks = [], []
    scores = [extracted(g, x, slopes) for x, _ in (source, target)]
    losses = [
        np.array([margin_loss(one, y) for one in side])
        for side, (_, y) in zip(scores, (source, target), strict=True)
    ]
    for h in range(len(slopes)):
        pairs = [np.array([margin_loss(side[h], one) for one in side]) for side in scores]
        bounds.append(hypothesis_bound(h, *losses, *pairs, "kl"))
        risks.append(losses[1][h].mean())
    return bounds, risks


def test_2023_40_adaptability_depends_on_the_extractor():
    """Both coordinates tell labels of the source; on the target the second says the opposite."""
    rng = np.random.default_rng(0)
    y_source, y_target = rng.integers(0, 2, (2, 300))
    first = [1.5 * (2 * y - 1) + 0.3 * rng.normal(size=300) for y in (y_source, y_target)]
    source = (np.stack([first[0], 2.0 * (2 * y_source - 1)], axis=1), y_source)
    target = (np.stack([first[1], -2.0 * (2 * y_target - 1)], axis=1), y_target)
    found = {}
    for name, g in {"causal": lambda x: x[:, 0], "spurious": lambda x: x[:, 1]}.items():
        found[name], risks = of_extractor(g, source, target)
        for bound, risk in zip(found[name], risks, strict=True):
            assert risk <= bound.value + 1e-12
    best = {name: min(bounds) for name, bounds in found.items()}
    # Both have no loss on the source and no discrepancy; the one term that no unlabeled sample
    # tells is what sets them apart.
    steep = {name: bounds[-1] for name, bounds in found.items()}
    for bound in steep.values():
        assert bound.source < 0.05
        assert bound.discrepancy < 0.05
    assert steep["causal"].adaptability < 0.05
    assert steep["spurious"].adaptability > 0.9
    assert best["causal"].value < 0.1 < 0.9 < best["spurious"].value


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: margin_loss([1.0, 2.0], [0]),
            ValueError,
            r"scores: shape \(n, classes\), two classes at least, expected, got \(2,\)",
        ),
        (
            lambda: margin_loss([[1.0, 2.0]], [[1.0, 2.0, 3.0]]),
            ValueError,
            r"labels: shape \(1, 2\) expected as of scores, got \(1, 3\)",
        ),
        (
            lambda: margin_loss([[1, 2], [3, 4]], [[1], [2, 3]]),
            TypeError,
            "labels: an array of numbers expected, got a list: setting an array element .*",
        ),
        (
            lambda: margin_loss([[1.0, 2.0]], np.ma.array([0], mask=[True])),
            TypeError,
            "labels: a plain array expected, got a masked array; fill or drop it",
        ),
        (
            lambda: margin_loss([[1.0, 2.0]], [0.0]),
            TypeError,
            "labels: whole numbers, or scores, expected, got float64",
        ),
        (
            lambda: margin_loss([[1.0, 2.0]], [0, 1]),
            ValueError,
            r"labels: shape \(1,\) or \(1, 2\) expected, got \(2,\)",
        ),
        (
            lambda: margin_loss([[1.0, 2.0], [1.0, 2.0]], [0, 2]),
            ValueError,
            "labels: classes 0 to 1 expected, got 2 at index 1",
        ),
    ],
)
def test_every_error_says_what_was_expected(call, error, message):
    with pytest.raises(error, match=f"^{message}$"):
        call()
