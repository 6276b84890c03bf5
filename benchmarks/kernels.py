"""Single operators at sizes from a hundred to a million elements: time per call.

Inputs come from NumPy, so that both libraries get the same ones. Unless a case is called
"backward", nothing is recorded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.case import Case, Repeated
from benchmarks.inputs import Functional, Inputs, Named
from benchmarks.kernels_backward import backwards

SIZES = (100, 10_000, 1_000_000)


def cases(torch: Any) -> list[Case]:
    suites = (
        unary,
        binary,
        broadcasting,
        copies,
        reductions,
        rows,
        products,
        images,
        lookups,
        losses,
        random,
        backwards,
    )
    return [
        Case(name, partial(prepared, torch, make))
        for suite in suites
        for name, make in suite(torch, Inputs(torch))
    ]


def prepared(torch: Any, make: Callable[[], Callable[[], Any]]) -> Repeated:
    torch.manual_seed(0)
    return Repeated(make())


def short(size: int) -> str:
    return f"1e{round(math.log10(size))}"


def unary(torch: Any, new: Inputs) -> Named:
    functional = partial(getattr, Functional(torch))
    operator = partial(getattr, torch)
    positive = {"log", "sqrt", "rsqrt", "reciprocal"}
    names = [
        "neg",
        "abs",
        "exp",
        "log",
        "sin",
        "tanh",
        "sigmoid",
        "sqrt",
        "rsqrt",
        "reciprocal",
        "erf",
        "floor",
        "relu",
    ]
    for find, group in (
        (operator, names),
        (functional, ["gelu", "silu", "softplus", "leaky_relu"]),
    ):
        for name in group:
            source = new.positive if name in positive else new.floats
            for size in SIZES:
                yield (
                    f"{name} {short(size)}",
                    lambda find=find, name=name, source=source, size=size: partial(
                        find(name), source(size)
                    ),
                )
    yield "exp float64 1e4", lambda: partial(torch.exp, new.floats(10_000, kind="f8"))
    yield "logical_not 1e4", lambda: partial(torch.logical_not, new.floats(10_000) > 0)


def binary(torch: Any, new: Inputs) -> Named:
    for name in ["add", "sub", "mul", "div", "pow", "maximum", "gt", "eq"]:
        for size in SIZES:
            yield (
                f"{name} {short(size)}",
                lambda name=name, size=size: partial(
                    getattr(torch, name), new.positive(size), new.positive(size).flip(0)
                ),
            )
    for size in SIZES:
        yield (
            f"mul by a number {short(size)}",
            lambda n=size: partial(torch.mul, new.floats(n), 1.5),
        )
        yield f"pow 2 {short(size)}", lambda n=size: partial(torch.pow, new.floats(n), 2)
        yield f"mul_ in place {short(size)}", lambda n=size: partial(new.floats(n).mul_, 1.0)
        yield f"add out= {short(size)}", lambda n=size: with_out(torch, new.floats(n))
        yield f"where {short(size)}", lambda n=size: chosen(torch, new.floats(n))
        yield f"clamp {short(size)}", lambda n=size: partial(new.floats(n).clamp, -1.0, 1.0)
    yield (
        "add int64 + float32 1e4",
        lambda: partial(torch.add, new.integers(9, 10_000), new.floats(10_000)),
    )
    yield "add_ alpha= 1e4", lambda: partial(new.floats(10_000).add_, new.floats(10_000), alpha=0.0)


def with_out(torch: Any, x: Any) -> Callable[[], Any]:
    return partial(torch.add, x, x, out=torch.empty_like(x))


def chosen(torch: Any, x: Any) -> Callable[[], Any]:
    return partial(torch.where, x > 0, x, -x)


def broadcasting(torch: Any, new: Inputs) -> Named:
    for size in SIZES:
        n = round(math.sqrt(size))
        yield f"add row {n}x{n}", lambda n=n: partial(torch.add, new.floats(n, n), new.floats(n))
        yield (
            f"add column {n}x{n}",
            lambda n=n: partial(torch.add, new.floats(n, n), new.floats(n, 1)),
        )
        yield f"mul outer {n}x{n}", lambda n=n: partial(torch.mul, new.floats(n, 1), new.floats(n))
        yield (
            f"add transposed {n}x{n}",
            lambda n=n: partial(torch.add, new.floats(n, n), new.floats(n, n).t()),
        )
        yield (
            f"add sliced {n}x{n}",
            lambda n=n: partial(torch.add, new.floats(n, 2 * n)[:, ::2], 1.0),
        )


def copies(torch: Any, new: Inputs) -> Named:
    for size in SIZES:
        n = round(math.sqrt(size))
        yield f"clone {short(size)}", lambda n=size: new.floats(n).clone
        yield f"transposed contiguous {n}x{n}", lambda n=n: new.floats(n, n).t().contiguous
        yield (
            f"to float64 {short(size)}",
            lambda n=size: partial(new.floats(n).to, torch.float64),
        )
        yield f"cat {short(size)}", lambda n=n: partial(torch.cat, [new.floats(n // 2, n)] * 2)
        yield (
            f"cat columns {short(size)}",
            lambda n=n: partial(torch.cat, [new.floats(n, n // 2)] * 2, 1),
        )
        yield f"stack {short(size)}", lambda n=size: partial(torch.stack, [new.floats(n // 4)] * 4)
        yield f"zeros {short(size)}", lambda n=size: partial(torch.zeros, n)
        yield f"arange {short(size)}", lambda n=size: partial(torch.arange, n)


def reductions(torch: Any, new: Inputs) -> Named:
    for size in SIZES:
        n = round(math.sqrt(size))
        for name in ["sum", "mean", "max", "argmax"]:
            yield f"{name} {n}x{n}", lambda name=name, n=n: getattr(new.floats(n, n), name)
            for dim in (0, 1):
                yield (
                    f"{name} dim {dim} {n}x{n}",
                    lambda name=name, n=n, dim=dim: partial(
                        getattr(new.floats(n, n), name), dim=dim
                    ),
                )
        yield f"var dim 1 {n}x{n}", lambda n=n: partial(new.floats(n, n).var, dim=1)
        yield f"cumsum dim 1 {n}x{n}", lambda n=n: partial(new.floats(n, n).cumsum, dim=1)
        yield f"any {n}x{n}", lambda n=n: (new.floats(n, n) > 5).any
    yield "sum of transposed 1000x1000", lambda: partial(new.floats(1000, 1000).t().sum, dim=1)
    yield (
        "sum keepdim channels 32x64x14x14",
        lambda: partial(new.floats(32, 64, 14, 14).sum, (0, 2, 3)),
    )


def rows(torch: Any, new: Inputs) -> Named:
    functional = Functional(torch)
    for size in SIZES:
        n = round(math.sqrt(size))
        for name in ("softmax", "log_softmax"):
            yield (
                f"{name} {n}x{n}",
                lambda name=name, n=n: partial(getattr(functional, name), new.floats(n, n), dim=-1),
            )
        yield (
            f"layer_norm {n}x{n}",
            lambda n=n: partial(
                functional.layer_norm, new.floats(n, n), (n,), new.floats(n), new.floats(n)
            ),
        )
    yield "softmax dim 0 100x100", lambda: partial(functional.softmax, new.floats(100, 100), dim=0)


def products(torch: Any, new: Inputs) -> Named:
    for n in (8, 64, 256, 1024):
        yield f"matmul {n}", lambda n=n: partial(torch.matmul, new.floats(n, n), new.floats(n, n))
    yield (
        "matmul transposed 256",
        lambda: partial(torch.matmul, new.floats(256, 256).t(), new.floats(256, 256)),
    )
    yield "matrix-vector 256", lambda: partial(torch.matmul, new.floats(256, 256), new.floats(256))
    yield "dot 1e4", lambda: partial(torch.dot, new.floats(10_000), new.floats(10_000))
    yield (
        "bmm 64 of 64x16x64",
        lambda: partial(torch.bmm, new.floats(64, 64, 16), new.floats(64, 16, 64)),
    )
    yield (
        "addmm 64x64x128",
        lambda: partial(torch.addmm, new.floats(128), new.floats(64, 64), new.floats(64, 128)),
    )
    yield (
        "linear 64x64x128",
        lambda: partial(
            Functional(torch).linear, new.floats(64, 64), new.floats(128, 64), new.floats(128)
        ),
    )
    yield (
        "einsum bhid,bhjd->bhij",
        lambda: partial(
            torch.einsum, "bhid,bhjd->bhij", new.floats(8, 4, 64, 16), new.floats(8, 4, 64, 16)
        ),
    )


def images(torch: Any, new: Inputs) -> Named:
    functional = Functional(torch)
    yield (
        "conv2d LeNet 1: 64x1x28x28, 6x5x5",
        lambda: partial(
            functional.conv2d,
            new.floats(64, 1, 28, 28),
            new.floats(6, 1, 5, 5),
            new.floats(6),
            padding=2,
        ),
    )
    yield (
        "conv2d LeNet 2: 64x6x14x14, 16x5x5",
        lambda: partial(
            functional.conv2d, new.floats(64, 6, 14, 14), new.floats(16, 6, 5, 5), new.floats(16)
        ),
    )
    yield (
        "conv2d 8x32x32x32, 64x3x3 stride 2",
        lambda: partial(
            functional.conv2d,
            new.floats(8, 32, 32, 32),
            new.floats(64, 32, 3, 3),
            stride=2,
            padding=1,
        ),
    )
    yield (
        "max_pool2d 64x6x28x28",
        lambda: partial(functional.max_pool2d, new.floats(64, 6, 28, 28), 2),
    )
    yield (
        "avg_pool2d 64x6x28x28",
        lambda: partial(functional.avg_pool2d, new.floats(64, 6, 28, 28), 2),
    )
    yield (
        "adaptive_avg_pool2d 64x16x8x8",
        lambda: partial(functional.adaptive_avg_pool2d, new.floats(64, 16, 8, 8), 1),
    )


def lookups(torch: Any, new: Inputs) -> Named:
    yield (
        "embedding 1024 of 1000x64",
        lambda: partial(
            Functional(torch).embedding, new.integers(1000, 1024), new.floats(1000, 64)
        ),
    )
    for size in SIZES:
        n = round(math.sqrt(size))
        yield (
            f"gather dim 1 {n}x{n}",
            lambda n=n: partial(torch.gather, new.floats(n, n), 1, new.integers(n, n, n)),
        )
        yield (
            f"scatter_add dim 1 {n}x{n}",
            lambda n=n: partial(
                torch.scatter_add, new.floats(n, n), 1, new.integers(n, n, n), new.floats(n, n)
            ),
        )
        yield (
            f"index_select {n}x{n}",
            lambda n=n: partial(torch.index_select, new.floats(n, n), 0, new.integers(n, n)),
        )
        yield (
            f"x[integers] {n}x{n}",
            lambda n=n: partial(new.floats(n, n).__getitem__, new.integers(n, n)),
        )
        yield f"x[mask] {short(size)}", lambda n=size: masked(new.floats(n))
        yield f"masked_fill {short(size)}", lambda n=size: filled(new.floats(n))
    yield "x[3] 100x100", lambda: partial(new.floats(100, 100).__getitem__, 3)
    yield (
        "x[:, 1:-1] 100x100",
        lambda: partial(new.floats(100, 100).__getitem__, (slice(None), slice(1, -1))),
    )
    yield "view 1e4", lambda: partial(new.floats(100, 100).view, -1, 10)
    yield "triu 256x256", lambda: partial(torch.triu, new.floats(256, 256), 1)


def masked(x: Any) -> Callable[[], Any]:
    return partial(x.__getitem__, x > 0)


def filled(x: Any) -> Callable[[], Any]:
    return partial(x.masked_fill, x > 0, -math.inf)


def losses(torch: Any, new: Inputs) -> Named:
    functional = Functional(torch)
    for n, classes in ((64, 10), (1024, 10), (1024, 1000)):
        yield (
            f"cross_entropy {n}x{classes}",
            lambda n=n, classes=classes: partial(
                functional.cross_entropy, new.floats(n, classes), new.integers(classes, n)
            ),
        )
    yield (
        "mse_loss 1e4",
        lambda: partial(functional.mse_loss, new.floats(10_000), new.positive(10_000)),
    )
    yield (
        "binary_cross_entropy_with_logits 1e4",
        lambda: partial(
            functional.binary_cross_entropy_with_logits,
            new.floats(10_000),
            new.floats(10_000, low=0.0, high=1.0),
        ),
    )


def random(torch: Any, new: Inputs) -> Named:
    for size in SIZES:
        yield f"rand {short(size)}", lambda n=size: partial(torch.rand, n)
        yield f"randn {short(size)}", lambda n=size: partial(torch.randn, n)
        yield (
            f"dropout {short(size)}",
            lambda n=size: partial(Functional(torch).dropout, new.floats(n), 0.5),
        )
    yield "randint 1e4", lambda: partial(torch.randint, 10, (10_000,))
    yield "randperm 1e4", lambda: partial(torch.randperm, 10_000)
