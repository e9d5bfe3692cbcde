"""Class by class: one pass, sorted into classes."""

import numpy as np
import pytest
from refusals import refusals, refused

import prfast
from prfast import PRCurve
from prfast.comparison.classes import changes_of
from prfast.methods import Auto
from prfast.samples.pair import Pair
from prfast.scalars.table import NAMES, TABLE, SampleMean

RNG = np.random.default_rng(0)
CENTERS = 6 * RNG.normal(size=(4, 3))


def modes(shares, n, seed):
    """n samples of Gaussian modes with these shares, and the mode of each."""
    rng = np.random.default_rng(seed)
    labels = rng.choice(len(shares), n, p=shares)
    return CENTERS[labels] + rng.normal(size=(n, 3)), labels


REAL, OF_REAL = modes((0.4, 0.3, 0.3, 0.0), 600, 1)
FAKE, OF_FAKE = modes((0.6, 0.25, 0.0, 0.15), 500, 2)


def test_a_class_has_the_curve_and_the_metrics_of_its_samples_alone():
    result = prfast.by_class(REAL, FAKE, OF_REAL, OF_FAKE, "ipr", 4)
    for label in (0, 1):
        rows = REAL[label == OF_REAL], FAKE[label == OF_FAKE]
        expected = prfast.pr_curve(*rows, "ipr", k=4)
        assert result.curves[label]["ipr", 4] == expected
        info = result.curves[label]["ipr", 4].info
        assert info["class"] == label
        assert info["scored_real"] == expected.info["scored_real"] < info["class_real"]
        assert info["scored_fake"] == expected.info["scored_fake"] < info["class_fake"]
        assert result.curves[label]["ipr", 4].upper().info["certified"] is True
        assert dict(result.metrics[label]) == dict(prfast.metrics(*rows))
    assert result.labels.upper().info["certified"] is False  # its samples order the cells
    lacking = [f"no {name} sample to evaluate" for name in ("generated", "real")]
    assert result.left_out == {2: lacking[0], 3: lacking[1]}


def test_the_classes_of_a_metric_add_up_to_the_whole():
    """A mean over all samples is the mean of the classes, weighted by their sizes; in a class that
    the other set lacks no sample is near one of it."""
    names = [name for name in NAMES if isinstance(TABLE[name].of, SampleMean)]
    names = [name for name in names if not name.startswith("clipped")]  # no means
    result = prfast.by_class(REAL, FAKE, OF_REAL, OF_FAKE, "knn", which=names)
    for name in names:
        of = OF_REAL if TABLE[name].of.over == "real" else OF_FAKE
        lacking = (of > 1).sum() * (name == "authenticity")
        total = sum(result.metrics[c][name] * (of == c).sum() for c in range(2)) + lacking
        assert result.overall[name] == pytest.approx(total / len(of), rel=1e-12)


APART = 12 * np.eye(4, 8) / 2**0.5  # the centers of four classes, 12 standard deviations apart


def apart(per_class=300, seed=0):
    """Real and generated samples of four classes, and the true class of each."""
    rng = np.random.default_rng(seed)
    labels = [np.repeat(np.arange(4), per_class) for _ in range(2)]
    return *(APART[of] + rng.normal(size=(len(of), 8)) for of in labels), *labels


def printed(result, label):
    """The area and the metrics in a line of the printed table."""
    (line,) = (x for x in str(result).splitlines() if x.split()[:1] == [label])
    return [float(x) for x in line.split()[3:] if x != "±"]


@pytest.mark.parametrize("method", ["auto", "knn", "ipr"])
@pytest.mark.parametrize("per_class", [40, 300])
def test_wrong_labels_are_seen(method, per_class):
    """Of a generator that ignores its labels: areas of 1.00, 0.57, 1.00 and 0.41 were printed."""
    real, fake, y_real, y_fake = apart(per_class)
    result = prfast.by_class(real, fake, y_real, (y_fake + 1) % 4, method)
    for label in ("all", "0", "1", "2", "3"):
        assert max(printed(result, label)[:1] + printed(result, label)[2:]) < 0.05
    assert any("but not of their class" in note for note in result.notes())


def test_right_labels_are_no_difference_and_one_bad_class_is_that_of_its_line():
    real, fake, *labels = apart()
    result = prfast.by_class(real, fake, *labels)
    assert result.overall.curve.area > 0.97
    assert not any("but not of their class" in note for note in result.notes())
    fake[labels[1] == 2] += 4 * np.eye(8)[7]
    result = prfast.by_class(real, fake, *labels)
    areas = [curves["auto", None].area for curves in result.curves.values()]
    assert areas[2] < 0.1
    assert min(areas[:2] + areas[3:]) > 0.97
    # A quarter of either set is unlike the other one: neither coordinate exceeds 0.75.
    assert result.overall.curve.area == pytest.approx(0.75**2, abs=0.04)


