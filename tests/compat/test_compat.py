"""The drop-ins: what the originals return, and what they refuse."""

import io

import hostile
import numpy as np
import prdc
import pytest
from hypothesis import given
from refusals import refused
from sklearn.cluster import MiniBatchKMeans

import prfast
from prfast.compat import prd_score
from prfast.compat.prdc import compute_prdc


def normals(n, m, d=4, seed=0, shift=0.1):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=(m, d)) + shift


# ---- prdc --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("k", [1, 3, 5, 10])
@pytest.mark.parametrize(("n", "m", "d"), [(300, 300, 8), (200, 350, 64), (350, 200, 2)])
def test_prdc_to_the_last_bit(capsys, n, m, d, k, dtype):
    real, fake = (x.astype(dtype) for x in normals(n, m, d, seed=k))
    expected = prdc.compute_prdc(real, fake, nearest_k=k)
    capsys.readouterr()
    found = compute_prdc(real_features=real, fake_features=fake, nearest_k=k)
    assert found == expected
    assert list(found) == list(expected)
    assert {type(value) for value in found.values()} == {np.float64}
    assert capsys.readouterr().out == ""


def test_prdc_has_one_neighbor_more_than_prdc():
    real, fake = normals(6, 8)
    assert set(compute_prdc(real, fake, np.int64(5))) == {
        "precision",
        "recall",
        "density",
        "coverage",
    }
    with pytest.raises(ValueError, match="out of bounds"):
        prdc.compute_prdc(real, fake, 5)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((*normals(6, 5), 5), ValueError, "nearest_k: an integer of at most 4 expected, got 5"),
        ((*normals(6, 5), 0), ValueError, "nearest_k: an integer of at least 1 expected, got 0"),
        ((*normals(6, 5), 2.0), TypeError, "nearest_k: an integer expected, got a float"),
        ((np.zeros(3), np.zeros((3, 1)), 1), ValueError, "real_features: a 2-D array"),
        ((np.zeros((3, 1)), [[np.nan]] * 3, 1), ValueError, "fake_features: finite numbers"),
        ((np.zeros((1, 1)), np.zeros((3, 1)), 1), ValueError, "real_features: at least 2 samples"),
        (
            (np.zeros((3, 1)), np.zeros((3, 2)), 1),
            ValueError,
            "real_features and fake_features: the same number of features expected, got 1 and 2",
        ),
    ],
)
def test_prdc_errors_name_its_own_arguments(arguments, error, message):
    with refused(error, message):
        compute_prdc(*arguments)


# ---- prd_score: two histograms -----------------------------------------------------------------


def broadcast(eval_dist, ref_dist, num_angles=1001, epsilon=1e-10):
    """The definition, at all angles at once: α = Σ min(λ ref, eval), and α / λ."""
    slopes = np.tan(np.linspace(epsilon, np.pi / 2 - epsilon, num_angles))
    alpha = np.minimum(slopes[:, None] * np.asarray(ref_dist), np.asarray(eval_dist)).sum(1)
    return alpha.clip(0, 1), (alpha / slopes).clip(0, 1)


def shares(masses):
    return masses / masses.sum()


@pytest.mark.parametrize("cells", [1, 2, 20, 1000])
@pytest.mark.parametrize("options", [{}, {"num_angles": 3}, {"num_angles": 77, "epsilon": 0.09}])
def test_prd_is_the_broadcast_formula(cells, options):
    rng = np.random.default_rng(cells)
    p, q = (shares(rng.exponential(size=cells) * (rng.random(cells) < 0.8) + 1e-9) for _ in "pq")
    found = prd_score.compute_prd(q, p, **options)
    np.testing.assert_allclose(found, broadcast(q, p, **options), rtol=1e-13, atol=0)
    assert [x.shape for x in found] == [(options.get("num_angles", 1001),)] * 2


@given(hostile.mass_pairs())
def test_prd_of_difficult_histograms(pair):
    p, q = (shares(x + 0.0) for x in pair)
    precision, recall = prd_score.compute_prd(q.tolist(), p.tolist())
    expected = broadcast(q, p)
    np.testing.assert_allclose([precision, recall], expected, rtol=1e-12, atol=1e-300)
    assert min(precision.min(), recall.min()) >= 0
    assert max(precision.max(), recall.max()) <= 1


def test_the_order_is_generated_then_real():
    """A generated distribution inside the real one: precision 1, recall 1/2."""
    precision, recall = prd_score.compute_prd(eval_dist=[1.0, 0.0], ref_dist=[0.5, 0.5])
    assert precision.max() == pytest.approx(1)
    assert recall.max() == pytest.approx(0.5)


