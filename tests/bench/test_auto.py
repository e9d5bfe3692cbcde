"""The bench of estimators: what is drawn, kept, judged and shown."""

import json

import numpy as np
import pytest
from commands import bench, write_features

from bench.auto import tables
from bench.auto.cases import find
from bench.auto.estimates import CLASSIFIERS, curves, known_methods
from bench.auto.kept import Kept, Key
from prfast import PRCurve


def rows_of(path):
    """Results by family, seed, draw and method; CPU seconds apart, as no two runs have the same."""
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    assert all(row.pop("cpu_seconds") >= 0 for row in rows)
    return {(row["family"], row["seed"], row["draw"], row["method"]): row for row in rows}


def tiny(folder, *more):
    """A tiny run that keeps its results; images only where they are named."""
    usual = ["--tiny", "--results", folder, "--keep", folder / "kept.json"]
    done = bench("auto", *usual, "--families", "shift-1", *more)
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---- runs --------------------------------------------------------------------------------------


def test_results_are_kept_and_a_method_is_added_to_the_same_draws(tmp_path):
    printed = tiny(tmp_path, "--methods", "knn")
    assert "shift-1 0.0: knn " in printed
    first = rows_of(tmp_path / "kept.json")
    assert list(first) == [("shift-1", 0, draw, "knn") for draw in (0, 1)]
    printed = tiny(tmp_path, "--methods", "knn,oracle", "--seed", "0,3")
    assert "shift-1 0.0: oracle " in printed  # and not knn
    second = rows_of(tmp_path / "kept.json")
    assert len(second) == 8
    assert first.items() <= second.items()
    together = tmp_path / "together"
    together.mkdir()
    tiny(together, "--methods", "knn,oracle", "--seed", "0,3")
    assert rows_of(together / "kept.json") == second


def test_results_of_a_method_that_changed_are_forgotten(tmp_path):
    tiny(tmp_path, "--methods", "knn,ipr")
    path = tmp_path / "kept.json"
    path.write_text(path.read_text().replace('"iou": ', '"iou": 9'))
    printed = tiny(tmp_path, "--methods", "knn,ipr", "--forget", "ipr")
    assert "shift-1 0.0: ipr " in printed
    assert {key[3] for key, row in rows_of(path).items() if row["iou"] > 1} == {"knn"}


def test_classifiers_are_compared_where_they_are_named(tmp_path):
    printed = tiny(tmp_path, "--methods", "oracle,mlp", "--families", "line")
    assert ["family", "oracle", "mlp"] in map(str.split, printed.splitlines())
    record = json.loads((tmp_path / "auto.json").read_text(encoding="utf-8"))
    seconds = {row["method"]: row["cpu_seconds"] for row in record["numbers"]}
    assert seconds["mlp"] > seconds["oracle"] >= 0


def test_images_are_judged_by_their_areas(tmp_path):
    data = tmp_path / "features.npz"
    write_features(data)
    table = tmp_path / "table.md"
    options = ["--families", "shift-1,images", "--data", data, "--markdown", table]
    printed = tiny(tmp_path, "--methods", "classifier,oracle", *options)
    record = json.loads((tmp_path / "auto.json").read_text(encoding="utf-8"))
    values = {figure["name"]: figure["value"] for figure in record["figures"]}
    assert values["classifier: area of held-out"] > 0.6
    noise = rows_of(tmp_path / "kept.json")["images-noise", 0, 0, "classifier"]
    assert noise["area"] < 0.3
    assert noise["iou"] is None
    assert "images-noise 0.0: classifier 0." in printed
    assert "oracle" not in printed.split("images-noise 0.0: ")[1].partition("\n")[0]
    shown = table.read_text(encoding="utf-8").splitlines()
    assert shown[0] == "| family | classifier | oracle |"
    # The only estimate is the best one; where no truth is known it is the area.
    assert shown[2].startswith("| shift-1 | **0.")
    assert next(line for line in shown if "images-shuffled" in line).startswith(
        "| images-shuffled | area 0."
    )


def test_images_that_are_not_there_are_skipped_with_the_reason(tmp_path):
    none = tmp_path / "none.npz"
    printed = tiny(tmp_path, "--families", "ring,images", "--methods", "knn", "--data", none)
    assert f"images: skipped, no file {none}; say --data FILE.npz" in printed


