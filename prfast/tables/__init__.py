"""Tables: data frames of numbers, categories, dates and missing cells, real and generated.

encoding     encode: tables as arrays of numbers, for all other functions
published    published_scores: numbers equal to those of SDMetrics and synthcity
columns      cells of data frames as numbers and levels; columns matched by name and kind
"""

from prfast.tables.encoding import Encoding, encode
from prfast.tables.published import PublishedScores, published_scores

__all__ = ["Encoding", "PublishedScores", "encode", "published_scores"]
