"""`call_for_per_sample_grads`: calls of a module that give a gradient for each sample."""

import functools

from minitorch._functorch.functional_call import functional_call
from minitorch._tensor import Tensor
from minitorch.nn.modules.module import Module
from minitorch.nn.utils._expanded_weights import ExpandedWeight
from minitorch.utils._pytree import arg_tree_leaves

__all__ = ["call_for_per_sample_grads"]


def call_for_per_sample_grads(module, *, batch_size=None, loss_reduction="sum", batch_first=True):
    """Return a function that calls a module and whose backward sets ``grad_sample`` of parameters.

    Parameters
    ----------
    module : Module
        May consist of linear layers, convolutions, embeddings, layer, group and instance norms, and
        recurrent networks.
    batch_size : int, optional
        By default the batch size of the tensor arguments, which must agree.
    loss_reduction : {"sum", "mean"}
        How the loss is reduced over the samples. For "mean", the gradients are multiplied by the
        batch size, to undo the division by the mean.
    batch_first : bool, default True
        Samples are along the first dimension of the arguments instead of the second.

    Raises
    ------
    RuntimeError
        For invalid arguments, or when a parameter already has a ``grad_sample``.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.nn.utils._per_sample_grad import call_for_per_sample_grads
    >>> model = torch.nn.Linear(2, 1)
    >>> call_for_per_sample_grads(model)(torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    >>> model.weight.grad_sample
    tensor([[[1., 2.]],
    <BLANKLINE>
            [[3., 4.]]])
    """
    _check(module, batch_size, loss_reduction)

    @functools.wraps(module.forward)
    def call(*args, **kwargs):
        size = batch_size
        if size is None:
            size = _common_size(arg_tree_leaves(*args, **kwargs), 0 if batch_first else 1)
        parameters = {
            name: ExpandedWeight(p, size, loss_reduction) if p.requires_grad else p
            for name, p in module.named_parameters()
        }
        return functional_call(module, parameters, args, kwargs)

    return call


def _check(module, batch_size, loss_reduction):
    if loss_reduction not in ("sum", "mean"):
        raise RuntimeError(
            f"Expected loss_reduction argument to be sum or mean, got {loss_reduction}"
        )
    if not isinstance(module, Module):
        raise RuntimeError(f"Module passed must be nn.Module, got {type(module).__name__}")
    if not (batch_size is None or isinstance(batch_size, int)):
        raise RuntimeError(
            f"Batch size passed must be None or an integer, got {type(batch_size).__name__}"
        )
    if batch_size is not None and batch_size < 1:
        raise RuntimeError(f"Batch size must be positive, got {batch_size}")
    for weight in module.parameters():
        if getattr(weight, "grad_sample", None) is not None:
            raise RuntimeError(
                "Current Expanded Weights accumulates the gradients, which will be incorrect for multiple "
                f"calls without clearing gradients. Please clear out the grad_sample parameter of {weight} or "
                "post an issue to pytorch/pytorch to prioritize correct behavior"
            )


def _common_size(leaves, dim):
    size = None
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            continue
        if size is not None and size != leaf.shape[dim]:
            raise RuntimeError(
                f"When computing batch size, found at least one input with batch size {size} and one with batch "
                f"size {leaf.shape[dim]}. Please specify it explicitly using the batch size kwarg in "
                "call_for_per_sample_grads"
            )
        size = leaf.shape[dim]
    if size is None:
        raise RuntimeError(
            "Unable to find a tensor in the passed args and kwargs. They may not be pytree-able and so "
            "ExpandedWeights cannot compute the batch size from the inputs. Please specify it explicitly"
        )
    return size
