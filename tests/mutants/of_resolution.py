"""Noise of a resolution, and profiles."""

TABLE = """
@@ prfast/samples/noise.py internal/samples/test_noise.py
# noise: features are not winsorized for their scale
-SCALE_FENCE = 5.0
+SCALE_FENCE = 1e40
# noise: dead features have a scale of their own
-        scale[~live] = np.median(living)
+        pass
# noise: a constant is rounded to a deviation above 0
-np.clip(x - median, -width, width)
+np.clip(x, median - width, median + width)
# noise: scales depend on the layout of memory
-astype(np.float64, order="C")
+astype(np.float64)
# noise: squares of scales leave the range of float64
-        exponent = _exponent(scales)
+        exponent = 0
# noise: the root of the covariance has the signs of its vectors
-(vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T * scales
+np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T * scales
# noise: weights do not count
-        points = points[systematic(mass, round(times))]
+        pass
# noise: whole weights are rounded
-systematic(mass, round(times))
+systematic(mass, len(points))
# noise: repeated rows are neighbors
-distinct = np.unique(real, axis=0)
+distinct = real
# noise: both sets have the same
-f"noise {name} {copy}"
+f"noise {copy}"
# noise: all copies have the same
-f"noise {name} {copy}"
+f"noise {name}"
# noise: it may overflow
-            if not np.isfinite(result[rows]).all():
+            if False:
# noise: categories are replaced with probability 1 − exp(−σ/4)
--np.expm1(-((sigma / CATEGORY) ** 2))
+-np.expm1(-sigma / CATEGORY)
# noise: categories are replaced by those of their own set
-self.donors[np.ix_(donors[at, i], columns)]
+points[np.ix_(donors[at, i] % len(points), columns)]
# noise: columns of one code are replaced by several samples
-self.donors[np.ix_(donors[at, i], columns)]
+np.column_stack([self.donors[np.roll(donors[at, i], j), j] for j in columns])
# profiles: codes of categories are lengths
-numeric = np.setdiff1d(np.arange(d), np.concatenate([*groups, details]))
+numeric = np.arange(d)
# noise: sets keep types that differ
-dtype, smooth = np.result_type(*pair.points), self
+dtype, smooth = pair.points[0].dtype, self

@@ prfast/estimate/profiles.py public/test_profile.py
# profiles: curves are the estimates
-                curve = lower
+                pass
# profiles: falling areas are not pooled
-> areas[pools[-1]].mean():
+> math.inf:
# profiles: ends of all intervals rise
-            if (steps >= -_ROUNDING).all():
+            if True:

@@ prfast/samples/ladder.py public/test_profile.py
# profiles: an end of a resolution lies beyond it
-low, high = min(low, value), max(high, value)
+pass
# profiles: interpolation over wide steps is trusted
-left == 0 or right > _WIDE * left
+False
# profiles: crossings are at the next resolution
-t = float(inside[0]) if inside.size else float(axis[i])
+t = float(axis[i])
# profiles: the ends of a resolution are those of the same end of the area
-for numbers in (values, highs, lows)
+for numbers in (values, lows, highs)

@@ prfast/samples/pair.py public/test_profile.py
# profiles: copies of a sample are spread over folds
-np.tile(first, copies)
+np.repeat(first, copies)
# profiles: some copies of a sample are fitted to
-number = original.sizes, np.arange(copies)[:, None]
+number = original.sizes, np.arange(1)[:, None]

@@ prfast/samples/notes.py public/test_profile.py
# profiles: notes count the copies of samples
-min(n, limit or n)
+n

@@ prfast/methods/auto/folds.py public/test_profile.py
# profiles: counts of categories are no evidence
-pair.noise is None or not pair.noise.is_everywhere
+pair.noise is None

@@ prfast/reference/mixtures.py public/test_profile.py
# profiles: kernels are transposed
-return Discrete(self.p @ kernel, self.q @ kernel)
+return Discrete(kernel @ self.p, kernel @ self.q)
# profiles: mixtures are smoothed in the units of their components
-squares = np.diagonal(self.covs, axis1=1, axis2=2) + self.means**2
+squares = np.diagonal(self.covs, axis1=1, axis2=2) + (self.p @ self.means) ** 2
"""
