"""Weights and groups of samples."""

TABLE = """
@@ public/test_weights.py
# prfast/samples/pair.py: effective sizes of weights are the numbers of samples
~«int(W.sum() ** 2 / (W**2).sum() * (1 + 1e-12)) → W.size»
# prfast/samples/pair.py: a split ignores groups
~«self.partition → self.rows_alone().partition»(ends, seed, "split", equal_apart=True)
# prfast/samples/pair.py: folds ignore groups
~«units = joined_units(np.concatenate(self.groups), units, len(self.real)) → pass»
# prfast/samples/partition.py: cells of samples do not follow their weights
~middle = «(ends - 0.5 * weights[order]) / ends[-1] → (np.arange(len(order)) + 0.5) / len(order)»
# prfast/samples/partition.py: systematic draws ignore the weights
-    ends = np.cumsum(weights)
-    points
+    ends = np.arange(1.0, len(weights) + 1)
+    points
# prfast/methods/table.py: methods without weights ignore them
~if «pair.weighted and not method.takes_weights → False»:
# prfast/methods/base.py: the curve of a method ignores the weights
~cells = of_scores(«values, pair.masses → values»)
# prfast/scalars/table.py: metrics ignore weights
~weights = «dict(zip(SETS, pair.masses, strict=True)) if pair.weighted else {} → {}»
# prfast/scalars/table.py: metrics have the weights of the other set
~weights.get(«row.over → row.around»)
# prfast/scalars/table.py: density counts samples with weights
~«row.kind in ("any", "none") or SETS[1 - SETS.index(row.over)] not in weighted → True»
# prfast/methods/classifier.py: classifiers ignore weights
~arguments = points, labels, «pair.mean_weights → None», self._decay
# prfast/methods/kmeans.py: cells of k-means ignore weights
~np.bincount«(cell, w, self.clusters) / w.sum() → (cell, minlength=self.clusters) / len(w)»
# prfast/estimate/intervals.py: draws of weighted cells have one weight
-weights[i] = np.divide(mass, masses[i], out=np.zeros(mass.size), where=masses[i] > 0)
+weights[i] = np.ones(mass.size)
# prfast/samples/record.py: groups do not count in the cells
~spread = np.bincount(cell, w * «np.bincount(u, w)[u] → w», len(mass))
# prfast/samples/record.py: effective numbers are not swapped
~return «(fake[::-1], real[::-1]) if self.swapped else (real, fake) → real, fake»
# prfast/estimate/intervals.py: what a hull has lost counts once, not four times
~LOST = «4.0 → 1.0»

@@ public/test_weights.py public/test_contract.py
# prfast/samples/samples.py: weights depend on their scale
~weights=None if are_equal else «w / w.max() → w»
# prfast/samples/samples.py: samples of weight 0 keep their place
~return «samples if kept.all() else samples.take(kept) → samples»
# prfast/samples/samples.py: rows are numbered among those of positive weight
~rows=«self.rows[at] → None», merged=merged, **taken

@@ internal/samples/test_pair.py
# prfast/samples/pair.py: all samples of groups are fitted to
~first = «order[np.unique(units[order], return_index=True)[1]] → order»
# prfast/samples/pair.py: the first sample of a group is fitted to
~order = «drawn.permutation(len(units)) if self.is_grouped else np.arange → np.arange»(len(units))

@@ system/cli/test_printed.py
# prfast/cli/files.py: weights are features
~left_out = «(*(drop or ()), *(x for x in (weight, group) if x)) or None → drop»
# prfast/cli/files.py: weights of real samples are those of generated ones
~«[columns[0], *columns[-1:] * (len(files) - 1)] → columns[-1:] * len(files)»

@@ public/test_two_sample_test.py
# prfast/estimate/two_sample.py: fits of a test do not see weights and groups
~scored.take(*trained)«.alone → .rows_alone»()

@@ public/test_two_sample_test.py internal/samples/test_divisions.py
# prfast/samples/pair.py: samples of a group are tested alike
~order = np.argsort(rng.exponential«(size=len(w)) / w → (size=len(w))»)
# prfast/samples/pair.py: all samples with weights are tested
~rng.random(len(first)) < «total / total.max() → 2»

@@ internal/comparison/test_evaluator_weights.py
# prfast/scalars/halves.py: halves cut groups
~«pair.partition → pair.rows_alone().partition»(2, seed, f"halving {i}", equal_apart=True)
# prfast/estimate/intervals.py: draws of models ignore groups
~size * rng.random(«size → len(order)»), side="right")
# prfast/comparison/reference.py: references with other weights are the same
-            if numbers is not None:
-                value =
+            if False:
+                value =

@@ public/test_by_class.py
# prfast/comparison/classes.py: shares of classes have the error of independent samples
~np.bincount(«unit → np.arange(len(w))», w * (is_in_class - share))
"""
