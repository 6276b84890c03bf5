"""What ``import minitorch`` brings with it: NumPy, little of the standard library, and no more."""

import os
import subprocess
import sys
from pathlib import Path

import numpy

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}

# each costs more than a thirtieth of the quarter of a second that the import may take, or leads to
# others that do
HEAVY = ["argparse", "asyncio", "Cython", "email", "importlib.metadata", "json", "logging",
         "hashlib", "matplotlib", "minitorch._C", "minitorch._dispatch", "minitorch._functorch", "minitorch.autograd.checks.run", "minitorch.autograd.observe.drawing", "minitorch.autograd.observe.tracing",
         "minitorch.backends", "minitorch.cuda", "minitorch.commands.demo",
         "minitorch.legacy", "minitorch.optim", "minitorch.serialization", "minitorch.utils._pytree", "minitorch.utils.checkpoint", "minitorch.utils.data", "multiprocessing", "numpy.f2py", "numpy.random", "numpy.testing",
         "pydoc", "scipy", "sklearn", "sympy", "torch", "unittest", "urllib", "zipfile"]  # fmt: skip


def run(program):
    return subprocess.run(
        [sys.executable, "-c", program],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout


def test_no_heavy_module_is_imported_at_the_start():
    program = f"""
import sys
import numpy

known = set(sys.modules)
import minitorch

print([name for name in {HEAVY} if name in sys.modules and name not in known])
"""
    assert run(program) == "[]\n"


def test_scipy_is_whole_afterwards():
    program = """
import minitorch
import scipy.linalg

x = scipy.linalg.solve([[2.0]], [3.0]) + scipy.linalg.cython_blas.__name__.count("blas")
print(x.tolist(), scipy.linalg.__name__, (minitorch.ones(2, 2) @ minitorch.ones(2)).tolist())
"""
    assert run(program) == "[2.5] scipy.linalg [2.0, 2.0]\n"


def test_a_scipy_that_is_there_already_is_left_alone():
    program = """
import scipy.linalg
import sys

before = {name: sys.modules[name] for name in sys.modules if name.startswith("scipy")}
import minitorch

print(all(sys.modules[name] is module for name, module in before.items()))
"""
    assert run(program) == "True\n"


def test_ufuncs_that_do_not_read_as_python_shows_them_stop_the_import():
    # a NumPy that gives its types other numbers is one whose fields cannot be trusted
    program = """
import sys
import numpy

class Wrong:
    num = 99

class Switch:
    def find_spec(name, path, target=None):
        if name == "minitorch.kernels.elementwise.ufunc_loops":
            numpy.dtype = lambda *_: Wrong

sys.meta_path.insert(0, Switch)
try:
    import minitorch
except ImportError as error:
    print(error)
"""
    text = run(program)
    assert text.startswith("minitorch was built with NumPy ")
    assert f"cannot read the loops of add in NumPy {numpy.__version__}: install" in text
