"""Build minitorch's Cython modules.

Everything about the package that is not code generation or compilation stands in pyproject.toml.
Nothing is generated, translated or compiled unless a command builds: `sdist` packs the sources alone.

Environment
-----------
MINITORCH_JOBS=n     build n modules at a time, instead of as many as cores and memory allow
MINITORCH_OPENMP=0   build loops that run on one thread
MINITORCH_DEBUG=1    bounds checks and None checks in every module (``make debug``)
MINITORCH_SANITIZE=1 AddressSanitizer and UBSan in every module that is not generated (``make sanitize``)
MINITORCH_ONLY=glob  build only the modules whose path matches, for work on one part
MINITORCH_ANNOTATE=1 write Cython's annotated page beside each module (``make annotate``)

``--force`` translates and compiles everything again; so does a build of another kind than the one
before: debug, sanitized, on one thread, with another NumPy, or with other CFLAGS.

Note [Levels of optimisation]
Loops over elements are in kernels/ alone, and are compiled with -O3. What every call of an operator passes through is
compiled with -O2. The functions above it are long and mostly call Python's C functions: -O1 takes a third less time.
The nodes are as long, and each only calls a formula: -O1 takes a third less time there, too, and a backward pass with
small tensors as long as with -O2.
Formulas are as long, and nothing is written in them but calls of operators: -Os takes a third less room. With -Os for
operators and functions too, a call of `mul` would take 5 % longer, and one of `linear` 12 %.
"""

import fnmatch
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import FileError, OptionError

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from tools import generate  # noqa: E402
from tools.emit_forwarders import STUBS  # noqa: E402
from tools.jobs import jobs  # noqa: E402
from tools.machine import Compiler, check_platform, check_ufuncs, find_compiler  # noqa: E402
from tools.translate import Translation, translate  # noqa: E402

DEBUG = os.environ.get("MINITORCH_DEBUG") == "1"
SANITIZE = os.environ.get("MINITORCH_SANITIZE") == "1"
ONLY = os.environ.get("MINITORCH_ONLY", "*")
ANNOTATE = os.environ.get("MINITORCH_ANNOTATE") == "1"
# says of what kind the modules in place are
KIND = ROOT / "build" / "kind"
FORCE = ANNOTATE or "--force" in sys.argv
FUNCTIONS = Path("minitorch", "autograd", "functions")
GENERATED = [".".join((*FUNCTIONS.parts, *name.split("/"))) for name in generate.MODULES]
# Note [Levels of optimisation]: patterns of modules, and the level of the first that fits
LEVELS = {
    "*.kernels.*": "-O3",
    "minitorch.autograd.functions.generated.formulas": "-Os",
    "minitorch.autograd.functions.generated.tangents": "-Os",
    "minitorch.autograd.functions.generated.nodes_*": "-O1",
    "minitorch.autograd.functions.generated.*": "-O2",
    "minitorch.autograd.functions.entry_points": "-O2",
    "minitorch.autograd.functions.*": "-O1",
    "minitorch.distributed.*": "-O3",
    "*": "-O2",
}
# what tests see of functions that have no Python: not part of the package
PROBES = Path("tests", "probes")
UFUNC_LOOPS = "minitorch.kernels.elementwise.ufunc_loops"
# Cython's classes and functions that all modules use, compiled once; Cython writes the C file
SHARED = Path("minitorch", "core", "cython_shared.c")
SANITIZERS = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-g1"]

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


def source_files() -> list[Path]:
    """Return the .pyx files to build, those that are generated among them, relative to ROOT."""
    found = {path.relative_to(ROOT) for path in ROOT.glob("minitorch/**/*.pyx")}
    if not found:
        raise FileError(
            f"there is no .pyx file in {ROOT / 'minitorch'}: the sources are incomplete"
        )
    found |= {FUNCTIONS / f"{name}.pyx" for name in generate.MODULES}
    found |= {path.relative_to(ROOT) for path in (ROOT / PROBES).glob("**/*.pyx")}
    return sorted(path for path in found if fnmatch.fnmatch(path.as_posix(), ONLY))


def kind_of_build(compiler: Compiler) -> str:
    """Return what all modules have to be compiled again for, if it changes."""
    import numpy

    # Cython takes what it declares of NumPy from NumPy itself
    arguments = [numpy.__version__, *compiler.openmp_compile, os.environ.get("CFLAGS", "")]
    return f"debug={DEBUG} sanitize={SANITIZE} numpy={' '.join(arguments)}".strip()


def extensions() -> list[Extension]:
    files = source_files()
    return [
        Extension(".".join(path.with_suffix("").parts), [path.as_posix()])
        for path in ([SHARED] if files else []) + files
    ]


