"""Curves of three models, the page of a report, and the text of a page."""

import html
import json
import re

import numpy as np
import pytest

from prfast import PRCurve
from prfast.report import write_report

SIZES = {"n_real": 2000, "n_fake": 2000, "split": 0.5, "scored_real": 1000, "scored_fake": 1000}
EVIL = "<img src=x onerror=alert(1)>\"'</script>&"


def curve(p, q, **info):
    """Return a curve that counts the scored samples in shares p, q."""
    info = SIZES | info
    sizes = info["scored_real"], info["scored_fake"]
    counts = (np.rint(size * np.array(x) / sum(x)) for size, x in zip(sizes, (p, q), strict=True))
    return PRCurve.from_masses(*counts, info=info)


GOOD = curve([0.3, 0.4, 0.3], [0.28, 0.42, 0.3])
DROPS = curve([0.2, 0.4, 0.4], [0.0, 0.5, 0.5])  # a fifth of the real mass is not generated
INVENTS = curve([0.5, 0.5, 0.0], [0.35, 0.35, 0.3])


def page_of(folder, models, **options):
    """Return the HTML of the report of these models."""
    for library in ("plotly", "jinja2"):
        pytest.importorskip(library, reason="the extra 'report' is not installed")
    write_report(models, str(folder / "report.html"), **options)
    return (folder / "report.html").read_text(encoding="utf-8")


def data_of(page):
    """Return the data of the plots of a page."""
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(data[1])


def text_of(page):
    """Return the text that a reader sees: without programs, styles and tags."""
    page = re.sub(r"<(script|style).*?</\1>", " ", page, flags=re.DOTALL)
    page = page.replace("<wbr>", "")
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
