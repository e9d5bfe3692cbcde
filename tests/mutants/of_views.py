"""Divergences, bounds for adaptation, pictures."""

TABLE = """
@@ papers/test_2023.py
# prfast/theory/tradeoffs.py: F jumps before t = 1
~last = «vertices.t.size - int(np.isinf(self._curve.vertices.ratio[1:]).sum()) → vertices.t.size»
# prfast/theory/tradeoffs.py: the conjugate is taken at the next vertex
-i = np.searchsorted(slopes, flat, side="right")
-        with
+i = np.searchsorted(slopes, flat, side="right") * 0
+        with

@@ papers/test_2023_divergences.py
# prfast/theory/divergences.py: masses of one side alone change sides in D_φ
-lam * float(q[p == 0].sum()), float(p[q == 0].sum())
+float(p[q == 0].sum()), lam * float(q[p == 0].sum())
# prfast/theory/divergences.py: DeGroot's π is that of the other side
~curve.at(«flat / (1 - flat) → (1 - flat) / flat»)
# prfast/theory/phi.py: χ² is divided by the other side
~((p - q) / np.sqrt(«q → p»)) ** 2
# prfast/theory/phi.py: JS to the middle is halved
-return _tsallis_terms(1.0, p, m) + _tsallis_terms(1.0, q, m)
+return 0.5 * (_tsallis_terms(1.0, p, m) + _tsallis_terms(1.0, q, m))
# prfast/theory/renyi.py: the sides of the exclusive frontier are exchanged
-to_fake, to_real = np.concatenate(parts_fake), np.concatenate(parts_real)
+to_fake, to_real = np.concatenate(parts_real), np.concatenate(parts_fake)

@@ internal/theory/test_frontiers.py
# prfast/theory/renyi.py: the sides of the inclusive frontier are exchanged
~return np.concatenate«(to_fake), np.concatenate(to_real) → (to_real), np.concatenate(to_fake)»
# prfast/theory/divergences.py: MAUVE's scale is forgotten
~np.exp(-«scale * divergence → divergence»)

@@ papers/test_2023_adaptation.py
# prfast/theory/adaptation.py: total variation counts once in a bound for adaptation
~risk + «2 * curve.total_variation → curve.total_variation»

@@ internal/plots/test_plots.py
# prfast/curve/polyline.py: precision is drawn to the right
~return «recall[indices], precision → precision[indices], recall»[indices]

@@ internal/plots/test_views_drawn.py
# prfast/plots/views.py: the axes of ROC are exchanged
~_plot_rates(curves, ax, «roc → lambda curve: roc(curve)[::-1]»,
# prfast/plots/views.py: the axes of a frontier are exchanged
~return «to_real, to_fake → to_fake, to_real»
"""
