"""Programs of the C library: the driver, and what else calls it."""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
COMPILER = shutil.which(os.environ.get("CC", "cc"))
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
DRIVER = sorted(path.name for path in Path(__file__).parent.glob("driver*.c"))


def compile_with(flags, target, parts=DRIVER, library_flags=(), compiler=(COMPILER,)):
    """The parts and the library as a program; what the compiler said of it."""
    sources = [
        *(str(Path(__file__).with_name(part)) for part in parts),
        *map(str, sorted((ROOT / "csrc").rglob("*.c"))),
    ]
    command = [*compiler, *["-std=c11", "-g1", "-O1", "-I"], ROOT / "csrc", "-I", ROOT, *flags]
    objects = [str(target.with_name(f"{target.name}{i}.o")) for i in range(len(sources))]

    def run(*arguments):
        return subprocess.run([*command, *arguments], capture_output=True, text=True)

    def own_flags(source):
        return library_flags if Path(source).is_relative_to(ROOT / "csrc") else ()

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for built in pool.map(
            lambda source, target: run(*own_flags(source), "-c", source, "-o", target),
            sources,
            objects,
        ):
            if built.returncode:
                return built
    return run(*objects, "-lm", "-o", str(target))


def links(flags, folder):
    """Return whether the compiler makes programs with these options, which run here."""
    probe, target = folder / "probe.c", folder / "probe"
    probe.write_text("int main(void) { return 0; }\n")
    linked = subprocess.run([COMPILER, *flags, str(probe), "-o", str(target)], capture_output=True)
    return linked.returncode == 0 and subprocess.run([target], capture_output=True).returncode == 0
