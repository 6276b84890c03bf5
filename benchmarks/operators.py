"""Every operator of PyTorch's ``op_db``, at two sizes: time per call.

The installed PyTorch names the operators and makes their sample inputs, in both children; the one
that measures minitorch converts them. Of each operator the samples that come closest to 400 and to
100,000 elements are timed. PyTorch writes the sizes of its samples in terms of the module constants
``S``, ``M`` and ``L``; scaling these yields the large samples.

Samples lie where an operator is well-behaved. Elementwise operators are therefore timed a third
time on numbers of every magnitude (``wide``), where results overflow, underflow or are NaN, and
`more` writes out cases that ``op_db`` lacks.

The children compare the shapes of the results. The tests compare the numbers.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import itertools
import math
import sys
import types
from collections.abc import Callable, Iterator
from functools import partial, reduce
from typing import Any

import numpy as np

from benchmarks.case import Case, Repeated
from benchmarks.inputs import Inputs, Named

SIZES = {"small": 400, "large": 100_000}
# what the constants of the sample functions are multiplied by, until a sample is large enough
SCALES = (1, 2, 4, 9, 18)
SAMPLES = 40  # at most, of one operator at one scale
INTERNAL = "torch.testing._internal"
SPACES = ("", "nn.functional.", "linalg.", "special.", "fft.", "Tensor.")


def cases(torch: Any) -> list[Case]:
    result = []
    for operator in importlib.import_module(f"{INTERNAL}.common_methods_invocations").op_db:
        if operator.name.startswith("jiterator"):
            continue  # compiled for CUDA alone
        name = ".".join(filter(None, (operator.name, operator.variant_test_name)))
        for size, elements in SIZES.items():
            result.append(Case(f"{name}, {size}", partial(sampled, torch, operator, elements)))
        if operands(operator):
            result.append(Case(f"{name}, wide", partial(wide, torch, operator)))
    result += [
        Case(name, partial(Shaped, torch, make)) for name, make in more(torch, Inputs(torch))
    ]
    return result


class Shaped(Repeated):
    """A call that is represented by the shape of its result, without gradients."""

    def __init__(self, torch: Any, make: Callable[[], Callable[[], Any]]):
        torch.manual_seed(0)
        torch.set_grad_enabled(False)
        super().__init__(make())
        self.torch = torch

    def sample(self) -> Any:
        return self.torch.tensor([float(size) for size in shape_of(self.call())])


def shape_of(result: Any) -> list[int]:
    if isinstance(result, (tuple, list)):
        return [size for part in result for size in shape_of(part)]
    return [*result.shape, -1] if hasattr(result, "shape") else []


def sampled(torch: Any, operator: Any, elements: int) -> Shaped:
    """Return the call of an operator with the sample whose size is closest to `elements`."""
    reference = importlib.import_module("torch")
    kinds = (reference.float32, reference.int64, reference.bool, reference.complex64)
    kind = next(kind for kind in kinds if operator.supports_dtype(kind, "cpu"))
    best, distance = None, math.inf
    for scale in SCALES:
        found = list(samples(operator, kind, scale))
        for sample, size in found:
            if abs(math.log(size / elements)) < distance:
                best, distance = sample, abs(math.log(size / elements))
        if max((size for _, size in found), default=0) >= elements / 2:
            break
    if best is None:
        raise ValueError("no samples")
    function = counterpart(torch, operator)
    arguments = convert(torch, (best.input, *best.args))
    return Shaped(torch, lambda: partial(function, *arguments, **convert(torch, best.kwargs)))


def samples(operator: Any, kind: Any, scale: int) -> Iterator[tuple[Any, int]]:
    """Yield samples of an operator at a scale, each with its number of elements."""
    importlib.import_module("torch").manual_seed(0)
    np.random.seed(0)  # PyTorch draws from this generator too
    with scaled(scale):
        found = operator.sample_inputs("cpu", kind, requires_grad=False)
        # a sample function that cannot be scaled raises; smaller scales have yielded samples
        with contextlib.suppress(RuntimeError, ValueError, IndexError, AssertionError):
            for sample in itertools.islice(found, SAMPLES):
                size = numel((sample.input, sample.args, sample.kwargs))
                if size:
                    yield sample, size


@contextlib.contextmanager
def scaled(scale: int) -> Iterator[None]:
    modules = [module for name, module in sys.modules.items() if name.startswith(INTERNAL)]
    before = [(m, name, vars(m)[name]) for m in modules for name in "SML" if name in vars(m)]
    try:
        for module, name, value in before:
            if isinstance(value, int):
                setattr(module, name, value * scale)
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


def numel(value: Any) -> int:
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        return sum(numel(part) for part in value)
    return value.numel() if hasattr(value, "numel") else 0


def attribute(root: Any, name: str) -> Any:
    return reduce(getattr, name.split("."), root)


def counterpart(torch: Any, operator: Any) -> Callable[..., Any]:
    """Return the name that `torch` has for the function of an operator."""
    reference = importlib.import_module("torch")
    with contextlib.suppress(AttributeError):
        if attribute(reference, operator.name) is operator.op:
            return attribute(torch, operator.name)
    return convert(torch, operator.op)


def convert(torch: Any, value: Any) -> Any:
    """Return the counterpart in `torch` of an argument that was made for PyTorch."""
    reference = importlib.import_module("torch")
    if torch is reference:
        return value
    if isinstance(value, reference.Tensor):
        return torch.from_numpy(value.detach().resolve_conj().resolve_neg().numpy())
    if isinstance(value, reference.Size):
        return torch.Size(value)
    if isinstance(value, reference.device):
        return torch.device(str(value))
    if isinstance(value, (reference.dtype, reference.layout, reference.memory_format)):
        return attribute(torch, str(value).removeprefix("torch."))
    if isinstance(value, dict):
        return {key: convert(torch, part) for key, part in value.items()}
    if type(value) in (tuple, list):
        return type(value)(convert(torch, part) for part in value)
    if isinstance(value, partial):
        return partial(convert(torch, value.func), *value.args, **value.keywords)
    if isinstance(value, types.FunctionType) and value.__module__.startswith("torch.testing"):
        return rebound(torch, value)
    if callable(value):
        for space in SPACES:
            name = space + getattr(value, "__name__", "")
            with contextlib.suppress(AttributeError):
                if attribute(reference, name) == value:
                    return attribute(torch, name)
        raise ValueError(f"no counterpart of {value!r}")
    return value


def call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Stand in for the helper that also seeds PyTorch's generator."""
    return function(*args, **kwargs)


