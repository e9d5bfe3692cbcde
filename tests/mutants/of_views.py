"""Divergences, bounds for adaptation, pictures."""

from __future__ import annotations

from mutant import Mutant

DUALS = [
    Mutant(
        "F jumps before t = 1",
        "prfast/theory/tradeoffs.py",
        "last = vertices.t.size - int(np.isinf(self._curve.vertices.ratio[1:]).sum())",
        "last = vertices.t.size",
        "theory/test_tradeoffs.py",
    ),
    Mutant(
        "the conjugate is taken at the next vertex",
        "prfast/theory/tradeoffs.py",
        'i = np.searchsorted(slopes, flat, side="right")\n        with',
        'i = np.searchsorted(slopes, flat, side="right") * 0\n        with',
        "theory/test_tradeoffs.py",
    ),
    Mutant(
        "masses of one side alone change sides in D_φ",
        "prfast/theory/divergences.py",
        "lam * float(q[p == 0].sum()), float(p[q == 0].sum())",
        "float(p[q == 0].sum()), lam * float(q[p == 0].sum())",
        "theory/test_divergences.py",
    ),
    Mutant(
        "χ² is divided by the other side",
        "prfast/theory/phi.py",
        "((p - q) / np.sqrt(q)) ** 2",
        "((p - q) / np.sqrt(p)) ** 2",
        "theory/test_divergences.py",
    ),
    Mutant(
        "JS to the middle is halved",
        "prfast/theory/phi.py",
        "return _tsallis_terms(1.0, p, m) + _tsallis_terms(1.0, q, m)",
        "return 0.5 * (_tsallis_terms(1.0, p, m) + _tsallis_terms(1.0, q, m))",
        "theory/test_divergences.py",
    ),
    Mutant(
        "the sides of the exclusive frontier are exchanged",
        "prfast/theory/renyi.py",
        "to_fake, to_real = np.concatenate(parts_fake), np.concatenate(parts_real)",
        "to_fake, to_real = np.concatenate(parts_real), np.concatenate(parts_fake)",
        "theory/test_frontiers.py",
    ),
    Mutant(
        "the sides of the inclusive frontier are exchanged",
        "prfast/theory/renyi.py",
        "    return to_fake, to_real\n\n\ndef _divergence_to",
        "    return to_real, to_fake\n\n\ndef _divergence_to",
        "theory/test_inclusive.py",
    ),
    Mutant(
        "MAUVE's scale is forgotten",
        "prfast/theory/frontiers.py",
        "np.exp(-scale * divergence)",
        "np.exp(-divergence)",
        "theory/test_frontiers.py",
    ),
    Mutant(
        "DeGroot's π is that of the other side",
        "prfast/theory/frontiers.py",
        "curve.at(flat / (1 - flat))",
        "curve.at((1 - flat) / flat)",
        "theory/test_divergences.py",
    ),
    Mutant(
        "total variation counts once in a bound for adaptation",
        "prfast/theory/adaptation.py",
        "risk + 2 * curve.total_variation",
        "risk + curve.total_variation",
        "theory/test_adaptation.py",
    ),
]

VIEWS = [
    Mutant(
        "precision is drawn to the right",
        "prfast/curve/polyline.py",
        "return recall[indices], precision[indices]",
        "return precision[indices], recall[indices]",
        "plots/test_plots.py",
    ),
    Mutant(
        "the axes of ROC are exchanged",
        "prfast/plots/views.py",
        "_plot_rates(curves, ax, roc,",
        "_plot_rates(curves, ax, lambda curve: roc(curve)[::-1],",
        "plots/test_views_drawn.py",
    ),
    Mutant(
        "the axes of a frontier are exchanged",
        "prfast/plots/views.py",
        "return to_real, to_fake",
        "return to_fake, to_real",
        "plots/test_views_drawn.py",
    ),
]
