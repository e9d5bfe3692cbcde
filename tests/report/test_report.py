"""Reports: what the page says and holds, what the reading claims, and how both refuse."""

import html
import json
import math
import re
import sys

import numpy as np
import pytest

import prfast
from prfast import Evaluator, PRCurve, lorenz, pr_curve, renyi_frontier, roc
from prfast.cli.parser import main
from prfast.comparison.models import Evaluation
from prfast.estimate.redraw import Spreads, resampled, scored
from prfast.plots.views import view_points
from prfast.reference import GaussianShift
from prfast.report import write_report
from prfast.report.cautions import cautions
from prfast.report.page import Column, _table
from prfast.report.words import sentences, share

SIZES = {"n_real": 2000, "n_fake": 2000, "split": 0.5}
EVIL = "<img src=x onerror=alert(1)>\"'</script>&"


def curve(p, q, **info):
    return PRCurve.from_masses(p, q, info=SIZES | info)


GOOD = curve([0.3, 0.4, 0.3], [0.28, 0.42, 0.3])
DROPS = curve([0.2, 0.4, 0.4], [0.0, 0.5, 0.5])  # a fifth of the real mass is not generated
INVENTS = curve([0.5, 0.5, 0.0], [0.35, 0.35, 0.3])


def said(**curves):
    return sentences(list(curves), Spreads(list(curves.values())))


def words(reading, name):
    return " ".join(dict(reading.models)[name])


# ---- how far numbers move ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("info", "sizes"),
    [
        ({}, None),
        ({"n_real": 10}, None),
        ({"n_real": 10, "n_fake": True}, None),
        ({"n_real": 10, "n_fake": 7}, (10, 7)),
        ({"n_real": 10, "n_fake": 7, "split": None}, (10, 7)),
        ({"n_real": 10, "n_fake": 7, "split": 0.5}, (5, 4)),
        ({"n_real": 100, "n_fake": 100, "split": 0.29}, (71, 71)),
        ({"n_real": 10, "n_fake": 7, "split": "bernoulli"}, (5, 3)),
        ({"n_real": 10, "n_fake": 7, "swapped": True}, (7, 10)),
    ],
)
def test_a_curve_stands_for_the_samples_that_were_scored(info, sizes):
    assert scored(PRCurve.from_masses([1, 2], [2, 1], info=info)) == sizes


def test_the_spread_is_that_of_other_samples_of_the_same_size():
    """α_1 of two cells is 1 − |p − q|, of which the binomial variance is known."""
    p, n = 0.3, 1000
    two = PRCurve.from_masses([p, 1 - p], [1 - p, p], info={"n_real": n, "n_fake": n})
    found = Spreads([two], rounds=2000).deviation(0, lambda c: c.total_variation)
    assert found == pytest.approx(math.sqrt(2 * p * (1 - p) / n), rel=0.08)


def test_redrawing_is_seeded_and_needs_sizes():
    assert resampled(GOOD, 1, 5) == resampled(GOOD, 1, 5) != resampled(GOOD, 2, 5)
    assert resampled(PRCurve.from_masses([1], [1]), 0) == []


# ---- the reading -------------------------------------------------------------------------------


def test_what_is_dropped_is_said_with_the_numbers_of_the_curve():
    text = words(said(good=GOOD, drops=DROPS), "drops")
    assert "It covers less than good: at precision 0.9 its recall is 0.80 against 1.00." in text
    assert "Its maximal recall is 0.80: a fifth of the real samples is out of reach." in text


def test_a_model_that_is_behind_in_between_alone():
    """Both ends of the curve are as good; in the middle it is not."""
    middle = curve([0.5, 0.5], [0.35, 0.65], n_real=4000, n_fake=4000)
    equal = curve([0.5, 0.5], [0.5, 0.5], n_real=4000, n_fake=4000)
    reading = said(equal=equal, middle=middle)
    assert words(reading, "middle").endswith(
        f"at precision 0.9 its recall is {middle.recall_at(0.9):.2f} against 1.00."
    )


def test_what_is_invented_is_said_with_the_numbers_of_the_curve():
    text = words(said(good=GOOD, invents=INVENTS), "invents")
    assert "It is less realistic than good: at recall 0.9 its precision is 0.70 against" in text
    assert "Its maximal precision is 0.70: three tenths of its samples is unlike any real" in text


