"""Changes that the tests of the papers must detect alone."""

TABLE = """
@@ prfast/curve/numbers.py papers/test_2023.py
# (1, 0) and (0, 1) always in the PR set
~return shaped((x >= 0) & (y >= 0) & «is_under → (is_under | (x * y == 0) & (x + y <= 1))», shape)

@@ prfast/curve/numbers.py papers/test_2018.py
# F: beta and 1/beta exchanged
-if beta < 1:
-            w, v = v, w
+if beta > 1:
+            w, v = v, w
# total variation is L1
~np.minimum(1.0, «0.5 → 1.0» * difference
# max precision of the first vertex
~return _number(self._polyline[1][..., «self._ends[0] → 0»])

@@ prfast/curve/polyline.py papers/test_2024.py
# median at a third of the area
~int(np.searchsorted(swept, swept[-1] / «2 → 3»))
# bend of an arc counted once
~«2 * a → a» * b * log, 0.0)

@@ prfast/curve/curve.py papers/test_2018.py
# swap does not exchange
~p, q = «self._q[::-1].copy(), self._p[::-1].copy → self._p.copy(), self._q.copy»()

@@ prfast/curve/curve.py papers/test_2024.py
# IoU over the sum of areas
~union = self.area + «other.area - common → other.area»

@@ prfast/theory/tradeoffs.py papers/test_2019.py
# mode collapse at eps = delta
~shaped((epsilons «< → <=» deltas) & (least

@@ prfast/theory/divergences.py papers/test_2023_divergences.py
# phi of what Q lacks is phi(0)
~total += «phi.dual_at_zero → phi.at_zero» * only_p
# DeGroot's information without half the prior
~«np.minimum(flat, 1 - flat) → flat» - np.ravel(risk)
# Tsallis of order <= 0 keeps its kind
~«order, inclusive = 1 - order, not inclusive → order = 1 - order»

@@ prfast/theory/adaptation.py papers/test_2023_adaptation.py
# Lorenz bound of the other error
~1.0 - np.interp(flat, «fpr, fnr → 1 - fnr, 1 - fpr»)
# lambda* of the edge before
-i = int(np.searchsorted(fpr, risk, side="right"))
+i = int(np.searchsorted(fpr, risk, side="right")) - 1
# D of the source from the target
~divergence = measure_divergence(«q, p → p, q», phi, lam)

@@ prfast/theory/hypotheses.py papers/test_2023_hypotheses.py
# infimum of the discrepancy
~return float((on_q - lam * on_p)«.max → .min»())
# margin not halved
~.astype«(np.float64) / 2 → (np.float64)»

@@ prfast/theory/phi.py papers/test_2023_divergences.py
# chi2 without the linear term
~star=lambda v: v * «(1 + v / 4) → v / 4»

@@ prfast/methods/neighbors.py papers/test_2024.py
# parzen keeps each radius
~d2[:] = «squared_mean_radius(d2, self.closed) → d2»
# coverage counts the wrong set
~«a, b → b, a» = near.across_a[:, i], near.across_b[:, i]
# a split is not used
~part = «None if split is None else pair.split_rows(split, context.seed) → None»
"""
