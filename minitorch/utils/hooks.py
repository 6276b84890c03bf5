"""Handles of hooks, and what stands behind the backward hooks of modules."""

import warnings

from minitorch.autograd.function import Function
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.autograd.variable import TensorBase
from minitorch.core.handles import RemovableHandle, warn_if_has_hooks

__all__ = ["BackwardHook", "RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]

RemovableHandle.__module__ = __name__
warn_if_has_hooks.__module__ = __name__


def unserializable_hook(f):
    """Mark a hook, so that `warn_if_has_hooks` says nothing about it.

    Parameters
    ----------
    f : callable

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
    """Does nothing, and has a node where gradients can be seen."""

    @staticmethod
    def forward(ctx, *args):
        """The same tensors; those that require no grad stay so."""
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx, *args):
        """The same gradients."""
        return args


class _Place:
    """Where the tensors stand among several values, and how many values there are."""

    def __init__(self, values):
        self.count = len(values)
        self.indices = None  # None: no gradient passes here

    def spread(self, gradients):
        """The gradients in the places of their tensors, None in the others."""
        row = [None] * self.count
        for index, gradient in zip(self.indices or (), gradients, strict=True):
            row[index] = gradient
        return tuple(row)

    def gather(self, row):
        return tuple(row[index] for index in self.indices)


class BackwardHook:
    """Calls a module's backward hooks once in each call's backward pass.

    One node is put behind the arguments of the call, another in front of its results. When the gradients of
    the results arrive, the pre-hooks see them and may replace them; when those of the arguments do, the
    hooks see both.

    Parameters
    ----------
    module : Module
        What the hooks get as their first argument.
    user_hooks : list of callable
        ``hook(module, grad_input, grad_output)``; they give None, or the `grad_input` to go on with.
    user_pre_hooks : list of callable
        ``hook(module, grad_output)``; they give None, or the `grad_output` to go on with.

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
        # of the backward pass that has gone through the results and not yet reached the arguments
        self.grad_outputs = None
        self._inputs = self._outputs = None

    def setup_input_hook(self, args):
        """Put the node behind the arguments.

        Parameters
        ----------
        args : tuple

        Returns
        -------
        tuple
            To be used in their place.
        """
        self._inputs = _Place(args)
        return self._insert(args, self._inputs, self._at_inputs)

    def setup_output_hook(self, args):
        """Put the node in front of the results.

        Parameters
        ----------
        args : Tensor, tuple or object

        Returns
        -------
        Tensor, tuple or object
            To be used in their place.
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
        # a namedtuple takes its values one by one
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
        """No gradient will reach the arguments: the hooks are called at once."""
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
            # a gradient of the arguments that has not come through the results, as in a double backward
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
