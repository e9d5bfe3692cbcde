"""What lies behind the door: engines that answer questions about distances.

exact        csrc: a float32 filter with a certified error, float64 where it cannot decide
pairs        every pair of points of a set once, in rounds whose parts do not meet
tree         SciPy's k-d tree finds candidates, D decides; where the dimension is low
approximate  pynndescent (extra: ann); only when asked for
divide       how the k nearest of two sets divide, by counting
"""
