"""Checks of the platform and the compiler, made before any file is translated.

``check_platform`` and ``find_compiler`` run before pip fetches the build requirements
(tools/backend.py) and again when the modules are built (setup.py). Each failure is a
`PlatformError` of one sentence that says what to do, which setuptools prints without a traceback.
"""

import functools
import importlib.machinery
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import setuptools  # noqa: F401  before distutils, which it provides from Python 3.12 on
from setuptools.errors import CompileError, ExecError, LinkError, PlatformError

from distutils.ccompiler import new_compiler  # isort: skip
from distutils.sysconfig import customize_compiler, get_python_inc  # isort: skip

PLAIN = "int minitorch_probe(void) { return 0; }\n"
WITH_PYTHON = "#include <Python.h>\n" + PLAIN
WITH_OPENMP = """\
#include <omp.h>
int minitorch_probe(void) {
    int threads = 0;
    #pragma omp parallel reduction(+:threads)
    threads += omp_in_parallel() + 1;
    return threads;
}
"""
UFUNC_MODULE = """\
#define PY_SSIZE_T_CLEAN
#include "minitorch/kernels/elementwise/ufunc_fields.h"

static PyObject* fields(PyObject* self, PyObject* ufunc) {
    minitorch_ufunc u = minitorch_ufunc_fields(ufunc);
    (void)self;
    return Py_BuildValue("iiiy#", u.nin, u.nargs, u.ntypes, u.types, (Py_ssize_t)(u.nargs * u.ntypes));
}

static PyMethodDef methods[] = {{"fields", fields, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "minitorch_ufunc_probe", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_minitorch_ufunc_probe(void) { return PyModule_Create(&module); }
"""


@dataclass
class Compiler:
    """The C compiler and the arguments for it that depend on its kind."""

    clang: bool
    openmp_compile: list[str]
    openmp_link: list[str]
    openmp: bool  # False: the loops run on one thread


def check_platform() -> None:
    """Raise PlatformError where minitorch cannot be built at all."""
    if sys.platform == "win32":
        raise PlatformError(
            "minitorch does not build on Windows: install WSL2 (`wsl --install`) and run pip in its Linux"
        )
    if sys.implementation.name != "cpython":
        raise PlatformError(
            f"minitorch needs CPython 3.11 or newer, and this is {sys.implementation.name}"
        )
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise PlatformError(
            "minitorch does not support free-threaded Python: use the ordinary build of the same "
            f"version (python{sys.version_info[0]}.{sys.version_info[1]} without the t)"
        )


@functools.cache
def find_compiler() -> Compiler:
    """Find the C compiler and how OpenMP is switched on with it.

    Where the compiler that Python was built with is missing, ``cc``, ``gcc`` and ``clang`` are
    tried in this order, and CC is set to the first that is there.

    Raises
    ------
    PlatformError
        If there is no compiler that works, if Python.h is missing, or if OpenMP is missing on
        another system than macOS and MINITORCH_OPENMP is not 0.
    """
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if shutil.which(shlex.split(command)[0]) is None:
        others = (
            [] if os.environ.get("CC") else [c for c in ("cc", "gcc", "clang") if shutil.which(c)]
        )
        if not others:
            raise PlatformError(
                f"minitorch needs a C compiler and found no `{command}` on the PATH: install gcc or "
                "clang (Debian and Ubuntu: `apt install gcc`; Fedora: `dnf install gcc`; macOS: "
                "`xcode-select --install`), or set CC to the one to use"
            )
        command = os.environ["CC"] = others[0]
    with tempfile.TemporaryDirectory() as folder:
        if not _builds(PLAIN, folder):
            raise PlatformError(f"the C compiler `{command}` cannot build an empty shared library")
        if not _builds(WITH_PYTHON, folder):
            raise PlatformError(
                f"Python.h, which C extensions need, is not in {get_python_inc()}: install the "
                "development files of this Python (Debian and Ubuntu: `apt install python3-dev`; "
                "Fedora: `dnf install python3-devel`)"
            )
        clang = _is_clang(command)
        if os.environ.get("MINITORCH_OPENMP") == "0":
            return Compiler(clang, [], [], openmp=False)
        for compile_args, link_args in _ways_to_openmp():
            if _builds(WITH_OPENMP, folder, compile_args, link_args):
                return Compiler(clang, compile_args, link_args, openmp=True)
    if sys.platform == "darwin":
        print(
            "minitorch: OpenMP was not found, so the loops will run on one thread; "
            "`brew install libomp` before the build makes them use all cores",
            file=sys.stderr,
        )
        return Compiler(clang, [], [], openmp=False)
    raise PlatformError(
        f"the C compiler `{command}` has no OpenMP: install it (Debian and Ubuntu: `apt install "
        "libomp-dev` for clang, gcc has it), or set MINITORCH_OPENMP=0 to build without threads"
    )


