"""python setup.py build_ext --inplace, where prfast is installed: nothing is linked."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import prfast

CURVE = Extension(
    "curve",
    ["curve.pyx"],
    include_dirs=[prfast.get_include()],
    extra_compile_args=["-fopenmp"],
    extra_link_args=["-fopenmp"],
)

setup(name="curve", ext_modules=cythonize([CURVE], language_level=3))
