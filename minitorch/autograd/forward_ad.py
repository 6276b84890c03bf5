"""Forward mode: `dual_level`, `make_dual`, `unpack_dual`.

Inside a level, `make_dual` gives a tensor a tangent. Results that are computed from it have a
tangent too: the product of the Jacobian and the tangent (Wengert, "A simple automatic derivative
evaluation program", 1964).

    >>> import minitorch as torch
    >>> import minitorch.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     x = fwAD.make_dual(torch.tensor(3.0), torch.tensor(1.0))
    ...     fwAD.unpack_dual(x * x).tangent
    tensor(6.)
"""

from __future__ import annotations

from typing import NamedTuple

from minitorch.autograd import forward_grad
from minitorch.autograd.by_sample import VIEW, without_batching_rule
from minitorch.autograd.forward_grad import EnteredDualLevel, _is_fwd_grad_enabled
from minitorch.autograd.forward_grad import _set_fwd_grad_enabled as _switch
from minitorch.autograd.grad_mode import enable_grad
from minitorch.autograd.graph import _engine_run_backward
from minitorch.autograd.levels import (
    Level,
    in_transform,
    is_lifted,
    unwrap_dead,
    wrap_tensor,
    wrapped_of,
)
from minitorch.autograd.saved_tensor_hooks import _without_hooks
from minitorch.autograd.variable import TensorBase
from minitorch.core.decorator import DecoratorContextManager

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "unpack_dual",
]

_current_level = -1
_make_dual = without_batching_rule("aten::_make_dual", VIEW)(forward_grad._make_dual)


class _Entered(EnteredDualLevel):
    names = globals()


_level = _Entered()


def enter_dual_level():
    """Enter a level of forward mode.

    Returns
    -------
    int
        The number of the level, which is the default of the other functions.

    Raises
    ------
    RuntimeError
        If a level is entered already, since unlike `func.jvp` this cannot be nested; or if the program has
        changed ``_current_level`` of the module.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.autograd.forward_ad as fwAD
    >>> level = fwAD.enter_dual_level()
    >>> level
    0
    >>> fwAD.exit_dual_level(level=level)
    """
    return _level.__enter__()


def exit_dual_level(*, level=None):
    """Leave the level, and release its tangents.

    Parameters
    ----------
    level : int, optional
        The number of the level that was entered last, which is the default.

    Raises
    ------
    RuntimeError
        If `level` is another number, or no level is entered.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.autograd.forward_ad as fwAD
    >>> level = fwAD.enter_dual_level()
    >>> dual = fwAD.make_dual(torch.ones(1), torch.ones(1))
    >>> fwAD.exit_dual_level(level=level)
    >>> fwAD.unpack_dual(dual, level=0).tangent is None
    True
    """
    _level.leave(level)


def make_dual(tensor, tangent, *, level=None):
    """Return a view of `tensor` whose tangent is `tangent`.

    Parameters
    ----------
    tensor, tangent : Tensor
        Tensors of the same shape, floating point or complex. The tangent is copied if its layout in
        memory differs from that of `tensor`.
    level : int, optional
        The number of the level, by default the one entered last.

    Returns
    -------
    Tensor

    Raises
    ------
    RuntimeError
        Outside of a level, if the shapes differ, or if one of the tensors already has a tangent.
    ValueError
        If a dtype is neither floating point nor complex.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     x = fwAD.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.0]))
    ...     fwAD.unpack_dual(x.prod()).tangent
    tensor(2.)
    """
    level = _current_level if level is None else level
    if level < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
            "enter_dual_level() first."
        )
    for name, given in (("primal", tensor), ("tangent", tangent)):
        if not (given.is_floating_point() or given.is_complex()):
            raise ValueError(
                f"Expected {name} to be floating point or complex, but got: {given.dtype}"
            )
    if not isinstance(level, int):
        raise TypeError(f"_make_dual(): argument 'level' must be int, not {type(level).__name__}")
    return _make_dual(tensor, tangent, level)


class UnpackedDualTensor(NamedTuple):
    """The result of `unpack_dual`: the value, and the tangent or None.

    Parameters
    ----------
    primal : Tensor
        The value, without its tangent.
    tangent : Tensor or None
        A tensor of the shape of `primal`; None if there is no tangent.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     dual = fwAD.make_dual(torch.tensor([2.0]), torch.tensor([1.0]))
    ...     fwAD.unpack_dual(dual * dual)
    UnpackedDualTensor(primal=tensor([4.]), tangent=tensor([4.]))
    """

    primal: TensorBase
    tangent: TensorBase | None


def unpack_dual(tensor, *, level=None):
    """Return the value and the tangent of a dual tensor.

    Parameters
    ----------
    tensor : Tensor
    level : int, optional
        The number of the level, by default the one entered last.

    Returns
    -------
    UnpackedDualTensor
        ``primal``, a view of `tensor` without tangent, and ``tangent``, None if it has none.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.autograd.forward_ad as fwAD
    >>> fwAD.unpack_dual(torch.ones(2))
    UnpackedDualTensor(primal=tensor([1., 1.]), tangent=None)
    """
    level = _current_level if level is None else level
    if level < 0:
        return UnpackedDualTensor(tensor, None)
    if not isinstance(tensor, TensorBase):
        raise TypeError(
            f"_unpack_dual(): argument 'dual' (position 1) must be Tensor, not {type(tensor).__name__}"
        )
    return UnpackedDualTensor(*_unpack_dual(tensor, level))