@pytest.mark.parametrize(
    ("case", "option", "value", "known"),
    [
        ("auto", "--families", "shift-9", "developing, later, independent, images, shift-1"),
        ("auto", "--methods", "gan", "knn, ipr"),
        ("auto_cost", "--method", "gan", "knn, ipr"),
    ],
)
def test_a_name_that_there_is_not_is_refused(tmp_path, case, option, value, known):
    done = bench(case, option, value, "--results", tmp_path)
    assert done.returncode != 0
    assert f"{case}: {option}: one of " in done.stderr
    assert known in done.stderr
    assert done.stderr.rstrip().endswith(f"expected, got {value!r}")


# ---- what is drawn -----------------------------------------------------------------------------


def test_sizes_are_in_proportion():
    cases = find(["shift-1", "shift-1-n1000", "unequal-sizes"], 2000, None, tiny=True)
    assert [(case.n, case.m) for case in cases] == [(2000, 2000), (200, 200), (3000, 500)]


def test_the_same_images_get_the_same_noise_times_the_deviation(tmp_path):
    write_features(tmp_path / "features.npz")
    names = ["images-plus-0.5", "images-plus-2", "images-held-out"]
    cases = find(names, 0, tmp_path / "features.npz", tiny=True)
    assert {case.stream for case in cases} == {"images"}
    little, much, plain = (case.draw(np.random.default_rng(1)) for case in cases)
    assert np.array_equal(little.real, much.real)
    np.testing.assert_allclose(4 * (little.fake - plain.fake), much.fake - plain.fake)


def test_classes_are_of_other_images(tmp_path):
    write_features(tmp_path / "features.npz")
    (case,) = find(["images-classes-3"], 0, tmp_path / "features.npz", tiny=True)
    drawn = case.draw(np.random.default_rng(0))
    assert (len(drawn.real), len(drawn.fake)) == (case.n, case.m)
    assert not {row.tobytes() for row in drawn.real} & {row.tobytes() for row in drawn.fake}
    assert drawn.truth.max_recall == pytest.approx(0.6)


# ---- estimates ---------------------------------------------------------------------------------


def test_methods_are_those_of_pr_curve_and_the_exact_ratio():
    import prfast

    assert set(known_methods()) >= {"knn", "coverage", "kmeans", "classifier", "oracle"}
    real, fake = np.random.default_rng(0).standard_normal((2, 60, 2))
    ratios = real[:, 0], fake[:, 0]
    found = dict(curves(["oracle", "kmeans", "ipr", "knn"], real, fake, ratios, 7, 1))
    assert found == {
        "oracle": PRCurve.from_scores(*ratios),
        "kmeans": prfast.pr_curve(real, fake, "kmeans", random_state=7),
        "ipr": prfast.pr_curve(real, fake, "ipr", random_state=7),
        "knn": prfast.pr_curve(real, fake, "knn", random_state=7),
    }
    assert dict(curves(["oracle"], real, fake, None, 7, 1)) == {}


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_classifier_is_scored_on_rows_that_it_was_not_fitted_to(name):
    (case,) = find(["line"], 400, None, tiny=True)
    drawn = case.draw(np.random.default_rng(0))
    ((_, curve),) = curves([name], drawn.real, drawn.fake, None, 0, 1)
    assert curve.iou(drawn.truth) > 0.85
    # P = Q, and rows that were fitted to could be told apart: there are as many columns.
    real, fake = np.random.default_rng(0).standard_normal((2, 50, 100))
    ((_, curve),) = curves([name], real, fake, None, 0, 1)
    assert curve.area > 0.7
    assert name not in known_methods()


def test_the_exact_ratio_is_read_as_the_method_reads_its_scores():
    assert known_methods()[0] == "auto"
    (case,) = find(["shift-5/3"], 2000, None, tiny=True)
    drawn = case.draw(np.random.default_rng(0))
    names = ["oracle", "oracle-smooth", "oracle-auto"]
    found = dict(curves(names, drawn.real, drawn.fake, drawn.log_ratios, 0, 1))
    assert found["oracle-auto"].iou(PRCurve.mean([found[name] for name in names[:2]])) > 0.9999
    assert min(curve.iou(drawn.truth) for curve in found.values()) > 0.9


# ---- what is shown -----------------------------------------------------------------------------


