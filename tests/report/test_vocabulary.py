"""Words of the report: one meaning each; every number is explained."""

import re
from pathlib import Path

from curves import DROPS, GOOD
from pages import page_of, text_of

from prfast import Metrics
from prfast.comparison import Evaluation
from prfast.curve.summary import ROWS
from prfast.scalars.table import NAMES, TABLE

ROOT = Path(__file__).resolve().parents[2]


def test_every_number_on_the_page_is_in_the_glossary_and_no_other(tmp_path):
    page = page_of(tmp_path, {"a": GOOD, "b": DROPS})
    heads = re.findall(r'<button type="button">([^<]*)</button></th>', page)
    titles = {re.sub(r"[\d.]+$", "x", one) for one in heads} - {"model", "Fx", "F1/x"}
    titles |= {one for one in heads if one.startswith("F")}
    terms = re.findall(
        r"<dt>([^<]*)</dt>", page[page.index('id="glossary"') :].split("</section>")[0]
    )
    assert set(terms) == titles | {"λ", "precision at λ", "recall at λ", "±", "band"}
    assert len(terms) == len(set(terms))
    for row in ROWS:
        assert (row.says in text_of(page)) == (row.title in titles)
        assert (row.formula in text_of(page)) == (row.title in titles)


def test_the_documentation_has_the_same_words():
    page = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    for row in ROWS:
        if row.more:
            line = [row.title, row.more, row.says]
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