@without_batching_rule("aten::_unpack_dual", VIEW)
def _unpack_dual(tensor, level):
    if is_lifted(tensor):  # to a level where it has no tangent
        return tensor.view_as(tensor), None
    return forward_grad._unpack_dual(tensor, level)


class dual_level(_Entered, DecoratorContextManager):
    """Context manager and decorator that enters a level of forward mode.

    Inside, `make_dual` and `unpack_dual` use this level. On exit its tangents are released, so that
    a dual tensor becomes a plain tensor of the same shape and dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.autograd.forward_ad as fwAD
    >>> with fwAD.dual_level():
    ...     y = fwAD.make_dual(torch.ones(1), torch.ones(1)).exp()
    >>> fwAD.unpack_dual(y).tangent is None
    True
    """


class _set_fwd_grad_enabled(DecoratorContextManager):
    """Switch the computation of tangents on this thread, from the call on or for a ``with`` block."""

    def __init__(self, mode: bool):
        self.prev = _is_fwd_grad_enabled()
        _switch(mode)

    def __enter__(self):
        pass

    def __exit__(self, *exception):
        _switch(self.prev)


def _two_backwards(*call):
    # PyTorch has formulas instead, so hooks on saved tensors, such as those of a checkpoint, must not
    # see what these two passes save
    return _without_hooks(_transposed, *call)


def _transposed(call, arguments, tangents, outputs, records):
    """Compute J v for an operator without a forward formula.

    The backward pass is the linear function u -> J^T u. Its derivative with respect to u, applied
    backward to v, is J v.
    """
    if in_transform():
        # operators on samples of a batch are not recorded, so record them at a new level
        with Level("grad") as level:
            found = _transposed_twice(
                call, arguments, tangents, outputs, True, lambda t: _lifted_leaf(t, level)
            )
        return tuple(None if t is None else unwrap_dead(t) for t in found)
    records = records and any(
        t is not None and t.requires_grad
        for k, tangent in tangents.items()
        for given in (arguments[k], tangent)
        for t in (given if isinstance(given, list) else [given])
    )
    return _transposed_twice(call, arguments, tangents, outputs, records, _connected)


def _transposed_twice(call, arguments, tangents, outputs, records, connected):
    arguments = list(arguments)
    inputs, directions = [], []
    with enable_grad():
        for k, tangent in tangents.items():
            if isinstance(arguments[k], list):
                arguments[k] = copies = [t if t is None else connected(t) for t in arguments[k]]
                pairs = zip(copies, tangent or [], strict=False)
            else:
                if tangent is not None:
                    arguments[k] = connected(arguments[k])
                pairs = [(arguments[k], tangent)]
            for item, direction in pairs:
                if item is not None and direction is not None:
                    inputs.append(item)
                    directions.append(direction)
        results = call(*arguments)
        if not isinstance(results, (list, tuple)):
            results = (results,)
        elif outputs is not None:
            results = tuple(results[k] for k in outputs)
        reached = [result for result in results if result is not None and result.requires_grad]
        if not reached:
            return (None,) * len(results)
        weights = [connected(result.detach().new_zeros(result.shape)) for result in reached]
        products = _gradients(reached, inputs, weights, records=True)
        pairs = [(p, d) for p, d in zip(products, directions, strict=True) if p is not None]
        pairs = [(p, d) for p, d in pairs if p.requires_grad]
        if not pairs:
            return tuple(None if r is None else r.detach() * 0 for r in results)
        tangents_of_reached = _gradients(
            [p for p, _ in pairs], weights, [d.to(p.dtype) for p, d in pairs], records
        )
    found = iter(
        w.new_zeros(w.shape) if t is None else t
        for t, w in zip(tangents_of_reached, weights, strict=True)
    )
    return tuple(
        next(found) if result is not None and result.requires_grad else None for result in results
    )


def _gradients(outputs, inputs, vectors, records):
    """Return the gradients of the inputs, None for those that are not reached."""
    return _engine_run_backward(
        tuple(outputs), tuple(vectors), records, records, tuple(inputs), True, accumulate_grad=False
    )


def _connected(tensor):
    """Return a view of `tensor` that requires grad: in the graph of `tensor`, or else as a leaf."""
    # unlike detach(), a view keeps the tangents of levels further out
    view = tensor.view_as(tensor)
    return view if tensor.requires_grad else _leaf(view)


def _lifted_leaf(tensor, level):
    special = wrapped_of(tensor)
    if special is not None and special.level is level:
        return _leaf(tensor.detach())
    return _leaf(wrap_tensor(unwrap_dead(tensor), level))


def _leaf(tensor):
    tensor.requires_grad = True
    return tensor
