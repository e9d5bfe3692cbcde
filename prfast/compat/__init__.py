"""Drop-ins: functions that people already call, by the same names and with the same arguments.

    from prfast.compat.prdc import compute_prdc          # prdc: (real, fake)
    from prfast.compat import prd_score as prd           # the 2018 code: (eval, ref)

Values are those of the originals; each docstring lists what differs.
"""

from prfast.compat import prd_score, prdc

__all__ = ["prd_score", "prdc"]
