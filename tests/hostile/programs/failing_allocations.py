"""Fail each of Python's allocations once, in a fork per position: afterwards the workload runs as before."""

import _testcapi
import os
import signal
import sys

import minitorch as torch

FIRST, LAST, STEP = 1, 1500, 1


def backward():
    x = torch.ones(3, requires_grad=True)
    ((x.sin() * x).sum() + x[1:].sum()).backward()
    return x.grad.tolist()


def create_graph():
    x = torch.ones(3, requires_grad=True)
    (grad,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    grad.sum().backward()
    return x.grad.tolist()


def hooks():
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    y.register_hook(lambda grad: grad * 2)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        (y * y).sum().backward()
    return x.grad.tolist()


def function():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * 2 * x

    x = torch.ones(3, requires_grad=True)
    Double.apply(x).sum().backward()
    return x.grad.tolist()


def nested():
    x = torch.ones(2, requires_grad=True)
    y = x * 2

    @torch.enable_grad()
    def inner(grad):
        return torch.autograd.grad((x * x).sum(), x)[0]

    y.register_hook(inner)
    y.sum().backward()
    return x.grad.tolist()


def in_place():
    x = torch.ones(4, requires_grad=True)
    y = x * 1
    y[1:].mul_(2)
    y.sum().backward()
    return x.grad.tolist()


def step():
    weight = torch.nn.Parameter(torch.ones(2))
    optimizer = torch.optim.Adam([weight])
    weight.sum().backward()
    optimizer.step()
    return torch.is_grad_enabled()


WORKLOADS = {
    "backward": backward,
    "create_graph": create_graph,
    "hooks": hooks,
    "function": function,
    "nested": nested,
    "in_place": in_place,
    "step": step,
    "no_grad": lambda: (torch.no_grad()(lambda: torch.ones(2) + 1)(), torch.is_grad_enabled())[1],
    "grad": lambda: torch.func.grad(lambda x: (x * x).sum())(torch.ones(3)).tolist(),
    "vmap of grad": lambda: torch.func.vmap(torch.func.grad(lambda x: (x.sin() * x).sum()))(
        torch.ones(3, 4)
    ).tolist(),
    "jvp": lambda: torch.func.jvp(
        lambda x: (x.sin() * x).sum(), (torch.ones(3),), (torch.ones(3),)
    )[1].item(),
    "jacfwd": lambda: torch.func.jacfwd(torch.sin)(torch.ones(2)).tolist(),
}


def is_usable_after(workload, position, expected):
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            _testcapi.set_nomemory(position, position + 1)
            try:
                workload()
            finally:
                _testcapi.remove_mem_hooks()
        except BaseException:
            pass
        try:
            os._exit(0 if workload() == expected and workload() == expected else 1)
        except BaseException as error:
            print(type(error).__name__, str(error)[:200], flush=True)
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


name = sys.argv[1]
workload = WORKLOADS[name]
expected = [workload() for _ in range(3)][-1]
bad = []
before = sys.getallocatedblocks()
for position in range(FIRST, LAST, STEP):
    if not is_usable_after(workload, position, expected):
        bad.append(position)
    # the workload makes fewer allocations than this: nothing has failed
    if position % 100 == 0:
        _testcapi.set_nomemory(position, position + 1)
        try:
            workload()
        except BaseException:
            done = False
        else:
            done = True
        finally:
            _testcapi.remove_mem_hooks()
        if done:
            break
print(f"not usable after {bad}" if bad else "ok")
