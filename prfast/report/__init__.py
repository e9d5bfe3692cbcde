"""Reports on several models as one self-contained HTML file (extra: report).

    models ──► write ──► content ──► page.html.jinja ──► file
               check     │           with page.css, page.js and the plotting library
                         ├─ curve.summary   numbers, a row each
                         ├─ comparison      their differences, and which are clear
                         ├─ points          points on the exact curves, each with its λ
                         └─ words           sentences that follow from numbers by fixed rules

write       the public function write_report: checks its arguments, renders the template
content     variables of the template: numbers, points, bands, heading, provenance
points      points of the views, and the text beside each
words       sentences that compare models, and cautions on samples, methods and metrics
"""

from prfast.report.write import write_report

__all__ = ["write_report"]
