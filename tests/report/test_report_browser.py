"""The report in a real browser: it renders, points, toggles and sorts, and asks for nothing.

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

pytest.importorskip("plotly", reason="the extra 'report' is not installed")
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
        self.wait("return document.documentElement.dataset.drawn")

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

    def rest(self):
        """Point at nothing."""
        self.command("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)

    def find(self, selector):
        return self.browser.find_element("css selector", selector)

    def visible(self):
        """Names of the curves that are drawn as lines in the picture."""
        return self.run(
            "return document.getElementById('lines').data"
            ".filter((t) => t.name !== undefined && t.visible !== false).map((t) => t.name)"
        )

    def column(self, table, number):
        return self.run(
            "return [...document.querySelectorAll('#numbers .sortable')[arguments[0]]"
            ".tBodies[0].rows]"
            ".map((row) => row.cells[arguments[1]].dataset.key)",
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
    asked = [url for url in opened.requests() if not url.startswith(("data:", "blob:"))]
    assert asked == [address]
    assert opened.log("browser") == []


def test_pointing_at_a_curve_tells_lambda_precision_and_recall(page, models):
    from selenium.webdriver import ActionChains

    curve = models["far"].curve
    recall, precision = (
        page.run(f"return document.getElementById('lines').data[0].{axis}[60]") for axis in "xy"
    )
    page.run("document.getElementById('lines').scrollIntoView({block: 'center'})")
    x, y = page.run(
        "const plot = document.getElementById('lines'), box = plot.getBoundingClientRect(),"
        "l = plot._fullLayout;"
        "return [box.x + l.xaxis._offset + l.xaxis.d2p(arguments[0]),"
        "        box.y + l.yaxis._offset + l.yaxis.d2p(arguments[1])];",
        recall,
        precision,
    )
    mouse = ActionChains(page.browser)
    mouse.w3c_actions.pointer_action.move_to_location(int(x) - 3, int(y) - 3)
    mouse.w3c_actions.pointer_action.move_to_location(round(x), round(y))
    mouse.perform()
    text = page.wait("return document.querySelector('#lines .hoverlayer')?.textContent")
    assert text.startswith("far")
    lam, shown_precision, shown_recall = (
        float(text.split(name)[1].lstrip().split("precision")[0].split("recall")[0])
        for name in ("λ ", "precision ", "recall ")
    )
    exact = curve.at(lam)
    assert exact == pytest.approx((shown_precision, shown_recall), abs=1e-3)
    assert (shown_precision, shown_recall) == pytest.approx((precision, recall), abs=0.05)


def test_models_are_toggled(page):
    assert len(page.visible()) == 4
    box = page.find("input[name=model][value='1']")
    box.click()
    assert "near" not in page.visible()
    assert len(page.visible()) == 3
    drawn = "return document.querySelectorAll('#lines .scatterlayer .trace').length"
    page.rest()
    assert page.run(drawn) == 3
    box.click()
    page.rest()
    assert page.run(drawn) == 4
    page.find("button[data-do=none]").click()
    assert page.visible() == []
    page.find("button[data-do=all]").click()
    assert len(page.visible()) == 4


def test_pictures_are_saved_on_white(browser, address, tmp_path):
    opened = Page(browser, address, DESKTOP, [("prefers-color-scheme", "dark")])
    opened.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    for name, kind in (("lines", "svg"), ("scores", "png")):
        opened.find(f"button[data-plot={name}][data-do={kind}]").click()
    end = time.monotonic() + 30
    while len(saved := sorted(tmp_path.glob("*.[ps][nv]g"))) < 2:
        assert time.monotonic() < end, list(tmp_path.iterdir())
        time.sleep(0.05)
    assert [one.suffix for one in saved] == [".png", ".svg"]
    assert saved[0].read_bytes().startswith(b"\x89PNG")
    text = saved[1].read_text(encoding="utf-8")
    assert "rgb(255, 255, 255)" in text  # the paper
    assert "rgb(26, 26, 26)" in text  # the ink
    assert opened.run("return getComputedStyle(document.querySelector('#lines .xtitle')).fill") == (
        "rgb(236, 236, 236)"
    )
    assert opened.log("browser") == []


def test_bands_are_toggled(page):
    count_filled = "return [...document.querySelectorAll('#lines .scatterlayer .js-fill')].length"
    box = page.find("input[name=band]")
    assert not box.is_selected()  # four models
    assert page.run(count_filled) == 0
    box.click()
    assert page.run(count_filled) == 4
    assert len(page.visible()) == 4  # bands are not pointed at
    page.find("input[name=model][value='0']").click()
    assert page.run(count_filled) == 3
    page.find("input[name=model][value='0']").click()
    page.rest()
    box.click()
    assert page.run(count_filled) == 0
    assert page.fits()


def test_the_picture_of_resolutions_has_ticks_and_the_models(page, models):
    shown = "return document.getElementById('profiles').data.filter((t) => t.name && t.visible)"
    points = page.run(f"{shown}.map((t) => [t.name, t.y])")
    areas = [[c.area for c in one.curves.values()] for one in models.profiles.values()]
    assert [y for _, y in points] == areas
    texts = page.run(
        "return [...document.querySelectorAll('#profiles .xtick text')].map((t) => t.textContent)"
    )
    assert texts == ["0", "0.4"]
    page.find("input[name=model][value='1']").click()
    assert page.run(f"{shown}.length") == 3
    page.find("input[name=model][value='1']").click()


def test_tables_are_sorted_best_first_and_then_the_other_way(page, models):
    head = page.find("#numbers table.sortable thead th:nth-child(4)")  # area
    button = head.find_element("css selector", "button")
    areas = sorted((one.curve.area for one in models.values()), reverse=True)
    assert head.get_attribute("aria-sort") == "none"
    button.send_keys("\n")  # Enter
    assert head.get_attribute("aria-sort") == "descending"
    assert [float(x) for x in page.column(0, 3)] == areas
    button.send_keys("\n")
    assert head.get_attribute("aria-sort") == "ascending"
    assert [float(x) for x in page.column(0, 3)] == areas[::-1]
    page.find("#numbers table.sortable thead th:first-child button").send_keys("\n")
    assert page.column(0, 0)[0] == EVIL
    assert head.get_attribute("aria-sort") == "none"
    last = page.find("#numbers table.sortable thead th:nth-child(7) button")  # overlap
    last.send_keys("\n")
    values = [float(x) for x in page.column(0, 6)]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_and_paper(browser, address, scheme):
    opened = Page(browser, address, DESKTOP, [("prefers-color-scheme", scheme)])
    paper = opened.run("return getComputedStyle(document.body).backgroundColor")
    ink = opened.run("return getComputedStyle(document.querySelector('#lines .xtitle')).fill")
    assert (paper, ink) == {
        "light": ("rgb(255, 255, 255)", "rgb(26, 26, 26)"),
        "dark": ("rgb(22, 24, 27)", "rgb(236, 236, 236)"),
    }[scheme]
    opened.command("Emulation.setEmulatedMedia", media="print")
    assert opened.run("return getComputedStyle(document.body).backgroundColor") == (
        "rgb(255, 255, 255)"
    )
    assert opened.run("return getComputedStyle(document.querySelector('#lines .xtitle')).fill") == (
        "rgb(0, 0, 0)"
    )
    boxes = [opened.find(f"#{plot} .main-svg").size for plot in ("lines", "profiles", "scores")]
    assert all(350 < box["width"] < 375 for box in boxes)  # 96 mm
    assert opened.find("fieldset.bands").value_of_css_property("display") == "none"
    assert opened.log("browser") == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser, address, scheme, size):
    """Contrast, names, roles, order of headings and what else axe-core knows, with all unfolded."""
    pytest.importorskip("axe_playwright_python", reason="the extra 'browser' is not installed")
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    opened = Page(browser, address, size, [("prefers-color-scheme", scheme)])
    opened.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    opened.run(axe)
    result = browser.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
    options = [(one["id"], [node["html"] for node in one["nodes"]]) for one in result["violations"]]
    assert options == []
    passed = {one["id"] for one in result["passes"]}
    assert {"button-name", "color-contrast", "heading-order", "role-img-alt"} <= passed
