"""Reports, results and plots."""

TABLE = r"""
@@ internal/report/test_page.py::test_names_are_text_everywhere
# prfast/report/write.py: the page does not escape names
~autoescape=«True → False»

@@ internal/report/test_page.py
# prfast/report/write.py: the conclusion has a model of copies
-compared = [name for name in models if name not in differences.copied]
+compared = list(models)

@@ internal/report/test_report.py
# prfast/report/write.py: every set has extreme samples
~if «abs(x["score"]) >= _FAR → x["score"]»:

@@ internal/results/test_results.py
# prfast/results/values.py: NaN goes to loggers
~for name, value in «numbers if math.isfinite(value) → numbers»}
# prfast/results/values.py: two curves have one name for loggers
~while «name in names → False»:
# prfast/results/values.py: cells of notebooks are not escaped
~}>{«escaped(cell) → cell»}</td>"
# prfast/results/values.py: surrogates stay in HTML
~return html.escape(«clean → str»(text))
# prfast/results/info.py: records agree if one lacks an entry
~if all(«key in info and info[key] → info.get(key, value)» == value for info in infos)
# prfast/results/info.py: records keep NaN
~allow_nan=«False → True», default
# prfast/results/info.py: a record shares lists with its argument
~«json.loads(json.dumps(value, allow_nan=False, default=of_python)) → value»

@@ internal/plots/test_plots.py
# prfast/plots/views.py: a band ends at the upper curve
~np.concatenate([above_x, «x → above_x»[::-1]])
# prfast/plots/views.py: F_1/8 is drawn to the right
~for b in («beta, 1 / → 1 / beta,» beta))
# prfast/plots/drawing.py: $ begins a formula in labels
~return clean«(text).replace("$", r"\$") → (text)»

@@ internal/plots/test_views_drawn.py
# prfast/plots/views.py: the axes of frontiers show their tails
~1.05 * «min(5 * middle, end) → end» if middle > 1e-9 else 1.0

@@ internal/report/test_pictures.py
# prfast/curve/picture.py: lines of a report are upside down
~self.top + self.side * «(1 - y) → y»
"""
