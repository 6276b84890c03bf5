"""Which errors and warnings of PyTorch's own modules have the differential tests raised?

``python -m tests.compat.error_texts`` runs the tests under coverage.py and looks at each ``raise`` with a
text and at each call that warns in the modules of MODULES: it was executed, or error_texts.toml gives a
reason why no test can, or it is left. Nothing may be left, and no reason may have lost its line.

``python -m tests.compat.error_texts --append tests/test_library_errors.py`` adds what these tests reach to
what was measured before, ``--show _pytree`` prints what is left in the modules with this word.
"""

import argparse
import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import coverage
import torch

ROOT = Path(__file__).resolve().parents[2]
TORCH = Path(torch.__file__).parent
MEASURED = ROOT / "build" / "error_texts.coverage"
MODULES = """autograd/**/*.py utils/checkpoint.py _vmap_internals.py overrides.py utils/_python_dispatch.py
    utils/_pytree.py library.py _library/*.py _custom_op/*.py _custom_ops.py _ops.py func/*.py
    _functorch/apis.py _functorch/autograd_function.py _functorch/batch_norm_replacement.py
    _functorch/deprecated.py _functorch/eager_transforms.py _functorch/functional_call.py
    _functorch/make_functional.py _functorch/predispatch.py _functorch/pyfunctorch.py _functorch/utils.py
    _functorch/vmap.py""".split()
TESTS = """tests/autograd/test_*.py tests/func/test_*.py tests/utils/test_*check*.py tests/utils/test_pytree*.py
    tests/test_custom_ops.py tests/test_library*.py tests/test_opcheck.py tests/test_schema*.py
    tests/test_*dispatch*.py tests/test_wrapper*.py tests/test_fake_tensors.py tests/test_overrides.py
    tests/test_torch_function.py tests/test_protocol_errors.py tests/test_namespace.py""".split()
WARN = {"warn", "warn_once", "_warn_once", "warning_once"}
REASONS = {
    "internal assertion": "the library would contradict itself",
    "dead code": "nothing calls it, or an earlier check says the same",
    "compiler": "only when programs are traced or compiled",
    "other device": "needs a device other than the CPU",
    "not offered": "of what minitorch leaves out, such as nested tensors and operators of the compiler",
    "distributed": "needs a process group",
    "TorchBind": "needs classes written in C++",
    "C++ extension": "needs operators written in C++",
    "environment": "depends on the interpreter's version or on packages that are missing",
    "private": "only by calling or changing what has an underscore",
    "works here": "what PyTorch has not implemented, minitorch computes",
}


class _Texts(ast.NodeVisitor):
    """The places that raise or warn: ``{(first line, last line): "Class.function: text"}``."""

    def __init__(self):
        self.inside, self.found = [], {}

    def _enter(self, node):
        self.inside.append(node.name)
        self.generic_visit(node)
        self.inside.pop()

    visit_ClassDef = visit_FunctionDef = visit_AsyncFunctionDef = _enter

    def visit_Raise(self, node):
        if node.exc is not None:  # otherwise it hands on what came from elsewhere
            self._note(node, node.exc)

    def visit_Call(self, node):
        name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
        if name in WARN:
            self._note(node, node)
        self.generic_visit(node)

    def _note(self, node, told):
        text = literal(told.args[0]) if isinstance(told, ast.Call) and told.args else None
        place = ".".join(self.inside)
        self.found[node.lineno, node.end_lineno] = f"{place}: {text or ast.unparse(told)}"


def literal(node):
    """The text of an expression, with ``{}`` where it depends; None where nothing of it is text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) or "{}" for part in node.values)
    if isinstance(node, ast.BinOp):
        return literal(node.left)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return literal(node.func.value)
    return None


def pytest_runtest_setup():
    """Go on measuring: a recursion without end takes the tracer away."""
    measurement = coverage.Coverage.current()
    if measurement is not None and sys.gettrace() is None:
        measurement.stop()
        measurement.start()


def modules():
    """PyTorch's modules that are looked at, by their names in error_texts.toml."""
    paths = {path for pattern in MODULES for path in TORCH.glob(pattern)}
    return {path.relative_to(TORCH).as_posix(): path for path in sorted(paths)}


def places(path):
    """Where a module raises or warns: see `_Texts`."""
    texts = _Texts()
    texts.visit(ast.parse(path.read_text(encoding="utf-8")))
    return texts.found


def reasons():
    """``{module: {beginning of a place: reason}}``."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def measure(tests, append):
    """Run the tests; their exit code."""
    files = [str(path) for test in tests for path in sorted(ROOT.glob(test))]
    if not append:
        MEASURED.unlink(missing_ok=True)
    MEASURED.parent.mkdir(exist_ok=True)
    options = ["--append", f"--data-file={MEASURED}", f"--include={TORCH}/*"]
    command = ["run", *options, "-m", "pytest", "-p", "tests.compat.error_texts", *files]
    return subprocess.run([sys.executable, "-m", "coverage", *command], cwd=ROOT).returncode


def count(show):
    """Print the table; how many places are left, and how many reasons have lost theirs."""
    data = coverage.CoverageData(str(MEASURED))
    data.read()
    every, total, stale = reasons(), [0, 0, 0, 0], []
    print(f"{'lines':>6} {'reached':>8} {'reason':>7} {'LEFT':>5}")
    for name, path in modules().items():
        found, executed = places(path), set(data.lines(str(path)) or ())
        missed = [
            (first, text)
            for (first, last), text in found.items()
            if executed.isdisjoint(range(first, last + 1))
        ]
        known = every.get(name, {})
        stale += [f"{name} {key}" for key in known if not any(t.startswith(key) for _, t in missed)]
        left = [(line, text) for line, text in missed if not text.startswith(tuple(known))]
        row = (len(found), len(found) - len(missed), len(missed) - len(left), len(left))
        total = [a + b for a, b in zip(total, row, strict=True)]
        if found:
            print("{:6} {:8} {:7} {:5}  {}".format(*row, name))
        for line, text in left:
            if show is not None and show in name:
                print(f"    {line}: {text[:150]!r}")
    print("{:6} {:8} {:7} {:5}".format(*total))
    for key in stale:
        print(f"a reason without its line: {key}")
    return total[-1] + len(stale)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", default=TESTS)
    parser.add_argument("--append", action="store_true", help="keep what was measured before")
    parser.add_argument("--measured", action="store_true", help="count without running tests")
    parser.add_argument("--show", metavar="WORD", help="what is left in the modules with this word")
    options = parser.parse_args()
    failed = 0 if options.measured else measure(options.tests, options.append)
    sys.exit(count(options.show) > 0 or failed > 0)


if __name__ == "__main__":
    main()
