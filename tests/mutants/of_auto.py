"""Bases of the automatic estimator and the scales of their coordinates."""

TABLE = """
@@ internal/methods/auto/test_auto_bases.py
# prfast/methods/auto/bases.py: a fill value makes no column one of exact values
~«most >= often → False»
# prfast/methods/auto/bases.py: values that come once are evidence in continuous columns
~«np.where(mostly_once, 0.0, log_ratio(once, 1.0)) → log_ratio(once, 1.0)»
# prfast/methods/auto/bases.py: values of the own group are counted
~[x.sum(axis=0) - «x → 0 * x» for x in inside]
# prfast/methods/auto/bases.py: the evidence of values is for the generated set
~np.asarray(logs«[:, 0] - logs[:, 1] → [:, 1] - logs[:, 0]»)
# prfast/methods/auto/bases.py: a new value is no evidence
~log_ratio(recurring, 0.5)), «new → 0 * new»])
# prfast/methods/auto/bases.py: nearest distances are for the farther set
~nearest = «0.5 → -0.5» * (np.log(

@@ internal/methods/auto/test_auto_scales.py
# prfast/samples/noise.py: columns are winsorized at the quantile itself
~FENCE = «50.0 → 1.0»
# prfast/samples/noise.py: a column that is mostly one value has no fences
~«np.median(above) if above.size else 0.0 → 0.0»
# prfast/methods/auto/coordinates.py: columns of any units are rescaled
~if most > «UNITS * reach → reach»[reach > 0].min(initial=np.inf):
# prfast/methods/auto/coordinates.py: bands leave out the component outside of all axes
~if «residual > 0 → False»:
# prfast/methods/auto/coordinates.py: energies are sums, not means
~means = «sums / np.diff([*starts, white.shape[1]]) → sums»

@@ internal/methods/auto/test_auto_equal_rows.py
# prfast/samples/large.py: a row far out: one that the other set has is far as well
~«rows = rows[~np.isin(rows, group[opposite])] → pass»
# prfast/samples/large.py: a row far out: columns have units
~where(most > 0, «most → 1.0», 1.0)
# prfast/samples/large.py: a row far out has the score of its fit
~«np.where(np.arange(size) < n, np.inf, -np.inf) → np.nan»
# prfast/samples/large.py: rows that both sets repeat have the score of their fit
~«np.where(shared, np.log(p / q)[group], ratio) → ratio»
# prfast/samples/large.py: rows that come once and are unlike real ones are junk that repeats
~minlength=n + m)[group] > «1 → 0»
# prfast/estimate/intervals.py: a row that repeats is judged by a single observation
~if «any(made.single) → False»:
# prfast/estimate/intervals.py: a row of a swapped curve is judged by a single observation
~shares = «made.single[::-1] if made.swapped else made.single → made.single»
"""
