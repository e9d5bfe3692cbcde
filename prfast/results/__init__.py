"""Base classes and formatting of all results; their renderers by class; the record of a result."""
