"""Tables: data frames of numbers, categories, dates and missing cells, real and generated.

    prfast.inputs.frames ─► encoding ─► curve, profile, copies ─► comparison ─► results
              └───► prfast.estimate.attribution: columns that differ ──┘

encoding: `encode`, tables as arrays; comparison: `compare_tables`; results: sentences and reports.
"""

from prfast.estimate.attribution import ColumnDifference
from prfast.tables.comparison import compare_tables
from prfast.tables.encoding import Encoding, encode
from prfast.tables.results import TableComparison, TableEvaluation

__all__ = [
    "ColumnDifference",
    "Encoding",
    "TableComparison",
    "TableEvaluation",
    "compare_tables",
    "encode",
]