def test_the_summary_ranks_by_area_and_says_who_is_behind():
    (first, behind) = said(drops=DROPS, good=GOOD).summary
    assert first.startswith(f"Overall good ({GOOD.area:.3f}) comes closest to the real samples")
    assert behind == f"Behind: drops ({DROPS.area:.3f})."


def test_differences_that_sampling_explains_are_none():
    """The same models, from 20 samples of each: no word of a difference."""
    few = {"n_real": 20, "n_fake": 20, "split": None}
    reading = said(
        good=curve([0.3, 0.4, 0.3], [0.28, 0.42, 0.3], **few),
        drops=curve([0.2, 0.4, 0.4], [0.1, 0.45, 0.45], **few),
    )
    assert reading.summary[0].startswith("Overall no model can be told from the best")
    for name in ("good", "drops"):
        assert words(reading, name) == (
            "It covers as much (F8) and is as realistic (F1/8) as any other here, "
            "within what sampling explains."
        )
    assert any(caution.startswith("Few samples: 20") for caution in reading.cautions)


@pytest.mark.parametrize("method", ["knn", "kmeans"])
def test_two_samples_of_one_model_are_called_alike(method):
    more = {"runs": 2} if method == "kmeans" else {}
    for seed in range(5):
        rng = np.random.default_rng(seed)
        real, *fakes = rng.normal(size=(3, 400, 4)) + np.array([0.0, 0.7, 0.7])[:, None, None]
        reading = said(
            **{name: pr_curve(real, x, method, **more) for name, x in zip("ab", fakes, strict=True)}
        )
        assert "no model can be told from the best" in reading.summary[0]
        assert all("less" not in " ".join(lines) for _, lines in reading.models)


def test_curves_without_sizes_are_compared_by_a_stated_threshold():
    one = PRCurve.from_masses([0.5, 0.5], [0.5, 0.5])
    near = PRCurve.from_masses([0.5, 0.5], [0.51, 0.49])
    far = PRCurve.from_masses([0.5, 0.5, 0.0], [0.3, 0.3, 0.4])
    reading = said(one=one, near=near, far=far)
    assert "differences of 0.05 or less are called alike" in reading.rule
    assert "near" in reading.summary[1]
    assert "by the rule below" in reading.summary[1]
    assert "far" in reading.summary[2]


def test_one_model_alone_is_described():
    reading = said(drops=DROPS)
    assert reading.summary[0].startswith(f"The area under the curve is {DROPS.area:.3f}")
    assert words(reading, "drops").startswith("At precision 0.9 its recall is 0.80.")
    assert "any other" not in words(reading, "drops")


def test_disjoint_sets_have_nothing_in_common():
    none = curve([1, 0], [0, 1])
    assert "It has nothing in common with the real samples." in words(said(none=none), "none")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.2, "a fifth"),
        (0.21, "about a fifth"),
        (0.33, "a third"),
        (0.5, "half"),
        (0.05, "5 %"),
        (0.98, "98 %"),
    ],
)
def test_shares_in_words(value, text):
    assert share(value) == text


@pytest.mark.parametrize(
    ("infos", "caution"),
    [
        ([{"n_real": 999}], "Few samples: 999"),
        ([{"n_fake": 1500}, {"n_fake": 2000}], "a (1500) and b (2000)"),
        ([{"n_fake": 5000}], "more than twice"),
        ([{"method": "knn"}, {"method": "ipr"}], "not estimated in one way"),
        ([{"method": "kmeans", "split": None}], "Cells of k-means"),
        ([{"method": "knn", "split": None}], "Without a split"),
        ([{"method": "knn"}], "above the true one"),
    ],
)
def test_cautions(infos, caution):
    curves = [curve([1, 2], [2, 1], **info) for info in infos]
    assert any(caution in one for one in cautions(["a", "b"][: len(curves)], curves))


def test_no_caution_without_a_reason():
    plain = PRCurve.from_masses([1, 2], [2, 1], info={"n_real": 2000, "n_fake": 2000})
    assert cautions(["a"], [plain]) == []


# ---- the lines ---------------------------------------------------------------------------------


def numbers(at):
    return np.array([[np.inf if x == "∞" else float(x) for x in row] for row in at]).T


