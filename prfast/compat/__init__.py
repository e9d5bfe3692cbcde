"""A drop-in: a function that people already call, by the same name and with the same arguments."""

from prfast.compat import prdc

__all__ = ["prdc"]
