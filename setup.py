"""Build minitorch's Cython modules.

Everything about the package that is not code generation or compilation stands in pyproject.toml.
Nothing is generated, translated or compiled unless a command builds: `sdist` packs the sources alone.

Environment
-----------
MINITORCH_JOBS=n     build n modules at a time, instead of as many as cores and memory allow
MINITORCH_OPENMP=0   build loops that run on one thread
MINITORCH_DEBUG=1    bounds checks and None checks in every module (``make debug``)
MINITORCH_SANITIZE=1 AddressSanitizer and UBSan in every module that is not generated (``make sanitize``)
MINITORCH_ONLY=glob  build only the folders in which the path of a module matches, for work on one part
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

import dataclasses
import fnmatch
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import FileError, OptionError
from setuptools.modified import newer_group

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
SHARED = Path(*generate.SHARED.split(".")).with_suffix(".c")
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
    found.add(SHARED)
    # a library needs all of its modules
    folders = {path.parent for path in found if is_asked_for(path.as_posix())}
    return sorted(path for path in found if path.parent in folders)


def is_asked_for(path: str) -> bool:
    return fnmatch.fnmatchcase(path, ONLY)


def kind_of_build(compiler: Compiler) -> str:
    """Return what all modules have to be compiled again for, if it changes."""
    import numpy

    # Cython takes what it declares of NumPy from NumPy itself
    arguments = [numpy.__version__, *compiler.openmp_compile, os.environ.get("CFLAGS", "")]
    return f"debug={DEBUG} sanitize={SANITIZE} numpy={' '.join(arguments)}".strip()


def modules() -> list[Extension]:
    """Return a module for each source file, to be translated and compiled."""
    return [
        Extension(".".join(path.with_suffix("").parts), [path.as_posix()])
        for path in source_files()
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
    if threaded:
        module.extra_compile_args += compiler.openmp_compile
        module.extra_link_args += compiler.openmp_link


def library_of(module: str) -> str:
    """Return the name of the library that a module is linked into. Note [One library for a folder]."""
    folder = module.rpartition(".")[0]
    return module if folder.startswith("tests.") else f"{folder}._compiled"


def libraries() -> list[Extension]:
    """Return the libraries to link. `BuildExt` gives each its objects."""
    return [Extension(name, []) for name in sorted({library_of(m.name) for m in modules()})]


def prepare_library(library: Extension, linked: list[Extension], objects: list[str]) -> None:
    """Set what `library` is linked from, and how."""
    library.extra_objects = library.depends = objects
    arguments = [argument for module in linked for argument in module.extra_link_args]
    library.extra_link_args = list(dict.fromkeys(arguments))
    if sys.platform == "linux" and not (DEBUG or SANITIZE):
        # a tenth of the installed size
        library.extra_link_args += ["-Wl,--strip-all"]


def size_of_source(module: Extension) -> int:
    return os.path.getsize(module.sources[0])


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
    """Check the machine, generate, translate, compile and link, and leave the libraries beside the sources.

    setuptools builds one library at a time unless told otherwise, and would compile all modules of a library
    again if one has changed. ``python -m minitorch``, run in the checkout after an ordinary ``pip install .``,
    finds the folder ``minitorch/`` of the checkout first, so that one needs the libraries too.
    """

    def finalize_options(self):
        super().finalize_options()
        self.force = self.force or FORCE
        # not in the folder that an editable install removes, so that the next one compiles only what is old
        self.build_temp = str(
            ROOT / "build" / f"temp.{self.plat_name}-{sys.implementation.cache_tag}"
        )

    def run(self):
        check_platform()
        compiler = find_compiler()
        kind = kind_of_build(compiler)
        if ONLY == "*" and KIND.exists() and KIND.read_text(encoding="utf-8") != kind:
            self.force = True
        self.modules = modules()
        if not self.modules:
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
            self.modules = [m for m in self.modules if not m.name.startswith("tests.")]
        for module in self.modules:
            prepare(module, compiler)
        asked_for = [m for m in self.modules if is_asked_for(m.sources[0])]
        others = [m for m in self.modules if not is_asked_for(m.sources[0])]
        options = Translation(DIRECTIVES, [str(ROOT)], generate.SHARED, self.force, ANNOTATE)
        translate(asked_for, options, self.parallel)
        translate(others, dataclasses.replace(options, force=False, annotate=False), self.parallel)
        super().run()
        if not self.inplace:
            self.copy_extensions_to_source()
        if ONLY == "*":
            KIND.parent.mkdir(exist_ok=True)
            KIND.write_text(kind, encoding="utf-8")

    def build_extensions(self):
        """Compile ``self.parallel`` modules at a time, and link the libraries."""
        # the largest first, lest one core compile it while the others have nothing left to do
        ordered = sorted(self.modules, key=size_of_source, reverse=True)
        with ThreadPoolExecutor(max_workers=self.parallel) as pool:
            running = {module.name: pool.submit(self.compile_module, module) for module in ordered}
            try:
                objects = {name: future.result() for name, future in running.items()}
            finally:
                pool.shutdown(cancel_futures=True)
        for library in self.extensions:
            linked = [m for m in self.modules if library_of(m.name) == library.name]
            prepare_library(library, linked, [objects[m.name] for m in linked])
            self.build_extension(library)
            for module in linked:
                self.remove_own_library(module, library)

    def compile_module(self, module: Extension) -> str:
        """Compile the C file of a module if it has changed, and return the path of the object."""
        sources = module.sources
        (made,) = self.compiler.object_filenames(sources, output_dir=self.build_temp)
        if newer_group([*sources, *module.depends], made):
            self.compiler.compile(
                sources,
                output_dir=self.build_temp,
                macros=module.define_macros,
                include_dirs=module.include_dirs,
                extra_postargs=module.extra_compile_args,
            )
        return made

    def remove_own_library(self, module: Extension, library: Extension) -> None:
        """Remove a library of the module alone, which Python would find before the one of the folder."""
        if module.name != library.name:
            for folder in (ROOT, Path(self.build_lib)):
                (folder / self.get_ext_filename(module.name)).unlink(missing_ok=True)


if __name__ == "__main__":
    os.chdir(ROOT)
    setup(ext_modules=libraries(), cmdclass={"build_ext": BuildExt, "build_py": BuildPy})
