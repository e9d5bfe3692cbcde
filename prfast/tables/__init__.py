"""Tables: data frames of numbers, categories, dates and missing cells, real and generated.

data frames ─► columns ─► encoding ─► prfast.Evaluator ─► comparison ─► text, plots, report
               kinds      arrays      curve, profile         │
                 └──────► attribution ───────────────────────┘
                          columns and pairs that differ

comparison   compare_tables: fidelity, diversity and a profile of each generated table, the
             columns and pairs of columns that differ, rows that give a model away, copies
attribution  held-out differences of single columns, and of the dependence of two
encoding     encode: tables as arrays of numbers, for all other functions
published    published_scores: numbers equal to those of SDMetrics and synthcity
columns      cells of data frames as numbers and levels; columns matched by name and kind
"""

from prfast.tables.attribution import ColumnDifference
from prfast.tables.comparison import compare_tables
from prfast.tables.encoding import Encoding, encode
from prfast.tables.published import PublishedScores, published_scores
from prfast.tables.results import TableComparison, TableEvaluation

__all__ = [
    "ColumnDifference",
    "Encoding",
    "PublishedScores",
    "TableComparison",
    "TableEvaluation",
    "compare_tables",
    "encode",
    "published_scores",
]