def check_ufuncs(root: Path) -> None:
    """Raise PlatformError unless the fields of a ufunc of this NumPy read as Python shows them.

    The reader is compiled from the same header as ``minitorch.kernels.elementwise.ufunc_loops``.
    """
    import numpy

    with tempfile.TemporaryDirectory() as folder:
        library = _build(UFUNC_MODULE, folder, include_dirs=[str(root), numpy.get_include()])
        if library is None:
            raise PlatformError(
                f"minitorch/kernels/elementwise/ufunc_fields.h does not compile with NumPy {numpy.__version__}: "
                "pick a version that pyproject.toml allows"
            )
        read = _load("minitorch_ufunc_probe", library).fields(numpy.add)
    if read != expected_fields(numpy.add):
        raise PlatformError(
            f"NumPy {numpy.__version__} lays out its ufuncs differently from the headers it brings: "
            "pick a version that pyproject.toml allows"
        )


def expected_fields(ufunc) -> tuple[int, int, int, bytes]:
    """Return ``(nin, nargs, ntypes, types)`` as Python shows them."""
    import numpy

    types = bytes(
        numpy.dtype(code).num for signature in ufunc.types for code in signature.replace("->", "")
    )
    return ufunc.nin, ufunc.nargs, ufunc.ntypes, types


def _ways_to_openmp() -> list[tuple[list[str], list[str]]]:
    ways = [(["-fopenmp"], ["-fopenmp"])]
    if sys.platform == "darwin":
        # Apple's clang takes the pragmas and brings no library; Homebrew and conda do
        prefixes = [sys.prefix]
        if shutil.which("brew"):
            answer = subprocess.run(["brew", "--prefix", "libomp"], capture_output=True, text=True)
            prefixes.insert(0, answer.stdout.strip())
        for prefix in filter(None, prefixes):
            if Path(prefix, "include", "omp.h").exists():
                ways.append(
                    (
                        ["-Xpreprocessor", "-fopenmp", f"-I{prefix}/include"],
                        [f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib", "-lomp"],
                    )
                )
    return ways


def _is_clang(command: str) -> bool:
    macros = subprocess.run(
        [*shlex.split(command), "-dM", "-E", "-x", "c", os.devnull], capture_output=True, text=True
    )
    return "__clang__" in macros.stdout


def _builds(source: str, folder: str, compile_args=(), link_args=()) -> bool:
    return _build(source, folder, compile_args, link_args) is not None


def _build(source, folder, compile_args=(), link_args=(), include_dirs=()) -> str | None:
    """Compile and link `source` as a module would be; return the library, or None on failure."""
    compiler = new_compiler()
    customize_compiler(compiler)
    compiler.spawn = _run_quietly
    path = Path(folder, "probe.c")
    path.write_text(source)
    library = str(Path(folder, "probe.so"))
    try:
        objects = compiler.compile(
            [str(path)],
            output_dir=folder,
            include_dirs=[*include_dirs, get_python_inc()],
            extra_preargs=["-w"],
            extra_postargs=list(compile_args),
        )
        compiler.link_shared_object(objects, library, extra_postargs=list(link_args))
    except (CompileError, LinkError, ExecError):
        return None
    return library


def _run_quietly(command, **_) -> None:
    if subprocess.run(command, capture_output=True).returncode:
        raise ExecError(f"command {command[0]!r} failed")


def _load(name: str, path: str) -> ModuleType:
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module
