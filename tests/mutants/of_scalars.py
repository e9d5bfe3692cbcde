"""Metrics, and what is told of their errors and of those of curves."""

TABLE = """
@@ public/test_metrics.py
# prfast/scalars/table.py: one pair more is needed
~return Share(counts >= «1 → 2»)
# prfast/scalars/table.py: density is not divided by k
~return Share(counts, «k → 1»)
# prfast/scalars/table.py: recall is coverage
~SampleMean("real", "«fake → real»", K, "any")
# prfast/scalars/measure.py: a radius is taken for its square
~return «r * r → r»

@@ public/test_realism.py
# prfast/scalars/api.py: realism keeps the wide balls
~d2[d2 > «np.sort(d2)[(len(d2) - 1) // 2] → np.inf»] = -1.0

@@ internal/scalars/test_kernel.py
# prfast/scalars/kernel.py: the kernel's own pairs count
-        if same:
-            np.fill_diagonal(k, 0.0)
+        if False:
+            pass
# prfast/scalars/kernel.py: pairs of both sets count once in the kernel distance
~value -= «2 * total → total»(between[0].kernel) / (n * m)
# prfast/scalars/kernel.py: the kernel's center is taken off twice
-u = x - c
-
+u = x - c - c
+
# prfast/scalars/kernel.py: float32 is accurate enough for any kernel
~square >= «_LEAST_SQUARE and second >= _LEAST_SHARE * square → _LEAST_SQUARE»

@@ internal/scalars/test_moments.py
# prfast/scalars/moments.py: the Fréchet distance ends with the smaller factor
~if «len(a) < len(b) → False»:
# prfast/scalars/moments.py: covariances are divided by n
~covariance /= «n - 1 → n»
# prfast/scalars/moments.py: the mean of blocks is not corrected for rounding
-            mean, error = _center(means, _sizes(len(points), _ROWS))
-            return np.asarray(mean + error)
+            mean, error = _center(means, _sizes(len(points), _ROWS))
+            return np.asarray(mean)
# prfast/scalars/moments.py: the mean of a block is not corrected for rounding
-        mean, error = _center(rows, np.ones(len(rows)))
-        return np.asarray(mean + error)
+        mean, error = _center(rows, np.ones(len(rows)))
+        return np.asarray(mean)
# prfast/scalars/moments.py: covariances forget that the means of blocks differ
~«covariance += (centers.T * sizes) @ centers → pass»
# prfast/scalars/moments.py: covariances forget that the means of blocks are rounded
~«products -= len(rows) * np.outer(error, error) → pass»
# prfast/scalars/moments.py: the Fréchet distance forgets the means
~apart = «_squares(real.mean - fake.mean) → 0.0»
# prfast/scalars/moments.py: a small Fréchet distance is left to eigenvalues
~if «not error <= _TOLERANCE * scaled → False»:
# prfast/scalars/moments.py: the bound of the Fréchet distance forgets small eigenvalues
~«rounding * math.sqrt(float(np.sum(1 / large))) → rounding»

@@ internal/scalars/test_supports.py
# prfast/scalars/measure.py: authenticity's balls are open where they are closed
~inside(nearest, -values, «closed → not closed»)
# prfast/scalars/measure.py: narrow balls are as wide as others
~«np.minimum(d2, squared_mean_radius(middle, closed)) → d2»
# prfast/scalars/measure.py: a real sample lies in its own narrow ball
~«within.rows - inside(0.0, radii[balls], closed) → within.rows»
# prfast/scalars/supports.py: nearest samples are searched in the upper half alone
~«== → <» nearest[rows]
# prfast/scalars/supports.py: clipped coverage is not calibrated
~return «(above - 1 + (value - low) / (high - low)) / m → value»
# prfast/scalars/supports.py: the calibration counts one sample less
~missing += (k - «j → j - 1») * probability
# prfast/scalars/supports.py: β-recall counts all real samples
~agreement(around, radii, «nearest <= within → None»)
# prfast/scalars/supports.py: α-precision takes the mean of generated samples
~center = mean_of(«real → fake», inputs.search)
# prfast/scalars/table.py: clipped counts are not clipped
~return Share(«np.minimum(counts, k) → counts», k)
# prfast/scalars/table.py: clipped density is not divided by that of real samples
~min«(1.0, fake / real) if real else 0.0 → (1.0, fake)»

@@ internal/scalars/test_kernel_exact.py::test_a_total_is_rounded_once
# prfast/scalars/kernel.py: the kernel's sums are not rounded once
~return «math.fsum(values.tolist()) → float(sum(values.tolist()))»

@@ internal/scalars/test_kernel_exact.py
# prfast/scalars/kernel.py: the kernel's error halves what lies across
~«4 → 2» / (n * m) * mixed

@@ internal/estimate/test_intervals.py
# prfast/estimate/intervals.py: numbers of a stack of draws are for its draws in reverse
~values[«rows → rows[::-1]»] = row.value(stack)
# prfast/estimate/intervals.py: draws are stacked by their sizes alone
~kinds = 4 * «self._cells + (self._p[:, 0] == 0) + 2 * (self._q[is_last] == 0) → self._cells»
# prfast/estimate/intervals.py: cells of draws are not pooled
~self._cells = «kernels.pool_rows(self._p, self._q) → np.full(len(self._p), self._p.shape[1])»
# prfast/estimate/intervals.py: an interval forgets the quantile of its level
~z, weighted, intervals = «quantile(confidence) → 1.0»,
# prfast/estimate/intervals.py: the seed of redrawing is ignored
~rng = np.random.default_rng(«seed → 0»)
# prfast/estimate/intervals.py: models that share real samples draw their own
~draw(model, ([seed, «first → i»], [seed, i, 1]), rounds)
# prfast/estimate/intervals.py: weighted masses count samples
~is_counted = «all → any»(are_counts(
# prfast/estimate/intervals.py: the longer side of an interval is the other one
~for sign in («-1, 1 → 1, -1»))

@@ internal/comparison/test_differences.py internal/estimate/test_intervals.py
# prfast/comparison/differences.py: what two models share is taken off once, not twice
~covariance[j, j] - «2 * covariance → covariance»[i, j]

@@ internal/estimate/test_intervals.py internal/comparison/test_differences.py
# prfast/estimate/intervals.py: few halvings are as sure as many
~«np.sqrt(rng.chisquare(freedom, SIMULTANEOUS_DRAWS) / freedom) → np.ones(SIMULTANEOUS_DRAWS)»
# prfast/estimate/intervals.py: a p of one pair is told for all
~for i, j in pairs«: → [:1]:»

@@ internal/scalars/test_halves.py
# prfast/scalars/halves.py: the halves of a metric share a sample
~np.flatnonzero(fake «== → >=» half))
# prfast/scalars/halves.py: the difference of halves is not halved
~[«(a[name] - b[name]) / 2 → a[name] - b[name]» for a, b in
# prfast/scalars/halves.py: every halving after the sixteenth is the first again
~chosen = halves[«first : first + 2 * HALVINGS → : min(2 * HALVINGS, len(halves) - first)»]

@@ public/test_by_class.py
# prfast/comparison/classes.py: a class's share errs by its generated samples alone
~variance «+= → =» float(

@@ internal/results/test_frames.py
# prfast/scalars/measure.py: ± of a metric is its standard error
~half = «quantile(confidence) * errors → errors»[name]

@@ internal/estimate/test_intervals.py internal/curve/test_proved.py
# prfast/curve/masses.py: shares count samples
~return «total == size and bool((masses == np.floor(masses)).all()) → bool(total == size)»

@@ internal/neighbors/test_half_tasks.py
# prfast/neighbors/exact.py: what one rank of a list tells is taken for all
~left = np.isnan«(task.d2[:, :, halving]).any(axis=1) → (task.d2[:, 0, halving])»

@@ internal/scalars/test_set_distances.py
# prfast/scalars/kernel.py: float32 is accurate enough for any bandwidth
~is_accurate = «second >= _LEAST_RATIO * rounding → True»
# prfast/scalars/kernel.py: products of far samples are not computed again
~if «not rounding * (norms[0].max() + norms[1].max()) <= allowed.min() → False»:
# prfast/scalars/kernel.py: a large bandwidth loses the digits of the kernel
~if «g.min() > -_SMALL → False»:
# prfast/scalars/distances.py: σ² is doubled once more
~scale = «math.sqrt(2.0) → 2.0» * sigma

@@ public/test_copies.py
# prfast/scalars/memorization.py: DCR is that of training samples twice
~float(np.median(«self.distance_to_held_out → self.distance_to_train»))
# prfast/scalars/memorization.py: copies: the smallest p-value of the tails, uncorrected
~«len(self._tails) * math.log1p → math.log1p»(-p)
# prfast/samples/overlap.py: copies: held-out samples without equal ones are a random part
~return «_exceeds(*self._among_training, self.held_out_equal, self.n_held_out) → False»
"""
