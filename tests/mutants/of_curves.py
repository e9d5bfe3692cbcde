"""Curves and their bounds."""

TABLE = """
@@ public/test_prcurve.py
# prfast/curve/masses.py: a constant classifier is dropped
-fpr = np.concatenate([[0.0], fpr, [1.0]])
-    fnr = np.concatenate([[1.0], fnr, [0.0]])
+fpr = np.concatenate([fpr, [1.0]])
+    fnr = np.concatenate([fnr, [0.0]])
# prfast/curve/masses.py: of equal fpr the highest counts
~order = np.lexsort((«-fnr → fnr», fpr))
# prfast/curve/masses.py: weights of scores are dropped
~p = np.ones«(real.size) if p is None else rescaled(p) → (real.size)»
# prfast/curve/curve.py: the mean of curves forgets the last
~masses = [(c._p, c._q) for c in «curves → curves[:-1] or curves»]

@@ internal/curve/test_polyline.py papers/test_2018.py
# prfast/curve/polyline.py: contains forgives 1e-7
~ON_CURVE = 1 + «ROUNDING → 1e-7»
# prfast/curve/polyline.py: contains forgives nothing
~ON_CURVE = 1 «+ ROUNDING → - 1e-12»
# prfast/curve/numbers.py: precision at λ of the next vertex
-i = np.searchsorted(-ratio, -flat, side="left")
+i = np.minimum(np.searchsorted(-ratio, -flat, side="left") + 1, ratio.size)
# prfast/curve/numbers.py: rounding goes beyond the largest recall
~np.minimum(precision, b[first]), np.minimum(recall, «a[last] → 1.0»)

@@ internal/curve/test_numbers.py papers/test_2018.py papers/test_2024.py
# prfast/curve/numbers.py: the square of β is left out
~square = min«(beta, 1 / beta) ** 2 → (beta, 1 / beta)»

@@ internal/curve/test_numbers.py internal/curve/test_polyline.py papers/test_2018.py
# prfast/curve/polyline.py: the median of no area is 0
-    if swept[-1] == 0:
-        return 1.0
+    if swept[-1] == 0:
+        return 0.0

@@ internal/curve/test_numbers.py
# prfast/curve/numbers.py: fidelity at λ = 10
~EXCESS = «20.0 → 10.0»
# prfast/curve/numbers.py: diversity at λ = 1
~LACK = «2.0 → 1.0»

@@ internal/curve/test_proved.py
# prfast/curve/curve.py: a lower bound is the upper one
~rates.append(«lower_rates(p, q, delta) → upper_rates(p, q, delta, bound)»)

@@ internal/curve/test_bands.py
# prfast/curve/bands.py: both classes together are bounded as one
~return math.sqrt(«q → -math.log(delta)» / 2)

@@ internal/curve/test_bands.py internal/curve/test_proved.py
# prfast/curve/bands.py: a band doubts each class as if it were alone
-return mixture(n, below, delta / 2), mixture(m, above, delta / 2)
+return mixture(n, below, delta), mixture(m, above, delta)
"""
