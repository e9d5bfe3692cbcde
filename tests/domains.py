"""Source and target on a finite domain, and every divergence that bounds a risk."""

import numpy as np
from hypothesis import strategies as st

from prfast import PRCurve
from prfast.theory import phi_function
from prfast.theory.phi import KNOWN

TABLED = [*KNOWN, "tsallis:-1.5", "tsallis:0.3", "tsallis:2.5"]
ALL = [*TABLED, "tsallis:0", "tsallis:1"]
SEEDS = st.integers(0, 2**32 - 1)


def domains(rng, cells=8):
    """Return source and target masses on a finite domain, zeros among them."""
    p, q = (rng.dirichlet(np.full(cells, 0.7)) * (rng.random(cells) < 0.8) for _ in "pq")
    p[0] += 0.1
    q[rng.integers(cells)] += 0.1
    return p / p.sum(), q / q.sum()


def random_pair(seed):
    """Return a generator, two distributions drawn from it, and their curve."""
    rng = np.random.default_rng(seed)
    p, q = domains(rng)
    return rng, p, q, PRCurve.from_masses(p, q)


def largest_loss(name):
    """Return a loss in the domain of φ*, at most 1."""
    return min(1.0, 0.9 * phi_function(name).dual_at_zero) if name != "tv" else 1.0
