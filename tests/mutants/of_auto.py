"""Bases of the automatic estimator and the scales of their coordinates."""

TABLE = """
@@ prfast/methods/auto/bases.py internal/methods/auto/test_auto_bases.py
# a fill value makes no column one of exact values
~«most >= often → False»
# values that come once are evidence in continuous columns
~«np.where(mostly_once, 0.0, log_ratio(once, 1.0)) → log_ratio(once, 1.0)»
# values of the own group are counted
~(x.sum(axis=0) - «x → 0 * x» for x in (inside
# the evidence of values is for the generated set
~np.asarray(logs«[:, 0] - logs[:, 1] → [:, 1] - logs[:, 0]»)
# a new value is no evidence
~log_ratio(recurring, 0.5)), «new → 0 * new»])

@@ prfast/samples/noise.py internal/methods/auto/test_auto_scales.py
# columns are winsorized at the quantile itself
~FENCE = «50.0 → 1.0»
# a column that is mostly one value has no fences
~«np.median(above) if above.size else 0.0 → 0.0»

@@ prfast/methods/auto/coordinates.py internal/methods/auto/test_auto_scales.py
# columns of any units are rescaled
~if most > «UNITS * least → least» or not _LEAST_UNIT
# bands leave out the component outside of all axes
~if «residual > 0 → False»:
# energies are sums, not means
~means = «sums / np.diff([*starts, white.shape[1]]) → sums»

@@ prfast/methods/auto/bases.py internal/methods/auto/test_auto_bases.py
# nearest distances are for the farther set
~nearest = «0.5 → -0.5» * (np.log(

@@ prfast/samples/large.py internal/methods/auto/test_auto_equal_rows.py
# a row far out: one that the other set has is far as well
~«rows = rows[~np.isin(rows, group[opposite])] → pass»
# a row far out: columns have units
~where(most > 0, «most → 1.0», 1.0)

# a row far out has the score of its fit
~«np.where(np.arange(size) < n, np.inf, -np.inf) → np.nan»
# rows that both sets repeat have the score of their fit
~«np.where(shared, np.log(p / q)[group], ratio) → ratio»
# rows that come once and are unlike real ones are junk that repeats
~minlength=n + m)[group] > «1 → 0»

@@ prfast/estimate/intervals.py internal/methods/auto/test_auto_equal_rows.py
# a row that repeats is judged by a single observation
~if «any(made.single) → False»:
# a row of the other set of a swapped curve is judged by a single observation
~shares = «made.single[::-1] if made.swapped else made.single → made.single»
"""
