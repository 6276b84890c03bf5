"""`cond`: call one of two functions."""

from minitorch._C._functorch import is_batchedtensor
from minitorch._tensor import Tensor
from minitorch.autograd.functions.tensor_methods import where
from minitorch.utils._pytree import tree_any, tree_map

__all__ = ["cond", "cond_op"]


def cond(pred, true_fn, false_fn, operands=()):
    """Call one of two functions, depending on a predicate.

    Inside `vmap`, the samples may take different branches, so both functions are called.

    Parameters
    ----------
    pred : bool or Tensor
        A tensor must have one element.
    true_fn, false_fn : callable
        Called with the operands; both must return results of the same structure and shapes.
    operands : tuple or list of tensors in containers, optional

    Returns
    -------
    object
        The result of the function that was called.

    Raises
    ------
    RuntimeError
        If the predicate is invalid, a branch is not callable, or an operand is not a tensor.

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
    """Call one of two functions without checking the arguments; see `cond`."""
    if isinstance(pred, Tensor) and is_batchedtensor(pred):
        chosen = pred.reshape(())
        return tree_map(
            lambda yes, no: where(chosen, yes, no), true_fn(*operands), false_fn(*operands)
        )
    return (true_fn if pred else false_fn)(*operands)
