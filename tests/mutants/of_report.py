"""Reports, results and plots."""

TABLE = r"""
@@ prfast/report/write.py internal/report/test_page.py::test_names_are_text_everywhere
# the page does not escape names
~autoescape=«True → False»

@@ prfast/report/write.py internal/report/test_page.py
# a model of copies is compared
-if not x.curve.provenance.copies}
+}
# models are compared with that of the smallest area
~best = «max → min»(compared

@@ prfast/report/write.py internal/report/test_report.py
# every set has extreme samples
~if «abs(x["score"]) >= _FAR → x["score"]»:

@@ prfast/results/values.py internal/results/test_results.py
# NaN goes to loggers
~for name, value in «numbers if math.isfinite(value) → numbers»}
# two curves have one name for loggers
~while «name in names → False»:
# cells of notebooks are not escaped
~}>{«escaped(cell) → cell»}</td>"
# surrogates stay in HTML
~return html.escape(«clean → str»(text))

@@ prfast/results/info.py internal/results/test_results.py
# records agree if one lacks an entry
~if all(«key in info and info[key] → info.get(key, value)» == value for info in infos)
# records keep NaN
~allow_nan=«False → True», default
# a record shares lists with its argument
~«json.loads(json.dumps(value, allow_nan=False, default=of_python)) → value»

@@ prfast/plots/views.py internal/plots/test_plots.py
# a band ends at the upper curve
~np.concatenate([above_x, «x → above_x»[::-1]])
# F_1/8 is drawn to the right
~for b in («beta, 1 / → 1 / beta,» beta))

@@ prfast/plots/drawing.py internal/plots/test_plots.py
# $ begins a formula in labels
~return clean«(text).replace("$", r"\$") → (text)»

@@ prfast/plots/views.py internal/plots/test_views_drawn.py
# the axes of frontiers show their tails
~1.05 * «min(5 * middle, end) → end» if middle > 1e-9 else 1.0

@@ prfast/curve/picture.py internal/report/test_pictures.py
# lines of a report are upside down
~self.top + self.side * «(1 - y) → y»

"""
