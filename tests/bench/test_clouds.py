"""What the speed cases share: samples of four kinds, products, ways of the engine, its levels."""

from argparse import ArgumentParser

import numpy as np
import pytest
from commands import bench, write_features

from bench.contender import Contender
from bench.speed.clouds import KINDS, Samples, add_kinds, chosen, clouds
from bench.speed.product import sgemm
from bench.speed.ways import decided, each_way

SIZE = 500


def samples(kind, tmp_path, dim=16):
    if kind != "images":
        return Samples(kind, SIZE, dim)
    write_features(tmp_path / "features.npz")
    return Samples(kind, 180, 16, tmp_path / "features.npz", 180)


@pytest.mark.parametrize("kind", KINDS)
def test_samples_are_float32_finite_and_the_same_again(kind, tmp_path):
    of = samples(kind, tmp_path)
    real, fake = of.draw()
    assert real.shape == fake.shape == (of.size, of.dim)
    assert real.dtype == fake.dtype == np.float32
    assert np.isfinite(real).all()
    assert np.array_equal(of.draw()[1], fake)
    assert not np.array_equal(real, fake)


@pytest.mark.parametrize("kind", KINDS)
def test_models_come_closer_to_the_reference(kind, tmp_path):
    of = samples(kind, tmp_path)
    reference, models = of.models(of.size, [30.0, 0.0])
    far, near = (np.linalg.norm((one - reference).mean(axis=0)) for one in models)
    assert far > 3 * near


def test_isotropic_samples_are_gaussians_at_distance_one():
    real, fake = clouds(4000, 16)
    assert np.linalg.norm(fake.mean(axis=0) - real.mean(axis=0)) == pytest.approx(1, abs=0.1)
    np.testing.assert_allclose(real.std(axis=0), 1, atol=0.06)


def test_relu_samples_are_like_features_of_a_network():
    real, _ = Samples("relu", 1500, 2048).draw()
    assert real.min() == 0
    assert 0.65 < (real == 0).mean() < 0.75
    # (Σ λ)² / Σ λ² of the covariance, from the smaller of the two Gram matrices.
    centred = (real - real.mean(axis=0)).astype(np.float64)
    gram = centred @ centred.T
    assert 20 < np.trace(gram) ** 2 / (gram**2).sum() < 60
    scales = real.std(axis=0)
    assert np.quantile(scales, 0.95) > 10 * np.quantile(scales, 0.05)


def test_tails_have_no_variance():
    # P(|t| > 20) = 0.0025 with 2 degrees of freedom; no normal number comes near.
    real, _ = Samples("tails", 4000, 16).draw()
    assert (np.abs(real) > 20).mean() == pytest.approx(0.0025, rel=0.3)


def test_images_are_real_or_generated_and_none_is_repeated(tmp_path):
    of = samples("images", tmp_path)
    rows = np.concatenate(of.draw())
    assert len(np.unique(rows, axis=0)) == 360
    assert of.sized(10_000) == of
    assert [len(part) for part in of.sized(40).draw()] == [40, 40]


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ([], ["d=64", "d=2048", "relu, d=2048"]),
        (["--dims", "512"], ["d=512", "relu, d=512"]),
        (["--kinds", "tails", "--dims", "3"], ["tails, d=3"]),
        (["--data", "FILE"], ["d=64", "d=2048", "relu, d=2048", "images, d=16"]),
        (["--data", "FILE", "--kinds", "images", "--dims", "3"], ["images, d=16"]),
    ],
)
def test_options_choose_kinds_and_dimensions(arguments, names, tmp_path):
    write_features(tmp_path / "features.npz")
    parser = ArgumentParser()
    add_kinds(parser)
    parser.set_defaults(case="nearest", tiny=False)
    file = str(tmp_path / "features.npz")
    options = parser.parse_args([file if one == "FILE" else one for one in arguments])
    found = chosen(options, 1000)
    assert [of.name for of in found] == names
    assert [of.size for of in found] == [180 if of.kind == "images" else 1000 for of in found]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--kinds", "images"], "nearest: images: no file; say --data FILE.npz"),
        (["--data", "none.npz"], "nearest: no file none.npz; say --data FILE.npz"),
        (["--isas", "mmx"], "nearest: --isas: some of base"),
    ],
)
def test_what_is_not_there_is_named(arguments, said, tmp_path):
    done = bench("nearest", "--tiny", "--results", tmp_path, *arguments)
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("pairs", [300**2, 3 * 10_000**2, 1.5 * 30_000**2, 1.25e10])
def test_a_product_has_as_many_pairs_in_blocks(pairs):
    settings = sgemm(pairs, 8, 1).settings
    assert settings["rows"] * settings["cols"] <= 1.5 * 10_000**2
    found = settings["rows"] * settings["cols"] * settings["times"]
    assert found == pytest.approx(pairs, rel=1e-3)


def test_names_of_what_was_always_measured_are_those_that_the_page_quotes():
    usual = Samples("isotropic", 10, 64)
    assert (usual.name, usual.besides) == ("d=64", "")
    other = Samples("relu", 10, 64)
    assert (other.name, other.besides) == ("relu, d=64", "relu, d=64, ")


# ---- ways and levels ---------------------------------------------------------------------------


def test_a_way_is_an_environment(monkeypatch):
    from prfast.kernels import choice

    one = Contender(dict)
    monkeypatch.setattr(choice, "FILTERS", ("off",), raising=False)
    assert {key: way.environment for key, way in each_way("prfast", one, [""]).items()} == {
        "prfast": {}
    }
    monkeypatch.setattr(choice, "FILTERS", ("int8", "float32", "off"))
    found = each_way("prfast", one, ["", "avx2"])
    assert {key: way.environment for key, way in found.items()} == {
        "prfast": {},
        "prfast float32": {"PRFAST_FILTER": "float32"},
        "prfast avx2": {"PRFAST_ISA": "avx2"},
        "prfast avx2 float32": {"PRFAST_ISA": "avx2", "PRFAST_FILTER": "float32"},
    }


@pytest.mark.parametrize(
    ("work", "text"),
    [
        (
            {"int8": 9890, "differences": 109, "refined": 1, "unfiltered": 0, "redone": 0},
            "decided by int8 98.9 %, float32 differences 1.09 %, float64 0.01 %",
        ),
        (
            {"float32": 98, "refined": 2, "unfiltered": 100, "redone": 3},
            "decided by float32 filter 49 %, float64 1 %, float64 without a filter 50 %; "
            "3 queries redone",
        ),
        (
            {"refined": 5, "unfiltered": 0, "redone": 0},
            "decided by float64 0.5 % of the pairs",
        ),
    ],
)
def test_the_share_of_each_level_is_told(work, text):
    assert decided(work, 1000) == text
