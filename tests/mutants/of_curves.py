"""Curves and their bounds."""

TABLE = """
@@ prfast/curve/masses.py public/test_prcurve.py
# a constant classifier is dropped
-fpr = np.concatenate([[0.0], fpr, [1.0]])
-    fnr = np.concatenate([[1.0], fnr, [0.0]])
+fpr = np.concatenate([fpr, [1.0]])
+    fnr = np.concatenate([fnr, [0.0]])
# of equal fpr the highest counts
-order = np.lexsort((-fnr, fpr))
+order = np.lexsort((fnr, fpr))
# weights of scores are dropped
-p = np.ones(real.size) if p is None else rescaled(p)
+p = np.ones(real.size)

@@ prfast/curve/polyline.py internal/curve/test_polyline.py papers/test_2018.py
# contains forgives 1e-7
-ON_CURVE = 1 + ROUNDING
+ON_CURVE = 1 + 1e-7
# contains forgives nothing
-ON_CURVE = 1 + ROUNDING
+ON_CURVE = 1 - 1e-12

@@ prfast/curve/numbers.py internal/curve/test_polyline.py papers/test_2018.py
# precision at λ of the next vertex
-i = np.searchsorted(-ratio, -flat, side="left")
+i = np.minimum(np.searchsorted(-ratio, -flat, side="left") + 1, ratio.size)
# precision at the ratio of an edge of its other end
= both ends of an edge of ratio λ have one λa + b; λ = 0 and ∞ are decided below
-i = np.searchsorted(-ratio, -flat, side="left")
+i = np.searchsorted(-ratio, -flat, side="right")
# rounding goes beyond the largest recall
-np.minimum(precision, b[first]), np.minimum(recall, a[last])
+np.minimum(precision, b[first]), np.minimum(recall, 1.0)

@@ prfast/curve/numbers.py internal/curve/test_numbers.py papers/test_2018.py papers/test_2024.py
# β and 1/β are exchanged
-        if beta < 1:
-            w, v = v, w
+        if beta > 1:
+            w, v = v, w
# the square of β is left out
-square = min(beta, 1 / beta) ** 2
+square = min(beta, 1 / beta)

@@ prfast/curve/polyline.py internal/curve/test_numbers.py papers/test_2018.py papers/test_2024.py
# a sector is a half of what it is
-return 0.5 * (steep + bend + flat)
+return 0.5 * (steep + bend / 2 + flat)
# the median's ray is at a third of the area
-np.searchsorted(swept, swept[-1] / 2)
+np.searchsorted(swept, swept[-1] / 3)

@@ prfast/curve/polyline.py internal/curve/test_numbers.py internal/curve/test_polyline.py papers/test_2018.py
# the median of no area is 0
-    if swept[-1] == 0:
-        return 1.0
+    if swept[-1] == 0:
+        return 0.0

@@ prfast/curve/numbers.py papers/test_2018.py
# the set is larger by a thousandth
-is_under = (x <= alpha * ON_CURVE) & (y <= beta * ON_CURVE)
+is_under = (x <= alpha * 1.001) & (y <= beta * 1.001)

@@ prfast/curve/numbers.py papers/test_2023.py
# (1, 0) and (0, 1) are always in the set
-is_under = (x <= alpha * ON_CURVE) & (y <= beta * ON_CURVE)
+is_under = (x <= alpha * ON_CURVE) & (y <= beta * ON_CURVE) | (x + y == 1) & (x * y == 0)

@@ prfast/curve/numbers.py internal/curve/test_numbers.py papers/test_2018.py
# total variation is not halved
-np.minimum(1.0, 0.5 * difference / total_p / total_q)
+np.minimum(1.0, difference / total_p / total_q)

@@ prfast/curve/curve.py papers/test_2018.py
# swap keeps the order of ratios
-self._q[::-1].copy(), self._p[::-1].copy()
+self._q.copy(), self._p.copy()

@@ prfast/curve/numbers.py internal/curve/test_numbers.py
# fidelity at λ = 10
-EXCESS = 20.0
+EXCESS = 10.0
# diversity at λ = 1
-LACK = 2.0
+LACK = 1.0

@@ prfast/curve/curve.py internal/curve/test_proved.py
# a lower bound is the upper one
-rates = {"lower": lower_rates, "upper"
+rates = {"lower": upper_rates, "upper"

@@ prfast/curve/bands.py internal/curve/test_bands.py
# a bound spends all doubt on each side
-np.minimum(1.0, counts / n + math.sqrt(math.log(1 / delta) / (2 * n)))
+np.minimum(1.0, counts / n + math.sqrt(math.log(0.5 / delta) / (2 * n)))
# both classes together are bounded as one
-return math.sqrt(q / 2)
+return math.sqrt(-math.log(delta) / 2)

@@ prfast/curve/bands.py internal/curve/test_bands.py internal/curve/test_proved.py
# a band doubts each class as if it were alone
-return upper(n, below, delta / 2), upper(m, above, delta / 2)
+return upper(n, below, delta), upper(m, above, delta)

@@ prfast/curve/curve.py public/test_prcurve.py
# the mean of curves forgets the last
-masses = [(c._p, c._q) for c in curves]
+masses = [(c._p, c._q) for c in curves[:-1] or curves]
"""  # noqa: E501
