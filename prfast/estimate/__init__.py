"""Curves of samples, their intervals and checks, and every sentence about a result.

Pair ── method.scores(pair, split, context) ──► Scores ──► PRCurve

curves         the public functions pr_curve and pr_curves
profiles       the public function profile: curves at several resolutions
two_sample     the public function two_sample_test: a valid p-value by held-out scores
explain        the public function explain: which columns differ
intervals      bootstrap confidence intervals; paired bootstrap of models; max-t
diagnostics    contradictions between curves and with metrics; the check of every curve
column_shares  classes of the cells of a column, and held-out differences of their shares
attribution    columns and pairs in which the sets differ; rows that repeat; words for them
notes          sentences about curves and metrics; a curve as text and HTML
profile_notes  sentences about profiles; a profile as text and HTML
"""
