"""Weights and groups of samples."""

TABLE = """
@@ prfast/inputs/samples.py estimate/test_weights.py
# effective sizes of weights are the numbers of samples
-int(W.sum() ** 2 / (W**2).sum() * (1 + 1e-12))
+W.size
# groups do not count in the cells
-spread = np.bincount(cell, w * np.bincount(g, w)[g], len(mass))
+spread = np.bincount(cell, w * w, len(mass))
# cells of samples do not follow their weights
-middle = (ends - 0.5 * weights[order]) / ends[-1]
+middle = (np.arange(len(order)) + 0.5) / len(order)
# weights for fits do not have the effective size
= the sizes decide penalties of fits, which tests of curves do not resolve
-weights * (size / weights.sum())
+weights * (len(weights) / weights.sum())
# systematic draws ignore the weights
-    ends = np.cumsum(weights)
-    points
+    ends = np.arange(1.0, len(weights) + 1)
+    points

@@ prfast/inputs/arrays.py estimate/test_weights.py
# weights depend on their scale
-weights.append(one / one.max())
+weights.append(one)

@@ prfast/estimate/curves.py estimate/test_weights.py
# samples of weight 0 keep their place
-if design is None or all(weights.all() for weights in design.weights):
+if True:
# rows are numbered among those of positive weight
-if (rows := getattr(curve.provenance, key))
+if not (rows := getattr(curve.provenance, key))
# methods without weights ignore them
-if not method.takes_weights:
+if False:

@@ prfast/methods/base.py estimate/test_weights.py
# the curve of a method ignores the weights
-curve = PRCurve.from_scores(real, fake, w_real=w_real, w_fake=w_fake, info=origin)
+curve = PRCurve.from_scores(real, fake, info=origin)
# a split ignores groups
-    if design is not None and design.grouped:
-        of_real
+    if False:
+        of_real

@@ prfast/methods/auto/sample.py estimate/test_weights.py
# folds ignore groups
-        together = joined_groups(design, group, n)
+        together = group
# all samples of groups are fitted to
-(groups, rows[first] - start)
+(groups, rows - start)
# fits ignore weights
-        return None if self.weight is None else self.weight[rows]
+        return None

@@ prfast/methods/auto/calibration.py estimate/test_weights.py
# the hull of auto ignores weights
-hull = PRCurve.from_scores(s[real], s[~real], w_real=given[real], w_fake=given[~real])
+hull = PRCurve.from_scores(s[real], s[~real])

@@ prfast/methods/classifier.py estimate/test_weights.py
# classifiers ignore weights
-    if design is None or not design.weighted:
-        return None
+    return None

@@ prfast/methods/kmeans.py estimate/test_weights.py
# cells of k-means ignore weights
-np.bincount(cell, w, self.clusters) / w.sum()
+np.bincount(cell, minlength=self.clusters) / len(w)

@@ prfast/estimate/intervals.py estimate/test_weights.py
# draws of weighted cells have one weight
-weight = np.divide(mass, probability, out=np.zeros(mass.size), where=probability > 0)
+weight = np.ones(mass.size)

@@ prfast/curve/provenance.py estimate/test_weights.py
# effective numbers are not swapped
-return (fake[::-1], real[::-1]) if self.swapped else (real, fake)
+return real, fake

@@ prfast/scalars/table.py estimate/test_weights.py
# metrics have the weights of the other set
-None if weights is None else weights[row.over]
+None if weights is None else weights[row.around]
# density counts samples with weights
-return row.share in (any_pair, no_pair) or other not in weighted
+return True

@@ prfast/cli/files.py cli/test_cli_columns.py
# weights are features
-beside = [self._beside[key] for key in (f"w_{side}", f"groups_{side}") if self._beside]
+beside = [self._beside[key] for key in (f"groups_{side}",) if self._beside]
# weights of real samples are those of generated ones
-columns |= {f"{prefix}_real": names[0], f"{prefix}_fake": names[-1]}
+columns |= {f"{prefix}_real": names[-1], f"{prefix}_fake": names[-1]}

@@ prfast/estimate/two_sample.py estimate/test_two_sample.py
# fits of a test do not see weights and groups
-context = replace(context, design=design.of(*trained))
+context = replace(context, design=None)
# samples of a group are tested alike
-order = np.argsort(rng.exponential(size=len(unit)) / own)
+order = np.argsort(rng.exponential(size=len(unit)))
# all samples with weights are tested
-chosen = rng.random(groups) < total / total.max()
+chosen = rng.random(groups) < 2

@@ prfast/scalars/halves.py comparison/test_evaluator_weights.py
# halves cut groups
-            halves = [np.flatnonzero(np.isin(groups, half)) for half in halves]
+            halves = [np.flatnonzero(np.arange(len(groups)) % 2 == i) for i in range(2)]

@@ prfast/estimate/intervals.py comparison/test_differences.py
# draws of models ignore groups
-size * rng.random(size), side="right")
+size * rng.random(len(order)), side="right")

@@ prfast/comparison/reference.py comparison/test_evaluator_weights.py
# references with other weights are the same
-            if one is not None:
-                value =
+            if False:
+                value =
# metrics of sets ignore weights
-  one.design,
+  None,

@@ prfast/comparison/classes.py comparison/test_classes.py
# shares of classes have the error of independent samples
-np.bincount(group, w * (own - share))
+np.bincount(np.arange(len(w)), w * (own - share))

@@ prfast/methods/auto/estimator.py estimate/test_weights.py
# missed samples ignore weights
-if self.design is not None and "real" in self.design.weighted:
+if False:
"""