def judged(tmp_path, numbers):
    """The table of rows (family, method, draw) -> (iou, area, true area)."""
    kept, keys = Kept(tmp_path / "kept.json"), {}
    for (family, method, draw), (iou, area, true_area) in numbers.items():
        key = keys[family, draw] = Key(family, 10, 10, 0, draw)
        kept.add(key, method, {"iou": iou, "area": area, "true_area": true_area})
    kept.write()
    again = Kept(tmp_path / "kept.json")
    methods = list(dict.fromkeys(method for _, method, _ in numbers))
    return tables.summarise(again.of(keys.values(), methods)), methods


def test_what_is_missing_is_what_no_file_has(tmp_path):
    path, key = tmp_path / "kept.json", Key("a", 10, 20, 0, 1)
    kept = Kept(path)
    assert kept.missing(key, ["knn", "ipr"]) == ["knn", "ipr"]
    kept.add(key, "knn", {"iou": 0.5, "area": 0.4, "true_area": 0.3})
    kept.write()
    again = Kept(path)
    assert again.missing(key, ["knn", "ipr"]) == ["ipr"]
    assert again.missing(key._replace(m=21), ["knn"]) == ["knn"]
    assert again.missing(key._replace(seed=1), ["knn"]) == ["knn"]
    assert Kept(path, forget=["knn"]).missing(key, ["knn"]) == ["knn"]
    assert again.of([key, key._replace(draw=2)], ["knn", "ipr"]) == kept.of([key], ["knn"])


def test_means_and_the_best_are_shown_and_who_is_behind_is_named(tmp_path):
    table, methods = judged(
        tmp_path,
        {
            ("a", "auto", 0): (0.97, 0.44, 0.4),
            ("a", "auto", 1): (0.99, 0.40, 0.4),
            ("a", "knn", 0): (0.90, 0.5, 0.4),
            ("a", "knn", 1): (0.92, 0.5, 0.4),
            ("a", "oracle", 0): (0.999, 0.4, 0.4),
            ("b", "auto", 0): (0.90, 0.2, 0.2),
            ("b", "knn", 0): (0.93, 0.2, 0.2),
            ("b", "oracle", 0): (0.999, 0.2, 0.2),
        },
    )
    assert tables.lines(table, methods) == [
        ("family", "auto", "knn", "oracle", "auto − best", "auto >= 0.965"),
        (
            *("a", "*0.980 ± 0.010 (+0.050)", "0.910 ± 0.010 (+0.250)", "0.999 (+0.000)"),
            *("+0.070", "yes"),
        ),
        ("b", "0.900 (+0.000)", "*0.930 (+0.000)", "0.999 (+0.000)", "-0.030", "no"),
    ]
    assert tables.exceptions(table) == "auto more than 0.02 below the best: b (-0.030)"
    figures = {figure.name: figure for figure in tables.figures(table, methods)}
    assert figures["auto: mean IoU, 2 families"].value == pytest.approx(0.94)
    assert figures["auto: mean IoU, 2 families"].met is False
    assert figures["auto − best other, least"].value == pytest.approx(-0.03)
    assert figures["auto − best other, least"].met is False
    assert figures["knn: mean IoU, 2 families"].met is None


def test_areas_have_targets_for_the_judged_method_alone(tmp_path):
    areas = {"noise": 0.0, "shuffled": 0.02, "plus-0.1": 0.9, "plus-0.5": 0.91}
    table, methods = judged(
        tmp_path,
        {("a", "auto", 0): (0.9, 1, 1), ("images-held-out", "auto", 0): (0.995, 0.995, 1.0)}
        | {("images-" + name, "auto", 0): (None, area, None) for name, area in areas.items()}
        | {("images-noise", "knn", 0): (None, 1.0, None)},
    )
    met = {figure.name: figure.met for figure in tables.figures(table, methods)}
    assert met["auto: area of noise, factorised, shuffled"] is False
    assert met["auto: area of held-out"] is True
    assert met["auto: largest rise of area with noise"] is False
    assert met["knn: area of noise, factorised, shuffled"] is None
    assert tables.lines(table, methods)[3][:3] == ("images-noise", "area 0.000", "area 1.000")


def test_without_the_judged_method_it_says_so(tmp_path):
    table, _ = judged(tmp_path, {("a", "knn", 0): (0.9, 1, 1)})
    assert tables.exceptions(table) == "auto: not among the methods"
