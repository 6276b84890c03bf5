"""Build an answer in typed Cython: check it, translate it to C, compile the C.

Such an answer is written in Cython's pure Python mode. It is a Python file, in which annotations
such as ``k: cython.Py_ssize_t`` and decorators such as ``@cython.cclass`` give the types.

`build` is for a student's own machine. It keeps what it has built in the user's cache. The grader
calls `build_in` inside a jail (`exercises.grader.inside.builder`).

Note [What an answer may name]
The compiler could be made to read files, and C code can reach any memory of its process. So
`check` allows a list of Cython's names instead of forbidding some: types of numbers, classes and
functions. Pointers, casts, C arrays, directives and the C interface of other modules are not on it.
What is left can name its own memory only, and wrong indices and None raise an exception.
"""

import ast
import functools
import hashlib
import importlib.util
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import redirect_stderr
from pathlib import Path

from exercises.grader.allowed import BUILTINS, BY_NAME, ESCAPES, SPECIAL, Forbidden
from exercises.grader.names import check_replaced, is_plain
from exercises.grader.tree import walk
from exercises.source import FILE, answer_numbers

SECONDS = 40  # wall time of a build
KEPT = 100  # libraries in the cache
DIRECTIVES = {
    "language_level": 3,
    "nonecheck": True,
    "cdivision": True,
    "embedsignature": False,
    "emit_code_comments": False,
    "auto_pickle": False,
    "autotestdict": False,
}
FLAGS = ["-O1", "-g0", "-w", "-fPIC"]

# Note [What an answer may name]
CYTHON = set(
    """
    bint char short int long longlong uchar ushort uint ulong ulonglong size_t ssize_t Py_ssize_t
    float double void cclass cfunc ccall inline final exceptval compiled
    """.split()
)
CIMPORTS = {"minitorch.autograd.node": {"Node"}}
IMPORTS = {"array", "bisect", "collections", "functools", "heapq", "itertools", "math", "operator"}
NAMES = BUILTINS | {"__builtins__", "__import__", "__loader__", "__spec__"}
_DIRECTIVE = re.compile(r"#\s*(cython|distutils)\s*:")
_ERROR = re.compile(rf"^(?:.*/)?{re.escape(FILE)}:(\d+):\d+: (.*)$", re.MULTILINE)

NO_COMPILER = (
    "there is no C compiler. Install one: `apt install gcc` on Debian and Ubuntu, "
    "`xcode-select --install` on macOS. Or name yours in the variable CC"
)
NO_CYTHON = "Cython is missing. Install it: python -m pip install 'cython>=3.3,<4'"


class BuildError(Exception):
    """An answer cannot be built.

    Attributes
    ----------
    line : int or None
        The line of the text that was built.
    """

    def __init__(self, message, line=None):
        super().__init__(message)
        self.line = line


# ---- the check


