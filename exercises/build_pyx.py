"""Build an answer in typed Cython: check it, translate it to C, compile the C.

Such an answer is written in Cython's pure Python mode. It is a Python file, in which annotations
such as ``k: cython.Py_ssize_t`` and decorators such as ``@cython.cclass`` give the types.

`build` is for a student's own machine. It keeps what it has built in the user's cache. The grader
calls `build_in` inside a jail (`exercises.grader.inside.builder`).
"""

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

from exercises import careful_pyx, check_pyx
from exercises.careful_pyx import careful
from exercises.check_pyx import BuildError, check, check_types
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
# without -DNDEBUG: an assertion ends the process where Cython's code would take None for a set
FLAGS = ["-O1", "-g0", "-w", "-fPIC"]

_ERROR = re.compile(rf"^(?:.*/)?{re.escape(FILE)}:(\d+):\d+: (.*)$", re.MULTILINE)

NO_COMPILER = (
    "there is no C compiler. Install one: `apt install gcc` on Debian and Ubuntu, "
    "`xcode-select --install` on macOS. Or name yours in the variable CC"
)
NO_CYTHON = "Cython is missing. Install it: python -m pip install 'cython>=3.3,<4'"


# ---- the compilers


def build_in(folder):
    """Build ``piece.py`` in a folder, and return the path of the shared library.

    Raises
    ------
    BuildError
        If the answer names what it may not, or a compiler finds a mistake.
    """
    folder = Path(folder)
    text = (folder / FILE).read_text(encoding="utf-8")
    check(text)
    _translate(folder, answer_numbers(text))
    return _compile(folder)


def _translate(folder, inside):
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
        with redirect_stderr(listing), careful(lambda tree: check_types(tree, inside)):
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
    checks = (Path(module.__file__) for module in (careful_pyx, check_pyx))
    files = (package / "autograd" / "node.pxd", *checks)
    parts += [str(package), *(str(path.stat().st_mtime_ns) for path in files)]
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
