"""The C library."""

from __future__ import annotations

from mutant import Mutant

C = [
    Mutant(
        "of equal scores the generated ones come first",
        "csrc/masses/sweep_counts.h",
        "        while (i < n && real[i] == t)\n",
        "        while (i < n && real[i] == t && (j >= m || fake[j] != t))\n",
        "kernels/test_kernels.py",
    ),
    Mutant(
        "of equal scores the real ones come first",
        "csrc/masses/sweep_counts.h",
        "        while (j < m && fake[j] == t)\n            j++;",
        "        while (j < m && fake[j] == t && i == i0)\n            j++;",
        "kernels/test_kernels.py",
        "a point above the hull: a cell without generated samples merges with the one behind it",
    ),
    Mutant(
        "D starts at the second feature",
        "csrc/distances/exact.c",
        "for (int64_t j = 0; j < refs->dim; j++)\n        for (int l",
        "for (int64_t j = refs->dim > 1; j < refs->dim; j++)\n        for (int l",
        "neighbors/test_distances.py",
    ),
    Mutant(
        "a reservoir keeps one tie too few",
        "csrc/distances/reservoir.c",
        "(r->hi[i] == r->tau && witnesses++ < k)",
        "(r->hi[i] == r->tau && witnesses++ < k - 1)",
        "neighbors/test_distances.py neighbors/test_blocks.py",
    ),
    Mutant(
        "a sum drops what it has lost",
        "csrc/arithmetic/compensated.h",
        "return s->sum + s->error;",
        "return s->sum;",
        "kernels/test_kernels.py::test_a_million_small_masses_keep_their_digits",
    ),
    Mutant(
        "a sum compensates the wrong summand",
        "csrc/arithmetic/compensated.h",
        "fabs(s->sum) >= fabs(x) ?",
        "fabs(s->sum) < fabs(x) ?",
        "kernels/test_kernels.py::test_a_million_small_masses_keep_their_digits",
    ),
    Mutant(
        "of equal ratios the larger λ counts in a minimum",
        "csrc/masses/minsum.c",
        "at[c] = (base[c] - lam) + (*base[c] <= r[c]);",
        "at[c] = (base[c] - lam) + (*base[c] < r[c]);",
        "kernels/test_kernels.py",
    ),
    Mutant(
        "open balls are closed in C",
        "csrc/distances/exact.h",
        "return closed ? d2 <= t : d2 < t;",
        "return closed >= 0 ? d2 <= t : d2 < t;",
        "neighbors/test_distances.py",
    ),
    Mutant(
        "a sample within a set meets itself",
        "csrc/engine/symmetric.h",
        "return i < ref ? ~0u : i + 1 - ref < NR ? ~0u << (i + 1 - ref) : 0u;",
        "return i < ref ? ~0u : i - ref < NR ? ~0u << (i - ref) : 0u;",
        "neighbors/test_hostile_sets.py",
    ),
    Mutant(
        "float32 rows are centered twice",
        "csrc/filter/pack.c",
        "(x - pass->center[j]) * pass->scale",
        "(x - 2.0 * pass->center[j]) * pass->scale",
        "neighbors/test_filter.py neighbors/test_distances.py",
    ),
    Mutant(
        "the float32 bound forgets the dot product",
        "csrc/filter/bound.c",
        "bound.kappa = d * epsilon / (1.0 - d * epsilon) + 16.0 * epsilon;",
        "bound.kappa = 16.0 * epsilon;",
        "neighbors/test_filter.py",
    ),
    Mutant(
        "an int8 row errs by 1 % less than it does",
        "csrc/filter/rotate.h",
        "error = sqrt(error) * (1.0 + 0x1p-32)",
        "error = sqrt(error) * 0.99",
        "neighbors/test_int8.py",
    ),
    Mutant(
        "an int8 ball reaches 1 % less far",
        "csrc/filter/int8.c",
        "double g = sqrt(reach_of(b, t)) * (1.0 + 0x1p-50)",
        "double g = sqrt(reach_of(b, t)) * 0.99",
        "neighbors/test_int8.py",
    ),
    Mutant(
        "an int8 bound by Cauchy and Schwarz is 1 % too tight",
        "csrc/filter/int8.c",
        "*lo = norms * (1.0 - NORM_WIDE) - 2.0 * product - spread;",
        "*lo = norms * (1.0 - NORM_WIDE) - 2.0 * product - 0.99 * spread;",
        "neighbors/test_int8.py",
    ),
    Mutant(
        "unrefined keys are taken to be a tenth less wide than they are",
        "csrc/engine/unrefined.h",
        "return 2.0 * spread * (1.0 + 0x1p-40)",
        "return 1.8 * spread * (1.0 + 0x1p-40)",
        "neighbors/test_unrefined_keys.py",
    ),
    Mutant(
        "what is unrefined counts as inside the other set's ball",
        "csrc/engine/finish.h",
        "            status = want_unrefined(f, i, set, certain, &across[at]);\n",
        "            (void)want_unrefined;\n",
        "neighbors/test_unrefined_keys.py",
    ),
]
