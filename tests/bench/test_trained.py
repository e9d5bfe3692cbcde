"""What the bench says of trained generators: the pair of one distance, the side of the diagonal."""

from types import SimpleNamespace

import pytest

from bench.papers import trained, trained_figures, trained_pictures


def row(model, seed, epoch, distance, f1_8, f8, features="penultimate"):
    """Neighbours' precision and recall lean the other way, and more."""
    return {
        "features": features,
        "model": model,
        "seed": seed,
        "epoch": epoch,
        "frechet_distance": distance,
        "precision": 1 - f1_8**2,
        "recall": 1 - f8**2,
        "kmeans_f1_8": f1_8,
        "kmeans_f8": f8,
    }


ROWS = [
    row(trained_figures.REAL, 0, 0, 10.0, 1.0, 0.0),
    row("gan", 0, 0, 10.0, 1.0, 0.0),  # untrained
    row("gan", 0, 10, 10.0, 0.7, 0.3),
    row("gan", 0, 100, 5.0, 0.9, 0.1),
    row("vae", 0, 3, 10.4, 0.5, 0.6),
    row("vae", 0, 100, 7.0, 0.2, 0.9),
    row("vae", 1, 10, 9.3, 0.1, 1.0),
    row("vae", 1, 100, 7.0, 0.6, 0.9),
    row("vae", 0, 100, 10.0, 0.0, 1.0, features="pixels"),
]


def test_the_pair_has_one_frechet_distance_and_leans_apart_most():
    first, second = trained_figures.alike(ROWS)
    assert (first["model"], first["epoch"]) == ("gan", 10)
    assert (second["model"], second["epoch"]) == ("vae", 3)
    assert trained_figures.bias(first) - trained_figures.bias(second) == pytest.approx(0.5)
    closer = trained_figures.alike(ROWS, within=0.01)  # 10 and 10.4 are too far apart
    assert [(one["model"], one["seed"]) for one in closer] == [("vae", 1), ("vae", 0)]
    far = trained_figures.alike(ROWS[:4])  # 10 and 5: no two are close
    assert [one["epoch"] for one in far] == [100, 10]


def test_of_the_pair_only_what_it_is_picked_by_is_judged():
    judged, told = trained_figures.figures_of_pair(ROWS)
    assert judged.name == "one Fréchet distance: F_1/8 − F_8 apart by"
    assert judged.value == pytest.approx(0.5)
    assert (judged.at_least, judged.met) == (0.2, True)
    assert told.value == pytest.approx((0.3**2 - 0.7**2) - (0.6**2 - 0.5**2))
    assert told.met is None
    near = [row("gan", 0, 10, 10.0, 0.5, 0.4), row("vae", 0, 10, 10.0, 0.5, 0.5)]
    assert trained_figures.figures_of_pair(near)[0].met is False


def test_the_end_is_the_mean_of_the_last_epochs_of_every_training():
    assert trained_figures.end(ROWS, "gan") == pytest.approx(0.8)
    assert trained_figures.end(ROWS, "vae") == pytest.approx((-0.7 - 0.3) / 2)


def test_without_torch_the_case_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(trained, "find_spec", lambda name: None)
    options = SimpleNamespace(case="trained", results=tmp_path, tiny=True, draws=2)
    with pytest.raises(SystemExit, match=r"^trained: torch is needed: .* 'prfast\[features\]'$"):
        trained.run(options)
    assert not list(tmp_path.iterdir())


def test_a_running_mean_widens_with_the_epoch():
    losses = [2.0] * 3 + [4.0] + [0.0] * 30
    found = trained_pictures.smooth(losses)
    assert found[:4] == [0.5, 0.5, 0.5, 1.0]  # over the largest; of single epochs at first
    assert found[4] == pytest.approx((4 + 0 + 0) / 3 / 4)  # epochs 3 to 5
    assert found[-1] == 0