def rebound(torch: Any, function: types.FunctionType) -> types.FunctionType:
    """Return a copy of a helper of ``torch.testing`` with its name ``torch`` bound to `torch`."""
    names = dict(function.__globals__, torch=torch, wrapper_set_seed=call)
    for name in function.__code__.co_names:
        helper = names.get(name)
        if isinstance(helper, types.FunctionType) and helper is not function:
            if helper.__module__.startswith("torch.testing"):
                names[name] = rebound(torch, helper)
    cells = tuple(
        types.CellType(convert(torch, cell.cell_contents)) for cell in function.__closure__ or ()
    )
    copy = types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, cells
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def operands(operator: Any) -> int:
    """Return the number of operands of an elementwise operator on float32; 0 for any other.

    The second operand of a polynomial is its degree, which no magnitude makes sense for.
    """
    reference = importlib.import_module("torch")
    if "polynomial" in operator.name or not operator.supports_dtype(reference.float32, "cpu"):
        return 0
    kinds = [kind.__name__ for kind in inspect.getmro(type(operator))]
    return 1 if "UnaryUfuncInfo" in kinds else 2 if "BinaryUfuncInfo" in kinds else 0


def wide(torch: Any, operator: Any) -> Shaped:
    """Return the call of an elementwise operator on numbers of all magnitudes and both signs."""
    function = counterpart(torch, operator)
    arguments = [magnitudes(torch, seed) for seed in range(operands(operator))]
    options = {}
    if len(arguments) == 1:
        reference = importlib.import_module("torch")
        options, _ = operator.sample_kwargs("cpu", reference.float32, magnitudes(reference, 0))
    return Shaped(torch, lambda: partial(function, *arguments, **convert(torch, options)))


def magnitudes(torch: Any, seed: int) -> Any:
    random = np.random.RandomState(seed)
    numbers = random.choice([-1.0, 1.0], 20_000) * 10 ** random.uniform(-44, 38, 20_000)
    return torch.from_numpy(numbers.astype("f4"))


