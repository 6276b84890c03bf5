"""How many modules to build at a time: cores that may be used, memory that is there, MINITORCH_JOBS.

A container on a large machine sees all of its cores. What it may use is in the affinity of the
process and in the files of its control group.
"""

import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path

# bytes that a process of the build needs at most, measured: Cython takes more than gcc 12
MEMORY_OF_JOB = 750_000_000


def jobs(root: Path = Path("/")) -> int:
    """Return the number of modules to translate or compile at the same time.

    Raises
    ------
    ValueError
        If MINITORCH_JOBS is set and not a positive integer.
    """
    asked = os.environ.get("MINITORCH_JOBS", "")
    if asked:
        if not asked.isdecimal() or int(asked) < 1:
            raise ValueError(f"MINITORCH_JOBS has to be a positive integer, and is {asked!r}")
        return int(asked)
    cores = usable_cores(root)
    memory = available_memory(root)
    if memory is None:
        return cores
    return max(1, min(cores, int(memory) // MEMORY_OF_JOB))


def usable_cores(root: Path = Path("/")) -> int:
    """Return the cores of this process's affinity, or fewer if its control group allows fewer."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    for quota, period in _cpu_limits(root):
        cores = min(cores, math.ceil(quota / period))
    return max(1, cores)


def available_memory(root: Path = Path("/")) -> int | None:
    """Return the bytes that can still be used, or None where that is not known."""
    amounts = list(_memory_left(root))
    meminfo = _read(root / "proc/meminfo")
    for line in (meminfo or "").splitlines():
        if line.startswith("MemAvailable:"):
            amounts.append(int(line.split()[1]) * 1024)
    if not amounts and sys.platform == "darwin":
        amounts.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return min(amounts, default=None)


def _read(path: Path) -> str | None:
    try:
        return path.read_text().strip()
    except OSError:
        return None


def _groups(root: Path, controller: str) -> Iterator[Path]:
    """Yield the folders of this process's control group and of those around it.

    In version 1 each controller has a tree of its own, in version 2 there is one tree. Inside a
    container the path may be one of the host; then only the top folder exists.
    """
    for line in (_read(root / "proc/self/cgroup") or "").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            top = root / "sys/fs/cgroup"
        elif controller in controllers.split(","):
            top = root / "sys/fs/cgroup" / controller
        else:
            continue
        group = top / path.lstrip("/")
        while group != top and top in group.parents:
            yield group
            group = group.parent
        yield top


def _cpu_limits(root: Path) -> Iterator[tuple[int, int]]:
    """Yield ``(quota, period)``, both in microseconds, for each limit that is set."""
    for group in _groups(root, "cpu"):
        together = (_read(group / "cpu.max") or "").split()
        apart = [_read(group / "cpu.cfs_quota_us"), _read(group / "cpu.cfs_period_us")]
        for quota, period in [together] if len(together) == 2 else [apart]:
            if quota and period and quota.isdecimal() and period.isdecimal() and int(period):
                yield int(quota), int(period)


def _memory_left(root: Path) -> Iterator[int]:
    for group in _groups(root, "memory"):
        for limit_name, used_name in (
            ("memory.max", "memory.current"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes"),
        ):
            limit, used = _read(group / limit_name), _read(group / used_name)
            if limit and used and limit.isdecimal() and used.isdecimal():
                yield max(0, int(limit) - int(used))
