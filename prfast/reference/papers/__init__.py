"""Experiments of the papers that are neither a curve nor a metric.

choose_k     k of a neighbor method by cross-validation in the training half (2024, §5.2)
plug_in      precision and recall at the threshold of the ratio itself (2024, Theorem 3.1)
partition    the k-means cells of the 2018 paper with labels, counts and curves of every run
"""

from prfast.reference.papers.cells import Cells, partition
from prfast.reference.papers.fixed_threshold import plug_in
from prfast.reference.papers.k_choice import KChoice, choose_k

__all__ = ["Cells", "KChoice", "choose_k", "partition", "plug_in"]
