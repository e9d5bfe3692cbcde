"""Pages of HTML: the page of a report, its elements and text, and a real browser."""

import html
import re
import shutil
from contextlib import contextmanager
from html.parser import HTMLParser

import pytest

from prfast.report import write_report

EVIL = "<img src=x onerror=alert(1)>\"'</script>&"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
NEEDED = [
    pytest.mark.skipif(CHROMIUM is None, reason="no browser: chromium is not installed"),
    pytest.mark.skipif(DRIVER is None, reason="no driver: chromedriver is not installed"),
]
VOID = {"br", "img"}


def page_of(folder, models, **options):
    """Return the HTML of the report of these models."""
    pytest.importorskip("jinja2", reason="the extra 'report' is not installed")
    write_report(models, str(folder / "report.html"), **options)
    return (folder / "report.html").read_text(encoding="utf-8")


def text_of(page):
    """Return the text that a reader sees: without programs, styles and tags."""
    page = re.sub(r"<(script|style).*?</\1>", " ", page, flags=re.DOTALL)
    page = page.replace("<wbr>", "")
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


class Reader(HTMLParser):
    """The elements of a page, checked to be closed, and its text outside pictures."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text, self._open = [], [], []
        self.feed(text)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if not {"style", "svg"} & {*self._open}:
            self.text.append(data)

    def of(self, tag):
        """Return the attributes of each element of a kind."""
        return [attrs for name, attrs in self.elements if name == tag]

    def line(self, name):
        """Return the text after a name in a table."""
        return self.text[self.text.index(name) + 1]


@contextmanager
def chromium():
    """Yield a driver of selenium for a browser without a window; it logs messages and requests."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for option in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{option}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_script_timeout(60)
    try:
        yield driver
    finally:
        driver.quit()
