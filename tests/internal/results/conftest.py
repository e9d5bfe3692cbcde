"""Results say the same of fewer bootstrap samples."""

from helpers import few_draws  # noqa: F401
