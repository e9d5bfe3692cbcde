"""Sphinx: python -m sphinx -W --keep-going -n docs docs/_build"""

import sys
from pathlib import Path

from prfast.results.info import version as installed

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

project = "prfast"
author = "the prfast developers"
copyright = author
version = release = installed()

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",  # for its role autolink: a link where there is a target
    "numpydoc",
    "mended",  # beside this file
]
exclude_patterns = ["_build", "_figures"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_title = f"prfast {version}"
html_show_sourcelink = False
html_show_copyright = False
pygments_style = "default"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

default_role = "autolink"
autosummary_generate = False
autodoc_mock_imports = ["torch", "torchmetrics"]
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# Names in docstrings of what is not public, or is another project's.
nitpick_ignore_regex = [
    ("py:.*", r"(numpy|matplotlib|np|collections|typing|sklearn)\..*"),
    ("py:.*", r"prfast\.inputs(\..*)?"),
]


def formulas(app, what, name, obj, options, lines):
    """An indented paragraph of a docstring is a formula or a table: keep its lines.  Elsewhere a
    bar is |a bar|, no substitution."""
    kept, inside = [], False
    for i, line in enumerate(lines):
        indented, after_blank = line.startswith(" "), i > 1 and not lines[i - 1].strip()
        starts = indented and after_blank and lines[i - 2].strip()
        if starts and not inside and not lines[i - 2].startswith(" "):
            kept += ["::", ""]
            inside = True
        inside = inside and (indented or not line.strip())
        kept.append(line if inside else line.replace("|", "\\|"))
    lines[:] = kept


def fields(app, what, name, obj, skip, options):
    """A NamedTuple's own methods are no part of what it says."""
    return True if what == "class" and name in ("count", "index", "_asdict") else None


def made(app):
    """Figures and the pages of metrics, before pages are read."""
    import figures
    import metric_pages

    figures.draw_all(HERE / "_figures")
    metric_pages.write_all(HERE / "metrics")


# Addresses that pages had, and the pages that have their content.
MOVED = {
    "choosing": "methods",
    "comparing": "workflows",
    "divergences": "theory",
    "features": "start",
    "gallery": "workflows",
    "install": "start",
    "metrics": "methods",
    "migration": "methods",
    "notebooks": "workflows",
    "records": "report",
    "samples": "workflows",
    "stability": "development",
    "tables-published": "tables",
    "training": "workflows",
    "tutorial": "start",
    "views": "theory",
}


def moved(app, failure):
    """Write a page that leads to the new address, for each old address."""
    if failure is None and app.builder.name == "html":
        for was, page in MOVED.items():
            text = (
                f'<!doctype html><html lang="en"><title>{was}</title>'
                f'<meta http-equiv="refresh" content="0; url={page}.html">'
                f'<a href="{page}.html">{page}</a></html>\n'
            )
            Path(app.outdir, f"{was}.html").write_text(text, encoding="utf-8")


def setup(app):
    from shades import Shades

    app.connect("build-finished", moved)
    app.connect("builder-inited", made)
    app.add_transform(Shades)
    # Before numpydoc, which sees sections where they are.
    app.connect("autodoc-process-docstring", formulas, priority=100)
    app.connect("autodoc-skip-member", fields)
