"""The documentation in a real browser, from files: search, width, two shades, an audit.

PRFAST_SITE names the folder of the site that is looked at, as .ci/nightly builds it.
"""

import json
import os
import time
from importlib.resources import files
from pathlib import Path

import pytest
from pages import NEEDED, chromium

SITE = os.environ.get("PRFAST_SITE")
WITHOUT_FIGURES = ("results", "troubleshooting", "papers", "reference/PRCurve", "search")
PAGES = ("index", "start", "methods", "metrics/coverage", "theory", *WITHOUT_FIGURES)
SIZES = {"desktop": (1280, 900), "phone": (420, 900)}

pytest.importorskip("selenium", reason="the extra 'browser' is not installed")
pytest.importorskip("axe_playwright_python", reason="the extra 'browser' is not installed")
pytestmark = [*NEEDED, pytest.mark.skipif(SITE is None, reason="no site: PRFAST_SITE is not set")]


@pytest.fixture(scope="module")
def browser():
    with chromium() as driver:
        yield driver


def look(browser, page, mode="light", size="desktop", query=""):
    """A page of the site from its file; what it fetched, and what it complained of."""
    width, height = SIZES[size]
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )
    scheme = {"name": "prefers-color-scheme", "value": mode}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    for kind in ("browser", "performance"):
        browser.get_log(kind)  # what pages before had to say
    browser.get((Path(SITE).resolve() / f"{page}.html").as_uri() + query)
    end = time.monotonic() + 20
    while query and "found" not in text_of(browser, "#search-results"):
        assert time.monotonic() < end, "no results"
        time.sleep(0.1)
    sent = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    urls = [
        message["params"]["request"]["url"]
        for message in sent
        if message["method"] == "Network.requestWillBeSent"
    ]
    return urls, [entry["message"] for entry in browser.get_log("browser")]


def text_of(browser, where):
    return browser.execute_script(f"return document.querySelector('{where}')?.innerText ?? ''")


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("coverage", "metrics/coverage.html"),
        ("Evaluator.compare", "reference/Evaluator.html"),
        *(
            (words, "troubleshooting.html")
            for words in ("mode collapse", "overfitting", "memorization")
        ),
        ("FID", "troubleshooting.html"),
    ],
)
def test_search_works_from_files(browser, query, page):
    urls, complaints = look(browser, "search", query=f"?q={query}")
    result = browser.execute_script(
        "return [...document.querySelectorAll('#search-results a')].map(a => a.href)"
    )
    assert any(page in address for address in result[:3])
    assert not [url for url in urls if not url.startswith(("file:", "data:"))]
    assert complaints == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_pages_fit_show_their_figures_in_one_shade_and_pass_an_audit(browser, page, mode, size):
    look(browser, page, mode, size)
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    shown = browser.execute_script(
        "return [...document.images].filter(i => i.offsetParent && i.src.includes('/_images/'))"
        ".map(i => [i.src, i.naturalWidth, i.alt])"
    )
    assert all(width > 0 and alt for _, width, alt in shown)
    assert all(source.endswith("-dark.png") == (mode == "dark") for source, *_ in shown)
    assert shown or page in WITHOUT_FIGURES
    browser.execute_script((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    result = browser.execute_async_script(
        "axe.run(document).then(r => arguments[0](r.violations.map(v => [v.id, v.nodes.map(n => "
        "n.html.slice(0, 200))])))"
    )
    assert result == []
