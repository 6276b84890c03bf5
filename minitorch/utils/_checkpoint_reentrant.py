"""Reentrant checkpoints: a `Function` whose backward runs the forward pass and backward again."""

import warnings

from minitorch.autograd import backward
from minitorch.autograd.function import Function
from minitorch.autograd.grad_mode import enable_grad, no_grad
from minitorch.autograd.graph import Variable
from minitorch.autograd.variable import TensorBase
from minitorch.random import fork_rng, get_rng_state, set_rng_state
from minitorch.utils._checkpoint_devices import autocast_as_now

_PUBLIC = "minitorch.utils.checkpoint"


def detach_variable(inputs):
    """Detach tensors from the graph, keeping their `requires_grad`.

    Parameters
    ----------
    inputs : tuple
        Tensors and other objects.

    Returns
    -------
    tuple
        The tensors as leaves that share memory with the given ones; other objects unchanged.

    Raises
    ------
    RuntimeError
        If `inputs` is not a tuple.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2, requires_grad=True) * 2
    >>> torch.utils.checkpoint.detach_variable((x, 3))
    (tensor([2., 2.], requires_grad=True), 3)
    """
    if not isinstance(inputs, tuple):
        raise RuntimeError(
            f"Only tuple of tensors is supported. Got Unsupported input type: {type(inputs).__name__}"
        )
    return tuple(
        item.detach().requires_grad_(item.requires_grad) if isinstance(item, TensorBase) else item
        for item in inputs
    )


def check_backward_validity(inputs):
    """Warn if no tensor among the arguments requires grad.

    Parameters
    ----------
    inputs : iterable
        Tensors of any shape and dtype; other objects are skipped.

    Warns
    -----
    UserWarning

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.checkpoint.check_backward_validity([torch.ones(1, requires_grad=True)])
    """
    if not any(item.requires_grad for item in inputs if isinstance(item, TensorBase)):
        warnings.warn(
            "None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2
        )


class CheckpointFunction(Function):
    """The node that ``checkpoint(..., use_reentrant=True)`` records.

    Its arguments are the function, whether to restore the state of the random number generator, and
    the arguments of the function. Its backward calls ``torch.autograd.backward`` inside the running
    backward pass.

    Parameters
    ----------
    *args, **kwargs
        Ignored with a warning: the class needs no instance.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> y = torch.utils.checkpoint.checkpoint(torch.sin, x, use_reentrant=True)
    >>> y.grad_fn.name()
    'CheckpointFunctionBackward'
    """

    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        """Run the function without recording it."""
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.preserve_rng_state = preserve_rng_state
        ctx.autocast = autocast_as_now()
        if preserve_rng_state:
            ctx.rng_state = get_rng_state()
        ctx.positions = [k for k, arg in enumerate(args) if isinstance(arg, TensorBase)]
        ctx.others = [None if isinstance(arg, TensorBase) else arg for arg in args]
        ctx.save_for_backward(*[args[k] for k in ctx.positions])
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx, *args):
        """Run the function again, recorded, and backpropagate the gradients of its outputs."""
        if not Variable._execution_engine.is_checkpoint_valid():
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an "
                "`inputs` parameter to .backward(). To resolve this error, you can either set "
                "use_reentrant=False, or call .backward() without passing the `inputs` argument."
            )
        inputs = list(ctx.others)
        for position, tensor in zip(ctx.positions, ctx.saved_tensors, strict=True):
            inputs[position] = tensor
        detached = detach_variable(tuple(inputs))
        with fork_rng(enabled=ctx.preserve_rng_state):
            if ctx.preserve_rng_state:
                set_rng_state(ctx.rng_state)
            with enable_grad(), ctx.autocast():
                outputs = ctx.run_function(*detached)
        if isinstance(outputs, TensorBase):
            outputs = (outputs,)
        roots, gradients = [], []
        for output, gradient in zip(outputs, args, strict=False):
            if isinstance(output, TensorBase) and output.requires_grad:
                roots.append(output)
                gradients.append(gradient)
        if not roots:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not necessary"
            )
        backward(roots, gradients)
        return (
            None,
            None,
            *[item.grad if isinstance(item, TensorBase) else None for item in detached],
        )


for _public in (detach_variable, check_backward_validity, CheckpointFunction):
    _public.__module__ = _PUBLIC