def check(text):
    """Raise `BuildError` if an answer names what it may not: Note [What an answer may name].

    Only the places of the student are checked. The rest of the file is the teacher's.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise BuildError(f"SyntaxError: {error.msg}", error.lineno) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise BuildError(f"{type(error).__name__}: {error}") from None
    inside = answer_numbers(text)
    for number, line in enumerate(text.split("\n"), 1):
        if number in inside and (match := _DIRECTIVE.search(line)):
            raise BuildError(f"a comment may not give directives ({match[1]}:)", number)
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            child.parent = node
    for node in ast.walk(tree):
        if getattr(node, "lineno", None) in inside and (fault := _fault(node)):
            raise BuildError(fault, node.lineno)
    try:
        check_replaced(list(walk(tree, inside)))
    except Forbidden as error:
        raise BuildError(str(error), error.lineno) from None


def _fault(node):
    """Return what is wrong with one node of the syntax tree, or None."""
    match node:
        case ast.Import(names=names):
            for name in names:
                if name.name not in IMPORTS and (name.name != "cython" or name.asname):
                    return f"an answer in Cython may not import {name.name}"
        case ast.ImportFrom(module=module, names=names):
            given = (module or "").removeprefix("cython.cimports.")
            if given != module:
                for name in names:
                    if name.name not in CIMPORTS.get(given, ()):
                        return f"an answer may not cimport {name.name} from {given}"
            elif module not in IMPORTS or node.level:
                return f"an answer in Cython may not import from {module or '.'}"
            for name in names:
                if not _allows(name.name):
                    return f"an answer in Cython may not import {name.name}"
        case ast.Name(id="cython"):
            outer = node.parent
            if not isinstance(outer, ast.Attribute):
                return "cython may only be used as in cython.int"
            if outer.attr not in CYTHON:
                return f"an answer may not use cython.{outer.attr}"
            if isinstance(outer.parent, ast.Subscript) and outer.parent.value is outer:
                return "an answer may not use C arrays; use a list"
        case ast.Name(id=name) if name in BY_NAME:
            if not _finds_a_plain_name(node):
                return f"{name} needs a name that is written down, and that an answer may use"
        case ast.Name(id=name) if name in NAMES or name.startswith("__pyx"):
            return f"an answer in Cython may not use {name}"
        case ast.Attribute(attr=name) if name in NAMES or not _allows(name):
            return f"an answer in Cython may not use {name}"
        case ast.Constant(value=str()) if _is_annotation(node):
            return "write a type without quotation marks"
    return None


def _allows(name):
    """Return whether an attribute may have this name: it leads nowhere else, or is a usual method."""
    return name not in ESCAPES and (not name.startswith("__") or name in SPECIAL)


def _finds_a_plain_name(node):
    """Return whether `getattr` or the like is called with a name that may be written as well."""
    call = node.parent
    if not isinstance(call, ast.Call) or call.func is not node or not is_plain(call, _allows):
        return False
    return not any(isinstance(argument, ast.Starred) for argument in call.args)


def _is_annotation(node):
    """Return whether a node is part of an annotation."""
    while (outer := getattr(node, "parent", None)) is not None:
        if node in (getattr(outer, "annotation", None), getattr(outer, "returns", None)):
            return True
        node = outer
    return False


# ---- the compilers


def build_in(folder):
    """Build ``piece.py`` in a folder, and return the path of the shared library.

    Raises
    ------
    BuildError
        If the answer names what it may not, or a compiler finds a mistake.
    """
    folder = Path(folder)
    check((folder / FILE).read_text(encoding="utf-8"))
    _translate(folder)
    return _compile(folder)


def _translate(folder):
    try:
        from Cython.Compiler import Main, Options
    except ImportError:
        raise BuildError(NO_CYTHON) from None
    before, listing = os.getcwd(), io.StringIO()
    os.chdir(folder)  # so that the compiler names the file as FILE
    try:
        options = Options.CompilationOptions(
            Options.default_options,
            include_path=[str(parent_of_minitorch())],
            compiler_directives=DIRECTIVES,
            output_file="piece.c",
        )
        with redirect_stderr(listing):
            result = Main.compile(FILE, options, full_module_name="piece")
        if result.num_errors:
            raise _first_error(listing.getvalue())
    except BuildError:
        raise
    except Exception as error:  # noqa: BLE001 (a fault of the compiler on this text)
        raise BuildError(f"Cython fails: {type(error).__name__}: {error}") from None
    finally:
        os.chdir(before)


def _first_error(listing):
    match = _ERROR.search(listing)
    if match is None:
        return BuildError(f"Cython fails: {listing.strip()[-300:]}")
    return BuildError(f"Cython: {match[2]}", int(match[1]))


def _compile(folder):
    command = compiler()
    if command is None:
        raise BuildError(NO_COMPILER)
    shared = ["-shared"]
    if sys.platform == "darwin":
        shared = ["-bundle", "-undefined", "dynamic_lookup"]
    include = sorted({sysconfig.get_path(key) for key in ("include", "platinclude")})
    command += [*FLAGS, *shared, *(f"-I{path}" for path in include), "piece.c", "-o", "piece.so"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line]
        raise BuildError(f"the C compiler fails: {' '.join(lines[:1])[:300]}")
    return folder / "piece.so"


def compiler():
    """Return the command of the C compiler as a list, or None."""
    for words in (os.environ.get("CC"), "cc", "gcc", "clang"):
        command = shlex.split(words or "")
        if command and shutil.which(command[0]):
            return command
    return None


@functools.cache
def parent_of_minitorch():
    """Return the folder that has the library and its declarations."""
    return Path(importlib.util.find_spec("minitorch").origin).resolve().parents[1]


# ---- on a student's own machine


def build(text):
    """Return the path of the shared library made from an answer; it is built once.

    Raises
    ------
    BuildError
        If it cannot be built.
    """
    check(text)
    place = _cache() / f"{_stamp(text)}.so"
    if place.exists():
        return place
    with tempfile.TemporaryDirectory(prefix="minitorch-course-") as folder:
        (Path(folder) / FILE).write_text(text, encoding="utf-8")
        try:
            done = subprocess.run(
                [sys.executable, "-m", "exercises.build_pyx", folder],
                cwd=Path(__file__).resolve().parents[1],
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise BuildError(f"building it takes more than {SECONDS} s") from None
        try:
            message, line = json.loads(done.stdout)
        except ValueError:
            raise BuildError(f"the build ends without a result: {done.stderr[-300:]}") from None
        if message is not None:
            raise BuildError(message, line)
        place.parent.mkdir(parents=True, exist_ok=True)
        unfinished = place.with_suffix(f".{os.getpid()}")
        shutil.copyfile(Path(folder) / "piece.so", unfinished)
        os.replace(unfinished, place)
        _forget_old(place.parent)
    return place


def _forget_old(folder):
    """Remove all libraries but the newest ones."""
    libraries = sorted(folder.glob("*.so"), key=lambda path: path.stat().st_mtime_ns)
    for path in libraries[:-KEPT]:
        path.unlink(missing_ok=True)


def _cache():
    from exercises.student.course import cache_folder

    return cache_folder() / "cython"


def _stamp(text):
    """Return a digest of everything that changes the library made from an answer."""
    parts = [text, sys.version, repr(DIRECTIVES), repr(FLAGS), repr(compiler())]
    package = parent_of_minitorch() / "minitorch"
    parts += [str((package / "autograd" / "node.pxd").stat().st_mtime_ns), str(package)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def load(path):
    """Load a shared library as the module ``piece``."""
    from importlib.machinery import ExtensionFileLoader
    from importlib.util import module_from_spec, spec_from_file_location

    loader = ExtensionFileLoader("piece", str(path))
    module = module_from_spec(spec_from_file_location("piece", str(path), loader=loader))
    sys.modules["piece"] = module
    loader.exec_module(module)
    return module


def outcome_of(folder):
    """Build in a folder, and return a message and a line, or None and None."""
    try:
        build_in(folder)
    except BuildError as error:
        return str(error), error.line
    return None, None


if __name__ == "__main__":
    print(json.dumps(outcome_of(sys.argv[1])))
