"""The generators that the bench trains: kept, loaded, sampled, and found again from their seed."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the bench trains its generators with torch")

from bench.papers import digit_classifier, generators  # noqa: E402
from prfast.cli import demo  # noqa: E402

KINDS = pytest.mark.parametrize("kind", generators.KINDS)


@pytest.fixture(scope="module")
def digits():
    pixels, labels = demo.digits()
    return pixels[:200] / generators.LEVELS, labels[:200]


@pytest.fixture(scope="module")
def trained(digits):
    return {kind: generators.train(kind, digits[0], (0, 1, 12), 0) for kind in generators.KINDS}


@KINDS
def test_a_checkpoint_that_was_loaded_samples_the_same_bits(kind, trained, tmp_path):
    trained[kind].save(tmp_path / "kept.pt")
    kept = generators.Trained.load(tmp_path / "kept.pt")
    assert kept.losses == trained[kind].losses
    assert list(kept.states) == [0, 1, 12]
    for epoch, state in trained[kind].states.items():
        made = generators.sample(state, 50, seed=3)
        np.testing.assert_array_equal(generators.sample(kept.states[epoch], 50, seed=3), made)
        assert not np.array_equal(generators.sample(kept.states[epoch], 50, seed=4), made)


@KINDS
def test_samples_are_grey_levels_and_change_with_training(kind, trained):
    made = {e: generators.sample(s, 50, seed=0) for e, s in trained[kind].states.items()}
    assert {images.shape for images in made.values()} == {(50, 64)}
    for images in made.values():
        assert np.isin(images, np.arange(17) / 16).all()
    assert not np.array_equal(made[0], made[1])
    assert not np.array_equal(made[1], made[12])


@KINDS
def test_the_seed_alone_decides(kind, digits):
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    one, same, other = (generators.train(kind, digits[0], (1,), seed) for seed in (0, 0, 1))
    assert torch.equal(torch.rand(3), expected)  # the numbers of others are left alone
    assert one.losses == same.losses != other.losses
    for name, values in one.states[1].items():
        assert torch.equal(values, same.states[1][name])
    assert not torch.equal(one.states[1]["0.weight"], other.states[1]["0.weight"])


def test_losses_are_those_that_they_are_called(trained):
    """One an epoch, the untrained generator's first."""
    for found in trained.values():
        assert len(found.losses) == 13
        assert np.isfinite(found.losses).all()
    vae, gan, wgan = (trained[kind].losses for kind in generators.KINDS)
    assert vae[0] > 64 * np.log(2)  # every pixel at 1/2 costs log 2, and the KL is not negative
    assert vae[-1] < 0.7 * vae[0]
    # A divergence is at most log 2; a critic of 1 and of 10 epochs tells noise from digits.
    assert 0 < gan[0] < max(gan) <= np.log(2)
    assert wgan[0] > 1


def test_slopes_of_one_are_not_penalised():
    """A critic w·x has the slope |w| everywhere."""
    critic = torch.nn.Linear(2, 1)
    real, fake = torch.rand(5, 2), torch.rand(5, 2)
    for weights, expected in (([0.6, 0.8], 0.0), ([3.0, 4.0], 16.0), ([0.0, 0.0], 1.0)):
        with torch.no_grad():
            critic.weight.copy_(torch.tensor([weights]))
        found = generators.steepness(critic, real, fake)
        assert float(found.detach()) == pytest.approx(expected, abs=1e-6)


def test_the_classifier_learns_digits_that_it_has_not_seen(digits):
    images, labels = digits
    fitted = digit_classifier.train_classifier(images[:150], labels[:150], seed=0)
    of_each = fitted.probabilities(images[150:])
    np.testing.assert_allclose(of_each.sum(axis=1), 1)
    assert (of_each.argmax(axis=1) == labels[150:]).mean() > 0.75
    features = fitted.features(images[150:])
    assert features.shape == (50, digit_classifier.FEATURES)
    assert features.dtype == np.float64
    assert features.min() == 0  # a ReLU's
    logits = fitted.head(torch.from_numpy(features).float())
    np.testing.assert_allclose(logits.softmax(1).detach().numpy(), of_each, atol=1e-6)
    again = digit_classifier.train_classifier(images[:150], labels[:150], seed=0)
    np.testing.assert_array_equal(again.features(images), fitted.features(images))
