"""Curves of samples, their intervals and checks, and every sentence about a result.

    Pair ── method.scores(pair, split, context) ──► Scores ──► PRCurve

    curves        the public functions pr_curve and pr_curves
    profiles      the public function profile: curves at several resolutions
    two_sample    the public function two_sample_test: a valid p-value by held-out scores
    intervals     bootstrap confidence intervals; paired bootstrap of models; max-t
    diagnostics   contradictions between curves and with metrics; the check of every curve
    attribution   columns, and pairs of columns, in which the sets differ, also in words; rows that
                  repeat
    column_classes
                  classes of the cells of a column, and words for those whose shares differ
    held_out      held-out differences of shares, and their errors
    explain       the public function explain: which columns differ
    notes         sentences about curves and metrics: method, what it cannot detect; curves as
                  text and HTML, with ± and a picture
    sample_notes  sentences on few, weighted, grouped, repeated and copied samples
    profile_notes
                  sentences about profiles; profiles as text and HTML

A scorer that does not detect a difference returns a curve that is too high, however exact it is;
`diagnostics` warns where something else detects it.
"""
