"""Statements of the pages of metrics: expectations, changes that a metric detects, outliers."""

import numpy as np
import pytest
from publics import docs_modules

import prfast
from prfast.scalars.table import NAMES

pytest.importorskip("matplotlib", reason="the pages are written with their pictures")


@pytest.fixture(scope="module")
def pages():
    """Return the modules that write the pages."""
    return docs_modules("metric_cases", "metric_pages", "metric_words")


def test_every_metric_has_words_and_no_others_have(pages):
    assert set(pages[2].WORDS) == set(NAMES)


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_a_page_lists_the_changes_and_the_outliers_that_matter(pages, name):
    cases, _, written = pages
    words = written.WORDS[name]
    assert {change for change in cases.CHANGES if cases.seen(name, change)} == words.seen
    assert {outlier for outlier in cases.OUTLIERS if cases.fooled(name, outlier)} == words.fooled_by


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
        result = np.array([draw[name] for draw in draws])
        shares = np.sqrt(value * (1 - value) / min(n, m))  # where every draw may be 1
        error = max(result.std(ddof=1), shares)
        assert abs(result.mean() - value) < 4 * error / np.sqrt(60), name


@pytest.mark.nightly
@pytest.mark.parametrize("dim", [2, 40])
def test_the_frechet_distance_of_equal_normal_sets(pages, dim):
    rng = np.random.default_rng(1)
    sets = [(rng.normal(size=(900, dim)), rng.normal(size=(600, dim))) for _ in range(60)]
    result = [prfast.metrics(*pair, which="frechet_distance").frechet_distance for pair in sets]
    expected = pages[2].WORDS["frechet_distance"].nearly(900, 600, dim)
    error = np.std(result, ddof=1) / np.sqrt(60)
    assert abs(np.mean(result) - expected) < 0.05 * expected + 3 * error


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_a_page_runs(pages, name, capsys):
    code = pages[1].example(name).removeprefix("```python\n").removesuffix("```")
    exec(compile(code, name, "exec"), {})
    assert np.isfinite(float(capsys.readouterr().out))
