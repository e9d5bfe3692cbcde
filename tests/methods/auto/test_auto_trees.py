"""Boosted trees, where a trial pays."""

import numpy as np
import pytest
from made import coordinates, plain_run, relabeled, scored
from sklearn.metrics import roc_auc_score

from prfast import pr_curve
from prfast.methods.auto import model
from prfast.methods.auto.trees import trees
from prfast.methods.auto.workers import expected


def signs(n, sign, seed, d=20):
    """Seven of ten samples have the sign of the product of two of the columns."""
    rng = np.random.default_rng([seed, n])
    x = rng.normal(size=(4 * n, d))
    return x[(sign * x[:, 3] * x[:, 11] > 0) | (rng.random(4 * n) < 0.3)][:n]


XOR = signs(400, 1, 0), signs(400, -1, 1)


def normal(n, d=20, seed=0):
    return np.random.default_rng([seed, n, d]).normal(size=(n, d))


@pytest.fixture
def always(monkeypatch):
    """Trees are grown without a trial."""
    monkeypatch.setattr("prfast.methods.auto.trees._tried", lambda *_: 100)


def test_trees_see_a_product_of_two_columns_of_many():
    made = coordinates(*XOR)
    fitted = model.fit(made, plain_run)
    assert fitted.weights["trees"] > 0.3
    of_real = made.sample.fitted_real
    assert roc_auc_score(of_real, scored(fitted.model.bases[-1], made)[:, 0]) > 0.6
    assert roc_auc_score(of_real, fitted.scores) > 0.58


@pytest.mark.parametrize("shift", [0.0, 0.7])
@pytest.mark.parametrize("seed", range(3))
def test_no_trees_are_grown_where_the_other_bases_see_all(shift, seed):
    real, fake = normal(300, 5, 2 * seed), normal(300, 5, 2 * seed + 1) + shift
    assert "trees" not in model.fit(coordinates(real, fake), plain_run).weights


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("d", [5, 200])
def test_trees_do_not_see_the_labels_of_the_fold_that_they_score(d):
    """All labels of fold 1 are exchanged; of 200 columns, trees see the screened ones."""
    made = coordinates(normal(120, d), normal(100, d, 1) + 0.5)
    own = made.sample.fold == 1
    flipped = relabeled(made.sample, (np.arange(220) < 120) ^ own)
    zeros = np.zeros(220)
    before, after = (scored(trees(one, zeros, plain_run), one) for one in (made, flipped))
    own = own[made.sample.fitted]
    assert np.array_equal(after[own], before[own])
    assert np.abs(after - before)[~own].max() > 0.01


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("d", [10, 1000])
def test_trees_of_equal_distributions_are_noise(d):
    found = []
    for seed in range(4):
        x = normal(200, d, seed)
        made = coordinates(x[:100], x[100:])
        columns = scored(trees(made, np.zeros(200), plain_run), made)
        found.append(roc_auc_score(made.sample.fitted_real, columns[:, 0]))
    assert abs(np.mean(found) - 0.5) < 0.07


@pytest.mark.nightly
def test_threads_do_not_change_a_bit_where_trees_are_grown():
    one, two = (pr_curve(*XOR, n_jobs=n) for n in (1, 2))
    assert one.info["weights"]["trees"] > 0
    assert one == two


@pytest.mark.nightly
@pytest.mark.parametrize("case", ["grown", "tried", "too few to try"])
def test_the_bar_has_room_for_trees_and_is_full_at_the_end_of_the_fit(case):
    """Each phase has a share, the trees too; without them the bar moves past theirs."""
    made = {
        "grown": coordinates(*XOR),
        "tried": coordinates(normal(300, 5), normal(300, 5, 1)),
        "too few to try": coordinates(normal(60, 5), normal(60, 5, 1)),
    }[case]
    shares = {}

    def run(call, arguments, share):
        name = call.__name__
        shares[name] = shares.get(name, 0) + share
        return plain_run(call, arguments)

    fitted = model.fit(made, run)
    assert ("trees" in fitted.weights) == (case == "grown")
    assert sum(shares.values()) == pytest.approx(expected(0, 1))
    assert shares.get("grow", 0) >= (15 if case == "grown" else 0)
    assert shares.get("gains", 0) >= (0 if case == "too few to try" else 30)
