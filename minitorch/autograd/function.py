"""`Function`: the base class of operators whose backward the user writes."""

import functools
import inspect
import itertools
import warnings
from collections import OrderedDict
from types import CodeType

from minitorch.autograd.calls import are_calls_watched, observed_call
from minitorch.autograd.current_task import _get_current_graph_task_keep_graph
from minitorch.autograd.grad_mode import is_grad_enabled, no_grad
from minitorch.autograd.graph_api.nested_values import (  # noqa: F401
    _iter_filter,
    _iter_None_tensors,
    _iter_tensors,
    _iter_tensors_permissive,
    _map_tensor_data,
    _nested_map,
    _unflatten,
)
from minitorch.autograd.python_function import (
    _apply_function,
    _FunctionBase,
)
from minitorch.autograd.variable import TensorBase
from minitorch.core.error_pages import explained
from minitorch.core.handles import RemovableHandle

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "InplaceFunction",
    "NestedIOFunction",
    "once_differentiable",
]

_numbers = itertools.count(1)


class FunctionCtx:
    """The methods of ``ctx``, through which `forward` passes data to `backward`.

    `save_for_backward` keeps tensors, of any shape and dtype; other values can be attributes.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Scale(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x, factor):
    ...         ctx.factor = factor
    ...         return x * factor
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         return grad * ctx.factor, None
    >>> x = torch.ones(1, requires_grad=True)
    >>> Scale.apply(x, 3).backward()
    >>> x.grad
    tensor([3.])
    """

    def save_for_backward(self, *tensors):
        """Keep tensors for the backward pass; call it once, in `forward` or `setup_context`.

        Parameters
        ----------
        *tensors : Tensor or None
            Inputs, outputs or intermediate results. ``ctx.saved_tensors`` returns them, and raises
            if one of them was written to in the meantime.

        Raises
        ------
        TypeError
            After the forward, if one of them is neither a tensor nor None.

        Examples
        --------
        >>> import minitorch as torch
        >>> class Square(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         (x,) = ctx.saved_tensors
        ...         return 2 * x * grad
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> Square.apply(x).backward()
        >>> x.grad
        tensor(6.)
        """
        self.to_save = tensors

    def save_for_forward(self, *tensors):
        """Keep tensors for `jvp`.

        Parameters
        ----------
        *tensors : Tensor or None

        Raises
        ------
        AssertionError
            If one of them is neither a tensor nor None.
        """
        for tensor in tensors:
            assert isinstance(tensor, TensorBase) or tensor is None, (
                "save_for_forward expects all arguments to be tensors; you should "
                "save non-tensors as attributes on ctx."
            )
        self.saved_for_forward = tensors

    def mark_dirty(self, *args):
        """Mark the inputs that `forward` writes to; it must return each of them.

        Parameters
        ----------
        *args : Tensor
        """
        self.dirty_tensors = args

    def mark_shared_storage(self, *pairs):
        """Do nothing but warn: autograd tracks views without it."""
        warnings.warn(
            "`mark_shared_storage` is deprecated. "
            "Tensors with shared storages are automatically tracked. Note "
            "that calls to `set_()` are not tracked",
            FutureWarning,
            stacklevel=2,
        )

    def mark_non_differentiable(self, *args):
        """Mark outputs that have no derivative; `backward` gets zeros for them.

        Parameters
        ----------
        *args : Tensor
        """
        self.non_differentiable = args

    def set_materialize_grads(self, value):
        """Choose what `backward` gets for an output that no gradient arrived at.

        Parameters
        ----------
        value : bool
            True, the default, passes zeros; False passes None.
        """
        self.materialize_grads = value


class _HookMixin:
    @staticmethod
    def _register_hook(backward_hooks, hook):
        if backward_hooks is None:
            backward_hooks = OrderedDict()
        handle = RemovableHandle(backward_hooks)
        backward_hooks[handle.id] = hook
        return backward_hooks, handle


