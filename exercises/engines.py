"""Put an engine in the place of the compiled one, and watch what it does."""

import _posixsubprocess
import contextlib
import ctypes
import gc
import importlib.util
import os
import subprocess
import sys
from types import SimpleNamespace

import minitorch as torch
from exercises.plugs import make_immutable, remove_attribute
from minitorch.autograd import engine_steps
from minitorch.autograd.engine import Engine

_retired = set()

REFUSED = ("ctypes.", "subprocess.", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "pty.")


@contextlib.contextmanager
def install_engine(piece):
    """Run minitorch on ``piece.Engine()`` inside a ``with`` block."""
    variable = torch.autograd.Variable
    previous = variable._execution_engine
    variable._execution_engine = piece.Engine()
    try:
        yield
    finally:
        variable._execution_engine = previous


def plug_in(file):
    """Run this process on the class ``Engine`` of a file from now on, without the compiled engine."""
    spec = importlib.util.spec_from_file_location("plugged_in", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    torch.autograd.Variable._execution_engine = module.Engine()
    remove_attribute(Engine, "run_backward")


def reference():
    """Return an object with the compiled engine, as a module with an answer has one."""
    return SimpleNamespace(Engine=Engine)


def retire_engine(*names):
    """Remove the compiled engine from this process, and some of the functions of `engine_steps`.

    Nothing else in the library calls the compiled `run_backward`, so every other way to it ends at
    the engine that is installed. Afterwards the process cannot load a copy of the compiled module,
    use ctypes or start a program.
    """
    remove_attribute(Engine, "run_backward")
    for name in names:
        vars(engine_steps).pop(name, None)
        _retired.add(name)
    gc.collect()
    close_back_doors()


def retire_sinks():
    """Make the library's `AccumulateGrad` a node that does nothing when it is applied."""
    leaf = torch.ones(1, requires_grad=True)
    ((sink, _), *_) = (leaf * 2).grad_fn.next_functions
    size = ctypes.sizeof(ctypes.c_void_p)
    table = ctypes.c_void_p.from_address(id(sink) + object.__basicsize__).value
    apply = ctypes.c_void_p.from_address(table)  # the first two methods in node.pxd
    release_variables = ctypes.c_void_p.from_address(table + size)  # which does nothing for a sink
    apply.value = release_variables.value
    sink(torch.ones(1))
    if leaf.grad is not None:
        raise RuntimeError("AccumulateGrad still accumulates")


def close_back_doors():
    """Keep this process from loading compiled code from elsewhere and from starting programs."""
    if "doors" in _retired:
        return
    _retired.add("doors")
    for module in (subprocess, _posixsubprocess):  # it starts programs, and no audit event says so
        for name in ("fork_exec", "_fork_exec"):
            vars(module).pop(name, None)
    known = tuple(
        os.path.realpath(folder) + os.sep
        for folder in {*sys.path, os.path.dirname(torch.__path__[0])}
        if folder and os.path.isdir(folder)
    )
    sys.addaudithook(_guard(known))


def _guard(known):
    startswith, realpath, split, refused = str.startswith, os.path.realpath, str.rpartition, REFUSED
    frame = sys._getframe
    allowed = ("ctypes.get_errno", "ctypes.set_errno")  # the sandbox calls the system by ctypes
    own = make_immutable.__code__  # for the classes of nodes
    loaded = ("engine", "engine_steps", "accumulate_grad", "node")  # each .so has a PyInit_NAME

    def guard(event, arguments):
        if startswith(event, refused) and event not in allowed and frame(1).f_code is not own:
            raise PermissionError(f"an answer may not use {event}")
        if event == "import" and type(arguments[1]) is str:  # compiled code is about to be loaded
            if arguments[0] == "piece":  # an answer in Cython; only it has a PyInit_piece
                return
            again = split(arguments[0], ".")[2] in loaded
            if again or not startswith(realpath(arguments[1]), known):
                raise PermissionError("an answer may not load compiled code")

    return guard


def nodes_below(*roots):
    """Return every node that can be reached from some tensors, each once."""
    found, stack = {}, [torch.autograd.graph.get_gradient_edge(root).node for root in roots]
    while stack:
        node = stack.pop()
        if node is not None and node not in found:
            found[node] = True
            stack += [function for function, _ in node.next_functions]
    return list(found)


def watch(*roots, **tensors):
    """Return a list to which every node below the roots adds its name as it runs.

    The name is the keyword under which its tensor was given, or else the node's own.
    """
    ran = []
    names = {
        torch.autograd.graph.get_gradient_edge(tensor).node: name
        for name, tensor in tensors.items()
    }
    for node in nodes_below(*roots):
        name = names.get(node, type(node).name(node))
        node.register_hook(lambda grad_inputs, grad_outputs, name=name: ran.append(name))
    return ran


def vector(draw, n=2):
    """Return a tensor of drawn elements that does not require grad."""
    return torch.tensor(draw.floats(n), dtype=torch.float64)


def leaves(draw, count, *shape):
    """Return leaves with drawn elements."""
    return [
        torch.tensor(draw.floats(*shape), dtype=torch.float64, requires_grad=True)
        for _ in range(count)
    ]


def grow(draw, pool, count):
    """Combine tensors by `count` drawn operations.

    Returns
    -------
    dict of str to Tensor
        The results by name, in the order in which they were recorded.
    """
    pool, grown = list(pool), {}
    for k in range(count):
        kind, a, b = draw.integer(0, 3), draw.choice(pool[-6:]), draw.choice(pool)
        if kind == 0:
            result = a * draw.integer(2, 5)
        elif kind == 1:
            result = a * b
        else:
            result = a + b if kind == 2 else a - b
        pool.append(result)
        grown[f"t{k}"] = result
    return grown


def first_of():
    """Return an operator a + b that gives no gradient to `b`."""

    class First(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a + b

        @staticmethod
        def backward(ctx, grad):
            return grad, None

    return First.apply


# ---- scenarios of more than one assignment


def a_deep_graph(draw):
    """Yield a gradient through thousands of nodes, one below the other."""
    (x,) = leaves(draw, 1, 1)
    y = x
    for _ in range(draw.integer(3000, 3100)):
        y = y + x
    ran = watch(y)
    y.backward(vector(draw, 1), retain_graph=True)
    yield "x.grad", x.grad
    yield "nodes that ran", len(ran)


def a_wide_graph(draw):
    """Yield the sum of the gradients of thousands of leaves, whose nodes are ready at once."""
    n = draw.integer(12900, 13000)
    (x,) = leaves(draw, 1, 1)
    many = [x.detach().requires_grad_() for _ in range(n)]
    torch.stack(many).sum().backward(vector(draw, 1)[0])
    yield "the sum of the gradients", sum(leaf.grad.item() for leaf in many)
