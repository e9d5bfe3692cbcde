"""Tables: data frames of numbers, categories, dates and missing cells, real and generated.

encoding     encode: tables as arrays of numbers, for all other functions
columns      cells of data frames as numbers and levels; columns matched by name and kind
"""

from prfast.tables.encoding import Encoding, encode

__all__ = ["Encoding", "encode"]
