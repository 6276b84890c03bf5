"""Translate the .pyx files to C."""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
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
    large: list[str] = field(default_factory=list)  # names of modules, see Note [Large modules]


def translate(modules: list[Extension], options: Translation, jobs: int) -> None:
    """Write the C file of each module where it is missing or old, and make it the module's source.

    The arguments that a .pyx file gives in its ``# distutils:`` lines are added to the module's.

    The large modules are translated one after the other in a process of their own, next to the
    others when there is more than one job.
    """
    large = [module for module in modules if module.name in options.large]
    others = [module for module in modules if module.name not in options.large]
    with ProcessPoolExecutor(max_workers=1) as pool:
        results = [pool.submit(_cythonize, [module], options, 0) for module in large]
        if jobs == 1 or not others:
            for result in results:
                result.result()
        beside = jobs - 1 if large else jobs
        found = _cythonize(others, options, beside if beside > 1 else 0)
        for result in results:
            found.update(result.result())
    for module in modules:
        vars(module).update(found[module.name])


def _cythonize(
    modules: list[Extension], options: Translation, processes: int
) -> dict[str, dict[str, Any]]:
    """Return the attributes of each extension that Cython has completed, by the module's name."""
    from Cython.Build import cythonize

    made = cythonize(
        modules,
        compiler_directives=options.directives,
        include_path=options.include_path,
        shared_utility_qualified_name=options.shared,
        force=options.force,
        annotate=options.annotate,
        nthreads=processes,
    )
    return {module.name: vars(module) for module in made}
