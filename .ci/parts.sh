# Sourced by .ci/run and .ci/nightly: environments, background jobs, and a function for each step that
# both run.  $scratch is a temporary folder, the working directory a copy of the files that git tracks.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON:-python3}
scratch=$(mktemp -d)
declare -A pids
cleanup() { # also ends background jobs, with their children
    for group in "${pids[@]}"; do kill -- "-$group" 2> /dev/null || true; done
    wait || true
    rm -rf "$scratch"
}
trap cleanup EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1

step() { printf '\n== %s\n' "$*"; }

# in_env ENVIRONMENT COMMAND...: run in a virtual environment, created where it is missing
in_env() {
    [ -d "$scratch/$1" ] || "$python" -m venv "$scratch/$1"
    (PATH="$scratch/$1/bin:$PATH" && shift && eval "$@")
}

# background NAME COMMAND...: run beside the rest; wait_for NAME: wait, print its output, fail if it failed
background() {
    local name=$1 && shift
    set -m # a group of processes of its own
    "$@" < /dev/null > "$scratch/$name.log" 2>&1 & # reading a terminal would stop it
    pids[$name]=$!
    set +m
}
wait_for() {
    wait "${pids[$1]}" || { cat "$scratch/$1.log"; exit 1; }
    unset "pids[$1]" # the system may reuse the number
    cat "$scratch/$1.log"
}

# from_debian PACKAGE...: install where that is possible; tests that need a missing package are skipped
from_debian() {
    if command -v apt-get > /dev/null && [ "$(id -u)" = 0 ]; then
        { apt-get update && apt-get install -y --no-install-recommends "$@"; } > "$scratch/apt" 2>&1 \
            || tail -n 5 "$scratch/apt"
    fi
}

# All Debian packages that the steps use, as apt runs once at a time.
debian() {
    { command -v aarch64-linux-gnu-gcc && command -v qemu-aarch64; } > /dev/null \
        || from_debian gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
    command -v wine > /dev/null || from_debian wine wine64
    command -v clang-19 > /dev/null || from_debian clang-19 libclang-rt-19-dev libomp-19-dev
    command -v rustc > /dev/null || from_debian rustc
    { command -v chromium && command -v chromedriver; } > /dev/null \
        || from_debian chromium chromium-driver fonts-dejavu-core
}

# needs ENVIRONMENT EXTRA...: install what the package and these extras require, but not the package
needs() {
    local name=$1 && shift
    "$python" .ci/requirements.py "$@" > "$scratch/$name.txt"
    [ -d "$scratch/$name" ] || "$python" -m venv "$scratch/$name"
    "$scratch/$name/bin/python" -m pip install --quiet -r "$scratch/$name.txt" ${bounds:+-c "$bounds"}
}

# with_wheel ENVIRONMENT: install the wheel, and go to the folder with its tests and benches but without the package
with_wheel() {
    "$scratch/$1/bin/python" -m pip install --quiet --no-deps "$scratch"/dist/*.whl
    cd "$scratch/with-$1"
}

# Without untracked files, on which nothing may depend.
mkdir "$scratch/source"
git ls-files -z | xargs -0 tar -cf - -- | tar -xf - -C "$scratch/source"
cd "$scratch/source"

# Copies in which background jobs build.
cp -r . "$scratch/with-demo"
cp -r . "$scratch/with-build"
# Copies in which tests import a wheel, made before pip writes an egg-info into the sources, which would hide the
# wheel's.
for name in torch oldest; do
    cp -r . "$scratch/with-$name"
    rm -r "$scratch/with-$name/prfast"
done

wheel() {
    step "sdist -> wheel"
    cd "$scratch/with-build"
    in_env build "python -m pip install --quiet 'build>=1.2'"
    in_env build "python -m build --outdir '$scratch/dist' ."
}

# ---- steps of the nightly run; `clean` is the environment of the test command -------------------

marked_tests() {
    step "tests marked nightly"
    in_env clean "python -m pytest -m nightly -rs"
}

ann() {
    step "approximate neighbors, the extra ann"
    # Compilation by numba without optimization takes a minute less.
    in_env clean "NUMBA_OPT=0 python -m pytest -n0 tests/neighbors/test_approximate.py"
}

browser() {
    step "the report and the documentation in a browser"
    in_env clean "PRFAST_SITE='$scratch/site' python -m pytest -m '' -rs tests/report/test_report_browser.py tests/test_docs_browser.py"
}

documentation() {
    step "documentation"
    in_env clean "python -m sphinx -q -W --keep-going -n docs '$scratch/site'"
    test -s "$scratch/site/api.html"
    in_env clean "python -m pytest -n0 tests/test_papers.py"
}

torch() {
    step "models of images and texts, training loops, peers that need torch"
    with_wheel torch
    in_env torch "python -m pytest -m '' -rs tests/features tests/integrations tests/scalars/test_kernel.py tests/scalars/test_moments.py tests/samples/test_features.py tests/inputs/test_foreign.py tests/comparison/test_batches.py tests/cli/test_cli_features.py 'tests/bench/test_bench.py::test_every_case_runs[trained]'"
    cd "$scratch/source"
}

oldest() {
    step "oldest versions"
    with_wheel oldest
    # Tests of benchmarks, examples and types depend on the versions of their tools, not on lower bounds.
    local others="--ignore tests/bench --ignore tests/test_docs.py --ignore tests/test_types.py"
    # The C code does not depend on them, and tests of curves and metrics call it.
    others="$others --ignore tests/csrc --ignore tests/kernels --ignore tests/neighbors"
    # Tests of the report and of the theory call nothing of other packages that the others do not.
    others="$others --ignore tests/report --ignore tests/theory"
    # Comparisons with other packages, and programs with closed streams.
    others="$others --ignore tests/scalars/test_kernel.py"
    others="$others --ignore tests/cli/test_program.py --ignore tests/cli/test_cli_progress.py"
    others="$others --ignore tests/cli/test_demo.py"
    # Tests of the tests, the pages and the sources, and of signals.
    others="$others --ignore tests/fuzz --ignore tests/mutants --ignore tests/test_papers.py --ignore tests/test_defaults.py"
    others="$others --ignore tests/test_docs_metrics.py --ignore tests/test_imports.py --ignore tests/test_packaging.py"
    others="$others --ignore tests/faults"
    in_env oldest "python -m pytest $others"
    cd "$scratch/source"
}
