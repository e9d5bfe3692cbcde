"""Tables: data frames of numbers, categories, dates and missing cells, real and generated.

    data frames ─► columns ─► encoding ─► prfast.Evaluator ─► comparison ─► results
                   kinds      arrays      curve, profile         │          text, plots, report
                     └──────► attribution ───────────────────────┘
                              columns and pairs that differ

Columns are read by `prfast.inputs.frames`; attribution is `prfast.estimate.attribution`.  Every
model has an encoding with the real rows alone, so that its numbers depend on no other model.

    comparison   compare_tables: curve, profile, columns that differ, extreme rows, copies
    results      TableEvaluation, TableComparison: sentences, text, plots, report
    encoding     encode: tables as arrays of numbers, for all other functions
    encoders     what becomes of a column, by its kind
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