@pytest.mark.parametrize("seed", range(2))
def test_many_small_classes_share_one_fit(seed):
    """Fits to 20 samples each would be noise, and take minutes; a hull of so few lies too low."""
    rng = np.random.default_rng(seed)
    centers = 12 * rng.normal(size=(100, 8)) / 4
    y_real, y_fake = rng.integers(100, size=(2, 2000))
    real, fake = (centers[of] + rng.normal(size=(2000, 8)) for of in (y_real, y_fake))
    fits, auto = [], Auto()
    scores = auto.scores
    auto.scores = lambda pair, *arguments: fits.append(pair) or scores(pair, *arguments)
    equal = prfast.by_class(real, fake, y_real, y_fake, auto, which="precision")
    assert equal.overall.curve.area > 0.97
    assert len(fits) == 1
    given = np.where(rng.random(2000) < 0.3, rng.integers(100, size=2000), y_fake)
    result = prfast.by_class(real, fake, y_real, given, which="precision")
    assert result.overall.curve.area == pytest.approx(0.703, abs=0.04)


def test_a_large_class_among_many_has_the_curve_of_its_samples_alone():
    rng = np.random.default_rng(0)
    centers = 12 * rng.normal(size=(10, 8)) / 4
    labels = np.repeat(np.arange(10), 250)
    real, fake = (centers[labels] + rng.normal(size=(2500, 8)) for _ in range(2))
    half = (labels == 3) & (fake[:, 0] < centers[3, 0])
    fake[half, 0] = 2 * centers[3, 0] - fake[half, 0]  # mirrored: half of the class is missed
    result = prfast.by_class(real, fake, labels, labels, which="recall")
    (curve,) = result.curves[3].values()
    alone = prfast.pr_curve(real[labels == 3], fake[labels == 3])
    assert curve.area == pytest.approx(alone.area, abs=0.01)
    assert curve.area < 0.65


@pytest.mark.parametrize("method", ["auto", "knn"])
@pytest.mark.parametrize("shares", [(0.25, 0.5, 0.0, 0.25), (0.1, 0.2, 0.3, 0.4), (1.0, 0, 0, 0)])
def test_the_curve_of_all_is_never_above_what_shares_prove(method, shares):
    real, fake, y_real, y_fake = apart()
    rng = np.random.default_rng(1)
    rows = rng.permutation(1200)[:900]
    drawn = rng.choice(4, 900, p=shares)
    fake = APART[drawn] + fake[rows] - APART[y_fake[rows]]
    result = prfast.by_class(real, fake, y_real, drawn, method)
    curve, share = result.overall.curve, result.labels
    clear = [change for change in result.changes if change.clear]
    unclear = [change for change in result.changes if not change.clear]
    masses = [[x.real for x in clear], [x.fake for x in clear]]
    masses[0].append(sum(x.real for x in unclear))
    masses[1].append(sum(x.fake for x in unclear))
    proved = PRCurve.from_masses(*masses)
    for number in ("area", "fidelity", "diversity"):
        tolerance = 1e-9 if method == "auto" else 0.03  # a split scores half of the samples
        assert getattr(curve, number) <= getattr(proved, number) + tolerance
        assert getattr(share, number) <= getattr(proved, number) + 1e-9


def test_values_of_columns_are_known_in_classes_at_different_places():
    """A class begins at another multiple of 10, and generated amounts are never rounded to 10."""
    rng = np.random.default_rng(0)
    y_real, y_fake = rng.integers(4, size=(2, 1200))
    real, fake = (100 * of[:, None] + rng.integers(0, 60, (1200, 1)) for of in (y_real, y_fake))
    heaped = rng.random(1200) < 0.5
    real[heaped] = 10 * (real[heaped] // 10)
    result = prfast.by_class(real.astype(float), fake.astype(float), y_real, y_fake)
    assert result.overall.curve.area < 0.75


@pytest.mark.parametrize(("classes", "named"), [(2, "all"), (6, "0")])
def test_details_that_tell_a_class_apart_are_named(classes, named):
    real, noise = np.random.default_rng(0).normal(size=(2, 1200, 40))
    labels, fake = np.arange(1200) % classes, real + 0.02 * noise
    real[labels == 0] = real[labels == 0].round(1)
    with pytest.warns(prfast.Contradiction, match="by details such as exact values"):
        (caution,) = prfast.by_class(real, fake, labels, labels).cautions()
    assert caution.startswith(f"{named}: auto tells the sets apart by details")


@pytest.mark.filterwarnings("ignore::prfast.Contradiction")
@pytest.mark.parametrize("unit", [1.0, 2.0**900])
def test_contradictions_of_all_samples_are_named_beside_small_classes_in_any_unit(unit):
    real, fake = unit * np.random.default_rng(0).normal(size=(2, 600, 64))
    labels = np.arange(600) % 30
    result = prfast.by_class(real, 0.7 * fake, labels, labels, ("knn", "auto"))
    assert "Caution: all: knn cannot detect a difference that auto detects" in str(result)


def test_classes_too_small_for_a_method_are_left_out():
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(2, 103, 2))
    labels = np.repeat([0, 1], (100, 3))
    result = prfast.by_class(real, fake, labels, labels, "ipr", 4)
    assert (list(result.curves), list(result.metrics)) == ([0], [0])
    assert result.left_out[1].startswith("metrics_k: from 1 to 2 expected")
    assert "\n1: metrics_k: from 1 to 2 expected" in str(result)
    with refused(ValueError, "labels_real and labels_fake: larger classes expected; k: at most 1"):
        prfast.by_class(real, fake, np.arange(103) % 30, np.arange(103) % 30, "ipr", 4)


