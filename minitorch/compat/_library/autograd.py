"""Autograd functions that take and return lists of tensors."""

from dataclasses import dataclass

from minitorch._dispatch.custom_gradients import NestedContext
from minitorch._tensor import Tensor
from minitorch.utils._pytree import tree_flatten, tree_unflatten

__all__ = ["supports_tensorlist"]


@dataclass
class _Structure:
    """Structure of the arguments and results of a call, passed as the last flat argument."""

    inputs: object
    outputs: object = None
    is_tuple: bool = False


def supports_tensorlist(cls):
    """Decorate a `Function` class to support lists of tensors as inputs and outputs.

    Without it, tensors inside lists are not differentiated.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch._library.autograd import supports_tensorlist
    >>> @supports_tensorlist
    ... class Sum(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, xs):
    ...         ctx.n = len(xs)
    ...         return sum(xs)
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         return [grad] * ctx.n
    >>> x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    >>> Sum.apply([x, y]).sum().backward()
    >>> y.grad
    tensor([1., 1.])
    """
    own_forward, own_backward, own_apply = cls.forward, cls.backward, cls.apply

    def forward(ctx, *args):
        structure = args[-1]
        if not isinstance(structure, _Structure):
            raise NotImplementedError(
                "NYI: calling supports_tensorlist autograd.Function.forward directly. "
                "You should probably be calling .apply instead. "
                "Please file an issue if not."
            )
        result = own_forward(ctx, *tree_unflatten(list(args[:-1]), structure.inputs))
        structure.is_tuple = isinstance(result, tuple)
        whole = result if structure.is_tuple else (result,)
        flat, structure.outputs = tree_flatten(whole, is_leaf=_is_value)
        if hasattr(ctx, "_pt_metadata"):
            raise RuntimeError("Please don't set ctx._pt_metadata; PyTorch uses it to store info")
        ctx._pt_metadata = structure
        return tuple(flat)

    def backward(ctx, *grads):
        if not hasattr(ctx, "_pt_metadata"):
            raise NotImplementedError(
                "NYI: calling supports_tensorlist autograd.Function.backward directly. "
                "This will automatically get called by PyTorch autograd. "
                "Please file an issue if you need this."
            )
        structure = ctx._pt_metadata
        wanted = tree_unflatten(list(ctx.needs_input_grad[:-1]), structure.inputs)
        grads = tree_unflatten(list(grads), structure.outputs)
        found = own_backward(NestedContext(ctx, wanted), *grads)
        found = found if isinstance(found, tuple) else (found,)
        flat, spec = tree_flatten(found, is_leaf=_is_value_or_none)
        if spec != structure.inputs:
            raise RuntimeError(
                f"Expected the return from backward to be of the same structure "
                f"as the inputs. Got: {spec} (return from backward), "
                f"{structure.inputs} (inputs)"
            )
        return (*flat, None)

    def apply(*args):
        flat, spec = tree_flatten(args, is_leaf=_is_value)
        structure = _Structure(spec)
        result = tree_unflatten(list(own_apply(*flat, structure)), structure.outputs)
        return result if structure.is_tuple else result[0]

    cls.forward, cls.backward = staticmethod(forward), staticmethod(backward)
    cls.apply = staticmethod(apply)
    return cls


def _is_value(x):
    """Return whether `x` is a leaf: anything except tuples and lists that contain only tensors."""
    if isinstance(x, list):
        return not all(isinstance(item, Tensor) for item in x)
    return not isinstance(x, tuple)


def _is_value_or_none(x):
    if isinstance(x, list):
        return not all(item is None or isinstance(item, Tensor) for item in x)
    return not isinstance(x, tuple)
