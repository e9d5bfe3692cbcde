"""Ties, self and sides of neighbors; what scorers do; which samples train."""

from __future__ import annotations

from mutant import Mutant

NEIGHBORS = [
    Mutant(
        "a closed ball is open",
        "prfast/neighbors/tasks.py",
        "return d2 <= t if closed else d2 < t",
        "return d2 < t",
        "methods/test_neighbors.py::test_pr_curves_equals_pr_curve",
    ),
    Mutant(
        "an open ball is closed",
        "prfast/neighbors/tasks.py",
        "return d2 <= t if closed else d2 < t",
        "return d2 <= t",
        "methods/test_neighbors.py::test_pr_curves_equals_pr_curve",
    ),
    Mutant(
        "a radius is compared by its square",
        "prfast/neighbors/tasks.py",
        "t = radius * radius\n",
        "return radius * radius\n",
        "methods/test_neighbors.py::test_ties_at_a_mean_radius_are_ties_of_distances",
    ),
    Mutant(
        "a radius is compared by a square that is rounded up",
        "prfast/neighbors/tasks.py",
        "while math.sqrt(t) > radius:",
        "while False:",
        "methods/test_neighbors.py::test_squared_radius_compares_as_the_radius_does",
    ),
    Mutant(
        "the k-th neighbor is the next one",
        "prfast/methods/neighbors.py",
        "x, y = (self._search.kth_within(points, ks)",
        "x, y = (self._search.kth_within(points, [k + 1 for k in ks])",
        "methods/test_neighbors.py::test_scores_are_those_of_the_definition",
    ),
    Mutant(
        "a scored point is its own neighbor, asked not to be",
        "prfast/methods/neighbors.py",
        "task.rows -= own_count(task.ref_t, closed)",
        "pass",
        "methods/test_neighbors.py::test_pr_curves_equals_pr_curve",
    ),
    Mutant(
        "0/0 is no tie",
        "prfast/methods/neighbors.py",
        "return np.where((a == 0) & (b == 0), 1.0, quotient)",
        "return np.where((a == 0) & (b == 0), 0.0, quotient)",
        "methods/test_neighbors.py::test_ratios_keep_ties_and_the_empty_case",
    ),
    Mutant(
        "counts are not shares of their sets",
        "prfast/methods/neighbors.py",
        "quotient = (a * float(m)) / (b * float(n))",
        "quotient = a / (b * 1.0)",
        "methods/test_neighbors.py::test_ratios_keep_ties_and_the_empty_case",
    ),
    Mutant(
        "⌊√n⌋ is rounded up",
        "prfast/methods/neighbors.py",
        "return max(1, math.isqrt(len(real)))",
        "return 1 + math.isqrt(len(real))",
        "methods/test_neighbors.py::test_the_default_k_is_the_root_of_the_training_samples",
    ),
    Mutant(
        "a sample is its own neighbor in a tree",
        "prfast/neighbors/indexes.py",
        "d2[index == np.arange(own, own + len(index))[:, None]] = np.inf",
        "pass",
        "neighbors/test_tasks.py",
    ),
    Mutant(
        "a duplicate is the sample itself",
        "prfast/neighbors/indexes.py",
        "d2[index == np.arange(own, own + len(index))[:, None]] = np.inf",
        "d2[d2 == 0.0] = np.inf",
        "neighbors/test_tasks.py",
    ),
    Mutant(
        "counts of both sets are exchanged",
        "prfast/methods/neighbors.py",
        "scores[method, k] = ratio(a, b, len(real), len(fake))",
        "scores[method, k] = ratio(b, a, len(fake), len(real))",
        "methods/test_neighbors.py::test_scores_are_those_of_the_definition",
    ),
]

