"""Bases of the automatic estimator and the scales of their coordinates."""

TABLE = """
@@ prfast/methods/auto/sample.py methods/auto/test_auto_ranks.py
# columns are screened on the own group, too
-[g for g in range(self.groups) if g != own]
+list(range(self.groups))

@@ prfast/methods/auto/densities.py methods/auto/test_auto_ranks.py
# polylines score with the columns of the first fold
-self.selected[block.fold], block
+self.selected[0], block

@@ prfast/methods/auto/counts.py methods/auto/test_auto_values.py
# a fill value makes no column one of exact values
-(x[apart:] == x[: max(len(x) - apart, 0)]).any()
+False
# values that come once are evidence in continuous columns
-np.where(mostly_once, 0.0, _log_ratio(once, size, 1.0))
+_log_ratio(once, size, 1.0)
# values of the own group are counted
-np.asarray(count.sum(axis=0) - count)
+np.asarray(count.sum(axis=0) + 0 * count)
# the evidence of values is for the generated set
-np.asarray(logs[:, 0] - logs[:, 1])
+np.asarray(logs[:, 1] - logs[:, 0])
# a new value is no evidence
-evidence[:, -1] = new
+evidence[:, -1] = 0.0
# rare values have evidence of their own
-np.where(rare, few, evidence[:, :-1, 0])
+evidence[:, :-1, 0]

@@ prfast/methods/auto/model.py methods/auto/test_auto_trees.py
# trees are always grown
-    if not rounds:
+    rounds = rounds or 12
+    if not rounds:
# trees are never grown
-    if not rounds:
+    if True:
# trees are tried on the samples that they were grown on
-        training, held_out = places[outside], places[~outside]
-        bins, others = (binned[np.ix_(some, own_columns)] for some in (outside, ~outside))
+        training, held_out = places[outside], places[outside]
+        bins, others = (binned[np.ix_(some, own_columns)] for some in (outside, outside))
# any gain is worth trees
-max(_MIN_GAIN, _ERRORS * error)
+0.0
# trees are grown on the group that they score
-np.flatnonzero(group != own)
+np.flatnonzero(group >= 0)
# trees that only undo what other bases overstate are grown
-* (max(slopes) > 0.0)
+* 1.0

@@ prfast/samples/noise.py methods/auto/test_auto_scales.py
# columns are winsorized at the quantile itself
-FENCE = 50.0
+FENCE = 1.0
# a column that is mostly one value has no fences
-np.median(positive) if positive.size else 0.0
+0.0

@@ prfast/methods/auto/coordinates.py methods/auto/test_auto_scales.py
# columns are not winsorized
-np.clip(self.points, *self.frame.fences)
+self.points.copy()
# columns keep units that differ
-return x if self.frame.unit is None else np.divide(x, self.frame.unit, out=x)
+return x
# columns of any units are rescaled
-if most <= UNITS * least and _LEAST_UNIT
+if most <= least and _LEAST_UNIT
# bands leave out the component outside of all axes
-if self.residual > 0:
+if False:
# energies are sums, not means
-means = sums / np.diff([*self.starts, squares.shape[1]])
+means = sums

@@ prfast/methods/auto/counts.py methods/auto/test_auto_bases.py
# nearest distances are for the farther set
-nearest = 0.5 * (np.log(
+nearest = -0.5 * (np.log(

@@ prfast/methods/auto/regressions.py methods/auto/test_auto_ranks.py
# all folds have the screened columns of the first
-columns[used].T, weight, y
+columns[selected[0]].T, weight, y

@@ prfast/methods/auto/sample.py methods/auto/test_auto_ranks.py
# ties have the lowest of their ranks
-column.searchsorted(column, "right")
+column.searchsorted(column, "left")

@@ prfast/methods/auto/calibration.py methods/auto/test_auto_stack.py
# fitted rows are scored by a meta-learner that has seen them
-next(of_groups[fold % sample.groups])
+next(of_groups[(fold + 1) % sample.groups])
# a second meta-learner has no slope of a new column
-    beta = _newton(beta, design, p, total, penalty)
-    return
+    beta = beta if is_near else _newton(beta, design, p, total, penalty)
+    return
# a second meta-learner starts from zeros
= the loss is strictly convex: any start ends within 1e-6 of its minimum, only some steps later
-start[: 1 + len(learner.slopes)] = learner.intercept, *learner.slopes
+pass

@@ prfast/methods/auto/model.py methods/auto/test_auto_trees.py
# costly bases are always fitted to all
-is_tried = _has_trial(sample)
+is_tried = False
# costly bases are never fitted to all of many samples
-zip(of_names, useful, strict=True) if is_useful]
+zip(of_names, useful, strict=True) if False]
# any gain is worth a costly base
-bool(gain.mean() > (_ERRORS_OF_HEAVY if parts[name] >= _HEAVY else _ERRORS) * error)
+True
# costly bases are fitted to all where others stand for them
-_LIGHT = 0.02
+_LIGHT = 0.0
# a base that is most of the trial's score needs a gain
-parts[name] >= _MAIN
+False
# a costly base with a large part needs the gain of any other
-_HEAVY, _ERRORS_OF_HEAVY = 0.2, 0.5
+_HEAVY, _ERRORS_OF_HEAVY = 0.2, 1.5

@@ prfast/methods/auto/coordinates.py methods/auto/test_auto_trees.py
# a share has the axes of the first rows
-tuple(x[places] for x in self._stored_axes)
+tuple(x[: len(places)] for x in self._stored_axes)

@@ prfast/methods/auto/regressions.py methods/auto/test_auto_bases.py
# a regression from products of rows sees its own fold
-below.T @ (below @ changes) - np.outer(ones, sums)
+0.0 * changes
# a regression on few rows sees its own fold
-own = solution - change.reshape(sample.folds, width + 1)
+own = np.tile(solution, (sample.folds, 1))

@@ prfast/methods/auto/coordinates.py methods/auto/test_auto_scales.py
# blocks have the stored points of the first rows
-self._centered[part]
+self._centered[: part.stop - part.start]

@@ prfast/methods/auto/counts.py methods/auto/test_auto_bases.py
# an excess by rounding counts
-some = excess > self.tolerance[columns]
+some = excess > 0.0

@@ prfast/methods/auto/heavy.py methods/auto/test_auto_equal_rows.py
# a row is heavy among few others
-max(_HEAVY, times / np.count_nonzero(mass))
+_HEAVY
# a row far out: one that the other set has is far as well
-rows = rows[~np.isin(rows, equal.group[of_others])]
+pass
# a row far out: columns have units
-where(most > 0, most, 1.0)
+where(most > 0, 1.0, 1.0)
# a row far out: it is near where one of the others is as far
-most = np.quantile(of_others, 1.0 - _OUTERMOST_SHARE, method="higher")
+return float(np.quantile(of_others, 0.9))
# a row far out: its own outliers make no column smaller
-both.std(axis=0), 1.0)
+both[: len(others)].std(axis=0), 1.0)
# a row far out in one column is as near as others
-np.fmax(most, np.fmax.reduce(beyond, axis=1, initial=0.0), out=most)
+pass
# a row with a rare entry is far
-            (of_others, y, np.abs(ordered[1]), before),
+            (of_others, y, np.abs(ordered[0]), ordered[-1]),

@@ prfast/methods/auto/heavy.py tables/test_comparison.py
# a column of few cells says what is beyond the others
-z[:, known < _LEAST_KNOWN] = np.nan
+x[:, known < _LEAST_KNOWN] = np.nan
# a new level is unlike the others where each of them has one
-if comes_once.mean() <= _OUTERMOST_SHARE:
+if True:

@@ prfast/methods/auto/estimator.py methods/auto/test_auto_equal_rows.py
# a row far out has the score of its fit
-np.where(far_fake, -CLIP, self.fake)
+self.fake
# a row far out is scored with the others
-estimates.with_unlike(unlike, sizes) if any(unlike) else estimates
+estimates
# a class of far rows alone is scored
-if any(unlike) else estimates
+if 0 < max(unlike) < 1 else estimates
# rows that both sets repeat are one observation
-            group = np.where(np.isnan(self.heavy.ratio), group, np.arange(len(group)))
+            pass
# rows that both sets repeat have the score of their fit
-fake = np.where(np.isnan(of_fake), fake, of_fake)
+pass
# junk: what repeats there is missing elsewhere
-rows = rows[~self._repeated_junk()[rows]]
+pass
# one row that repeats, and may be like real ones, is junk
-is_repeated &= ~self.heavy.single
+pass
# rows that come once and are unlike real ones are junk that repeats
-[group] > 1
+[group] > 0

@@ prfast/estimate/intervals.py methods/auto/test_auto_equal_rows.py
# a row that repeats is judged by a single observation
-if any(made.single):
+if False:
# a row of the other set of a swapped curve is judged by a single observation
-shares = made.single[::-1] if made.swapped else made.single
+shares = made.single
"""
