# Sourced by .ci/run and .ci/nightly: environments, background jobs, and the steps that both run.
# $scratch is a temporary folder, the working directory a copy of the files that git tracks.
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

# needs ENVIRONMENT EXTRA...: install what the package and these extras require, but not the package
needs() {
    local name=$1 && shift
    "$python" .ci/requirements.py "$@" > "$scratch/$name.txt"
    [ -d "$scratch/$name" ] || "$python" -m venv "$scratch/$name"
    "$scratch/$name/bin/python" -m pip install --quiet -r "$scratch/$name.txt" ${bounds:+-c "$bounds"}
}

# Without untracked files, on which nothing may depend.
mkdir "$scratch/source"
git ls-files -z | xargs -0 tar -cf - -- | tar -xf - -C "$scratch/source"
cd "$scratch/source"

# Copies in which background jobs build.
cp -r . "$scratch/with-demo"
cp -r . "$scratch/with-build"

wheel() {
    step "sdist -> wheel"
    cd "$scratch/with-build"
    in_env build "python -m pip install --quiet 'build>=1.2'"
    in_env build "python -m build --outdir '$scratch/dist' ."
}

documentation() { # in the environment `clean`, with the extra docs
    step "documentation"
    in_env clean "python -m sphinx -q -W --keep-going -n docs '$scratch/site'"
    test -s "$scratch/site/api.html"
    in_env clean "python -m pytest -n0 tests/test_papers.py"
}