@pytest.mark.parametrize(
    "one", [GOOD, DROPS, INVENTS, GaussianShift(1.0, 2).curve()], ids=["good", "drops", "inv", "g"]
)
def test_every_point_of_every_view_is_on_the_exact_curve(one):
    found = view_points(one)
    x, y, at = (found["pr"][key] for key in ("x", "y", "at"))
    lam, precision, recall = numbers(at)
    exact = one.at(lam)
    np.testing.assert_allclose([y, x], exact, atol=6e-4)  # λ has four digits
    np.testing.assert_allclose([precision, recall], [y, x], atol=6e-5)
    assert (np.diff(lam) <= 0).all()
    assert np.hypot(np.diff(x), np.diff(y)).max() < 0.02

    t, F = found["lorenz"]["x"], found["lorenz"]["y"]
    inside = np.array(t) < 1  # above t = 1 the line is upright
    np.testing.assert_allclose(np.array(F)[inside], lorenz(one)(t)[inside], atol=2e-5)
    fpr, tpr = found["roc"]["x"], found["roc"]["y"]
    rest = np.array(fpr) > 0
    expected = np.interp(fpr, *roc(one))
    np.testing.assert_allclose(np.array(tpr)[rest], expected[rest], atol=2e-5)

    x, y = (np.array(found["frontier"][key]) for key in "xy")
    lam, precision, recall = numbers(found["frontier"]["at"])
    np.testing.assert_allclose(np.exp(-x), recall, atol=6e-5)
    np.testing.assert_allclose(np.exp(-y), precision, atol=6e-5)
    ends = renyi_frontier(one, np.inf)
    np.testing.assert_allclose([x.max(), y.max()], [ends.to_real.max(), ends.to_fake.max()], 1e-5)


def test_lambda_of_a_polyline_is_its_slope():
    found = view_points(DROPS)
    lam, *_ = numbers(found["roc"]["at"])
    x, y = np.array(found["roc"]["x"]), np.array(found["roc"]["y"])
    edges = np.isin(lam, [1.25])  # 0.5 / 0.4, the only ratio between 0 and ∞
    slope = np.diff(y) / np.diff(x)
    assert edges.sum() > 50
    np.testing.assert_allclose(slope[edges[1:] & edges[:-1]], 1.25, rtol=1e-3)


def test_an_order_of_the_frontier_other_than_infinity():
    x, y, at = view_points(GOOD, order=2.0)["frontier"].values()
    whole = renyi_frontier(GOOD, 2.0)
    np.testing.assert_allclose(y, np.interp(x, whole.to_real[::-1], whole.to_fake[::-1]), atol=1e-5)
    assert at is None


def test_disjoint_sets_have_lines():
    found = view_points(curve([1, 0], [0, 1]))
    assert found["frontier"]["x"] == []
    assert set(found["pr"]["x"]) == {0.0}
    assert all(math.isfinite(x) for view in found.values() for x in view["x"] + view["y"])


# ---- the page ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real():
    return GaussianShift(1.0, 3).sample(200, 150)[0]


@pytest.fixture(scope="module")
def fake():
    return GaussianShift(1.0, 3).sample(200, 150)[1]


def text_of(page):
    """What a reader sees: without programs, styles and tags."""
    page = re.sub(r"<(script|style).*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.fixture(scope="module")
def page(tmp_path_factory, real, fake):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    path = tmp_path_factory.mktemp("report") / "report.html"
    comparison = Evaluator(real, k=7).compare({"one": fake, EVIL: fake[:100] * 0.5})
    comparison.report(str(path), title="A title & more")
    return path.read_text(encoding="utf-8")


def test_the_page_holds_every_number_and_option(page, real, fake):
    text = text_of(page)
    one = pr_curve(real, fake, k=7)
    found = prfast.metrics(real, fake)
    for number in (one.area, one.f_score(8), one.f_score(1 / 8), one.recall_at(0.9)):
        assert f"{number:.4f}" in text
    for name, value in found.items():
        assert name.replace("_", " ") in text
        assert f"{value:.4f}" in text
    for key, value in one.info.items():
        assert f"curve: {key} {value}" in text or key == "n_fake"
    assert "metrics: cover_factor 3" in text
    assert f"numpy {np.__version__}" in text
    assert "one 150 150" in text
    assert text.startswith("A title & more A title & more In words")


def test_names_are_text_wherever_they_stand(page):
    assert "<img" not in page
    assert html.escape(EVIL) in page
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert "<" not in data[1]
    assert json.loads(data[1])["names"] == ["one", EVIL]


def test_the_page_asks_for_nothing(page):
    own = re.sub(r"(?<=>)[^<]*</", "</", re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL))
    assert not re.search(
        r"<link|<iframe|<img|(src|href)=|url\(|@import", own.replace(html.escape(EVIL), "")
    )
    assert "default-src 'none'" in own


