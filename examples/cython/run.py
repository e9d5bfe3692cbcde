"""python run.py DATA n m dim, after setup.py"""

import sys

import curve
import numpy as np

folder, n, m, dim = sys.argv[1], *map(int, sys.argv[2:])
real = np.fromfile(f"{folder}/real.f64").reshape(n, dim)
fake = np.fromfile(f"{folder}/fake.f64").reshape(m, dim)

results = {"radius": curve.kth(real, real, True, 3)}
results["held"], results["covers"] = curve.count(fake, real, results["radius"])
results["near"] = curve.kth(fake, real, False, 3)
names = ["p", "q", "fpr", "fnr", "ratio"]
results |= dict(zip(names, curve.curve(-results["radius"], -results["near"]), strict=True))
results["alpha"] = curve.min_sums(results["p"], results["q"], np.array([2.0, 0.0, 0.5]))

for name, x in results.items():
    whole = x.dtype == np.int64
    print(name, *(str(one) if whole else f"{one.view(np.uint64):016x}" for one in x))
try:
    curve.kth(fake, real, False, 0)
except ValueError as error:
    print("refused", error)
