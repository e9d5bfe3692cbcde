"""Changes that the tests of the papers must detect alone."""

TABLE = """
@@ papers/test_2023.py
# prfast/curve/numbers.py: (1, 0) and (0, 1) always in the PR set
~return shaped((x >= 0) & (y >= 0) & «is_under → (is_under | (x * y == 0) & (x + y <= 1))», shape)

@@ papers/test_2018.py
# prfast/curve/numbers.py: F: beta and 1/beta exchanged
-if beta < 1:
-            w, v = v, w
+if beta > 1:
+            w, v = v, w
# prfast/curve/numbers.py: total variation is L1
~np.minimum(1.0, «0.5 → 1.0» * difference
# prfast/curve/numbers.py: max precision of the first vertex
~return _number(self._polyline[1][..., «self._ends[0] → 0»])
# prfast/curve/curve.py: swap does not exchange
~p, q = «self._q[::-1].copy(), self._p[::-1].copy → self._p.copy(), self._q.copy»()

@@ papers/test_2024.py
# prfast/curve/polyline.py: median at a third of the area
~int(np.searchsorted(swept, swept[-1] / «2 → 3»))
# prfast/curve/polyline.py: bend of an arc counted once
~«2 * a → a» * b * log, 0.0)
# prfast/curve/curve.py: IoU over the sum of areas
~union = self.area + «other.area - common → other.area»
# prfast/methods/neighbors.py: parzen keeps each radius
~d2[:] = «squared_mean_radius(d2, self.closed) → d2»
# prfast/methods/neighbors.py: coverage counts the wrong set
~«a, b → b, a» = near.across_a[:, i], near.across_b[:, i]
# prfast/methods/neighbors.py: a split is not used
~part = «None if split is None else pair.split_rows(split, context.seed) → None»

@@ papers/test_2019.py
# prfast/theory/tradeoffs.py: mode collapse at eps = delta
~shaped((epsilons «< → <=» deltas) & (least

@@ papers/test_2023_divergences.py
# prfast/theory/divergences.py: phi of what Q lacks is phi(0)
~total += «phi.dual_at_zero → phi.at_zero» * only_p
# prfast/theory/divergences.py: DeGroot's information without half the prior
~«np.minimum(flat, 1 - flat) → flat» - np.ravel(risk)
# prfast/theory/divergences.py: Tsallis of order <= 0 keeps its kind
~«order, inclusive = 1 - order, not inclusive → order = 1 - order»
# prfast/theory/phi.py: chi2 without the linear term
~star=lambda v: v * «(1 + v / 4) → v / 4»

@@ papers/test_2023_adaptation.py
# prfast/theory/adaptation.py: Lorenz bound of the other error
~1.0 - np.interp(flat, «fpr, fnr → 1 - fnr, 1 - fpr»)
# prfast/theory/adaptation.py: lambda* of the edge before
-i = int(np.searchsorted(fpr, risk, side="right"))
+i = int(np.searchsorted(fpr, risk, side="right")) - 1
# prfast/theory/adaptation.py: D of the source from the target
~divergence = measure_divergence(«q, p → p, q», phi, lam)

@@ papers/test_2023_hypotheses.py
# prfast/theory/hypotheses.py: infimum of the discrepancy
~return float((on_q - lam * on_p)«.max → .min»())
# prfast/theory/hypotheses.py: margin not halved
~.astype«(np.float64) / 2 → (np.float64)»
"""
