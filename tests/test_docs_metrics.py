"""Statements of the pages of metrics: expectations, changes that a metric detects, outliers."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import prfast
from prfast.scalars.table import NAMES

DOCS = Path(__file__).resolve().parent.parent / "docs"
pytest.importorskip("matplotlib", reason="the pages are written with their pictures")


@pytest.fixture(scope="module")
def pages():
    """Return the modules that write the pages, which are in docs/."""
    sys.path.insert(0, str(DOCS))
    try:
        import metric_cases
        import metric_pages
        import metric_words
    finally:
        sys.path.remove(str(DOCS))
    return metric_cases, metric_pages, metric_words


def test_every_metric_has_words_and_no_others_have(pages):
    assert set(pages[2].WORDS) == set(NAMES)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("frechet_distance", ("FID", "Fréchet", "Frechet")),
        ("kernel_distance", ("KID", "MMD")),
        ("authenticity", ("memorized", "memorization")),
    ],
)
def test_pages_have_the_terms_that_readers_search(pages, name, words):
    assert set(words) <= set(re.findall(r"\w+", pages[2].WORDS[name].asks))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_lists_the_changes_and_the_outliers_that_matter(pages, name):
    cases, _, written = pages
    words = written.WORDS[name]
    assert {one for one in cases.CHANGES if cases.seen(name, one)} == words.seen
    assert {one for one in cases.OUTLIERS if cases.fooled(name, one)} == words.fooled_by


@pytest.mark.nightly
@pytest.mark.parametrize(("n", "m", "k"), [(300, 300, 5), (400, 150, 3), (150, 400, 4)])
@pytest.mark.parametrize("dim", [1, 12])
def test_expectations_hold_for_any_sizes_and_dimensions(pages, n, m, k, dim):
    """The mean over 60 draws is within four of its own errors, or of those of shares."""
    rng = np.random.default_rng(1)
    expected = {
        name: words.expected(n, m, k)
        for name, words in pages[2].WORDS.items()
        if words.expected is not None
    }
    assert len(expected) >= 5
    draws = [
        prfast.metrics(rng.normal(size=(n, dim)), rng.normal(size=(m, dim)), k, [*expected])
        for _ in range(60)
    ]
    for name, value in expected.items():
        found = np.array([draw[name] for draw in draws])
        shares = np.sqrt(value * (1 - value) / min(n, m))  # where every draw may be 1
        error = max(found.std(ddof=1), shares)
        assert abs(found.mean() - value) < 4 * error / np.sqrt(60), name


@pytest.mark.nightly
@pytest.mark.parametrize("dim", [2, 40])
def test_the_frechet_distance_of_equal_normal_sets(pages, dim):
    rng = np.random.default_rng(1)
    sets = [(rng.normal(size=(900, dim)), rng.normal(size=(600, dim))) for _ in range(60)]
    found = [prfast.metrics(*pair, which="frechet_distance").frechet_distance for pair in sets]
    expected = pages[2].WORDS["frechet_distance"].nearly(900, 600, dim)
    error = np.std(found, ddof=1) / np.sqrt(60)
    assert abs(np.mean(found) - expected) < 0.05 * expected + 3 * error


def test_a_page_has_definition_picture_expectation_and_source(pages):
    text = pages[1].page("coverage")
    assert "Which share of the real samples has a generated one nearby?" in text
    assert "- **Mean over** real samples" in text
    assert "_figures/metric_coverage.png" in text
    assert "| expected | 0.97 |" in text
    assert "(2020)" in text


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_a_page_runs(pages, name, capsys):
    code = pages[1].example(name).removeprefix("```python\n").removesuffix("```")
    exec(compile(code, name, "exec"), {})
    assert np.isfinite(float(capsys.readouterr().out))


def test_the_overview_marks_changes_that_are_not_detected(pages):
    lines = pages[1].overview().splitlines()
    assert len(lines) == 2 + len(NAMES)
    (precision,) = (line for line in lines if line.startswith("| [precision]"))
    cells = [cell.strip() for cell in precision.split("|")[2:-1]]
    columns = [head.strip() for head in lines[0].split("|")[2:-1]]
    bold = {column for column, cell in zip(columns, cells, strict=True) if "**" in cell}
    assert bold == {"half as wide", "half of the modes", "copies", "real outlier"}