HALVES = [0.5, 0.5]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f: f(HALVES, HALVES, 2), ValueError, "num_angles: an integer of at least 3 exp"),
        (
            lambda f: f(HALVES, HALVES, epsilon=0),
            ValueError,
            "epsilon: a number in (0, 0.1) expected, got 0",
        ),
        (lambda f: f(HALVES, HALVES, epsilon=0.1), ValueError, "epsilon: a number in (0, 0.1) exp"),
        (lambda f: f(HALVES, HALVES, epsilon=np.nan), ValueError, "epsilon: a number in [0, 0.1]"),
        (lambda f: f([1.0], HALVES), ValueError, "ref_dist: 1 numbers expected, got 2"),
        (lambda f: f([1.5, -0.5], HALVES), ValueError, "eval_dist: numbers >= 0 expected, got -0."),
        (
            lambda f: f(HALVES, [np.nan, 1]),
            ValueError,
            "ref_dist: finite numbers expected, got nan",
        ),
        (lambda f: f([HALVES], [HALVES]), ValueError, "eval_dist: a 1-D array expected"),
        (
            lambda f: f([1.0, 1.0], [3, 1]),
            ValueError,
            "eval_dist and ref_dist: masses that sum to 1 expected, got sums 2 and 4",
        ),
    ],
)
def test_prd_errors_name_the_argument(call, error, message):
    with refused(error, message):
        call(prd_score.compute_prd)


def test_a_sum_a_rounding_above_1_is_clipped_and_one_above_1_001_is_refused():
    precision, recall = prd_score.compute_prd([1.0005], [1.0005])
    assert precision.max() == recall.max() == 1
    assert prd_score.compute_prd([1.000_99], [1.0])[0].max() == 1
    with refused(
        ValueError, "eval_dist and ref_dist: masses that sum to 1 expected, got sums 1.00"
    ):
        prd_score.compute_prd([1.001_01], [1.0])


# ---- prd_score: samples ------------------------------------------------------------------------


def seeded_runs(fake, real, clusters, runs, seed=0):
    """Histograms as the 2018 code makes them, on the seeds that prfast records."""
    for state in np.random.SeedSequence(seed).generate_state(runs):
        kmeans = MiniBatchKMeans(clusters, n_init=10, random_state=int(state))
        labels = kmeans.fit(np.vstack([fake, real])).labels_
        counts = (np.bincount(x, minlength=clusters) for x in np.split(labels, [len(fake)]))
        yield tuple(shares(x) for x in counts)


def blobs(n, m, seed=0):
    """Eight tight clusters: cells that no rounding moves."""
    rng = np.random.default_rng(seed)
    centers = 100 * rng.normal(size=(8, 3))
    return tuple(centers[rng.integers(0, 8, size)] + rng.normal(size=(size, 3)) for size in (n, m))


def test_prd_from_embedding_is_the_mean_of_its_runs():
    fake, real = blobs(300, 300)
    found = prd_score.compute_prd_from_embedding(fake, real, 8, 101, 3, random_state=5)
    runs = [broadcast(*pair, 101) for pair in seeded_runs(fake, real, 8, 3, seed=5)]
    np.testing.assert_allclose(found, np.mean(runs, axis=0), rtol=1e-12)


def test_unequal_sizes_need_to_be_asked_for():
    fake, real = blobs(300, 200)
    with refused(
        ValueError,
        "eval_data and ref_data: as many samples in both expected, got 300 and 200; "
        "enforce_balance=False takes them",
    ):
        prd_score.compute_prd_from_embedding(fake, real)
    found = prd_score.compute_prd_from_embedding(fake, real, 8, 101, 2, enforce_balance=False)
    runs = [broadcast(*pair, 101) for pair in seeded_runs(fake, real, 8, 2)]
    np.testing.assert_allclose(found, np.mean(runs, axis=0), rtol=1e-12)


def test_the_seed_is_fixed_unless_it_is_none():
    fake, real = normals(100, 100)
    call = prd_score.compute_prd_from_embedding
    np.testing.assert_array_equal(
        call(fake, real, num_runs=1), call(fake, real, num_runs=1, random_state=0)
    )
    draws = [call(fake, real, num_runs=1, random_state=None)[0].sum() for _ in range(3)]
    assert len(set(draws)) > 1


