"""A real browser without a window, for the tests that look at pages."""

import shutil
from contextlib import contextmanager

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
NEEDED = [
    pytest.mark.skipif(CHROMIUM is None, reason="no browser: chromium is not installed"),
    pytest.mark.skipif(DRIVER is None, reason="no driver: chromedriver is not installed"),
]


@contextmanager
def chromium():
    """The driver of selenium, which writes down what the page logs and asks for."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for one in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{one}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_script_timeout(60)
    try:
        yield driver
    finally:
        driver.quit()
