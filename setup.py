"""Build minitorch's Cython modules.

Everything about the package that is not code generation or compilation stands in pyproject.toml.

Environment
-----------
MINITORCH_DEBUG=1    bounds checks and None checks in every module (``make debug``)
MINITORCH_SANITIZE=1 AddressSanitizer and UBSan in every module that is not generated (``make sanitize``)
MINITORCH_ONLY=glob  build only the modules whose path matches, for work on one part
MINITORCH_ANNOTATE=1 write Cython's annotated page beside each module (``make annotate``)

``--force`` translates and compiles everything again; so does a build of another kind than the one
before, debug, sanitized or neither.
"""

import fnmatch
import os
import sys
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT))

DEBUG = os.environ.get("MINITORCH_DEBUG") == "1"
SANITIZE = os.environ.get("MINITORCH_SANITIZE") == "1"
ONLY = os.environ.get("MINITORCH_ONLY", "*")
ANNOTATE = os.environ.get("MINITORCH_ANNOTATE") == "1"
# stand there while the modules in place are those of such a build
MARKS = {ROOT / "build" / "debug": DEBUG, ROOT / "build" / "sanitize": SANITIZE}
FORCE = ANNOTATE or "--force" in sys.argv
FORCE = FORCE or (ONLY == "*" and any(mark.exists() != made for mark, made in MARKS.items()))
# -fwrapv, which Python is built with, makes overflow of signed numbers defined
WRITTEN = ("nodes", "tensor_methods")
SANITIZERS = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-g1"]

# what Cython marks so runs once, when a module is loaded, and is very long: gcc need not think about it
ONCE = ("CYTHON_SMALL_CODE", '__attribute__((cold, optimize("O0")))')

DIRECTIVES = {
    "language_level": 3,
    "binding": True,
    "embedsignature": True,
    "embedsignature.format": "python",
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    # a typed argument of a `def` takes None only where it says so
    "allow_none_for_extension_args": False,
    "cdivision": True,
    "auto_pickle": False,
    "autotestdict": False,
    # they make up half of the C
    "emit_code_comments": ANNOTATE,
}


def generate_sources() -> None:
    """Write autograd/functions/ from derivatives.toml (tools/generate.py)."""
    if (ROOT / "tools" / "generate.py").exists():
        from tools.generate import main

        main(ROOT)


def extensions() -> list[Extension]:
    modules = []
    for path in sorted(ROOT.glob("minitorch/**/*.pyx")):
        relative = path.relative_to(ROOT)
        if not fnmatch.fnmatch(relative.as_posix(), ONLY):
            continue
        in_kernels = relative.parts[1] == "kernels"
        # the generated modules are long and have no loops: -O2 takes ten times as long there
        generated = relative.parts[1:3] == ("autograd", "functions")
        # the loops are vectorised in a debug build too: their roundings depend on it
        level = "-O3" if in_kernels else "-O1" if DEBUG or SANITIZE or generated else "-O2"
        # what tools/generate.py writes has no pointers of its own, and takes very long to compile with checks
        sanitizers = SANITIZERS if SANITIZE and relative.stem not in WRITTEN else []
        threaded = in_kernels or relative.stem == "walk"
        modules.append(
            Extension(
                ".".join(relative.with_suffix("").parts),
                [relative.as_posix()],
                include_dirs=[numpy.get_include()],
                define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION"), ONCE],
                # the generated C has symbols enough without -g, which Python's own flags ask for
                extra_compile_args=[level, "-g" if DEBUG else "-g0", "-w"]
                + (["-fopenmp"] if threaded else [])
                + sanitizers,
                extra_link_args=(["-fopenmp"] if threaded else []) + sanitizers[:1],
            )
        )
    return modules


def size_of_source(extension: Extension) -> int:
    return os.path.getsize(extension.sources[0])


class BuildExt(build_ext):
    """Compile on every core, and always leave the modules beside their sources as well.

    setuptools builds one module at a time unless told otherwise. ``python -m minitorch``, run in
    the checkout after an ordinary ``pip install .``, finds the folder ``minitorch/`` of the
    checkout first, so that one needs its compiled modules too.
    """

    def finalize_options(self):
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count() or 1
        self.force = self.force or FORCE

    def run(self):
        super().run()
        if not self.inplace:
            self.copy_extensions_to_source()
        for mark, made in MARKS.items():
            if made:
                mark.parent.mkdir(exist_ok=True)
                mark.touch()
            elif ONLY == "*":
                mark.unlink(missing_ok=True)


if __name__ == "__main__":
    os.chdir(ROOT)
    generate_sources()
    modules = cythonize(
        extensions(),
        compiler_directives=DIRECTIVES,
        include_path=[str(ROOT)],
        force=FORCE,
        annotate=ANNOTATE,
        nthreads=os.cpu_count() or 1 if len(extensions()) > 1 else 0,
    )
    # the largest first, lest one core compile it while the others have nothing left to do
    modules.sort(key=size_of_source, reverse=True)
    setup(ext_modules=modules, cmdclass={"build_ext": BuildExt})
