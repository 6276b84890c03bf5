"""Helpers for functions with expanded weights: checks, unpacking, storing of gradients."""

from minitorch._tensor import Tensor
from minitorch.autograd.functions.creation import zeros
from minitorch.nn.utils._expanded_weights.expanded_weights_impl import ExpandedWeight

__all__ = [
    "forward_helper",
    "is_batch_first",
    "maybe_scale_by_batch_size",
    "set_grad_sample_if_exists",
    "standard_kwargs",
    "sum_over_all_but_batch_and_last_n",
    "unpack_expanded_weight_or_tensor",
]


def is_batch_first(expanded_args_and_kwargs):
    """Return the `batch_first` of the expanded weights; raise RuntimeError if they differ."""
    said = {arg.batch_first for arg in expanded_args_and_kwargs if isinstance(arg, ExpandedWeight)}
    if len(said) > 1:
        raise RuntimeError("Got conflicting batch_first arguments in the same layer")
    return said.pop() if said else None


def standard_kwargs(kwarg_names, expanded_args):
    """Split the arguments into the positional ones and a dictionary of those passed by name."""
    count = len(expanded_args) - len(kwarg_names)
    return expanded_args[:count], dict(zip(kwarg_names, expanded_args[count:], strict=True))


def forward_helper(func, expanded_args, expanded_kwargs):
    """Call a function with the parameters in place of their expanded weights.

    Parameters
    ----------
    func : callable
    expanded_args : tuple
        The arguments, the input first.
    expanded_kwargs : dict

    Raises
    ------
    RuntimeError
        If the input is not a tensor with the batch size of all expanded weights, or if the expanded
        weights have different loss reductions.
    """
    _check(func, expanded_args[0], [*expanded_args, *expanded_kwargs.values()])
    return func(
        *map(_parameter, expanded_args),
        **{name: _parameter(arg) for name, arg in expanded_kwargs.items()},
    )


def _parameter(arg):
    return arg.orig_weight if isinstance(arg, ExpandedWeight) else arg


def _check(func, input, args):
    name = func.__name__
    if isinstance(input, ExpandedWeight):
        raise RuntimeError(
            "Expanded Weights do not support inputs that are also ExpandedWeights. Input must be a Tensor, got "
            f"{type(input).__name__} in function {name}"
        )
    if not isinstance(input, Tensor):
        raise RuntimeError(
            "Expanded Weights requires a Tensor as the first input to get the batch dimension, got "
            f"{type(input).__name__} in function {name}"
        )
    if input.dim() == 0:
        raise RuntimeError(
            f"Expanded Weights requires a batch dimension but got an input of size 0 in function {name}"
        )
    if input.shape[0] == 0:
        raise RuntimeError(
            f"0 is not a valid batch size for Expanded Weights but got input tensor of {input} in function {name}"
        )
    expanded = [arg for arg in args if isinstance(arg, ExpandedWeight)]
    for weight in expanded:
        size = input.shape[0 if weight.batch_first else 1]
        if size > weight.batch_size or (
            size < weight.batch_size and not weight.allow_smaller_batches
        ):
            raise RuntimeError(
                "Expected ExpandedWeights to have batch size matching input but got input batch size of "
                f"{size} with ExpandedWeight of batch size {weight.batch_size}"
            )
    for weight in expanded[1:]:
        if weight.loss_reduction != expanded[0].loss_reduction:
            raise RuntimeError(
                "Expected ExpandedWeights to all have the same loss_reduction argument but got onewith "
                f"{expanded[0].loss_reduction} and one with {weight.loss_reduction}"
            )


def maybe_scale_by_batch_size(grad_sample, expanded_weight):
    """Multiply per-sample gradients by the batch size if the loss is a mean over the samples."""
    if expanded_weight.loss_reduction == "mean":
        return grad_sample * expanded_weight.batch_size
    return grad_sample


def set_grad_sample_if_exists(maybe_expanded_weight, per_sample_grad_fn):
    """Add the result of a function to ``grad_sample`` of the parameter, if it is expanded."""
    parameter = unpack_expanded_weight_or_tensor(maybe_expanded_weight)
    if not isinstance(maybe_expanded_weight, ExpandedWeight):
        return
    found = maybe_scale_by_batch_size(per_sample_grad_fn(parameter), maybe_expanded_weight)
    if maybe_expanded_weight.batch_size > found.shape[0]:
        whole = zeros(maybe_expanded_weight.batch_size, *found.shape[1:], dtype=found.dtype)
        whole[: found.shape[0]] = found
        found = whole
    before = getattr(parameter, "grad_sample", None)
    parameter.grad_sample = found if before is None else before + found


def unpack_expanded_weight_or_tensor(maybe_expanded_weight, func=lambda x: x):
    """Apply a function to the parameter or tensor; return None for anything else.

    Raises
    ------
    RuntimeError
        For a tensor that requires grad and is not expanded.
    """
    if isinstance(maybe_expanded_weight, ExpandedWeight):
        return func(maybe_expanded_weight.orig_weight)
    if not isinstance(maybe_expanded_weight, Tensor):
        return None
    if maybe_expanded_weight.requires_grad:
        raise RuntimeError(
            "ExpandedWeights currently does not support a mixture of ExpandedWeight parameters and normal "
            "Parameters. Please file and issue with pytorch/pytorch"
        )
    return func(maybe_expanded_weight)


def sum_over_all_but_batch_and_last_n(tensor, n_dims):
    """Sum over all dimensions except the first and the last `n_dims`.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.utils._expanded_weights import expanded_weights_utils
    >>> expanded_weights_utils.sum_over_all_but_batch_and_last_n(torch.ones(2, 3, 4), 1)
    tensor([[3., 3., 3., 3.],
            [3., 3., 3., 3.]])
    """
    if tensor.dim() == n_dims + 1:
        return tensor
    return tensor.sum(dim=list(range(1, tensor.dim() - n_dims)))
