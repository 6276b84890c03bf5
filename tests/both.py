"""Run one program under minitorch and under PyTorch, and compare everything it yields.

A program is a function of the library: ``def program(torch): ...``. What it returns (tensors, numbers,
strings, lists, dictionaries, None) must be equal; an exception must have the same type and text.
"""

import functools
import gc
import importlib
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import minitorch

real = pytest.importorskip(
    "torch", reason="needs PyTorch as the reference: pip install -e '.[compat]'"
)


def outcome(program, library):
    """What the program does: ("returned", value, warnings) or ("raised", type name, text)."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = program(library)
        except Exception as error:
            return ("raised", type(error).__name__, _text(str(error)))
    texts = [(w.category.__name__, _text(str(w.message))) for w in caught]
    # given once in a process, by whichever test comes first
    once = (
        "create_graph=True will create",
        "torch.asarray: unspecified requires_grad",
        "Sparse invariant checks are implicitly disabled",
        "torch.qr is deprecated",
        "torch.cholesky is deprecated",
        "torch.triangular_solve is deprecated",
        "Using torch.cross without specifying",
        # of the compiler, which PyTorch starts for the decompositions of its forward mode
        "`torch.jit.script` is deprecated",
        "Attempted to insert a get_attr Node",
        "ComplexHalf support is experimental",
        "grad and param do not obey the gradient layout contract",
    )
    return ("returned", value, [t for t in texts if not any(o in t[1] for o in once)])


def _text(text):
    # where in PyTorch's sources a warning or assertion stands is not behaviour
    return text.split(" (Triggered internally")[0].split("INTERNAL ASSERT FAILED")[0]


def _known_to_numpy(tensor):
    name = str(tensor.dtype)
    # NumPy knows bfloat16 only where a package has taught it
    short = name == "torch.bfloat16" or "float8" in name
    wider = "complex64" if name == "torch.complex32" else "float32" if short else None
    library = minitorch if isinstance(tensor, minitorch.Tensor) else real
    return tensor if wider is None else tensor.to(getattr(library, wider))


def same(ours, theirs, tolerance, path="result"):
    """Assert that two values are equal, tensors by value, dtype, shape, strides and requires_grad."""
    if isinstance(theirs, real.Tensor):
        assert isinstance(ours, minitorch.Tensor), f"{path}: {type(ours)}"
        assert str(ours.dtype) == str(theirs.dtype), f"{path}: {ours.dtype} and {theirs.dtype}"
        assert tuple(ours.shape) == tuple(theirs.shape), f"{path}: {ours.shape} and {theirs.shape}"
        if theirs.numel():
            assert ours.stride() == theirs.stride(), f"{path}: strides"
        assert ours.requires_grad == theirs.requires_grad, f"{path}: requires_grad"
        np.testing.assert_allclose(
            _known_to_numpy(ours.detach()).numpy(force=True),
            _known_to_numpy(theirs.detach()).numpy(force=True),
            rtol=tolerance,
            atol=tolerance,
            err_msg=path,
        )
    elif isinstance(theirs, (list, tuple)):
        assert isinstance(ours, (list, tuple)), f"{path}: {ours!r} and {theirs!r}"
        assert len(ours) == len(theirs), f"{path}: {len(ours)} and {len(theirs)} items"
        for k, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            same(a, b, tolerance, f"{path}[{k}]")
    elif isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        for key in theirs:
            same(ours[key], theirs[key], tolerance, f"{path}[{key!r}]")
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, rel=tolerance, abs=tolerance, nan_ok=True), path
    else:
        assert ours == theirs, f"{path}: {ours!r} and {theirs!r}"


def compare(program, tolerance=1e-6, alone=False):
    """Assert that the program does the same under both libraries.

    `alone`: without garbage of other programs. While a lazy conjugate or a sparse tensor lives, backward passes
    run on Tensors, whose gradients may be laid out otherwise.
    """
    if alone:
        gc.collect()
    theirs = outcome(program, real)
    ours = outcome(program, minitorch)
    assert ours[0] == theirs[0], f"{ours} and {theirs}"
    if theirs[0] == "raised":
        assert ours == theirs
    else:
        same(ours[1], theirs[1], tolerance)
        assert ours[2] == theirs[2], f"warnings: {ours[2]} and {theirs[2]}"


def like_pytorch(program=None, *, tolerance=1e-6):
    """Decorator: the test is that the program does the same under both libraries."""
    if program is None:
        return functools.partial(like_pytorch, tolerance=tolerance)

    def test():
        compare(program, tolerance)

    test.__name__ = program.__name__
    test.__doc__ = program.__doc__
    return test


def logging_mode(torch):
    """A mode that writes down the names of the operators."""
    dispatch = importlib.import_module(f"{torch.__name__}.utils._python_dispatch")

    class Logging(dispatch.TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.log = []

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            self.log.append(str(func))
            return func(*args, **(kwargs or {}))

    return Logging()


def run_tests_in_pytorchs_way(text, folder, timeout):
    """The process that ran a program of tests; its last argument is the folder of PyTorch's testing modules.

    Without CI in the environment, where PyTorch's tests are run by another runner.
    """
    program = folder / "some_tests.py"
    program.write_text(text)
    modules = Path(real.__file__).parent / "testing"
    return subprocess.run(
        [sys.executable, "-m", "minitorch", "run", str(program), str(modules)],
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "CI"},
        timeout=timeout,
    )
