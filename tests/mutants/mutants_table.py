"""What is broken on purpose, a row each: one idea of the package the other way round."""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    what: str
    file: str
    """Of the package, or of the C library, which is then built again."""
    right: str
    """A text of the file that is there once."""
    wrong: str
    tests: str
    """Files and folders of tests/, of which one has to fail."""


P, S, M = "prfast/curve/polyline.py", "prfast/scorers", "prfast/metrics"
MUTANTS = [
    # ---- ties, self, sides ----
    Mutant(
        "a closed ball is open",
        "prfast/balls/thresholds.py",
        "return d2 <= t if closed else d2 < t",
        "return d2 < t",
        "metrics scorers",
    ),
    Mutant(
        "an open ball is closed",
        "prfast/balls/thresholds.py",
        "return d2 <= t if closed else d2 < t",
        "return d2 <= t",
        "metrics scorers",
    ),
    Mutant(
        "a mean radius is compared by its square",
        "prfast/balls/thresholds.py",
        "while math.sqrt(t) > radius:",
        "while False:",
        "scorers balls",
    ),
    Mutant(
        "the k-th neighbour is the next one",
        "prfast/scorers/passes.py",
        "x, y = (search.kth_within(points, ks)",
        "x, y = (search.kth_within(points, [k + 1 for k in ks])",
        "scorers",
    ),
    Mutant(
        "a scored point is its own neighbour, asked not to be",
        f"{S}/passes.py",
        "task.rows -= own(task.ref_t, closed)",
        "pass",
        "scorers",
    ),
    Mutant(
        "0/0 is no tie",
        f"{S}/passes.py",
        "return np.where((a == 0) & (b == 0), 1.0, quotient)",
        "return np.where((a == 0) & (b == 0), 0.0, quotient)",
        "scorers",
    ),
    Mutant(
        "counts are not shares of their sets",
        f"{S}/passes.py",
        "quotient = (a * float(m)) / (b * float(n))",
        "quotient = a / (b * 1.0)",
        "scorers",
    ),
    Mutant(
        "the split's halves are exchanged for one set",
        "prfast/estimate/split.py",
        "parts += [np.sort(order[:train]), np.sort(order[train:])]",
        "parts += [np.sort(order[train:]), np.sort(order[:train])]",
        "estimate scorers",
    ),
    Mutant(
        "the Bernoulli split sends both of a pair to one side",
        "prfast/estimate/split.py",
        "real, fake = coin[:n], ~coin[:m]",
        "real, fake = coin[:n], coin[:m]",
        "estimate scorers",
    ),
    Mutant(
        "⌊√n⌋ is rounded up",
        f"{S}/neighbors.py",
        "return max(1, math.isqrt(len(real)))",
        "return 1 + math.isqrt(len(real))",
        "scorers",
    ),
    # ---- one object ----
    Mutant(
        "a constant classifier is dropped",
        "prfast/curve/cells.py",
        "fpr = np.concatenate([[0.0], fpr, [1.0]])\n    fnr = np.concatenate([[1.0], fnr, [0.0]])",
        "fpr = np.concatenate([fpr, [1.0]])\n    fnr = np.concatenate([fnr, [0.0]])",
        "curve",
    ),
    Mutant(
        "of equal fpr the highest counts",
        "prfast/curve/cells.py",
        "order = np.lexsort((-fnr, fpr))",
        "order = np.lexsort((fnr, fpr))",
        "curve",
    ),
    Mutant(
        "contains forgives 1e-7",
        P,
        "ON_CURVE = 1 + ROUNDING",
        "ON_CURVE = 1 + 1e-7",
        "curve",
    ),
    Mutant(
        "contains forgives nothing",
        P,
        "ON_CURVE = 1 + ROUNDING",
        "ON_CURVE = 1 - 1e-12",
        "curve",
    ),
    Mutant(
        "β and 1/β are exchanged",
        P,
        "    if beta < 1:\n        w, v = v, w",
        "    if beta > 1:\n        w, v = v, w",
        "curve",
    ),
    Mutant(
        "the square of β is left out",
        P,
        "square = min(beta, 1 / beta) ** 2",
        "square = min(beta, 1 / beta)",
        "curve",
    ),
    Mutant(
        "precision at λ of the next vertex",
        P,
        'i = np.searchsorted(-r, -lam, side="left")',
        'i = np.searchsorted(-r, -lam, side="right")',
        "curve",
    ),
    Mutant(
        "the largest recall is not asked at λ = 0",
        P,
        "return np.minimum(precision, max_precision), np.minimum(recall, max_recall)",
        "return np.minimum(precision, max_precision), np.minimum(recall, 1.0)",
        "curve",
    ),
    Mutant(
        "a sector is a half of what it is",
        "prfast/curve/arcs.py",
        "return 0.5 * (steep + bend + flat)",
        "return 0.5 * (steep + bend / 2 + flat)",
        "curve",
    ),
    Mutant(
        "the median's ray is at a third of the area",
        "prfast/curve/arcs.py",
        "np.searchsorted(swept, swept[-1] / 2)",
        "np.searchsorted(swept, swept[-1] / 3)",
        "curve",
    ),
    Mutant(
        "the median of no area is 0",
        "prfast/curve/arcs.py",
        "    if swept[-1] == 0:\n        return 1.0",
        "    if swept[-1] == 0:\n        return 0.0",
        "curve",
    ),
    Mutant(
        "total variation is not halved",
        "prfast/curve/cells.py",
        "return min(1.0, 0.5 * float(difference) / total_p / total_q)",
        "return min(1.0, float(difference) / total_p / total_q)",
        "curve",
    ),
    Mutant(
        "swap keeps the order of ratios",
        "prfast/curve/masses.py",
        "return self._from_pooled(self._q[::-1].copy(), self._p[::-1].copy(), info)",
        "return self._from_pooled(self._q.copy(), self._p.copy(), info)",
        "curve",
    ),
    Mutant(
        "fidelity at λ = 10",
        "prfast/curve/readings.py",
        "def fidelity(self, excess: float = 20.0)",
        "def fidelity(self, excess: float = 10.0)",
        "curve",
    ),
    Mutant(
        "a lower bound is the upper one",
        "prfast/curve/proved.py",
        "hull._of_bounds(lower_rates(p, q, delta / 2, bound), told",
        "hull._of_bounds(upper_rates(p, q, delta / 2, bound), told",
        "curve",
    ),
    Mutant(
        "a bound spends all doubt on each side",
        "prfast/curve/bands.py",
        "np.minimum(1.0, counts / n + math.sqrt(math.log(1 / delta) / (2 * n)))",
        "np.minimum(1.0, counts / n + math.sqrt(math.log(0.5 / delta) / (2 * n)))",
        "curve",
    ),
    Mutant(
        "F jumps before t = 1",
        "prfast/tradeoffs.py",
        "last = vertices.t.size - int(np.isinf(self._curve.vertices.ratio[1:]).sum())",
        "last = vertices.t.size",
        "test_tradeoffs.py",
    ),
    Mutant(
        "the conjugate is taken at the next vertex",
        "prfast/tradeoffs.py",
        'i = np.searchsorted(slopes, flat, side="right")\n        with',
        'i = np.searchsorted(slopes, flat, side="right") * 0\n        with',
        "test_tradeoffs.py",
    ),
    # ---- scorers ----
    Mutant(
        "nine runs of k-means",
        f"{S}/partition.py",
        "runs: int = 10,",
        "runs: int = 9,",
        "scorers estimate",
    ),
    Mutant(
        "21 cells of k-means",
        f"{S}/partition.py",
        "clusters: int = 20,",
        "clusters: int = 21,",
        "scorers estimate",
    ),
    Mutant(
        "the larger set decides the cells",
        f"{S}/partition.py",
        "if self.balance and n != m:",
        "if False:",
        "scorers",
    ),
    Mutant(
        "the ensemble's mean instead of its median",
        f"{S}/classifier.py",
        "return np.median(self._scaled(points)",
        "return np.mean(self._scaled(points)",
        "scorers",
    ),
    Mutant(
        "one seed for all classifiers",
        f"{S}/classifier.py",
        "self.weight_decay, int(seed)) for seed in seeds]",
        "self.weight_decay, int(seeds[0])) for seed in seeds]",
        "scorers",
    ),
    # ---- metrics ----
    Mutant(
        "one pair more is needed",
        f"{M}/shares.py",
        "return Share(pairs >= 1)",
        "return Share(pairs >= 2)",
        "metrics",
    ),
    Mutant(
        "density is not divided by k",
        f"{M}/shares.py",
        "return Share(pairs, k)",
        "return Share(pairs, 1)",
        "metrics",
    ),
    Mutant(
        "cover asks for one pair more",
        f"{M}/shares.py",
        "return Share(pairs >= wanted.cover_k)",
        "return Share(pairs > wanted.cover_k)",
        "metrics",
    ),
    Mutant(
        "recall is coverage",
        f"{M}/table.py",
        '    "recall": Row(\n        "real",\n        "fake",',
        '    "recall": Row(\n        "real",\n        "real",',
        "metrics",
    ),
    Mutant(
        "realism keeps the wide balls",
        f"{M}/realism.py",
        "d2[radii > np.median(radii)] = -1.0",
        "d2[radii > np.inf] = -1.0",
        "metrics",
    ),
    Mutant(
        "the kernel's own pairs count",
        f"{M}/sums.py",
        "        if same:\n            np.fill_diagonal(k, 0.0)",
        "        if False:\n            pass",
        "metrics",
    ),
    Mutant(
        "covariances are divided by n",
        f"{M}/moments.py",
        "return Moments(mean, factor / math.sqrt(n - 1))",
        "return Moments(mean, factor / math.sqrt(n))",
        "metrics",
    ),
    # ---- C ----
    Mutant(
        "equal scores are two thresholds",
        "csrc/masses/sweep_counts.h",
        "        while (j < m && fake[j] == t)\n            j++;",
        "        while (j < m && fake[j] == t && i == i0)\n            j++;",
        "kernels curve",
    ),
    Mutant(
        "D starts at the second feature",
        "csrc/balls/exact.c",
        "for (int64_t j = 0; j < refs->dim; j++)\n        for (int l",
        "for (int64_t j = refs->dim > 1; j < refs->dim; j++)\n        for (int l",
        "balls",
    ),
    Mutant(
        "a reservoir keeps one tie too few",
        "csrc/balls/reservoir.c",
        "(r->hi[i] == r->tau && witnesses++ < k)",
        "(r->hi[i] == r->tau && witnesses++ < k - 1)",
        "balls",
    ),
]
