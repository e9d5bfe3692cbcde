"""Weights and groups of samples."""

TABLE = """
@@ prfast/samples/pair.py public/test_weights.py
# effective sizes of weights are the numbers of samples
-int(W.sum() ** 2 / (W**2).sum() * (1 + 1e-12))
+W.size
# weights for fits do not have the effective size
= the sizes decide penalties of fits, which tests of curves do not resolve
-w * (size / w.sum())
+w * (len(w) / w.sum())
# a split ignores groups
-self.partition(ends, seed, "split", equal_apart=True)
+self.rows_alone().partition(ends, seed, "split", equal_apart=True)
# folds ignore groups
-units = joined_units(np.concatenate(self.groups), units, len(self.real))
+pass

@@ prfast/samples/partition.py public/test_weights.py
# cells of samples do not follow their weights
-middle = (ends - 0.5 * weights[order]) / ends[-1]
+middle = (np.arange(len(order)) + 0.5) / len(order)
# systematic draws ignore the weights
-    ends = np.cumsum(weights)
-    points
+    ends = np.arange(1.0, len(weights) + 1)
+    points

@@ prfast/samples/samples.py public/test_weights.py public/test_contract.py
# weights depend on their scale
-weights=None if are_equal else w / w.max()
+weights=None if are_equal else w
# samples of weight 0 keep their place
-return samples if kept.all() else samples.take(kept)
+return samples
# rows are numbered among those of positive weight
-rows=self.rows[at], merged=merged, **taken
+rows=None, merged=merged, **taken

@@ prfast/methods/table.py public/test_weights.py
# methods without weights ignore them
-if pair.weighted and not method.takes_weights:
+if False:

@@ prfast/methods/base.py public/test_weights.py
# the curve of a method ignores the weights
-cells = of_scores(values, pair.masses)
+cells = of_scores(values)

@@ prfast/samples/pair.py internal/samples/test_pair.py
# all samples of groups are fitted to
-first = order[np.unique(units[order], return_index=True)[1]]
+first = order
# the first sample of a group is fitted to
-order = drawn.permutation(len(units)) if self.is_grouped else np.arange(len(units))
+order = np.arange(len(units))

@@ prfast/scalars/table.py public/test_weights.py
# metrics ignore weights
-weights = dict(zip(SETS, pair.masses, strict=True)) if pair.weighted else {}
+weights = {}
# metrics have the weights of the other set
-weights.get(row.over)
+weights.get(row.around)
# density counts samples with weights
-row.kind in ("any", "none") or SETS[1 - SETS.index(row.over)] not in weighted
+True

@@ prfast/methods/classifier.py public/test_weights.py
# classifiers ignore weights
-arguments = points, labels, pair.mean_weights, self._decay
+arguments = points, labels, None, self._decay

@@ prfast/methods/kmeans.py public/test_weights.py
# cells of k-means ignore weights
-np.bincount(cell, w, self.clusters) / w.sum()
+np.bincount(cell, minlength=self.clusters) / len(w)

@@ prfast/estimate/intervals.py public/test_weights.py
# draws of weighted cells have one weight
-weights[i] = np.divide(mass, masses[i], out=np.zeros(mass.size), where=masses[i] > 0)
+weights[i] = np.ones(mass.size)

@@ prfast/samples/record.py public/test_weights.py
# groups do not count in the cells
-spread = np.bincount(cell, w * np.bincount(u, w)[u], len(mass))
+spread = np.bincount(cell, w * w, len(mass))
# effective numbers are not swapped
-return (fake[::-1], real[::-1]) if self.swapped else (real, fake)
+return real, fake

@@ prfast/cli/files.py system/cli/test_printed.py
# weights are features
-left_out = (*(drop or ()), *(x for x in (weight, group) if x)) or None
+left_out = drop
# weights of real samples are those of generated ones
-[columns[0], *columns[-1:] * (len(files) - 1)]
+columns[-1:] * len(files)

@@ prfast/estimate/two_sample.py public/test_two_sample_test.py
# fits of a test do not see weights and groups
-scored.take(*trained).alone(are_draws=True)
+scored.take(*trained).rows_alone()
# fits of a test count a row that repeats once
-alone(are_draws=True)
+alone()

@@ prfast/samples/pair.py public/test_two_sample_test.py internal/samples/test_divisions.py
# samples of a group are tested alike
-order = np.argsort(rng.exponential(size=len(w)) / w)
+order = np.argsort(rng.exponential(size=len(w)))
# the first sample of a group is tested
-order = np.argsort(rng.exponential(size=len(w)) / w)
+order = np.arange(len(w))
# all samples with weights are tested
-rng.random(len(first)) < total / total.max()
+rng.random(len(first)) < 2

@@ prfast/scalars/halves.py internal/comparison/test_evaluator_weights.py
# halves cut groups
-pair.partition(2, seed, f"halving {i}", equal_apart=True)
+pair.rows_alone().partition(2, seed, f"halving {i}", equal_apart=True)

@@ prfast/estimate/intervals.py internal/comparison/test_evaluator_weights.py
# draws of models ignore groups
-size * rng.random(size), side="right")
+size * rng.random(len(order)), side="right")

@@ prfast/comparison/reference.py public/test_evaluator_ways.py
# references with other weights are the same
-            if numbers is not None:
-                value =
+            if False:
+                value =

@@ prfast/comparison/classes.py public/test_by_class.py
# shares of classes have the error of independent samples
-np.bincount(unit, w * (is_in_class - share))
+np.bincount(np.arange(len(w)), w * (is_in_class - share))
"""
