"""Reports on several models as one self-contained HTML file (extra: report).

write       the public function write_report: parts of the page, for page.html.jinja
pictures    PR curves with bands, areas against the resolution, as SVG

The page has what `str` of the models prints, in tables and sentences; page.css and page.js show it.
"""

from prfast.report.write import write_report

__all__ = ["write_report"]
