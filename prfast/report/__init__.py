"""Reports: curves of several models -> one HTML file that asks for nothing (extra: report).

models ──► write ──► content ──► page ──► a file
           check     │           text, tables, data of the pictures, program, plotting library
                     ├─ curve.summary      numbers, a row each
                     ├─ comparison         their differences, and which are clear
                     ├─ plots.views        points on the exact curves, each with its λ
                     └─ words, cautions    sentences that follow from numbers by fixed rules

write       models -> a file
content     what the page shows
facts       the heading: day, features, sizes
bands       what the samples behind each curve prove
words       sentences: who misses more, who invents more, what is out of reach
cautions    what to know before believing the numbers
glossary    what every number on the page means, from the rows of numbers and of metrics
page        the HTML; sections, tables, text; page.css, page.js
"""

from prfast.report.write import write_report

__all__ = ["write_report"]
