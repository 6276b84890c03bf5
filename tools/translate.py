"""Translate the .pyx files to C."""

from dataclasses import dataclass
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


def translate(modules: list[Extension], options: Translation, jobs: int) -> None:
    """Write the C file of each module where it is missing or old, and make it the module's source.

    The arguments that a .pyx file gives in its ``# distutils:`` lines are added to the module's.
    """
    from Cython.Build import cythonize

    made = cythonize(
        modules,
        compiler_directives=options.directives,
        include_path=options.include_path,
        shared_utility_qualified_name=options.shared,
        force=options.force,
        annotate=options.annotate,
        nthreads=jobs if jobs > 1 else 0,
    )
    completed = {module.name: vars(module) for module in made}
    for module in modules:
        vars(module).update(completed[module.name])