class BackwardCFunction(_FunctionBase, FunctionCtx, _HookMixin):
    """The base class of every ``MyFunctionBackward``, which is both the node and the ``ctx``.

    A node keeps what `forward` passes on, such as tensors of any shape and dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Same(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x.clone()
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         return grad
    >>> node = Same.apply(torch.ones(1, requires_grad=True)).grad_fn
    >>> isinstance(node, torch.autograd.function.BackwardCFunction), node.name()
    (True, 'SameBackward')
    """

    __repr__ = object.__repr__

    def apply(self, *args):
        """Call the user's `backward` or `vjp`."""
        if getattr(self._forward_cls, "boxed_grads_call", False):
            args = (list(args),)
        return self._get_user_fn()(self, *args)

    def apply_boxed(self, *args):
        """Call the user's `backward` or `vjp`, which takes all gradients as one list."""
        return self._get_user_fn()(self, *args)

    def _get_user_fn(self):
        backward = self._forward_cls.backward
        vjp = self._forward_cls.vjp
        if backward is not Function.backward and vjp is not Function.vjp:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom "
                "Function is not allowed. You should only implement one "
                "of them."
            )
        return vjp if vjp is not Function.vjp else backward

    def maybe_clear_saved_tensors(self):
        """Free the saved tensors, unless the current backward pass keeps the graph."""
        if not _get_current_graph_task_keep_graph():
            self._release_variables()

    def apply_jvp(self, *args):
        """Call the user's `jvp`."""
        return self._forward_cls.jvp(self, *args)


class FunctionMeta(type):
    """The metaclass that gives each `Function` its node class, ``_backward_cls``.

    Parameters
    ----------
    name : str
        The name of the class.
    bases : tuple of type
        Its base classes.
    attrs : dict
        What the body of the class defines.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Same(torch.autograd.Function):
    ...     pass
    >>> type(Same).__name__, Same._backward_cls.__name__
    ('FunctionMeta', 'SameBackward')
    """

    def __init__(cls, name, bases, attrs):
        entries = {"_forward_cls": cls, "_autograd_function_id": next(_numbers)}
        cls._backward_cls = type(name + "Backward", (BackwardCFunction,), entries)
        super().__init__(name, bases, attrs)