SMALL = normals(5, 5)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f: f(*SMALL), ValueError, "num_clusters: at most the number of samples, 5 + 5, ex"),
        (lambda f: f(*SMALL, 1), ValueError, "num_clusters: an integer of at least 2 expected, go"),
        (lambda f: f(*SMALL, 3, enforce_balance="no"), TypeError, "enforce_balance: True or False"),
        (lambda f: f(*SMALL, 3, random_state=-1), ValueError, "random_state: an integer in [0, 2"),
        (lambda f: f(np.zeros(5), SMALL[1]), ValueError, "eval_data: a 2-D array"),
    ],
)
def test_embedding_errors_name_the_argument(call, error, message):
    with refused(error, message):
        call(prd_score.compute_prd_from_embedding)


# ---- prd_score: F scores -----------------------------------------------------------------------


def test_f_scores_have_the_original_constant():
    rng = np.random.default_rng(0)
    p, r = rng.random((2, 50))
    for beta in (1, 8, 1 / 8):
        expected = (1 + beta**2) * (p * r) / (beta**2 * p + r + 1e-10)
        np.testing.assert_array_equal(prd_score._prd_to_f_beta(p, r, beta), expected)
    pair = prd_score.prd_to_max_f_beta_pair(p.tolist(), r.tolist())
    assert pair == tuple(prd_score._prd_to_f_beta(p, r, b).max() for b in (8, 1 / 8))
    assert prd_score.prd_to_max_f_beta_pair([0, 0], [0, 0]) == (0, 0)


def test_the_pair_is_near_the_exact_one():
    rng = np.random.default_rng(0)
    real, fake = (shares(rng.exponential(size=20)) for _ in "pq")
    pair = prd_score.prd_to_max_f_beta_pair(*prd_score.compute_prd(fake, real))
    curve = prfast.PRCurve.from_masses(real, fake)
    assert pair == pytest.approx((curve.f_score(8), curve.f_score(1 / 8)), abs=1e-3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: f([1.1], [0.5]), "precision: numbers in [0, 1] expected, got 1.1 at index 0"),
        (lambda f: f([np.nan], [0.5]), "precision: finite numbers expected, got nan at index 0"),
        (lambda f: f([0.5], [0.5, 0.5]), "recall: the shape of precision, (1,), expected, got (2,"),
        (lambda f: f([0.5], [0.5], 0), "beta: a number in [1e-100, 1e+100] expected, got 0"),
        (lambda f: f([], []), "precision: at least one number expected, got none"),
    ],
)
def test_f_score_errors_name_the_argument(call, message):
    with refused(ValueError, message):
        call(prd_score.prd_to_max_f_beta_pair)
    if "at least one" not in message:
        with refused(ValueError, message):
            call(prd_score._prd_to_f_beta)


# ---- prd_score: pictures -----------------------------------------------------------------------

CURVES = [prd_score.compute_prd([0.9, 0.1], HALVES), prd_score.compute_prd([0.2, 0.8], HALVES)]


@pytest.mark.parametrize("labels", [None, ["one", "two"]])
def test_a_plot_is_saved(tmp_path, labels):
    assert prd_score.plot(CURVES, labels, str(tmp_path / "out.png"), dpi=50) is None
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    buffer = io.BytesIO()
    prd_score.plot(CURVES, labels, buffer, "upper right")
    assert buffer.getvalue()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f: f(CURVES, ["one"]), ValueError, "labels: 2 labels expected, got 1"),
        (lambda f: f([3]), TypeError, "precision_recall_pairs[0]: a pair of precision and recall"),
        (
            lambda f: f([([0, 1], [0])]),
            ValueError,
            "precision_recall_pairs[0]: precision and recall of one length expected, got 2 and 1",
        ),
    ],
)
def test_plot_errors_name_the_argument(call, error, message):
    with refused(error, message):
        call(prd_score.plot)


@pytest.mark.parametrize("kind", [TypeError, ValueError])
def test_errors_are_caught_as_those_of_the_original(kind):
    """The original raises a ValueError for an angle number that is none."""
    with pytest.raises(kind, match=r"^num_angles: an integer expected, got a float$"):
        prd_score.compute_prd([1.0], [1.0], num_angles=2.5)
    with pytest.raises(kind, match=r"^num_angles: an integer of at least 3 expected, got 2$"):
        prd_score.compute_prd([1.0], [1.0], num_angles=2)
    with pytest.raises(kind, match=r"^precision_recall_pairs\[0\]: a pair"):
        prd_score.plot([3])
