"""Each library gives, to the last bit, what it gives when it is called directly.

Weights are random, of a seed: what a library does with a picture does not depend on them, and
nothing is fetched.  The pictures are photographs of scikit-learn, of two sizes.
"""

import numpy as np
import pytest
from pictured import Image, pictures, save
from refusals import refused
from sklearn.datasets import load_sample_images

from prfast.features import extract

torch = pytest.importorskip("torch", reason="computes the features")


def seeded(make):
    """Return the module that `make` creates with torch's seed 0."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return make().requires_grad_(False).eval()


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


def test_timm(photos):
    timm = pytest.importorskip("timm", reason="the library")
    model = seeded(lambda: timm.create_model("test_vit", pretrained=False, num_classes=0))
    config = timm.data.resolve_model_data_config(model)
    transform = timm.data.create_transform(**config, is_training=False)
    with torch.inference_mode():
        expected = model(torch.stack([transform(one) for one in opened(photos)])).numpy()
    actual = extract(photos, "timm:test_vit", weights="random")
    assert np.array_equal(actual, expected)
    record = actual.record
    assert (record["model"], record["library"]) == ("timm:test_vit", "timm")
    assert record["weights"] == "random, seed 0"
    assert "Resize(size=168, interpolation=bicubic" in record["prepare"]
    assert {"prfast", "torch", "timm", "torchvision", "pillow"} == set(record["versions"])


def test_torch_fidelity_with_its_own_resizing(photos, tmp_path):
    extractors = pytest.importorskip(
        "torch_fidelity.feature_extractor_inceptionv3", reason="the library"
    )
    models = pytest.importorskip("torchvision.models", reason="draws the weights")
    drawn = seeded(
        lambda: models.inception_v3(
            weights=None, num_classes=1008, aux_logits=False, init_weights=True
        )
    )
    torch.save(drawn.state_dict(), tmp_path / "mine.pth")
    model = extractors.FeatureExtractorInceptionV3(
        "inception-v3-compat", ["64"], feature_extractor_weights_path=tmp_path / "mine.pth"
    )
    arrays = [torch.from_numpy(np.array(one)).permute(2, 0, 1) for one in opened(photos)]
    with torch.inference_mode():
        same = model(torch.stack(arrays[:2]))[0].numpy()
        other = model(arrays[2][None])[0].numpy()
    weights = str(tmp_path / "mine.pth")
    actual = extract(photos, "inception-v3-compat", layer="64", weights=weights)
    assert np.array_equal(actual, np.concatenate([same, other]))
    record = actual.record
    assert record["model"] == "torch-fidelity:inception-v3-compat"
    assert record["prepare"] == "torch-fidelity, bilinear as in TensorFlow 1, 299 × 299"


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
    other = Mean().eval()
    with torch.no_grad():
        other.scale += 1
    assert extract(folder, other).record["weights_sha256"] != record["weights_sha256"]
    with refused(ValueError, "model: a module in evaluation mode expected; call model.eval()"):
        extract(folder, Mean())


def test_random_weights_are_those_of_the_seed_and_leave_torch_as_it_was(photos):
    pytest.importorskip("timm", reason="the library")
    state = torch.random.get_rng_state()
    digests = [
        extract(photos, "timm:test_vit", weights="random", seed=seed).record["weights_sha256"]
        for seed in (0, 0, 1)
    ]
    assert digests[0] == digests[1] != digests[2]
    assert torch.equal(torch.random.get_rng_state(), state)


@pytest.mark.parametrize(
    ("library", "model", "options", "message"),
    [
        ("timm", "timm:test_vot", {}, "model: a model of timm expected, got 'test_vot'; did you"),
        ("timm", "timm:test_vit", {"layer": "x"}, "layer: None expected for a model of timm"),
        ("timm", "timm:test_vit", {"weights": "a1"}, "weights: 'random' or a file expected, got"),
        ("timm", "timm:test_vit", {"device": "tpu"}, "device: an available device expected"),
        (
            "torch_fidelity",
            "inception",
            {},
            "model: timm:NAME or an extractor of torch-fidelity, of ",
        ),
        ("torch_fidelity", "vgg16", {"layer": "x"}, "layer: a layer, of "),
        ("torch_fidelity", "vgg16", {"weights": "random"}, "weights: None or a file expected for "),
        (
            "torch_fidelity",
            "vgg16",
            {"weights": "no file"},
            "weights: None or a file expected for ",
        ),
        ("timm", "torchvision:resnet18", {}, "model: one such as inception-v3-compat, "),
    ],
)
def test_what_a_library_does_not_know_is_refused(photos, library, model, options, message):
    pytest.importorskip(library, reason="the library")
    with refused(ValueError, message):
        extract(photos, model, **options)


def test_weights_that_cannot_be_loaded_are_one_line_that_says_what_to_do(photos, tmp_path):
    pytest.importorskip("timm", reason="the library")
    (tmp_path / "mine.pth").write_text("no weights")
    with pytest.raises(OSError, match=r"^timm:test_vit: its weights could not be") as actual:
        extract(photos, "timm:test_vit", weights=str(tmp_path / "mine.pth"))
    assert str(actual.value).endswith("here, or pass weights=FILE (--weights FILE)")
    assert "\n" not in str(actual.value)
