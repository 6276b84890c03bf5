"""The graph of a module for TensorBoard: a node for each function that its forward pass calls.

PyTorch traces the module with TorchScript. Here a mode records the calls of the library's functions as
they run, so a node is a function that the program calls, in the scope of the modules that call it.
"""

import contextlib

from tensorboard.compat.proto.attr_value_pb2 import AttrValue
from tensorboard.compat.proto.config_pb2 import RunMetadata
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.compat.proto.node_def_pb2 import NodeDef
from tensorboard.compat.proto.step_stats_pb2 import DeviceStepStats, StepStats
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.compat.proto.versions_pb2 import VersionDef

from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.overrides import TorchFunctionMode
from minitorch.utils._pytree import tree_leaves

__all__ = ["graph"]


class _Calls(TorchFunctionMode):
    """A mode that adds a node for every call that returns a tensor."""

    def __init__(self, model):
        super().__init__()
        self.nodes = []
        self.scopes = [type(model).__name__]
        self.source = {}  # id of a tensor -> the name of the node that it comes from
        self.kept = []  # keeps the tensors alive, so that ids stay unique
        self.names = set()

    def add(self, name, op, tensors, inputs=()):
        """Add a node whose outputs are `tensors`."""
        name = self._unused("/".join([*self.scopes, name]))
        shapes = [
            TensorShapeProto(dim=[TensorShapeProto.Dim(size=size) for size in tensor.shape])
            for tensor in tensors
        ]
        attributes = {"_output_shapes": AttrValue(list=AttrValue.ListValue(shape=shapes))}
        self.nodes.append(NodeDef(name=name, op=op, input=inputs, attr=attributes))
        for tensor in tensors:
            self.source[id(tensor)] = name
            self.kept.append(tensor)

    def _unused(self, name):
        number, free = 0, name
        while free in self.names:
            number += 1
            free = f"{name}_{number}"
        self.names.add(free)
        return free

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        outputs = _tensors(result)
        if outputs:
            given = _tensors((args, kwargs))
            inputs = [self.source[id(tensor)] for tensor in given if id(tensor) in self.source]
            name = getattr(func, "__name__", type(func).__name__).strip("_")
            self.add(name, name, outputs, inputs)
        return result


def _tensors(tree):
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, Tensor)]


@contextlib.contextmanager
def _scopes(model, calls):
    """Return a context manager in which hooks of the modules keep `calls.scopes` up to date."""
    handles = []
    for path, module in model.named_modules():
        if not path:
            continue
        scope = f"{type(module).__name__}[{path.rpartition('.')[2]}]"
        enter = module.register_forward_pre_hook(lambda *_, s=scope: calls.scopes.append(s))
        leave = module.register_forward_hook(lambda *_: calls.scopes.pop() and None)
        handles += [enter, leave]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def graph(model, args, verbose=False, use_strict_trace=True):
    """Return the nodes of ``model(*args)`` in evaluation mode, and a device description."""
    calls = _Calls(model)
    args = tuple(args) if isinstance(args, list | tuple) else (args,)
    training = {module: module.training for module in model.modules()}
    for tensor in _tensors(args):
        calls.add("input", "IO Node", [tensor])
    for name, tensor in (*model.named_parameters(), *model.named_buffers()):
        calls.add(name.replace(".", "/"), "Parameter", [tensor])
    model.eval()
    try:
        with no_grad(), _scopes(model, calls), calls:
            result = model(*args)
    except RuntimeError as error:
        print(error)
        print("Error occurs, No graph saved")
        raise
    finally:
        for module, mode in training.items():
            module.training = mode
    outputs = _tensors(result)
    sources = [calls.source[id(tensor)] for tensor in outputs if id(tensor) in calls.source]
    calls.add("output", "IO Node", outputs, sources)
    if verbose:
        print(*calls.nodes, sep="\n")
    device = StepStats(dev_stats=[DeviceStepStats(device="/device:CPU:0")])
    return GraphDef(node=calls.nodes, versions=VersionDef(producer=22)), RunMetadata(
        step_stats=device
    )
