"""The page of a report: what models print, bands, differences, provenance, and names as text."""

import re

import numpy as np
import pytest
from curves import DROPS, GOOD, INVENTS
from pages import EVIL, page_of, text_of

import prfast
from prfast import Evaluator, Metrics, PRCurve, pr_curve
from prfast.comparison import Evaluation


@pytest.fixture(scope="module")
def comparison(real, fake):
    return Evaluator(real, "knn", k=7).compare({"one": fake, EVIL: fake[:100] * 0.5})


@pytest.fixture(scope="module")
def page(tmp_path_factory, comparison):
    folder = tmp_path_factory.mktemp("report")
    return page_of(folder, comparison, title="A title & more")


def models_of(page):
    """Return the cells of the table of models, a list a row."""
    table = page[page.index('id="models"') :].partition("</table>")[0]
    return [
        [text_of(cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]
        for row in table.split("<tr")[1:]
    ]


def test_the_page_has_what_the_models_print_and_every_option(page, comparison, real, fake):
    display = comparison._display()
    head, *lines = models_of(page)
    assert head == ["model", *display.head[1:]]
    assert lines == [[cell or "–" for cell in line] for line in display.lines]
    text = text_of(page)
    for note in display.notes:
        assert (" ".join(note.split()) in text) is ("prfast report" not in note)
    for key, value in pr_curve(real, fake, "knn", k=7).info.items():
        assert f"curve: {key} {value}" in text or key in ("n_fake", "scored_fake")
    assert "metrics: ties closed" in text
    assert f"numpy {np.__version__}" in text
    assert "one 150 75 150" in text
    assert "Method knn" not in text  # the sizes differ
    assert "It cannot detect" in text
    assert len(page.encode()) < 150_000
    title, day = "A title & more A title & more", r"\d{4}-\d\d-\d\d"
    assert re.match(rf"{title} Written {day} Features model not", text)


def test_names_are_text_everywhere(page):
    assert "<img" not in page
    assert text_of(page).count(EVIL) >= 3
    assert "&lt;img src=x onerror=alert(1)&gt;&#34;" in page


UNCOUNTED = PRCurve.from_masses([0.3, 0.4, 0.3], [0.28, 0.42, 0.3])


def test_the_differences_are_those_of_the_comparison(tmp_path):
    models = {"drops": DROPS, "good": GOOD, "invents": INVENTS}
    page = page_of(tmp_path, models)
    evaluations = {name: Evaluation({("x", 1): x}, Metrics({})) for name, x in models.items()}
    compared = prfast.comparison.results.Comparison(evaluations)
    numbers = ("fidelity", "diversity", "area")
    display = compared.differences(numbers=numbers)._display()
    table = page[page.index("<caption>Which differences count") :].partition("</table>")[0]
    for line in display.lines:
        assert " ".join([line[0], line[1].partition(": ")[2], *line[2:]]).strip() in text_of(
            table.replace("its method: ", "")
        )
    text = text_of(page)
    conclusion = "good has a clearly larger area than drops and invents."
    assert text.index(conclusion) < text.index("What")
    assert "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0." in table


def test_a_model_of_copies_is_not_in_the_conclusion(tmp_path):
    copy = GOOD._changed({"n_fake": 1000, "copied": 900})
    text = text_of(page_of(tmp_path, {"copy": copy, "drops": DROPS, "invents": INVENTS}))
    assert "copy − drops" in text
    assert " has a clearly larger area than " in text or " cannot be told apart from " in text
    assert "By the area copy" not in text
    assert "copy has a clearly" not in text
    text = text_of(page_of(tmp_path, {"copy": copy, "drops": DROPS}))
    assert "copy − drops" in text
    assert "larger area" not in text
    assert "largest area" not in text


def test_profiles_have_sections_with_their_numbers(tmp_path, page, real, fake):
    evaluator = Evaluator(real, "knn", which=["precision"], resolutions=[0, 0.5, 2])
    smoothed = evaluator.compare({"near": fake, "far": fake + 100})
    with_profiles = page_of(tmp_path, {**smoothed, "without": UNCOUNTED})
    text = text_of(with_profiles)
    for name, profile in smoothed.profiles.items():
        section = text.partition(f"Resolutions of {name}")[2]
        for line in profile._display().lines:
            assert " ".join(line) in section
        for sentence in profile.sentences():
            assert f"{name}: {sentence}" in text
    assert "Resolutions of without" not in text
    for term in ("half resolution", "matching resolution", "coarse area"):
        assert f"<dt>{term}</dt>" in with_profiles
    assert page.count("<figure>") == 1
    assert "resolution" not in text_of(page)
