"""Base classes and formatting shared by all results.

values      mappings of names to values, records with columns, and their text, HTML, pandas and
            logger forms
registry    functions that plot, explain and report results, by class and verb
info        the record of how a result was made, as JSON, and versions of packages
"""