class _SingleLevelFunction(_FunctionBase, FunctionCtx, _HookMixin, metaclass=FunctionMeta):
    @staticmethod
    def forward(*args, **kwargs):
        """Compute the outputs: ``forward(ctx, *args)``, or ``forward(*args)`` with a `setup_context`.

        Parameters
        ----------
        ctx : FunctionCtx
        *args : object

        Returns
        -------
        Tensor, or a tuple in which tensors are outputs
        """
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Save what the backward needs, for a `forward` without ``ctx``.

        Parameters
        ----------
        ctx : FunctionCtx
        inputs : tuple
            The arguments of `forward`.
        output : object
            The result of `forward`.
        """
        raise NotImplementedError("setup_context is not implemented.")

    _default_setup_context = (
        setup_context  # for python_function.pyx, to see whether a class has its own
    )

    @staticmethod
    def backward(ctx, *grad_outputs):
        """Compute the gradients of the inputs from those of the outputs.

        Parameters
        ----------
        ctx : FunctionCtx
        *grad_outputs : Tensor
            The gradient with respect to each output.

        Returns
        -------
        Tensor or None, or a tuple of them
            One gradient for each argument of `forward`; None for an argument that is not a tensor
            or needs no gradient.
        """
        raise NotImplementedError(
            "You must implement either the backward or vjp method for "
            "your custom autograd.Function to use it with backward "
            "mode AD."
        )

    # two names of one method; a subclass defines one of them
    vjp = backward

    # whether ctx.saved_tensors frees the saved tensors, so that it can be read only once
    clear_saved_tensors_on_access = False
    # whether `backward` takes the gradients as one list, from which it may remove them
    boxed_grads_call = False

    @staticmethod
    def jvp(ctx, *grad_inputs):
        """Compute the tangents of the outputs from those of the inputs, for forward mode.

        Parameters
        ----------
        ctx : FunctionCtx
        *grad_inputs : Tensor or None
            The tangent of each argument of `forward`.

        Returns
        -------
        Tensor or tuple of Tensor
            The tangent of each output.
        """
        raise NotImplementedError(
            "You must implement the jvp function for custom "
            "autograd.Function to use it with forward mode AD."
        )


def _is_setup_context_defined(function):
    return function is not _SingleLevelFunction.setup_context


class Function(_SingleLevelFunction):
    """The base class of operators whose backward the user writes.

    Define `forward` and `backward` as static methods, and call ``MyFunction.apply``. Operators in
    `forward` are not recorded. Operators in `backward` are recorded under ``create_graph=True``, so
    `backward` must use only differentiable operators on ``ctx.saved_tensors``. If it does not,
    decorate it with `once_differentiable`.

    `forward` and `backward` take and return tensors of any shapes and dtypes; `backward` returns
    one gradient, or None, for each argument of `forward`.

    Parameters
    ----------
    *args, **kwargs
        Ignored with a warning: the class needs no instance.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Exp(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         result = x.exp()
    ...         ctx.save_for_backward(result)
    ...         return result
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         (result,) = ctx.saved_tensors
    ...         return grad * result
    >>> x = torch.zeros(2, requires_grad=True)
    >>> y = Exp.apply(x)
    >>> y.grad_fn.name()
    'ExpBackward'
    >>> y.sum().backward()
    >>> x.grad
    tensor([1., 1.])
    """

    generate_vmap_rule = False

    def __init__(self, *args, **kwargs):
        warnings.warn(
            f"{self.__class__} should not be instantiated. Methods on autograd functions "
            "are all static, so you should invoke them on the class itself. "
            "Instantiating an autograd function will raise an "
            "error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args, **kwargs):
        raise explained(
            RuntimeError(
                "Legacy autograd function with non-static forward method is deprecated. "
                "Please use new-style autograd function with static forward method. "
                "(Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
            ),
            "function-not-static",
        )

    @staticmethod
    def vmap(info, in_dims, *args):
        """Compute the function for a batch, under ``torch.vmap``.

        Parameters
        ----------
        info : VmapInfo
        in_dims : tuple
        *args : object

        Returns
        -------
        (output, out_dims)
        """
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the "
            "vmap staticmethod or set generate_vmap_rule=True."
        )

    @classmethod
    def apply(cls, *args, **kwargs):
        """Run `forward` and record it.

        Parameters
        ----------
        *args, **kwargs : object
            The arguments of `forward`, without ``ctx``. A tensor that is an argument itself can get
            a gradient; a tensor inside of a list or another container cannot.

        Returns
        -------
        The result of `forward`, with history
        """
        has_setup_context = _is_setup_context_defined(cls.setup_context)
        if has_setup_context:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        if kwargs:
            args += _behind(args, kwargs, cls.forward.__code__, 0 if has_setup_context else 1)
        if not are_calls_watched():
            return _apply_function(cls, *args)
        values = [a for a in args if isinstance(a, (TensorBase, int, float))]
        return observed_call(cls.__name__, values, _apply_function, cls, *args)


def _behind(args, kwargs, code, first):
    """Return the keyword arguments of a `forward` as the positional arguments that follow `args`.

    `first` is 1 if the first parameter of `forward` is ``ctx``, and else 0.
    """
    if not isinstance(code, CodeType):
        raise TypeError("forward().__code__ is not a code object")
    names = code.co_varnames[first : code.co_argcount]
    given = {}
    for name, value in kwargs.items():
        if name not in names:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
        position = names.index(name)
        if position < len(args):
            raise TypeError(f"forward() got multiple values for argument '{name}'")
        given[position] = value
    positions = range(len(args), max(given) + 1)
    for position in positions:
        if position not in given:
            raise TypeError(
                f"forward() missing required argument: '{names[position]}' (position {position})"
            )
    return tuple(given[position] for position in positions)


def once_differentiable(fn):
    """Decorate a `backward` that cannot be differentiated itself.

    The gradients that it takes and returns are tensors of any shape and dtype.

    Parameters
    ----------
    fn : callable
        ``backward(ctx, *grad_outputs)``; its operators are not recorded.

    Returns
    -------
    callable
        Under ``create_graph=True`` its results have a node that raises RuntimeError in a backward.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Square(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     @torch.autograd.function.once_differentiable
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return grad * 2 * x
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> (grad,) = torch.autograd.grad(Square.apply(x) ** 2, x, create_graph=True)
    >>> grad.item()
    108.0
    >>> grad.grad_fn.name()
    'torch::autograd::Error'
    """

    @functools.wraps(fn)
    def wrapper(ctx, *args):
        with no_grad():
            outputs = fn(ctx, *args)
        if not is_grad_enabled():
            return outputs
        if not any(isinstance(arg, TensorBase) and arg.requires_grad for arg in args):
            return outputs
        if not isinstance(outputs, tuple):
            outputs = (outputs,)
        from minitorch.autograd.functions.basic_ops import DelayedError

        return DelayedError(
            "trying to differentiate twice a function that was marked with @once_differentiable",
            len(outputs),
        )(*[None if v is None else _leaf(v.detach()) for v in outputs])

    return wrapper


def _leaf(tensor):
    tensor.requires_grad = True
    return tensor


class NestedIOFunction(Function):
    """A legacy base class of functions on nested lists and tuples of tensors.

    A subclass defines ``forward_extended(ctx, *nested)`` and ``backward_extended(ctx, *nested)``.

    `apply` returns tensors of any shapes, nested as `forward_extended` returns them.

    Parameters
    ----------
    *args, **kwargs
        Ignored with a warning: the class needs no instance.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Twice(torch.autograd.function.NestedIOFunction):
    ...     def forward_extended(self, pair):
    ...         return pair[0] * 2, pair[1] * 3
    ...     def backward_extended(self, first, second):
    ...         return ((first * 2, second * 3),)
    >>> x = torch.ones(1, requires_grad=True)
    >>> y, z = Twice.apply((x, x))
    >>> (y + z).backward()
    >>> x.grad
    tensor([5.])
    """

    @classmethod
    def apply(cls, *nested):
        """Run `forward_extended` on nested arguments; the tensors in them get gradients."""
        result = []
        flat = _apply_function(cls, nested, result, *_iter_tensors(nested))
        return _unflatten(flat, result[0])

    # `self` is the ctx, also in the methods below
    def forward(self, *args):
        """Call `forward_extended` with the nested arguments, rebuilt from the flat tensors."""
        nested, result, *tensors = args
        self._nested_input = nested
        output = self._forward_cls.forward_extended(self, *_unflatten(tensors, nested))
        self._nested_output = output
        result.append(output)
        return tuple(_iter_tensors(output))

    def backward(self, *gradients):
        """Call `backward_extended` with the gradients, nested like the output."""
        nested = _unflatten(gradients, self._nested_output)
        if not isinstance(nested, tuple):
            nested = (nested,)
        result = self._forward_cls.backward_extended(self, *nested)
        return (None, None, *_iter_None_tensors(result))

    def save_for_backward(self, *args):
        """Keep nested tensors for the backward pass."""
        self.to_save = tuple(_iter_tensors(args))

    def mark_dirty(self, *args, **kwargs):
        """Mark tensors in nested arguments that `forward_extended` writes to."""
        self.dirty_tensors = tuple(_iter_tensors((args, kwargs)))

    def mark_non_differentiable(self, *args, **kwargs):
        """Mark tensors in nested arguments that have no derivative."""
        self.non_differentiable = tuple(_iter_tensors((args, kwargs)))

    def forward_extended(self, *input):
        """Compute the outputs from nested arguments."""
        raise NotImplementedError

    def backward_extended(self, *grad_output):
        """Compute the gradients of the inputs from nested gradients of the outputs."""
        raise NotImplementedError


class InplaceFunction(Function):
    """A legacy base class of functions with an in-place form; it only has the flag `inplace`.

    Parameters
    ----------
    inplace : bool, default False
        The value of the attribute `inplace`.

    Examples
    --------
    >>> import minitorch as torch
    >>> issubclass(torch.autograd.function.InplaceFunction, torch.autograd.Function)
    True
    """

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace
