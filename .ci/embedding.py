"""Other compiled code with an installed prfast: what examples/ says, word for word.

    python .ci/embedding.py SDIST FOLDER

with the Python of an environment where prfast (a wheel), cffi, Cython and setuptools are.  In
FOLDER, which is new and outside the sources, it

  1. makes libprfast.so of csrc/ of the sdist by the line in docs/embedding.md;
  2. looks at what the library and the compiled modules show: the functions of the header, PyInit;
  3. compiles the header alone, as C11 and as C++;
  4. builds and runs each example and compares what it prints with Python, bit by bit;
  5. gives the Cython example a NaN in its first block, which no other block is to hide;
  6. builds the Cython example with headers of other versions, which importing it is to refuse.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import numpy as np

import prfast
from prfast.curve import masses
from prfast.neighbors import Count, NeighborSearch

SIZES = 700, 450, 6  # real samples, generated ones, their columns
COMPILER = os.environ.get("CC", "cc")
PACKAGE = Path(prfast.__file__).parent
HEADER = Path(prfast.get_include()) / "prfast.h"


def run(*command, cwd, **more):
    """Return the output of a command; end the program with that of one that fails."""
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def line_of(page, start):
    """Return the shell line of the page that begins so."""
    return re.findall(rf"^( *{re.escape(start)}.*)$", page, re.MULTILINE)[0].strip()


def library_of(sources):
    page = (sources / "docs" / "embedding.md").read_text(encoding="utf-8")
    subprocess.run(line_of(page, "cc -std=c11 -O3"), shell=True, cwd=sources, check=True)
    return sources / "libprfast.so"


def exported_symbols(path):
    """Symbols that others may link with."""
    lines = run("nm", "-D", "--defined-only", path, cwd="/").splitlines()
    return {line.split()[-1] for line in lines}


def check_symbols(library):
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(encoding="utf-8"), flags=re.DOTALL)
    functions = re.findall(r"^PRFAST_PUBLIC .*?\b(prfast_\w+)\(", text, re.MULTILINE)
    assert exported_symbols(library) == set(functions), exported_symbols(library) ^ set(functions)
    modules = sorted((PACKAGE / "kernels").glob("*.so"))
    assert len(modules) >= 3
    for path in modules:
        name = path.name.partition(".")[0]
        assert exported_symbols(path) == {f"PyInit_{name}"}, (name, exported_symbols(path))


def check_header(folder):
    """Alone, and after Python.h."""
    warnings = ["-Wall", "-Wextra", "-Wconversion", "-Werror", "-fsyntax-only"]
    folders = [f"-I{HEADER.parent}", f"-isystem{sysconfig.get_path('include')}"]
    (folder / "alone.c").write_text("#include <prfast.h>\n")
    (folder / "after.c").write_text(
        "#include <Python.h>\n#include <prfast.h>\n"
        "const prfast_api *f(void);\nconst prfast_api *f(void) { return prfast_import(); }\n"
    )
    compilers = {COMPILER: ["-std=c11"], "c++": ["-x", "c++", "-std=c++17"]}
    for compiler, language in compilers.items():
        if not shutil.which(compiler):
            print(f"{compiler}: skipped, it is not here")
            continue
        for file in ("alone.c", "after.c"):
            run(compiler, *language, *warnings, *folders, file, cwd=folder)


def data_in(folder):
    """Return the samples, and what Python finds of them: what every example is to print."""
    n, m, dim = SIZES
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(n, dim)), 0.9 * rng.normal(size=(m, dim)) + 0.2
    real[: n // 2], fake[: m // 2] = np.round(real[: n // 2]), np.round(fake[: m // 2])  # ties
    real.tofile(folder / "real.f64")
    fake.tofile(folder / "fake.f64")
    search = NeighborSearch(n_jobs=1)
    radius, near = search.kth_within(real, [3])[:, 0], search.kth(fake, real, [3])[:, 0]
    task = Count(None, radius, True, np.zeros(m, np.int64), np.zeros(n, np.int64))
    search.run(fake, [real], [task])
    p, q = masses.of_scores((-radius, -near), (None, None))
    fpr, fnr, ratio = prfast.PRCurve.from_scores(-radius, -near).vertices
    output = {"radius": radius, "held": task.rows, "covers": task.cols, "near": near}
    output |= {"p": p, "q": q, "fpr": fpr, "fnr": fnr, "ratio": ratio}
    output["alpha"] = prfast.theory.min_sums(p, q, np.array([2.0, 0.0, 0.5]))
    return "".join(f"{name} {bits_of(x)}\n" for name, x in output.items()) + (
        "refused prfast: k from 1 to the number of neighbors expected\n"
    )


def bits_of(x):
    return " ".join(str(one) if x.dtype == np.int64 else f"{one.view(np.uint64):016x}" for one in x)


def compare(name, output, expected):
    for one, other in zip(output.splitlines(), expected.splitlines(), strict=True):
        assert one == other, f"{name}: {one[:200]}\nexpected {other[:200]}"
    print(f"{name}: {len(output.split())} numbers, the same as Python's")


def c_example(here, folder, library):
    flags = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
    linked = [f"-I{HEADER.parent}", "curve.c", f"-L{library}", "-lprfast", "-lpthread"]
    run(COMPILER, *flags, *linked, "-o", "curve", cwd=here)
    return run("./curve", folder, *SIZES, cwd=here, env=os.environ | library_path(library))


def rust_example(here, folder, library):
    if not shutil.which("rustc"):
        return None
    run("rustc", "-O", "--edition", "2021", "curve.rs", "-L", library, "-l", "prfast", cwd=here)
    return run("./curve", folder, *SIZES, cwd=here, env=os.environ | library_path(library))


def cython_example(here, folder, library):
    run(sys.executable, "setup.py", "-q", "build_ext", "--inplace", cwd=here)
    return run(sys.executable, "run.py", folder, *SIZES, cwd=here)


def cffi_example(here, folder, library):
    return run(sys.executable, "curve.py", folder, *SIZES, cwd=here)


def library_path(library):
    return {"LD_LIBRARY_PATH": str(library)}


EXAMPLES = {
    "c": c_example,
    "rust": rust_example,
    "cython": cython_example,
    "cffi": cffi_example,
}


def check_no_block_hides_another(here):
    """A NaN in any block of queries is refused, whichever thread takes it."""
    script = """
