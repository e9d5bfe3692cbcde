"""Reports on several models as one self-contained HTML file (extra: report)."""

from prfast.report.write import write_report

__all__ = ["write_report"]
