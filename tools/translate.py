"""Translate the .pyx files to C.

Note [Overlooked dependencies]
Cython translates a file again if a .pxd that it cimports is newer than the C file. It overlooks the module in ``from
package cimport module``. Then one module would use the old fields, or the old numbers of an enum, and others the new
ones, and nothing would fail at import. So `translate` looks for these modules itself.

Note [Collect less often]
Cython's trees are large and live until their file is written. With Python's usual threshold, a third of the processor
time goes to walks over them that free nothing. Cython's processes are forked, so they inherit the threshold.
"""

import gc
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from setuptools import Extension


@dataclass
class Translation:
    """The arguments of ``cythonize`` that are the same for all modules."""

    directives: dict[str, Any]
    include_path: list[str]
    shared: str  # the name of the module with what all modules have in common
    force: bool = False
    annotate: bool = False


_CIMPORT = re.compile(r"^from ([\w.]+) cimport (\([^)]*\)|[^\n#]*)", re.MULTILINE)


@cache
def _cimported(path: Path) -> frozenset[Path]:
    """Return the .pxd files that a file cimports from, modules of a package included."""
    found: set[Path] = set()
    for module, names in _CIMPORT.findall(path.read_text(encoding="utf-8")):
        folder = Path(*module.split("."))
        found.update(
            (folder.with_suffix(".pxd"), *(folder / f"{n}.pxd" for n in re.findall(r"\w+", names)))
        )
    return frozenset(file for file in found if file.exists())


def dependencies(path: Path) -> Iterator[Path]:
    """Yield the .pxd files that a file depends on, each once."""
    seen = {path}
    waiting = [path]
    while waiting:
        for file in _cimported(waiting.pop()) - seen:
            seen.add(file)
            waiting.append(file)
            yield file


def expire(modules: list[Extension]) -> None:
    """Give C files that are older than a dependency a time stamp at which Cython translates them again."""
    _cimported.cache_clear()
    for module in modules:
        source = Path(module.sources[0])
        made = source.with_suffix(".c")
        if made.exists():
            time = made.stat().st_mtime
            if any(file.stat().st_mtime > time for file in dependencies(source)):
                os.utime(made, (0, 0))


def translate(modules: list[Extension], options: Translation, jobs: int) -> None:
    """Write the C file of each module where it is missing or old, and make it the module's source.

    The arguments that a .pyx file gives in its ``# distutils:`` lines are added to the module's.
    """
    from Cython.Build import cythonize

    expire(modules)
    thresholds = gc.get_threshold()
    gc.set_threshold(20_000, 20, 5)  # Note [Collect less often]
    try:
        made = cythonize(
            modules,
            compiler_directives=options.directives,
            include_path=options.include_path,
            shared_utility_qualified_name=options.shared,
            force=options.force,
            annotate=options.annotate,
            nthreads=jobs if jobs > 1 else 0,
        )
    finally:
        gc.set_threshold(*thresholds)
    completed = {module.name: vars(module) for module in made}
    for module in modules:
        vars(module).update(completed[module.name])
