"""Helpers of ``torch.autograd.functional`` that packages import by their private names."""

from minitorch.autograd.jacobians.arguments import _tensors
from minitorch.autograd.variable import TensorBase


def _as_tuple(inp, arg_name=None, fn_name=None):
    """Return whether `inp` is a tuple, and `inp` as a tuple of tensors.

    Without the names, return only the tuple, and skip the checks.

    Raises
    ------
    TypeError
        When an item is not a tensor.
    """
    if arg_name is None and fn_name is None:
        return _as_tuple_nocheck(inp)
    values, many = _tensors(inp, arg_name, fn_name)
    return many, values


def _as_tuple_nocheck(x):
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def _tuple_postprocess(res, to_unpack):
    """Remove the outer, and perhaps the inner, tuples that the caller did not pass."""
    if not isinstance(to_unpack, tuple):
        return res if to_unpack else res[0]
    if len(to_unpack) != 2:
        raise AssertionError("Expected to_unpack tuple to have exactly 2 elements")
    outer, inner = to_unpack
    if not inner:
        res = tuple(part[0] for part in res)
    return res if outer else res[0]


def _grad_preprocess(inputs, create_graph, need_graph):
    """Return views or detached copies of the inputs, separate from the user's tensors."""

    def prepared(x):
        if create_graph and x.requires_grad:
            return x if x.is_sparse else x.view_as(x)
        return x.detach().requires_grad_(need_graph)

    return tuple(prepared(x) for x in inputs)


def _grad_postprocess(inputs, create_graph):
    """Return the results, possibly nested in tuples, detached unless `create_graph` is set."""
    if create_graph:
        return inputs
    if isinstance(inputs[0], TensorBase):
        return tuple(x.detach() for x in inputs)
    return tuple(_grad_postprocess(part, create_graph) for part in inputs)
