"""Additions to the pages of the theme: landmarks and labels for screen readers, and a search that
fetches nothing where there is no server."""

from pathlib import Path

ALL_PAGES = {
    # Landmarks of one kind need different labels.
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
    # A heading has a level.
    'role="heading">': 'role="heading" aria-level="2">',
    # What scrolls can be reached by the keyboard.
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
}
SEARCH = {'<div id="search-results">': '<h1>Search</h1>\n<div id="search-results">'}

# Pages of a folder cannot be fetched: results have their titles, and no errors.
NO_SERVER = """
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
"""


def mend(app, failure):
    if failure is not None or app.builder.name != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        original = text = path.read_text(encoding="utf-8")
        for was, becomes in (ALL_PAGES | (SEARCH if path.name == "search.html" else {})).items():
            if becomes not in text:
                text = text.replace(was, becomes)
        if text != original:
            path.write_text(text, encoding="utf-8")


def setup(app):
    app.add_js_file(None, body=NO_SERVER)
    app.connect("build-finished", mend)
