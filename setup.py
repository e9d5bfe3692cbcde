"""The compiled modules and the probes for them; everything else is in pyproject.toml."""

import os
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, LinkError

OPENMP_PROBE = "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n"

# Flags for the compiler and for the linker, tried in turn.  Apple's clang has no driver option for
# OpenMP, but takes it with an installed libomp.
OPENMP_MSVC = [(["/openmp"], [])]
OPENMP = [(["-fopenmp"], ["-fopenmp"]), (["-Xpreprocessor", "-fopenmp"], ["-lomp"])]


class BuildExt(build_ext):
    """Adds the compiler's own flags: C11, optimization, and OpenMP where it links.

    Files of all modules compile side by side.  The environment's CFLAGS ask for debug symbols.
    """

    def build_extensions(self):
        msvc = self.compiler.compiler_type == "msvc"
        for compile_flags, link_flags in OPENMP_MSVC if msvc else OPENMP:
            if self.links(compile_flags, link_flags):
                break
        else:
            print("prfast: the compiler has no OpenMP; building serial modules")
            compile_flags = link_flags = []
        for extension in self.extensions:
            # No contraction: a result must not depend on whether a multiply-add is fused.
            # A module shows its PyInit and nothing else; others take functions from its capsule.
            extension.extra_compile_args = (
                ["/std:c11", "/fp:precise"]
                if msvc
                else ["-std=c11", "-ffp-contract=off", "-fvisibility=hidden"]
            ) + compile_flags
            extension.extra_link_args = link_flags
        symbols = [] if msvc or "-g" in os.environ.get("CFLAGS", "") else ["-g0"]
        # The largest file takes a quarter of the whole, so more threads gain nothing.
        threads = self.parallel or min(os.cpu_count() or 1, 6)
        self.parallel = len(self.extensions)  # a thread for each, which waits for its files
        files = sum(len(extension.sources) for extension in self.extensions)
        print(
            f"prfast: compiling {files} files, {threads} at a time, for about a minute", flush=True
        )
        compile_list = self.compiler.compile
        with ThreadPoolExecutor(threads) as pool:

            def compile_apart(sources, extra_postargs, **options):
                def compile_file(source):
                    # Loops of generated C call functions of csrc, but for those of monotone.pyx.
                    calls = source.startswith("prfast") and "monotone" not in source
                    level = "/O2" if msvc else "-O2" if calls else "-O3"
                    flags = [*symbols, level, *extra_postargs]
                    return compile_list([source], extra_postargs=flags, **options)

                return [name for names in pool.map(compile_file, sources) for name in names]

            self.compiler.compile = compile_apart
            super().build_extensions()

    def links(self, compile_flags, link_flags):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "probe.c")
            with open(source, "w") as file:
                file.write(OPENMP_PROBE)
            try:
                objects = self.compiler.compile([source], folder, extra_postargs=compile_flags)
                self.compiler.link_executable(
                    objects, os.path.join(folder, "probe"), extra_postargs=link_flags
                )
            except (CompileError, LinkError):
                return False
        return True


# One wheel for every CPython from 3.11 on, with PRFAST_ABI3=1; a build from source is for its own,
# and so is that for a free-threaded Python, which has no stable ABI.
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
ABI3 = os.environ.get("PRFAST_ABI3") == "1" and not FREE_THREADED


def kernels(name, *files):
    """The module prfast.kernels.NAME, with its files of csrc."""
    return Extension(
        f"prfast.kernels.{name}",
        sources=[
            f"prfast/kernels/{name}.pyx",
            *(file for some in files for file in sorted(glob(f"csrc/{some}"))),
        ],
        include_dirs=["csrc", "."],
        depends=[
            "prfast/include/prfast.h",
            *sorted(glob("csrc/**/*.h", recursive=True)),
            *sorted(glob("prfast/kernels/*.px[di]")),
        ],
        libraries=[] if sys.platform == "win32" else ["m"],
        define_macros=[("Py_LIMITED_API", "0x030B0000"), ("CYTHON_LIMITED_API", "1")]
        if ABI3
        else [],
        py_limited_api=ABI3,
    )


DISTANCES = ("arithmetic/*.c", "distances/*.c", "filter/*.c", "isa/*.c", "public/distances*.c")
MODULES = [
    kernels("distances", *DISTANCES),  # the longest first
    kernels("masses", "masses/*.c", "public/masses.c", "public/text.c"),
    kernels("monotone"),
    kernels("trees", "trees/*.c"),
    kernels("capi"),
]

# The lock of the interpreter is not needed: a call has its objects, and what calls share is
# guarded by locks (prfast/inputs/concurrency.py).
DIRECTIVES = {"language_level": 3, "freethreading_compatible": True}

setup(
    ext_modules=cythonize(MODULES, compiler_directives=DIRECTIVES),
    cmdclass={"build_ext": BuildExt},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if ABI3 else {},
)
