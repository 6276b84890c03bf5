"""Handles of hooks, and the implementation of full backward hooks of modules."""

import warnings

from minitorch.autograd.function import Function
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.autograd.variable import TensorBase
from minitorch.core.handles import RemovableHandle, warn_if_has_hooks

__all__ = ["BackwardHook", "RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]

RemovableHandle.__module__ = __name__
warn_if_has_hooks.__module__ = __name__


def unserializable_hook(f):
    """Mark a hook so that `warn_if_has_hooks` ignores it.

    Parameters
    ----------
    f : callable
        A hook, such as one that takes a gradient of any shape and dtype.

    Returns
    -------
    callable
        The same object.

    Examples
    --------
    >>> import minitorch as torch
    >>> @torch.utils.hooks.unserializable_hook
    ... def hook(grad):
    ...     print(grad)
    """
    f.__torch_unserializable__ = True
    return f


class BackwardHookFunction(Function):
    """The identity; its node is where the gradients of its arguments are observed."""

    @staticmethod
    def forward(ctx, *args):
        """Return the tensors unchanged; mark those that require no grad as non-differentiable."""
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx, *args):
        """Return the gradients unchanged."""
        return args


class _Place:
    """The indices of the tensors among several values, and the number of values."""

    def __init__(self, values):
        self.count = len(values)
        self.indices = None  # None: no gradient flows here

    def spread(self, gradients):
        """Return the gradients at the indices of their tensors, and None elsewhere."""
        row = [None] * self.count
        for index, gradient in zip(self.indices or (), gradients, strict=True):
            row[index] = gradient
        return tuple(row)

    def gather(self, row):
        return tuple(row[index] for index in self.indices)


class BackwardHook:
    """Call the backward hooks of a module once per backward pass through each call.

    One node is inserted after the arguments of the call, another one before its results. When the
    gradients of the results arrive, the pre-hooks receive them and may replace them. When the
    gradients of the arguments arrive, the hooks receive both.

    The gradients are tensors of the shapes and dtypes of the arguments and of the results, or None.

    Parameters
    ----------
    module : Module
        The first argument of the hooks.
    user_hooks : list of callable
        Hooks ``hook(module, grad_input, grad_output)`` that return None or a replacement of
        `grad_input`.
    user_pre_hooks : list of callable
        Hooks ``hook(module, grad_output)`` that return None or a replacement of `grad_output`.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> hook = torch.utils.hooks.BackwardHook(None, [print], [])
    >>> (a,) = hook.setup_input_hook((x,))
    >>> hook.setup_output_hook(a * 2).backward()
    None (tensor(2.),) (tensor(1.),)
    """

    def __init__(self, module, user_hooks, user_pre_hooks):
        self.module = module
        self.user_hooks = user_hooks
        self.user_pre_hooks = user_pre_hooks
        # gradients of the results, until the pass reaches the arguments
        self.grad_outputs = None
        self._inputs = self._outputs = None

    def setup_input_hook(self, args):
        """Insert the node after the arguments.

        Parameters
        ----------
        args : tuple

        Returns
        -------
        tuple
            The arguments to use instead.
        """
        self._inputs = _Place(args)
        return self._insert(args, self._inputs, self._at_inputs)

    def setup_output_hook(self, args):
        """Insert the node before the results.

        Parameters
        ----------
        args : Tensor, tuple or object

        Returns
        -------
        Tensor, tuple or object
            The results to use instead.
        """
        values = args if isinstance(args, tuple) else (args,)
        self._outputs = _Place(values)
        values = self._insert(values, self._outputs, self._at_outputs)
        return values if isinstance(args, tuple) else values[0]

    def _insert(self, values, place, react):
        indices = [k for k, value in enumerate(values) if isinstance(value, TensorBase)]
        if not (is_grad_enabled() and any(values[k].requires_grad for k in indices)):
            return values
        through = BackwardHookFunction.apply(*[values[k] for k in indices])
        node = next(t.grad_fn for t in through if t.grad_fn is not None)

        def hook(grad_input, grad_output):
            return react(grad_input, grad_output)

        node.register_hook(hook)
        place.indices = indices
        replaced = list(values)
        for index, tensor in zip(indices, through, strict=True):
            replaced[index] = tensor
        # a namedtuple takes its values as separate arguments
        return tuple(replaced) if type(values) is tuple else type(values)(*replaced)

    def _at_outputs(self, _, gradients):
        grad_outputs = self._outputs.spread(gradients)
        for hook in self.user_pre_hooks:
            replaced = hook(self.module, grad_outputs)
            if replaced is None:
                continue
            if len(replaced) != len(grad_outputs):
                raise RuntimeError(
                    "Backward pre hook returned an invalid number of grad_output, "
                    f"got {len(replaced)}, but expected {len(grad_outputs)}"
                )
            grad_outputs = replaced
        if self._inputs.indices is None:
            self._without_inputs(grad_outputs)
        else:
            self.grad_outputs = grad_outputs
        return self._outputs.gather(grad_outputs)

    def _without_inputs(self, grad_outputs):
        """Call the hooks at once, since no gradient will reach the arguments."""
        warnings.warn(
            "Full backward hook is firing when gradients are computed with respect to module outputs since "
            "no inputs require gradients. See https://docs.pytorch.org/docs/main/generated/"
            "torch.nn.Module.html#torch.nn.Module.register_full_backward_hook for more details.",
            stacklevel=7,
        )
        for hook in self.user_hooks:
            result = hook(self.module, (None,) * self._inputs.count, grad_outputs)
            if result is None or (isinstance(result, tuple) and all(r is None for r in result)):
                continue
            raise RuntimeError(
                "Backward hook for Modules where no input requires gradient should always return None or "
                "None for all gradients."
            )

    def _at_inputs(self, gradients, _):
        if self.grad_outputs is None:
            # the gradient did not come through the results, as in a double backward
            return None
        grad_inputs = self._inputs.spread(gradients)
        for hook in self.user_hooks:
            replaced = hook(self.module, grad_inputs, self.grad_outputs)
            if replaced is None:
                continue
            if len(replaced) != len(grad_inputs):
                raise RuntimeError(
                    "Backward hook returned an invalid number of grad_input, "
                    f"got {len(replaced)}, but expected {len(grad_inputs)}"
                )
            grad_inputs = replaced
        self.grad_outputs = None
        return self._inputs.gather(grad_inputs)