import curve, numpy as np
refs = np.random.default_rng(0).normal(size=(1000, 8))
for row in range(0, 2000, 100):
    x = np.ones((2000, 8))
    x[row] = np.nan
    try:
        curve.kth(x, refs, False, 3)
    except ValueError as error:
        print(error)
"""
    output = run(sys.executable, "-c", script, cwd=here).splitlines()
    assert output == ["prfast: numbers in their range, not NaN and not all zero, expected"] * 20, (
        output
    )
    print("cython: a NaN in any block is refused")


def check_others_are_refused(here):
    """Headers of another ABI, and of a prfast with more functions."""
    text = HEADER.read_text(encoding="utf-8")
    setup = (here / "setup.py").read_text(encoding="utf-8")
    (here / "setup.py").write_text(setup.replace("prfast.get_include()", '"."'))
    changes = {
        "ABI 2 with a table of 72 bytes": ("#define PRFAST_ABI 1", "#define PRFAST_ABI 2"),
        "ABI 1 with a table of 80 bytes": ("} prfast_api;", "int (*more)(void); } prfast_api;"),
    }
    for what, change in changes.items():
        (here / "prfast.h").write_text(text.replace(*change))
        run(sys.executable, "setup.py", "-q", "build_ext", "--inplace", "--force", cwd=here)
        command = [sys.executable, "-c", "import curve"]
        done = subprocess.run(command, cwd=here, capture_output=True, text=True)
        expected = f"prfast: compiled for {what}, got ABI 1 with one of 72 bytes"
        assert f"ImportError: {expected}" in done.stderr, done.stderr
        print(f"cython: {what} is refused")


def main(sdist, folder):
    folder.mkdir()
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (sources,) = folder.iterdir()
    assert not PACKAGE.is_relative_to(Path(__file__).parents[1]), "prfast is not an installed one"
    library = library_of(sources)
    check_symbols(library)
    check_header(folder)
    expected = data_in(folder)
    for name, example in EXAMPLES.items():
        here = folder / name
        shutil.copytree(sources / "examples" / name, here)
        output = example(here, folder, library.parent)
        if output is None:
            print(f"{name}: skipped, there is no compiler for it here")
        else:
            compare(name, output, expected)
    check_no_block_hides_another(folder / "cython")
    check_others_are_refused(folder / "cython")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