def test_dropped_and_invented_classes_are_ranked_by_mass():
    real = np.repeat(np.arange(5), (100, 200, 300, 400, 0))
    fake = np.repeat(np.arange(5), (110, 0, 100, 540, 250))
    x, y = RNG.normal(size=(1000, 2)), RNG.normal(size=(1000, 2))
    result = prfast.by_class(x, y, real, fake, "knn")
    assert [x.label for x in result.dropped] == [1, 2]  # 0.2 of the mass each: the first first
    assert [x.label for x in result.invented] == [4, 3]  # 0.25 and 0.14; 0.01 is not clear
    change = result.invented[0]
    assert (change.real, change.fake, change.difference) == (0.0, 0.25, 0.25)
    assert change.standard_error == pytest.approx((0.25 * 0.75 / 1000) ** 0.5)
    error = (0.4 * 0.6 / 1000 + 0.54 * 0.46 / 1000) ** 0.5
    assert result.invented[1].standard_error == pytest.approx(error)
    assert result.labels.max_precision == pytest.approx(0.75)
    assert result.labels.max_recall == pytest.approx(0.8)


def by_class(**change):
    arguments = {"real": REAL, "fake": FAKE, "labels_real": OF_REAL, "labels_fake": OF_FAKE}
    return prfast.by_class(**arguments | change)


test_bad_arguments_are_named = refusals("""
by_class(labels_real=OF_REAL[:-1])
    ValueError: labels_real: one label a sample, shape (600,
by_class(labels_fake=OF_FAKE.astype(str))
    TypeError: labels_real and labels_fake: labels of one kind expected, got
    integers and strings; make strings of all labels
by_class(labels_fake=OF_FAKE > 0)
    TypeError: labels_real and labels_fake: labels of one kind expected, got integers and booleans
by_class(labels_real=["1", *OF_REAL.tolist()][:-1])
    TypeError: labels_real: integers or strings expected, got a list of dtype object
by_class(methods="kmeans")
    ValueError: methods: methods that score samples expected
by_class(methods="knn", which="frechet_distance")
    ValueError: which: metrics that are means over samples expected, got frechet_distance;
    prfast.metrics of the rows of a class, as real
""")


@pytest.mark.parametrize("types", [(np.int64, np.uint64), (np.int8, np.int64)])
def test_labels_of_two_types_are_compared_as_integers(types):
    """NumPy makes int64 and uint64 float64, in which 2**60 and 2**60 + 1 are one."""
    last = 2**60 if np.int8 not in types else 100
    labels_real = np.repeat(np.array([last, last + 1, 3], types[0]), 20)
    labels_fake = np.repeat(np.array([last, last + 1, 3], types[1]), 20)
    x = RNG.normal(size=(60, 2))
    result = prfast.by_class(x, x + 0.1, labels_real, labels_fake, "knn", which="precision")
    assert [change.label for change in result.changes] == [3, last, last + 1]
    assert all(change.real == change.fake == 1 / 3 for change in result.changes)
    assert [type(change.label) for change in result.changes] == [int] * 3


def test_errors_of_shares_count_groups_and_weights():
    """The standard error of a share is that of its draws, with groups that share a class or not."""
    rng = np.random.default_rng(6)
    groups = np.arange(400) // 4, 400 + np.arange(400)
    drawn, errors = [], []
    for _ in range(300):
        real = np.where(rng.random(400) < 0.8, np.repeat(rng.integers(3, size=100), 4), 0)
        fake, points = rng.integers(3, size=400), rng.normal(size=(2, 400, 1))
        pair = Pair.read(*points, w_real=rng.exponential(size=400), groups=groups)
        change = changes_of(pair, (real, fake))[1]
        drawn.append(change.difference)
        errors.append(change.standard_error)
    assert np.mean(errors) == pytest.approx(np.std(drawn), rel=0.12)


def test_weights_and_groups_reach_the_scores():
    rng = np.random.default_rng(7)
    real, fake = rng.normal(size=(2, 120, 2))
    labels, w = np.arange(120) % 2, rng.exponential(size=120)
    groups = np.arange(120) // 2, 200 + np.arange(120) // 3
    given = {"w_real": w, "groups": groups, "n_jobs": 1}
    result = prfast.by_class(real, fake, labels, labels, Auto(folds=3), **given)
    assert list(result.metrics[0]) == ["precision", "recall", "coverage"]
    whole = result.overall.curve
    x, y = (whole.scores.real[labels == 0], whole.scores.fake[labels == 0])
    (curve,) = result.curves[0].values()
    assert curve.hull.area == pytest.approx(prfast.PRCurve.from_scores(x, y, w_real=w[::2]).area)
    assert curve.info["effective_size"] == result.metrics[0].info["effective_size"]
    assert whole.info["weighted"] == result.overall.info["weighted"] == ["real"]
