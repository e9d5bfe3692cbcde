"""The drop-in functions: values of the originals, and refusals."""

import numpy as np
import prdc
import pytest
from helpers import normals
from refusals import refusals
from sklearn.cluster import MiniBatchKMeans

from prfast.compat import prd_score
from prfast.compat.prdc import compute_prdc


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("n", "m", "d", "k"), [(300, 300, 8, 3), (200, 350, 64, 1), (350, 200, 2, 10)]
)
def test_prdc_to_the_last_bit(capsys, n, m, d, k, dtype):
    real, fake = (x.astype(dtype) for x in normals(n, m, d, seed=k))
    expected = prdc.compute_prdc(real, fake, nearest_k=k)
    capsys.readouterr()
    actual = compute_prdc(real_features=real, fake_features=fake, nearest_k=k)
    assert actual == expected
    assert list(actual) == list(expected)
    assert {type(value) for value in actual.values()} == {np.float64}
    assert capsys.readouterr().out == ""


def broadcast(eval_dist, ref_dist, num_angles=1001, epsilon=1e-10):
    """Return the definition, at all angles at once: α = Σ min(λ ref, eval), and α / λ."""
    slopes = np.tan(np.linspace(epsilon, np.pi / 2 - epsilon, num_angles))
    alpha = np.minimum(slopes[:, None] * np.asarray(ref_dist), np.asarray(eval_dist)).sum(1)
    return alpha.clip(0, 1), (alpha / slopes).clip(0, 1)


def shares(masses):
    return masses / masses.sum()


@pytest.mark.parametrize("cells", [1, 20, 1000])
@pytest.mark.parametrize("options", [{}, {"num_angles": 77, "epsilon": 0.09}])
def test_prd_is_the_broadcast_formula(cells, options):
    rng = np.random.default_rng(cells)
    p, q = (shares(rng.exponential(size=cells) * (rng.random(cells) < 0.8) + 1e-9) for _ in "pq")
    actual = prd_score.compute_prd(q, p, **options)
    np.testing.assert_allclose(actual, broadcast(q, p, **options), rtol=1e-13, atol=0)
    assert [x.shape for x in actual] == [(options.get("num_angles", 1001),)] * 2


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
    actual = prd_score.compute_prd_from_embedding(fake, real, 8, 101, 3, random_state=5)
    runs = [broadcast(*pair, 101) for pair in seeded_runs(fake, real, 8, 3, seed=5)]
    np.testing.assert_allclose(actual, np.mean(runs, axis=0), rtol=1e-12)


def test_f_scores_have_the_constant_of_the_original():
    p, r = np.random.default_rng(0).random((2, 50))
    pair = prd_score.prd_to_max_f_beta_pair(p.tolist(), r.tolist())
    for beta, actual in zip((8, 1 / 8), pair, strict=True):
        assert actual == ((1 + beta**2) * (p * r) / (beta**2 * p + r + 1e-10)).max()
    assert prd_score.prd_to_max_f_beta_pair([0, 0], [0, 0]) == (0, 0)


HALVES = [0.5, 0.5]

SIX, FIVE = normals(6, 5)
prd, embedding, f_pair = (
    prd_score.compute_prd,
    prd_score.compute_prd_from_embedding,
    prd_score.prd_to_max_f_beta_pair,
)


test_wrong_arguments_are_refused = refusals("""
compute_prdc(SIX, FIVE, 5)
    ValueError: nearest_k: from 1 to 4 expected, the other p
prd(HALVES, HALVES, 2)
    ValueError: num_angles: an integer of at least 3 exp
prd(HALVES, HALVES, epsilon=0)
    ValueError: epsilon: a number in (0, 0.1) expected, got 0
prd([1.001_01], [1.0])
    ValueError: eval_dist and ref_dist: masses that sum to 1 expected, got sums 1.00
embedding(FIVE, SIX)
    ValueError: eval_data: 6 samples, or enforce_balance=False, expected as in ref_data, got 5
embedding(FIVE, FIVE, 1)
    ValueError: num_clusters: an integer of at least 2 expected, go
f_pair([1.1], [0.5])
    ValueError: precision: numbers in [0, 1] expected, got 1.1 at index 0
""")