def prepare(module: Extension, compiler: Compiler) -> None:
    """Set what `module` is compiled and linked with."""
    import numpy

    *folders, name = module.name.split(".")
    in_kernels = "kernels" in folders
    level = next(v for pattern, v in LEVELS.items() if fnmatch.fnmatchcase(module.name, pattern))
    # the loops are vectorised in a debug build too: their roundings depend on it
    level = "-O1" if (DEBUG or SANITIZE) and not in_kernels else level
    # what tools/generate.py writes has no pointers of its own, and takes very long to compile with checks
    sanitizers = SANITIZERS if SANITIZE and module.name not in GENERATED else []
    threaded = in_kernels or name == "walk"
    # what Cython marks so runs once, when a module is loaded, and is very long: -O0 saves a few
    # percent of the time, and takes a tenth more room in the installed package
    once = "optnone, noinline" if compiler.clang else 'optimize("O1")'
    module.include_dirs = [numpy.get_include()]
    module.define_macros = [
        ("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION"),
        ("CYTHON_SMALL_CODE", f"__attribute__((cold, {once}))"),
    ]
    if module.name == UFUNC_LOOPS:
        module.include_dirs.append(".")
        # it reads a struct of NumPy, so that the next build with another NumPy compiles it again
        header = os.path.join(numpy.get_include(), "numpy", "ufuncobject.h")
        module.depends = ["minitorch/kernels/elementwise/ufunc_fields.h", header]
        module.define_macros.append(("MINITORCH_BUILT_WITH_NUMPY", f'"{numpy.__version__}"'))
    # the generated C has symbols enough without -g, which Python's own flags ask for;
    # -fwrapv, which Python is built with, makes overflow of signed numbers defined;
    # without -Wno-all gcc looks for what -w does not show, for a tenth of its time
    module.extra_compile_args = [level, "-g" if DEBUG else "-g0", "-w", "-Wno-all", *sanitizers]
    if not (DEBUG or SANITIZE):
        # C has no exceptions that unwind the stack; the tables are 6 % of the size
        module.extra_compile_args += [
            "-fno-asynchronous-unwind-tables",
            "-fno-unwind-tables",
        ]
    module.extra_link_args = sanitizers[:1]
    if sys.platform == "linux" and not (DEBUG or SANITIZE):
        # a tenth of the installed size, and pages that would hold code alone
        module.extra_link_args += ["-Wl,--strip-all", "-Wl,-z,noseparate-code"]
    if threaded:
        module.extra_compile_args += compiler.openmp_compile
        module.extra_link_args += compiler.openmp_link


def size_of_source(extension: Extension) -> int:
    return os.path.getsize(extension.sources[0])


class BuildPy(build_py):
    """Check the machine, and generate the stubs and declarations that are packed with the sources.

    setuptools looks for packages before the stub package has been generated, so it is copied here.
    """

    def run(self):
        check_platform()
        find_compiler()
        generate.main(ROOT)
        super().run()
        if not self.editable_mode:
            self.copy_tree(str(ROOT / STUBS), os.path.join(self.build_lib, STUBS))


class BuildExt(build_ext):
    """Check the machine, generate, translate and compile, and leave the modules beside their sources.

    setuptools builds one module at a time unless told otherwise. ``python -m minitorch``, run in
    the checkout after an ordinary ``pip install .``, finds the folder ``minitorch/`` of the
    checkout first, so that one needs its compiled modules too.
    """

    def finalize_options(self):
        super().finalize_options()
        self.force = self.force or FORCE

    def run(self):
        check_platform()
        compiler = find_compiler()
        kind = kind_of_build(compiler)
        if ONLY == "*" and KIND.exists() and KIND.read_text(encoding="utf-8") != kind:
            self.force = True
        if not self.extensions:
            raise FileError(f"no .pyx file matches MINITORCH_ONLY={ONLY}")
        check_ufuncs(ROOT)
        if self.parallel is None:
            try:
                self.parallel = jobs()
            except ValueError as error:
                raise OptionError(str(error)) from None
        generate.main(ROOT)
        if not self.inplace:
            self.extensions = [e for e in self.extensions if not e.name.startswith("tests.")]
        for module in self.extensions:
            prepare(module, compiler)
        shared = ".".join(SHARED.with_suffix("").parts)
        options = Translation(DIRECTIVES, [str(ROOT)], shared, self.force, ANNOTATE)
        translate(self.extensions, options, self.parallel)
        super().run()
        if not self.inplace:
            self.copy_extensions_to_source()
        if ONLY == "*":
            KIND.parent.mkdir(exist_ok=True)
            KIND.write_text(kind, encoding="utf-8")

    def build_extension(self, ext):
        """Build a module, unless that in the checkout is newer than its sources.

        setuptools always builds in a folder of the build, which is empty at every ``pip install``.
        """
        built, there = Path(self.get_ext_fullpath(ext.name)), ROOT / self.get_ext_filename(ext.name)
        if there.exists() and not built.exists():
            built.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(there, built)
        super().build_extension(ext)

    def build_extensions(self):
        """Build ``self.parallel`` modules at a time."""
        self.check_extensions_list(self.extensions)
        # the largest first, lest one core compile it while the others have nothing left to do
        ordered = sorted(self.extensions, key=size_of_source, reverse=True)
        with ThreadPoolExecutor(max_workers=self.parallel) as pool:
            running = [pool.submit(self.build_extension, module) for module in ordered]
            try:
                for module in running:
                    module.result()
            finally:
                pool.shutdown(cancel_futures=True)


if __name__ == "__main__":
    os.chdir(ROOT)
    setup(ext_modules=extensions(), cmdclass={"build_ext": BuildExt, "build_py": BuildPy})
