"""One meaning a word: what is said of a number is said of no other; every number is explained."""

import re
from pathlib import Path

import pytest
from curves import DROPS, GOOD, INVENTS, curve
from pages import page_of, text_of

from prfast import Metrics
from prfast.comparison import Evaluation
from prfast.comparison.differences import CurveDifferences
from prfast.curve.summary import ROWS
from prfast.report.words import read
from prfast.scalars.table import NAMES, TABLE

ROOT = Path(__file__).resolve().parents[2]
# Of every number that has a name: how the words begin that are its own.
STEMS = {
    "fidelity": ("fidel", "faith"),
    "diversity": ("divers",),
    "area": ("area",),
    "total_variation": ("variation",),
    "precision": ("precis",),
    "recall": ("recall",),
    "density": ("dens",),
    "coverage": ("cover",),
    "complementary_precision": ("complement",),
    "symmetric_precision": ("symmetr",),
    "realism": ("realis",),
    "f1": (r"f1\b(?!/)",),
}
MIDDLE = curve([0.5, 0.5], [0.35, 0.65], scored_real=4000, scored_fake=4000)
READINGS = [
    {"good": GOOD, "drops": DROPS, "invents": INVENTS, "middle": MIDDLE},
    {"good": GOOD, "other": GOOD},
    {"alone": DROPS},
    {"equal": curve([0.5, 0.5], [0.5, 0.5], scored_real=4000, scored_fake=4000), "middle": MIDDLE},
]
# Where the two coordinates of a curve stand in a sentence.
COORDINATES = (
    r"at precision [\d.]+ its recall",
    r"at recall [\d.]+ its precision",
    r"maximal (precision|recall)",
)


def said_of(curves):
    reading = read(CurveDifferences(list(curves), list(curves.values())))
    return [*reading.summary, *(line for _, lines in reading.models for line in lines)]


def own(text):
    """The numbers whose words are in a text."""
    return {name for name, stems in STEMS.items() if any(re.search(one, text) for one in stems)}


@pytest.mark.parametrize("curves", READINGS, ids=lambda curves: "-".join(curves))
def test_the_reading_uses_words_with_their_numbers_and_no_name_of_a_metric(curves):
    said = said_of(curves)
    assert said
    for sentence in said:
        for row in ROWS:
            for word in filter(None, row.words):
                if word in sentence:
                    assert f"({row.title}" in sentence or f"by the {row.title}" in sentence
        plain = sentence.lower()
        for coordinate in COORDINATES:
            plain = re.sub(coordinate, "", plain)
        assert own(plain) <= {"fidelity", "diversity", "area"}, sentence


def test_every_number_on_the_page_is_in_the_glossary_and_no_other(tmp_path):
    page = page_of(tmp_path, {"a": GOOD, "b": DROPS})
    heads = re.findall(r'<button type="button">([^<]*)</button></th>', page)
    shown = {re.sub(r"[\d.]+$", "x", one) for one in heads} - {"model", "Fx", "F1/x"}
    shown |= {one for one in heads if one.startswith("F")}
    terms = re.findall(
        r"<dt>([^<]*)</dt>", page[page.index('id="glossary"') :].split("</section>")[0]
    )
    assert set(terms) == shown | {"λ", "precision at λ", "recall at λ", "±", "band"}
    assert len(terms) == len(set(terms))
    for row in ROWS:
        assert (row.says in text_of(page)) == (row.title in shown)
        assert (row.formula in text_of(page)) == (row.title in shown)


def test_the_documentation_has_the_same_words():
    page = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    for row in ROWS:
        if row.words.more:
            line = [row.title, row.words.more, row.words.less, row.says]
            assert f"| {' | '.join(line)} |" in page


def test_metrics_are_explained_by_their_rows(tmp_path):
    model = Evaluation({("given", None): GOOD}, Metrics(dict.fromkeys(NAMES, 0.5)))
    page = page_of(tmp_path, {"a": model}, confidence=None)
    glossary = page[page.index("<h3>Metrics, not of the curves") :]
    terms = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", glossary.split("</section>")[0])
    assert [title for title, _ in terms] == [*(name.replace("_", " ") for name in NAMES), "±"]
    for name, (_, text) in zip(NAMES, terms[:-1], strict=True):
        row = TABLE[name]
        assert text_of(text).startswith(row.says)
        assert row.says.endswith(".")
        assert ("Smaller is better." in text) is not row.larger_is_better
    assert "or its own error." in terms[-1][1]


def test_subscripts_of_formulas_are_low(tmp_path):
    names = ["coverage", "complementary_recall", "symmetric_precision"]
    model = Evaluation({("given", None): GOOD}, Metrics(dict.fromkeys(names, 0.5)))
    page = page_of(tmp_path, {"a": model})
    formulas = re.findall(r'<span class="formula">(.*?)</span>', page)
    assert any("r<sub>k</sub>" in one and "_" not in one for one in formulas)
    assert "r<sub>k</sub>(z): how far" in page
    assert "k is cover_k, and k′ is cover_reach" in page
