"""Noise of a resolution, and profiles."""

TABLE = """
@@ internal/samples/test_noise.py
# prfast/samples/noise.py: noise: features are not winsorized for their scale
~SCALE_FENCE = «5.0 → 1e40»
# prfast/samples/noise.py: noise: dead features have a scale of their own
~        «scale[~live] = np.median(living) → pass»
# prfast/samples/noise.py: noise: a constant is rounded to a deviation above 0
~np.clip(«x - median, -width, → x, median - width, median +» width)
# prfast/samples/noise.py: noise: scales depend on the layout of memory
~astype(«np.float64, order="C" → np.float64»)
# prfast/samples/noise.py: noise: squares of scales leave the range of float64
~exponent = «np.frexp(fitted.max())[1] → 0»
# prfast/samples/noise.py: noise: weights do not count
~        «points = points[systematic(mass, round(times))] → pass»
# prfast/samples/noise.py: noise: whole weights are rounded
~systematic(mass, «round(times) → len(points)»)
# prfast/samples/noise.py: noise: both sets have the same
~f"noise «{name} {copy} → {copy}»"
# prfast/samples/noise.py: noise: categories are replaced with probability 1 − exp(−σ/4)
~-np.expm1(-«((sigma / CATEGORY) ** 2) → sigma / CATEGORY»)
# prfast/samples/noise.py: noise: categories are replaced by those of their own set
-self.donors[np.ix_(donors[at, i], columns)]
+points[np.ix_(donors[at, i] % len(points), columns)]
# prfast/samples/noise.py: profiles: codes of categories are lengths
~numeric = «np.setdiff1d(np.arange(d), np.concatenate([*groups, details])) → np.arange(d)»
# prfast/samples/noise.py: noise: sets keep types that differ
~dtype, smooth = «np.result_type(*pair.points) → pair.points[0].dtype», self

@@ public/test_profile.py
# prfast/estimate/profiles.py: profiles: curves are the estimates
~                «curve = lower → pass»
# prfast/estimate/profiles.py: profiles: falling areas are not pooled
~> «areas[pools[-1]].mean() → math.inf»:
# prfast/estimate/profiles.py: profiles: ends of all intervals rise
~            if «(steps >= -_ROUNDING).all() → True»:
# prfast/samples/ladder.py: profiles: an end of a resolution lies beyond it
~«low, high = min(low, value), max(high, value) → pass»
# prfast/samples/ladder.py: profiles: interpolation over wide steps is trusted
~«left == 0 or right > _WIDE * left → False»
# prfast/samples/ladder.py: profiles: crossings are at the next resolution
~t = float«(inside[0]) if inside.size else float(axis[i]) → (axis[i])»
# prfast/samples/ladder.py: profiles: ends of a resolution are those of the area
~for numbers in (values, «highs, lows → lows, highs»)
# prfast/samples/pair.py: profiles: copies of a sample are spread over folds
~«np.tile → np.repeat»(first, copies)
# prfast/samples/pair.py: profiles: some copies of a sample are fitted to
~number = original.sizes, np.arange(«copies → 1»)[:, None]
# prfast/methods/auto/folds.py: profiles: counts of categories are no evidence
~pair.noise is «None or not pair.noise.is_everywhere → None»
# prfast/reference/mixtures.py: profiles: mixtures are smoothed in the units of their components
~squares = np.diagonal(self.covs, axis1=1, axis2=2) + «self.means**2 → (self.p @ self.means) ** 2»
"""
