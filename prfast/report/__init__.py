"""Reports on several models as one self-contained HTML file (extra: report).

    models ──► write ──► content ──► page.html.jinja ──► file
               check     │           with page.css and page.js
                         ├─ curve.summary   numbers, a row each
                         ├─ words           differences, what to check, cautions
                         └─ numbers         columns of tables, pictures as SVG

write       the public function write_report: checks its arguments, renders the template
content     variables of the template: sections, heading, provenance
numbers     columns of the tables; pictures of PR curves with bands, of areas by resolution
words       differences between models, notes on each, cautions on samples, methods and metrics
"""

from prfast.report.write import write_report

__all__ = ["write_report"]
