"""Time per call of transforms, forward mode, Jacobians, dispatch modes and dispatching classes.

The networks are small, so that the cost of a level, a mode or a class per operator dominates.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.case import Case
from benchmarks.inputs import Inputs, Named
from benchmarks.jacobians import jacobians
from benchmarks.kernels import prepared

SAMPLES = 64


def cases(torch: Any) -> list[Case]:
    return [
        Case(name, partial(prepared, torch, make))
        for suite in (per_sample, of_functions, of_batches, forward_mode, protocols, jacobians)
        for name, make in suite(torch, Inputs(torch))
    ]


def _network(torch: Any, new: Inputs) -> tuple[Any, dict[str, Any]]:
    """16-32-32-1 with tanh, and its parameters."""
    nn = torch.nn
    layers = [nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1)]
    return _with_parameters(nn.Sequential(*layers), new)


def _with_parameters(network: Any, new: Inputs) -> tuple[Any, dict[str, Any]]:
    """Return the network, and parameters that are equal in both libraries."""
    parameters = {}
    for name, p in network.named_parameters():
        scale = 1 / max(p[0].numel(), 1) ** 0.5
        parameters[name] = new.floats(*p.shape, low=-scale, high=scale)
    return network, parameters


def per_sample(torch: Any, new: Inputs) -> Named:
    """Gradients of each sample's loss."""
    func, nn = torch.func, torch.nn

    def of(make: Callable[[], Any], x: Any, loss: Callable[..., Any], *targets: Any) -> Any:
        network, parameters = _with_parameters(make(), new)

        def of_sample(parameters: Any, x: Any, *target: Any) -> Any:
            out = func.functional_call(network, parameters, (x.unsqueeze(0),))
            return loss(out, *(t.unsqueeze(0) for t in target))

        gradients = func.vmap(func.grad(of_sample), (None, *(0,) * (1 + len(targets))))
        return lambda: tuple(gradients(parameters, x, *targets).values())

    def convolutional() -> Any:
        layers = [nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(1), nn.Linear(800, 10)]
        return nn.Sequential(*layers)

    classes = new.integers(10, 32)
    cross_entropy = torch.nn.functional.cross_entropy
    images = new.floats(32, 1, 12, 12)
    yield (
        "per-sample gradients: convolution",
        lambda: of(convolutional, images, cross_entropy, classes),
    )
    yield (
        "per-sample gradients: MLP",
        lambda: of(lambda: _network(torch, new)[0], new.floats(SAMPLES, 16), lambda out: out.sum()),
    )
    yield (
        "per-sample gradients: layer norm",
        lambda: of(
            lambda: nn.Sequential(nn.LayerNorm(16), nn.Linear(16, 10)),
            new.floats(32, 16),
            cross_entropy,
            classes,
        ),
    )


def of_functions(torch: Any, new: Inputs) -> Named:
    """Return cases with single and nested transforms."""
    func = torch.func
    network, parameters = _network(torch, new)
    x = new.floats(SAMPLES, 16)
    w = new.floats(20)

    def out(x: Any) -> Any:
        return func.functional_call(network, parameters, (x,)).squeeze()

    def curve(w: Any) -> Any:
        return (w.sin() * w.exp()).sum().tanh()

    functional = torch.autograd.functional
    yield "grad", lambda: partial(func.grad(curve), w)
    yield "vjp of an MLP", lambda: lambda: func.vjp(out, x)[1](torch.ones(SAMPLES))
    yield "jvp of an MLP", lambda: partial(func.jvp, out, (x,), (x,))
    yield "vmap(grad) to the samples", lambda: partial(func.vmap(func.grad(out)), x)
    yield "vmap(jacfwd) to the samples", lambda: partial(func.vmap(func.jacfwd(out)), x)
    yield "vmap(hessian) to the samples", lambda: partial(func.vmap(func.hessian(out)), x)
    yield "hessian, 20 numbers", lambda: partial(func.hessian(curve), w)
    yield "functional.hessian, 20 numbers", lambda: partial(functional.hessian, curve, w)
    yield "functional.hvp, 20 numbers", lambda: partial(functional.hvp, curve, w, w)


