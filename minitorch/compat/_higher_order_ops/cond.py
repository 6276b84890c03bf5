"""`cond`: one of two functions."""

from minitorch._C._functorch import is_batchedtensor
from minitorch._tensor import Tensor
from minitorch.autograd.functions.tensor_methods import where
from minitorch.utils._pytree import tree_any, tree_map

__all__ = ["cond", "cond_op"]


def cond(pred, true_fn, false_fn, operands=()):
    """Call one of two functions.

    Inside of `vmap`, where samples may go different ways, both are called.

    Parameters
    ----------
    pred : bool or Tensor
        With one element.
    true_fn, false_fn : callable
        Of the operands; the results of both have the same structure and shapes.
    operands : tuple or list of tensors in containers, optional

    Raises
    ------
    RuntimeError
        If the predicate is neither, if one is no function, if operands are no tensors.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([1.0, 4.0])
    >>> torch.cond(x.sum() > 0, torch.sqrt, torch.exp, (x,))
    tensor([1., 2.])
    """
    if isinstance(pred, (bool, int, float)):
        return (true_fn if pred else false_fn)(*operands)
    _check(pred, true_fn, false_fn, operands)
    return cond_op(pred, true_fn, false_fn, operands)


def _check(pred, true_fn, false_fn, operands):
    if not isinstance(pred, Tensor):
        raise RuntimeError(f"Expected pred to be bool or tensor, but got {pred}.")
    if pred.numel() != 1:
        raise RuntimeError(f"Expected pred to be bool or single-element tensor, but got {pred}.")
    if not callable(true_fn) or not callable(false_fn):
        raise RuntimeError("Expect both branches to be callable.")
    if not isinstance(operands, (tuple, list)) or tree_any(
        lambda leaf: not isinstance(leaf, Tensor), operands
    ):
        raise RuntimeError(
            "Expect operands to be a tuple of possibly nested dict/list/tuple that only consists of tensor "
            f"leaves, but got {operands}."
        )


def cond_op(pred, true_fn, false_fn, operands=()):
    """`cond` without the checks."""
    if isinstance(pred, Tensor) and is_batchedtensor(pred):
        chosen = pred.reshape(())
        return tree_map(
            lambda yes, no: where(chosen, yes, no), true_fn(*operands), false_fn(*operands)
        )
    return (true_fn if pred else false_fn)(*operands)
