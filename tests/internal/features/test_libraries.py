"""torch-fidelity and modules give, to the last bit, what they give when they are called directly.

Weights are random, of a seed: what a model does with a picture does not depend on them, and
nothing is fetched.  The pictures are photographs of scikit-learn, of two sizes.
"""

import numpy as np
import pytest
from helpers import random_inception
from pictured import Image, pictures, save
from refusals import refused
from sklearn.datasets import load_sample_images

from prfast.features import extract

torch = pytest.importorskip("torch", reason="computes the features")


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """Return a folder of photographs, the last one smaller."""
    folder = tmp_path_factory.mktemp("photos")
    china, flower = load_sample_images().images
    for i, array in enumerate((china[::4, ::4], flower[::4, ::4], china[100:180, 300:400])):
        save(folder / f"{i}.png", array)
    return folder


def opened(folder):
    return [Image.open(path).convert("RGB") for path in sorted(folder.iterdir())]


@pytest.fixture
def weights(tmp_path, monkeypatch):
    return random_inception(tmp_path, monkeypatch)


def test_torch_fidelity_with_its_own_resizing(photos, weights):
    from torch_fidelity.feature_extractor_inceptionv3 import FeatureExtractorInceptionV3

    model = FeatureExtractorInceptionV3(
        "inception-v3-compat", ["2048"], feature_extractor_weights_path=weights
    )
    arrays = [torch.from_numpy(np.array(picture)).permute(2, 0, 1) for picture in opened(photos)]
    with torch.inference_mode():
        same = model(torch.stack(arrays[:2]))[0].numpy()
        last = model(arrays[2][None])[0].numpy()
    actual = extract(photos, "inception-v3-compat")
    assert np.array_equal(actual, np.concatenate([same, last]))
    record = actual.record
    assert record["model"] == "torch-fidelity:inception-v3-compat"
    assert (record["library"], record["weights"]) == ("torch-fidelity", "published")
    assert (record["layer"], record["dtype"]) == ("2048", "float32")
    assert len(record["weights_sha256"]) == 64


def test_what_torch_fidelity_does_not_know_is_refused(photos, weights):
    with refused(ValueError, "model: one of inception-v3-compat, vgg16, "):
        extract(photos, "inception")
    with refused(ValueError, "name: None expected for torch-fidelity, got 'x'"):
        extract(photos, "inception-v3-compat", name="x")


class Mean(torch.nn.Module):
    """A module with a weight."""

    def __init__(self, dtype=torch.float32):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.full((3,), 2.0, dtype=dtype))

    def forward(self, images):
        return images.mean(dim=(2, 3)).to(self.scale.dtype) * self.scale


def test_a_module_of_ones_own(tmp_path):
    folder = pictures(tmp_path, 4)
    actual = extract(folder, Mean().eval())
    arrays = np.stack([np.array(Image.open(p)) for p in sorted(tmp_path.rglob("*.png"))])
    assert np.allclose(actual, 2 * arrays.mean(axis=(1, 2)) / 255, atol=1e-6)
    record = actual.record
    assert record["model"] == "test_libraries.Mean"
    assert (record["prepare"], record["dtype"]) == ("float32 in [0, 1]", "float32")
    changed = Mean().eval()
    with torch.no_grad():
        changed.scale += 1
    assert extract(folder, changed).record["weights_sha256"] != record["weights_sha256"]
    with refused(ValueError, "model: a module in evaluation mode expected; call model.eval()"):
        extract(folder, Mean())
    assert set(record["versions"]) == {"prfast", "torch", "pillow"}