def of_batches(torch: Any, new: Inputs) -> Named:
    """`vmap` alone."""
    func = torch.func
    x = new.floats(SAMPLES, 16)
    w = new.floats(16)
    matrices = new.floats(8, 6, 6, kind="f8")
    matrices = matrices @ matrices.mT + torch.eye(6, dtype=torch.float64)
    half_log_determinant = lambda a: torch.linalg.cholesky(a).diagonal().log().sum()  # noqa: E731
    stacked = new.floats(8, 16, 16)
    yield "vmap of a * 2 + 1", lambda: partial(func.vmap(lambda a: a * 2 + 1), x)
    yield "vmap of a product", lambda: partial(func.vmap(lambda a: (a @ w).relu()), stacked)
    yield "vmap of softmax", lambda: partial(func.vmap(lambda a: a.softmax(-1)), stacked)
    yield "vmap of a[1:, ::2]", lambda: partial(func.vmap(lambda a: a[1:, ::2].sum(0)), stacked)
    yield "vmap of cholesky", lambda: partial(func.vmap(half_log_determinant), matrices)
    yield "vmap(grad) of logdet", lambda: partial(func.vmap(func.grad(torch.logdet)), matrices)


def forward_mode(torch: Any, new: Inputs) -> Named:
    forward_ad = torch.autograd.forward_ad
    network, parameters = _network(torch, new)
    x = new.floats(SAMPLES, 16)

    def tangent() -> Any:
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(x, x)
            out = torch.func.functional_call(network, parameters, (dual,))
            return forward_ad.unpack_dual(out).tangent

    yield "forward mode through an MLP", lambda: tangent


def protocols(torch: Any, new: Inputs) -> Named:
    """Return cases in which every operator is intercepted by a mode, subclass or hook."""
    network, parameters = _network(torch, new)
    x = new.floats(SAMPLES, 16)
    leaf = new.leaf(SAMPLES, 16)
    dispatch = importlib.import_module(f"{torch.__name__}.utils._python_dispatch")
    overrides = importlib.import_module(f"{torch.__name__}.overrides")

    class Dispatching(dispatch.TorchDispatchMode):
        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            return func(*args, **(kwargs or {}))

    class Overriding(overrides.TorchFunctionMode):
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            return func(*args, **(kwargs or {}))

    class Wrapper(torch.Tensor):
        @staticmethod
        def __new__(cls, inner: Any) -> Any:
            return torch.Tensor._make_wrapper_subclass(cls, inner.size(), dtype=inner.dtype)

        def __init__(self, inner: Any):
            self.inner = inner

        @classmethod
        def __torch_dispatch__(
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            args = [a.inner if isinstance(a, cls) else a for a in args]
            return cls(func(*args, **(kwargs or {})))

    class Square(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x: Any) -> Any:
            return x * x

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 2 * ctx.saved_tensors[0]

    def training() -> Any:
        (gradient,) = torch.autograd.grad(network(leaf).sum(), leaf)
        return gradient

    def under(mode: Any) -> Callable[[], Any]:
        network.load_state_dict(parameters)

        def run() -> Any:
            with mode:
                return training()

        return run

    def wrapped() -> Any:
        y = Wrapper(x)
        for _ in range(20):
            y = y * 2
        return y.inner

    squares = torch.func.vmap(torch.func.grad(lambda x: Square.apply(x).sum()))
    yield "MLP under a __torch_dispatch__ mode", lambda: under(Dispatching())
    yield "MLP under a __torch_function__ mode", lambda: under(Overriding())
    yield "20 products of a wrapper", lambda: wrapped
    yield "vmap(grad) of a Function", lambda: partial(squares, x)
