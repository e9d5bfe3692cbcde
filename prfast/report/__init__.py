"""Reports: curves of several models -> one HTML file that asks for nothing (extra: report).

    write      models -> what the page shows -> a file
    words      sentences that follow from numbers by fixed rules, and cautions
    lines      points on the exact curves in every view, each with its λ
    page       escaped text, tables, the program and the plotting library in one file

How far numbers move if other samples are drawn is `estimate.redraw`.
"""

from prfast.report.write import write_report

__all__ = ["write_report"]
