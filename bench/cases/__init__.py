"""A file a case; see the docstring of `bench`."""
