"""What results have in common, whatever they are of.

values      names -> values, and how they were made: metrics, divergences, comparisons
info        how a result was made, a record that JSON keeps as it is; what several agree on
text        numbers in aligned columns, ∞ in text and in JSON
flat        numbers as loggers take them
html        tables and sentences for notebooks
frames      tables of pandas
version     of prfast and of the packages beside it
"""