def more(torch: Any, new: Inputs) -> Named:
    """Cases that ``op_db`` lacks."""
    functional = torch.nn.functional
    x = new.floats(100_000, low=0.5, high=1.5)
    exponents = new.integers(1000, 100_000)
    rows = new.floats(100, 64)
    yield "ldexp, exponents to 1000", lambda: partial(torch.ldexp, x, exponents)
    yield "pow, a number to 1000", lambda: partial(torch.pow, 2.0, exponents.float())
    yield "pow, 1e30 squared", lambda: partial(torch.pow, x * 1e30, 2.5)
    yield "pow, 1e-30 squared", lambda: partial(torch.pow, x * 1e-30, 2.5)
    yield "float_power, overflow", lambda: partial(torch.float_power, x * 1e300, 1.5)
    yield "vander", lambda: partial(torch.vander, torch.linspace(-2, 2, 256))
    yield "lgamma, negative", lambda: partial(torch.lgamma, -x)
    yield "mvlgamma", lambda: partial(torch.mvlgamma, x + 2, 3)
    yield "pdist, 256 x 256", lambda: partial(functional.pdist, new.floats(256, 256))
    yield "pdist, p=1", lambda: partial(functional.pdist, new.floats(256, 64), 1.0)
    for p in (0.0, 1.0, 2.0, 3.0, math.inf):
        yield f"cdist, p={p}", lambda p=p: partial(torch.cdist, rows, rows, p=p)
    grid = x.view(100, 1000)
    yield "flip, both dimensions", lambda: partial(torch.flip, grid, (0, 1))
    yield "flip, rows", lambda: partial(torch.flip, grid, (0,))
    yield "flip, columns", lambda: partial(torch.flip, grid, (1,))
    yield "fliplr", lambda: partial(torch.fliplr, grid)
    for turns in (1, 2, 3):
        yield f"rot90, {turns}", lambda turns=turns: partial(torch.rot90, grid, turns, (0, 1))
    for number in (100, 100_000):
        yield f"linspace, {number}", lambda n=number: partial(torch.linspace, -1, 1, n)
        yield f"logspace, {number}", lambda n=number: partial(torch.logspace, -1, 1, n)
        yield f"arange, {number}", lambda n=number: partial(torch.arange, n)
    yield "kron, 20 x 20", lambda: partial(torch.kron, new.floats(20, 20), new.floats(20, 20))
    yield "kron, 3 x 3", lambda: partial(torch.kron, new.floats(3, 3), new.floats(3, 3))
    yield "atan2", lambda: partial(torch.atan2, x - 1, x.flip(0) - 1)
    yield "entr", lambda: partial(torch.special.entr, x - 0.7)
    yield "unique_consecutive", lambda: partial(torch.unique_consecutive, exponents // 100)
    yield (
        "unique_consecutive, sorted",
        lambda: partial(
            torch.unique_consecutive,
            exponents.sort()[0],
            return_inverse=True,
            return_counts=True,
        ),
    )
    yield (
        "unique_consecutive, rows",
        lambda: partial(torch.unique_consecutive, new.integers(2, 1000, 4), dim=0),
    )
    images = new.floats(4, 8, 32, 32)
    yield (
        "fractional_max_pool2d",
        lambda: partial(functional.fractional_max_pool2d, images, 3, output_size=13),
    )
    yield (
        "fractional_max_pool3d",
        lambda: partial(
            functional.fractional_max_pool3d, new.floats(2, 4, 16, 16, 16), 2, output_size=7
        ),
    )
    batch = new.floats(64, 8, 8)
    batch = batch + batch.mT
    yield "eigh, 64 x 8 x 8", lambda: partial(torch.linalg.eigh, batch)
    yield "eigvalsh, 64 x 8 x 8", lambda: partial(torch.linalg.eigvalsh, batch)
    yield "eigh, 1024 x 3 x 3", lambda: partial(torch.linalg.eigh, new.floats(1024, 3, 3))
    yield "eigh, 128 x 128", lambda: partial(torch.linalg.eigh, new.floats(128, 128))
    yield from sparse(torch, new)
    for dimension in (2, 20):
        engine = torch.quasirandom.SobolEngine(dimension, scramble=True, seed=0)
        yield f"SobolEngine({dimension}).draw", lambda engine=engine: partial(engine.draw, 1000)


def sparse(torch: Any, new: Inputs) -> Named:
    numbers = new.floats(300, 300)
    matrix = torch.where(numbers > 1.88, numbers, torch.zeros(())).to_sparse().coalesce()
    dense = new.floats(300, 64)
    yield "sparse.mm, dense", lambda: partial(torch.sparse.mm, matrix, dense)
    yield "sparse @ vector", lambda: partial(torch.mv, matrix, dense[:, 0])
    yield "sparse.mm, sparse", lambda: partial(torch.sparse.mm, matrix, matrix)
    yield "sparse.addmm", lambda: partial(torch.sparse.addmm, new.floats(300, 64), matrix, dense)
    yield "sparse.sum", lambda: partial(torch.sparse.sum, matrix, 0)
    yield "sparse.softmax", lambda: partial(torch.sparse.softmax, matrix, 1)
    yield "sparse + sparse", lambda: partial(torch.add, matrix, matrix)
    yield "sparse * sparse", lambda: partial(torch.mul, matrix, matrix)
    yield "sparse * dense", lambda: partial(torch.mul, matrix, numbers)
    yield "sparse.to_dense", lambda: matrix.to_dense
    yield "to_sparse", lambda: numbers.relu().to_sparse
    yield (
        "coalesce",
        lambda: (
            lambda: torch.sparse_coo_tensor(
                matrix.indices(), matrix.values(), (300, 300)
            ).coalesce()
        ),
    )
