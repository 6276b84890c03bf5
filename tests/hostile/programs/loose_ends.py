"""Nest an index deeply, use the ctx of a `Function` for another call, and read buffers out of their bounds."""

import contextlib
import itertools
import os

from survival import survive

import minitorch as torch


def nested(depth):
    index = 0
    for _ in range(depth):
        index = [index]
    return index


DEEP = nested(100_000)
x = torch.ones(3, 3)


def check(truth):
    """End the process, which `survive` reports, unless this is true."""
    if not truth:
        os._exit(1)


def raised(kind, function, *args):
    """Check that `function` raises `kind`."""
    try:
        function(*args)
    except kind:
        return
    check(False)


NESTED = {
    "index": lambda: raised(RecursionError, x.__getitem__, DEEP),
    "index in a tuple": lambda: raised(RecursionError, x.__getitem__, (DEEP, 0)),
    "assignment": lambda: raised(RecursionError, x.__setitem__, DEEP, 1),
    "tensor": lambda: raised(ValueError, torch.tensor, DEEP),
    "as_tensor": lambda: raised(ValueError, torch.as_tensor, DEEP),
    "reshape": lambda: raised(TypeError, x.reshape, DEEP),
    "where": lambda: raised(TypeError, torch.where, x > 0, DEEP, x),
}


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *inputs):
        ctx.save_for_backward(*inputs)
        ctx.mark_non_differentiable()
        kept.append(ctx)
        return tuple(one * 2 for one in inputs)

    @staticmethod
    def backward(ctx, *grads):
        kept.append(ctx.saved_tensors)
        return tuple(grad * 2 for grad in grads)


kept = []


def applied(count):
    kept.clear()
    inputs = [torch.ones(2, requires_grad=True) for _ in range(count)]
    return Double.apply(*inputs), kept[0]


def each(ctx, outputs):
    """Do with a ctx all that a forward and a backward may."""
    for use in (
        lambda: ctx.saved_tensors,
        lambda: ctx.save_for_backward(*[torch.ones(k) for k in range(5)]),
        lambda: ctx.save_for_backward(),
        lambda: ctx.save_for_forward(torch.ones(2)),
        lambda: ctx.mark_dirty(*outputs, torch.ones(2)),
        lambda: ctx.mark_non_differentiable(*outputs, torch.ones(2)),
        lambda: ctx.set_materialize_grads(False),
        lambda: ctx.needs_input_grad,
        lambda: ctx.next_functions,
        lambda: ctx._raw_saved_tensors,
        lambda: Double.backward(ctx, torch.ones(2)),
        lambda: ctx(torch.ones(2)),
        lambda: ctx(*[torch.ones(2)] * 5),
        lambda: ctx.apply(torch.ones(2)),
        lambda: torch.autograd.backward(outputs, [torch.ones(2)] * len(outputs), retain_graph=True),
        lambda: torch.autograd.backward(outputs, [torch.ones(2)] * len(outputs)),
        lambda: ctx.saved_tensors,
        lambda: ctx.save_for_backward(torch.ones(2)),
        lambda: torch.autograd.backward(outputs, [torch.ones(2)] * len(outputs)),
        lambda: repr(ctx),
    ):
        with contextlib.suppress(Exception):  # any error will do: the interpreter has to survive
            use()


class Again(torch.autograd.Function):
    """A forward and a backward that are given the ctx of another call, with other numbers of inputs."""

    other = None

    @staticmethod
    def forward(ctx, one):
        each(Again.other, (one,))
        each(ctx, (one,))
        return one * 2

    @staticmethod
    def backward(ctx, grad):
        each(Again.other, ())
        return Double.backward(Again.other, grad, grad, grad)


def ctx_of_another_call(count, more):
    (first, ctx), (second, other) = applied(count), applied(more)
    each(ctx, second)
    each(other, first)
    Again.other = ctx
    with contextlib.suppress(Exception):
        Again.apply(torch.ones(2, requires_grad=True)).sum().backward()
    each(ctx, first)
    y = torch.ones(2, requires_grad=True)
    (y * 3).sum().backward()
    check(y.grad.tolist() == [3.0, 3.0])


NUMBERS = [None, -(2**63), -1, 0, 1, 3, 8, 9, 2**31, 2**62, 2**63 - 1, 2**63, 2.5, "x"]
BUFFERS = [b"", b"12345678", bytearray(9), memoryview(bytearray(16))[::2], "x", None, 3]
storages = [torch.UntypedStorage, torch.FloatStorage, torch.DoubleStorage, torch.BoolStorage]


def frombuffer(buffer, count, offset):
    read = torch.frombuffer(buffer, dtype=torch.float64, count=count, offset=offset)
    check(0 <= offset and offset + read.numel() * 8 <= memoryview(buffer).nbytes)
    read.sum().item()


def from_buffer(kind, buffer, count, offset):
    given = {"count": count, "offset": offset}
    given = {name: value for name, value in given.items() if value is not None}
    for order in ("native", "little", "big", "x", None):
        read = kind.from_buffer(buffer, order, **given)
        check((offset or 0) + read.nbytes() <= memoryview(buffer).nbytes)
        read.tolist()


calls = [(f"nested {name}", call) for name, call in NESTED.items()]
calls += [
    (f"ctx of {n} for {m}", lambda n=n, m=m: ctx_of_another_call(n, m))
    for n, m in itertools.product((0, 1, 3), repeat=2)
]
for buffer, count, offset in itertools.product(BUFFERS, NUMBERS, NUMBERS):
    given = buffer, count, offset
    calls.append((f"frombuffer {given}", lambda given=given: frombuffer(*given)))
    calls += [
        (f"{kind.__name__} {given}", lambda kind=kind, given=given: from_buffer(kind, *given))
        for kind in storages
    ]
print(*survive(calls), sep="\n")
