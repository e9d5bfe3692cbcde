"""Reports on several models as one self-contained HTML file (extra: report).

    models ──► write ──► page.html.jinja, with page.css and page.js
                 ├─ numbers   columns of the tables, pictures as SVG
                 ├─ words     differences, what to check, cautions
                 └─ content   extreme samples, heading, bands, provenance

write       the public function write_report: checks its arguments, fills the template
numbers     columns of the tables; pictures of PR curves with bands, of areas by resolution
words       differences between models, notes on each, cautions on samples, methods and metrics
content     the other parts of the page
"""

from prfast.report.write import write_report

__all__ = ["write_report"]
