"""One meaning a word: what is said of a number is said of no other; every number is explained."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from reports import DROPS, GOOD, INVENTS, curve, text_of

from prfast.comparison.differences import CurveDifferences, Difference
from prfast.curve.summary import ROWS
from prfast.report import write_report
from prfast.report.cautions import formula
from prfast.report.words import glossary, metric_title, sentences
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
    reading = sentences(list(curves), CurveDifferences(list(curves), list(curves.values())))
    return [*reading.summary, *(line for _, lines in reading.models for line in lines)]


def own(text):
    """The numbers whose words are in a text."""
    return {name for name, stems in STEMS.items() if any(re.search(one, text) for one in stems)}


def test_words_belong_to_one_number():
    spoken = [row for row in ROWS if row.words.more]
    assert {row.key for row in spoken} == {"fidelity", "diversity", "area", "f8", "f1_8"}
    for row in spoken:
        assert all(row.words)
        assert own(" ".join(row.words)) <= {row.key}
    for one, other in combinations(spoken, 2):
        assert not set(one.words) & set(other.words)
    verbs = [row.words.more.split()[:-1] for row in spoken]
    assert len({tuple(words) for words in verbs}) == len(verbs)


def test_a_difference_is_told_with_its_number():
    for row in ROWS:
        if row.words.more:
            told = str(Difference("a", "b", "", row.title, 0.1, 0.01, 0.0, row.words.more))
            assert told == f"a {row.words.more} b ({row.title}): +0.100 ± 0.010"


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


def test_a_name_of_a_metric_is_told_from_the_words_of_others():
    assert own("covers most of all") == {"coverage"}
    assert own("is more realistic") == {"realism"}
    assert own("is more precise") == {"precision"}


def test_every_number_on_the_page_is_in_the_glossary_and_no_other(tmp_path):
    pytest.importorskip("plotly", reason="the extra 'report' is not installed")
    write_report({"a": GOOD, "b": DROPS}, str(tmp_path / "r.html"))
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
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


def test_metrics_are_explained_by_their_rows():
    parts = {part.title: part.entries for part in glossary(NAMES, bands=True)}
    entries = {one.title: one for one in parts["Metrics, not of the curves"]}
    assert list(entries) == [metric_title(name) for name in NAMES]
    for name in NAMES:
        one = entries[metric_title(name)]
        assert (one.says, one.formula) == (TABLE[name].says, TABLE[name].formula)
        assert one.says.endswith(".")
        assert one.larger_is_better == TABLE[name].larger_is_better
    assert [one.title for one in parts["How sure"]] == ["±", "band"]
    assert [one.title for one in glossary([], bands=False)[-1].entries] == ["±"]


def test_what_is_low_in_formulas_is_low():
    assert formula("Y whose ball r_{k′}(y) < r_k") == (
        "Y whose ball r<sub>k′</sub>(y) &lt; r<sub>k</sub>"
    )
    assert formula("1 − Π_x R_X, cover_k, p_k") == "1 − Π<sub>x</sub> R<sub>X</sub>, cover_k, p_k"