def test_the_same_models_give_the_same_page(tmp_path, page, real, fake):
    Evaluator(real, k=7).compare({"one": fake, EVIL: fake[:100] * 0.5}).report(
        str(tmp_path / "again.html"), title="A title & more"
    )
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == page


def test_keys_of_sorting_are_the_numbers_themselves():
    table = _table("T", ["a", "b"], [Column("x", [1 / 3, math.nan], [0.01, math.nan])])
    assert f'<td data-key="{1 / 3!r}">0.3333 <span class="spread">± 0.0100</span></td>' in table
    assert '<td data-key="">–</td>' in table
    assert table.count('aria-sort="none"') == table.count('<button type="button">') == 2
    assert 'data-first="descending"' in table


def test_curves_alone_are_enough(tmp_path):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    path = tmp_path / "r.html"
    write_report({"a": DROPS, "b": PRCurve.from_masses([1], [1])}, str(path), order=2.0)
    text = text_of(path.read_text(encoding="utf-8"))
    assert "Metrics" not in text
    assert "frontier: order 2" in text
    assert "a, b against real samples" in text


def test_curves_that_are_not_shown_are_named(tmp_path, real, fake):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    path = tmp_path / "r.html"
    Evaluator(real, ["ipr", "knn"], [3, "sqrt"]).compare({"a": fake}).report(str(path))
    text = text_of(path.read_text(encoding="utf-8"))
    assert "curves not shown knn k=3, ipr k=sqrt, knn k=sqrt" in text
    assert f"{pr_curve(real, fake, 'ipr', 3).area:.4f}" in text


def test_names_that_are_no_utf_8(tmp_path):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    write_report({"a\udcff.npy": GOOD}, str(tmp_path / "r.html"))
    assert "a?.npy" in (tmp_path / "r.html").read_text(encoding="utf-8")


# ---- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("models", "options", "error", "message"),
    [
        ([GOOD], {}, TypeError, "models: a mapping of names to curves expected, got list"),
        ({}, {}, ValueError, "models: at least one expected, got none"),
        ({1: GOOD}, {}, TypeError, "models: names expected as str, got int"),
        ({"a": 3}, {}, TypeError, "models['a']: a PRCurve or an Evaluation expected, got int"),
        ({"a": GOOD}, {"order": 0}, ValueError, "order: "),
        ({"a": GOOD}, {"random_state": -1}, ValueError, "random_state: "),
    ],
)
def test_bad_arguments(tmp_path, models, options, error, message):
    with pytest.raises(error, match=re.escape(message)):
        write_report(models, str(tmp_path / "r.html"), **options)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_plotly_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly", None)
    with pytest.raises(ImportError, match=re.escape("python -m pip install 'prfast[report]'")):
        write_report({"a": GOOD}, str(tmp_path / "r.html"))


# ---- the command line ----------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch, real, fake):
    monkeypatch.chdir(tmp_path)
    np.save("real.npy", real)
    np.save("a.npy", fake)
    np.save("b.npy", fake[:100] * 0.5)
    return tmp_path


@pytest.fixture
def written(monkeypatch):
    """What the command hands to `write_report`."""
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    calls = []
    monkeypatch.setattr(
        prfast.report.write, "write_report", lambda *given, **more: calls.append((given, more))
    )
    return calls


