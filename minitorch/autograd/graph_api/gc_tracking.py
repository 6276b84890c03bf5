"""Tracking of the graph that a user's object holds, so that the garbage collector can free cycles.

See Note [The collector must not see the graph grow] in node.pyx. A hook, or an entry of a node's
dictionary, may hold a tensor that was made after the node. The graph from that tensor back to the
node must be tracked by the collector; otherwise the cycle would never be freed.
"""

import functools
import types

from minitorch.autograd.node import Node, _track_graph
from minitorch.autograd.torch_function import DisableTorchFunctionSubclass
from minitorch.autograd.variable import TensorBase, _gradient_edge

# the search stops after so many objects; what a larger hook holds beyond them is not tracked
_LIMIT = 1000


def _members(value):
    """Return the objects that `value` holds, for the types that hooks are built from."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, types.FunctionType):
        return (
            *(value.__closure__ or ()),
            *(value.__defaults__ or ()),
            *(value.__kwdefaults__ or {}).values(),
        )
    if isinstance(value, types.CellType):
        try:
            return (value.cell_contents,)
        except ValueError:  # assigned later, or deleted
            return ()
    if isinstance(value, types.MethodType):
        return value.__self__, value.__func__
    if isinstance(value, functools.partial):
        return value.func, value.args, value.keywords
    if isinstance(value, (type, types.ModuleType)):
        return ()
    return getattr(value, "__dict__", {}).values()


def _requires_grad(tensor):
    with DisableTorchFunctionSubclass():  # without its class's __torch_function__
        return tensor.requires_grad


def _track_held(value):
    """Make the collector track the graphs of the tensors and nodes that `value` holds."""
    stack, seen = [value], set()
    while stack and len(seen) < _LIMIT:
        item = stack.pop()
        if id(item) in seen or isinstance(item, (str, bytes, int, float, type(None))):
            continue
        seen.add(id(item))
        if isinstance(item, Node):
            _track_graph(item)
        else:
            if isinstance(item, TensorBase) and _requires_grad(item):
                node = _gradient_edge(item)[0]
                if node is not None:  # a view made without recording requires grad and has no node
                    _track_graph(node)
            stack.extend(_members(item))
