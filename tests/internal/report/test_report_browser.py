"""The report in a real browser: it renders, highlights and sorts, and asks for nothing.

Needs chromium and its driver from the system and the extra `browser`, in which axe-core, by which
pages are looked through for what some readers cannot use, comes with axe-playwright-python.
"""

import json
import time
from importlib.resources import files

import numpy as np
import pytest
from pages import EVIL, NEEDED, chromium

from prfast import Evaluator
from prfast.reference import GaussianShift

NAMES = ["far", "near", EVIL, "checkpoints/with/a/very/long/name/that/has/no/space.npy"]
DESKTOP, PHONE = (1280, 900), (360, 740)

pytest.importorskip("jinja2", reason="the extra 'report' is not installed")
pytest.importorskip("selenium", reason="the extra 'browser' is not installed")
pytestmark = [*NEEDED]


@pytest.fixture(scope="module")
def browser():
    with chromium() as driver:
        yield driver


@pytest.fixture(scope="module")
def models():
    real, fake = GaussianShift(1.0, 3).sample(400, 300)
    rng = np.random.default_rng(0)
    fakes = [fake, real[rng.permutation(400)[:300]] + 0.1, fake * 0.5, fake + 100]
    evaluator = Evaluator(real, resolutions=[0, 0.4])
    return evaluator.compare(dict(zip(NAMES, fakes, strict=True)))


@pytest.fixture(scope="module")
def address(tmp_path_factory, models):
    path = tmp_path_factory.mktemp("browser") / "report.html"
    models.report(str(path))
    return path.as_uri()


class Page:
    """An opened report."""

    def __init__(self, browser, address, size, media=()):
        self.browser, self.size = browser, size
        self.resize(*size)
        features = [{"name": name, "value": value} for name, value in media]
        self.command("Emulation.setEmulatedMedia", features=features)
        for kind in ("browser", "performance"):
            browser.get_log(kind)  # what pages before had to say
        browser.get(address)
        self.wait("return document.readyState === 'complete'")

    def resize(self, width, height):
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=self.size == PHONE,
        )

    def command(self, name, **options):
        return self.browser.execute_cdp_cmd(name, options)

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def wait(self, script):
        """Return the value of the script as soon as it is truthy."""
        end = time.monotonic() + 30
        while not (result := self.run(script)):
            assert time.monotonic() < end, script
            time.sleep(0.05)
        return result

    def find(self, selector):
        return self.browser.find_element("css selector", selector)

    def faded(self):
        """Return the models whose lines are faded."""
        return self.run(
            "return [...document.querySelectorAll('svg g.faded')].map((g) => +g.dataset.model)"
        )

    def bands(self):
        """Return the number of bands and bounds that are shown."""
        return self.run(
            "return [...document.querySelectorAll('.band')]"
            ".filter((one) => getComputedStyle(one).display !== 'none').length"
        )

    def top(self, selector):
        return self.run(
            "return document.querySelector(arguments[0]).getBoundingClientRect().top + scrollY",
            selector,
        )

    def column(self, table, number):
        return self.run(
            "return [...document.querySelectorAll('#models .sortable')[arguments[0]]"
            ".tBodies[0].rows]"
            ".map((row) => row.cells[arguments[1]].textContent.trim())",
            table,
            number,
        )

    def fits(self):
        """No part of the page is beyond the right edge."""
        return self.run("return document.documentElement.scrollWidth <= innerWidth")

    def requests(self):
        events = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def log(self, kind):
        return self.browser.get_log(kind)


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def page(request, browser, address):
    """After every test: not a word on the console, not a request but for the file itself."""
    opened = Page(browser, address, request.param)
    yield opened
    requested = [url for url in opened.requests() if not url.startswith(("data:", "blob:"))]
    assert requested == [address]
    assert opened.log("browser") == []


def test_the_first_screen_has_the_table_and_a_picture(browser, address):
    for size, screens in (((1280, 800), 1), (PHONE, 2)):
        page = Page(browser, address, size)
        assert page.top("h1") < page.top("table.overview") < page.top("figure svg")
        box = page.find("figure svg").size
        assert page.top("figure svg") + box["height"] * 0.9 < screens * size[1]
        assert 250 < box["width"] < 420
        assert page.fits()
        tops = [
            page.run(f"return document.querySelectorAll('figure')[{i}].offsetTop") for i in (0, 1)
        ]
        assert (tops[0] == tops[1]) is (size != PHONE)  # side by side


def test_a_model_is_highlighted_by_its_button_and_by_pointing(page):
    from selenium.webdriver import ActionChains

    assert page.faded() == []
    assert page.bands() == 0  # four models
    button = page.find(".keys button[data-model='1']")
    button.send_keys("\n")  # Enter
    assert button.get_attribute("aria-pressed") == "true"
    assert set(page.faded()) == {0, 2, 3}
    assert page.bands() == 3  # of a curve, of its bound, of its profile
    button.send_keys(" ")
    assert button.get_attribute("aria-pressed") == "false"
    assert page.faded() == []
    row = page.find("#models tr[data-model='2']")
    ActionChains(page.browser).move_to_element(row).perform()
    assert set(page.faded()) == {0, 1, 3}
    page.command("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    assert page.faded() == []


def test_tables_are_sorted_largest_first_and_then_the_other_way(page, models):
    head = page.find("#models table.sortable thead th:nth-child(4)")  # area
    button = head.find_element("css selector", "button")
    areas = sorted((f"{model.curve.area:.3f}" for model in models.values()), reverse=True)
    assert head.get_attribute("aria-sort") == "none"
    button.send_keys("\n")  # Enter
    assert head.get_attribute("aria-sort") == "descending"
    assert [x[:5] for x in page.column(0, 3)] == areas
    button.send_keys("\n")
    assert head.get_attribute("aria-sort") == "ascending"
    assert [x[:5] for x in page.column(0, 3)] == areas[::-1]
    page.find("#models table.sortable thead th:first-child button").send_keys("\n")
    assert page.column(0, 0)[0] == EVIL
    assert head.get_attribute("aria-sort") == "none"


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser, address, scheme, size):
    pytest.importorskip("axe_playwright_python", reason="the extra 'browser' is not installed")
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    opened = Page(browser, address, size, [("prefers-color-scheme", scheme)])
    opened.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    opened.run(axe)
    result = browser.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
    options = [(x["id"], [node["html"] for node in x["nodes"]]) for x in result["violations"]]
    assert options == []
    passed = {rule["id"] for rule in result["passes"]}
    assert {"button-name", "color-contrast", "heading-order", "svg-img-alt"} <= passed
