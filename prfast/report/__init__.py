"""Reports on several models as one self-contained HTML file (extra: report).

models ──► write ──► content ──► page ──► file
           check     │           text, tables, data of the plots, program, plotting library
                     ├─ curve.summary      numbers, a row each
                     ├─ comparison         their differences, and which are clear
                     ├─ plots.pr           points on the exact curves, each with its λ
                     └─ words, cautions    sentences that follow from numbers by fixed rules

write       the public function write_report
content     content of the page: numbers, points, bands, heading, provenance
words       sentences that compare models; glossary of every number on the page
cautions    cautions on samples, methods and metrics; tables and escaped text of the page
page        the HTML, with page.css and page.js
"""

from prfast.report.write import write_report

__all__ = ["write_report"]