SCORERS = [
    Mutant(
        "nine runs of k-means",
        "prfast/methods/kmeans.py",
        "runs: int = 10,",
        "runs: int = 9,",
        "methods/test_partition.py",
    ),
    Mutant(
        "21 cells of k-means",
        "prfast/methods/kmeans.py",
        "clusters: int = 20,",
        "clusters: int = 21,",
        "methods/test_partition.py",
    ),
    Mutant(
        "the larger set decides the cells",
        "prfast/methods/kmeans.py",
        "if self.balance and n != m:",
        "if False:",
        "methods/test_partition.py",
    ),
    Mutant(
        "the ensemble's mean instead of its median",
        "prfast/methods/classifier.py",
        "return np.median(self._scaled(points)",
        "return np.mean(self._scaled(points)",
        "methods/test_classifier.py",
    ),
    Mutant(
        "one seed for all classifiers",
        "prfast/methods/classifier.py",
        "self._decay, int(seed)) for seed in seeds]",
        "self._decay, int(seeds[0])) for seed in seeds]",
        "methods/test_classifier.py",
    ),
    Mutant(
        "one seed for all runs of k-means",
        "prfast/methods/kmeans.py",
        "self.clusters, int(seed)) for seed in seeds]",
        "self.clusters, int(seeds[0])) for seed in seeds]",
        "methods/test_partition.py",
    ),
    Mutant(
        "folds are fitted to what they score",
        "prfast/methods/auto/sample.py",
        "np.flatnonzero((self.fitted_fold != fold) & (self.fitted_real == real))",
        "np.flatnonzero((self.fitted_fold >= 0) & (self.fitted_real == real))",
        "methods/auto/test_auto_bases.py methods/auto/test_auto_estimator.py",
    ),
    Mutant(
        "repeated generated samples cover as much as distinct ones",
        "prfast/inputs/samples.py",
        "return min(1.0, len(fake) / (m * min(expected, len(real) / n)))",
        "return 1.0",
        "methods/auto/test_auto_equal_rows.py",
    ),
    Mutant(
        "copies in the real set make it discrete",
        "prfast/inputs/samples.py",
        "distinct == 1 or self.copied > COPIED * m",
        "True",
        "methods/auto/test_auto_equal_rows.py",
    ),
]

SPLITS = [
    Mutant(
        "the split's halves are exchanged for one set",
        "prfast/methods/base.py",
        "parts += [np.sort(order[:train]), np.sort(order[train:])]",
        "parts += [np.sort(order[train:]), np.sort(order[:train])]",
        "estimate/test_split.py",
    ),
    Mutant(
        "the Bernoulli split sends both of a pair to one side",
        "prfast/methods/base.py",
        "real, fake = coin[:n], ~coin[:m]",
        "real, fake = coin[:n], coin[:m]",
        "estimate/test_split.py",
    ),
    Mutant(
        "a sample is trained on and scored",
        "prfast/methods/base.py",
        "np.sort(order[train:])]",
        "np.sort(order[train - 1 :])]",
        "estimate/test_split.py",
    ),
    Mutant(
        "the seed of a split is ignored",
        "prfast/methods/base.py",
        'share = read_share("split", share)\n    rng = stream(seed, "split")',
        'share = read_share("split", share)\n    rng = stream(0, "split")',
        "estimate/test_split.py",
    ),
    Mutant(
        "both sets are split by one draw",
        "prfast/methods/base.py",
        "order = rng.permutation(size)",
        'order = stream(seed, "split").permutation(size)',
        "estimate/test_split.py",
    ),
]

TESTS = [
    Mutant(
        "two-sample test: the fit has seen the samples that it scores",
        "prfast/estimate/two_sample.py",
        "yield between(0.0, start), between(start, end)",
        "yield between(0.0, end), between(start, end)",
        "estimate/test_two_sample.py",
    ),
    Mutant(
        "two-sample test: copies of a sample are in several stages",
        "prfast/estimate/two_sample.py",
        "np.arange(size) if equal.discrete else equal.group",
        "np.arange(size)",
        "estimate/test_two_sample.py",
    ),
    Mutant(
        "two-sample test: the assignment of labels itself is left out",
        "prfast/estimate/two_sample.py",
        "return (1 + as_large) / (1 + len(sums))",
        "return as_large / len(sums)",
        "estimate/test_two_sample.py",
    ),
    Mutant(
        "two-sample test: stages have equal weights",
        "prfast/estimate/two_sample.py",
        "np.sqrt(max(min(self.trained), 1) * min(self.tested))",
        "1.0",
        "estimate/test_two_sample.py",
    ),
    Mutant(
        "two-sample test: samples of a group are permuted one by one",
        "prfast/estimate/two_sample.py",
        "which = np.unique(one.unit, return_inverse=True)[1]",
        "which = np.arange(len(one.unit))",
        "estimate/test_two_sample.py",
    ),
    Mutant(
        "new points are scored by the first fold alone",
        "prfast/methods/auto/model.py",
        "            for fold in range(sample.folds):\n                block.fold",
        "            for fold in [0] * sample.folds:\n                block.fold",
        "methods/auto/test_auto_estimator.py",
    ),
    Mutant(
        "the curve of a part has the scores of all samples",
        "prfast/methods/base.py",
        "curve._made_of(self.work, self if is_all else None)",
        "curve._made_of(self.work, self)",
        "methods/test_methods.py",
    ),
]