@pytest.mark.parametrize(
    ("arguments", "curve_options", "metrics_options"),
    [
        ("", {}, {}),
        ("--k 3 --seed 4 --split none", {"k": 3, "random_state": 4, "split": None}, {}),
        ("--method ipr --split 0.25", {"method": "ipr", "split": 0.25}, {}),
        ("--split bernoulli --jobs 1", {"split": "bernoulli"}, {}),
        ("--option ties=open", {"ties": "open"}, {"ties": "open"}),
        ("--split bernoulli --option ties=open", {"split": "bernoulli", "ties": "open"},
         {"ties": "open"}),
        ("--metrics-k 3 --which recall f1", {}, {"k": 3, "which": ["recall", "f1"]}),
        (
            "--method kmeans --option runs=2 --option clusters=5",
            {"method": "kmeans", "runs": 2, "clusters": 5},
            {},
        ),
    ],
)  # fmt: skip
def test_every_option_does_what_it_does_in_python(
    folder, written, real, fake, arguments, curve_options, metrics_options
):
    assert main(["report", "real.npy", "a.npy", "-o", "r.html", *arguments.split()]) == 0
    ((models, path), more) = written[0]
    expected = pr_curve(real, fake, **curve_options)
    assert path == "r.html"
    assert list(models) == ["a.npy"]
    assert isinstance(models["a.npy"], Evaluation)
    assert models["a.npy"].curve == expected
    assert dict(models["a.npy"].curve.info) == dict(expected.info)
    assert dict(models["a.npy"].metrics) == dict(prfast.metrics(real, fake, **metrics_options))
    assert more["random_state"] == curve_options.get("random_state", 0)
    assert more["about"] == {"real samples": "real.npy", "generated samples": "a.npy"}


def test_names_title_and_order(folder, written):
    line = "report real.npy a.npy b.npy -o r.html --names one two --order 2"
    assert main([*line.split(), "--title", "T t"]) == 0
    ((models, _), more) = written[0]
    assert list(models) == ["one", "two"]
    assert more["title"] == "T t"
    assert more["order"] == 2.0


def test_the_command_writes_a_whole_page(folder, capsys):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    assert main(["report", "real.npy", "a.npy", "b.npy", "-o", "r.html", "--method", "kmeans"]) == 0
    assert capsys.readouterr().out == "Report written to r.html\n"
    text = text_of((folder / "r.html").read_text(encoding="utf-8"))
    assert "real samples real.npy generated samples a.npy, b.npy" in text
    assert "curve: method kmeans" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("real.npy a.npy", "the following arguments are required: -o/--output"),
        ("real.npy a.npy -o r.txt", "r.txt: a file ending in .html expected"),
        ("real.npy a.npy -o none/r.html", "none/r.html: no such folder, or not writable"),
        ("real.npy a.npy a.npy -o r.html", "--names: names that differ expected"),
        ("real.npy a.npy b.npy -o r.html --names x", "--names: 2 names expected, got 1"),
        ("real.npy a.npy -o r.html --order 0", "--order: "),
        ("real.npy a.npy -o r.html --metrics-k 0", "--metrics-k: "),
        ("real.npy a.npy -o r.html --metrics-k 150", "--metrics-k: from 1 to 149 expected"),
        ("real.npy a.npy -o r.html --method kmeans --metrics-k 150", "--metrics-k: from 1 to"),
        ("real.npy a.npy -o r.html --k 0", "k: "),
        ("real.npy a.npy -o r.html --jobs 0", "--jobs: "),
        ("real.npy a.npy -o r.html --seed -1", "--seed: "),
        ("real.npy a.npy -o r.html --option x=1", "x: not an option of method 'knn'"),
        ("real.npy none.npy -o r.html", "none.npy: No such file"),
    ],
)
def test_an_error_is_one_line_and_nothing_is_written(folder, capsys, arguments, message):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    try:
        status = main(["report", *arguments.split()])
    except SystemExit as stop:
        status = stop.code
    printed = capsys.readouterr()
    assert status == 2
    assert printed.err.startswith(f"prfast: error: {message}")
    assert printed.err.count("\n") == 1
    assert printed.out == ""
    assert sorted(path.name for path in folder.iterdir()) == ["a.npy", "b.npy", "real.npy"]


def test_an_input_is_never_the_output(folder, capsys):
    (folder / "a.html").symlink_to("a.npy")
    assert main(["report", "real.npy", "a.npy", "-o", "a.html"]) == 2
    assert "is an input" in capsys.readouterr().err
    assert np.load("a.npy").shape == (150, 3)
