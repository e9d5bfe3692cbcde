"""Changes that the tests of the papers must detect alone."""

TABLE = """
@@ prfast/curve/numbers.py papers/test_2023.py
# (1, 0) and (0, 1) always in the PR set
-return shaped((x >= 0) & (y >= 0) & is_under, shape)
+return shaped((x >= 0) & (y >= 0) & (is_under | (x * y == 0) & (x + y <= 1)), shape)

@@ prfast/curve/numbers.py papers/test_2018.py
# F: beta and 1/beta exchanged
-if beta < 1:
-            w, v = v, w
+if beta > 1:
+            w, v = v, w
# total variation is L1
-np.minimum(1.0, 0.5 * difference
+np.minimum(1.0, 1.0 * difference
# max precision of the first vertex
-return _number(self._polyline[1][..., self._ends[0]])
+return _number(self._polyline[1][..., 0])

@@ prfast/curve/polyline.py papers/test_2024.py
# median at a third of the area
-int(np.searchsorted(swept, swept[-1] / 2))
+int(np.searchsorted(swept, swept[-1] / 3))
# bend of an arc counted once
-2 * a * b * log, 0.0)
+a * b * log, 0.0)

@@ prfast/curve/curve.py papers/test_2018.py
# swap does not exchange
-p, q = self._q[::-1].copy(), self._p[::-1].copy()
+p, q = self._p.copy(), self._q.copy()

@@ prfast/curve/curve.py papers/test_2024.py
# IoU over the sum of areas
-union = self.area + other.area - common
+union = self.area + other.area
"""
