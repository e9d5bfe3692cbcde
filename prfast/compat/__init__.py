"""Drop-ins: functions that people already call, by the same names and with the same arguments."""

from prfast.compat import prd_score, prdc

__all__ = ["prd_score", "prdc"]
