"""`functionalize`: a function that writes, as one that does not write to what it was given."""

import functools

from minitorch._tensor import Tensor
from minitorch.autograd.levels import enter_level, exit_level
from minitorch.core.types import contiguous_format
from minitorch.utils._pytree import tree_map_only

__all__ = ["functionalize"]


def functionalize(func, *, remove="mutations"):
    """A function with the values of `func`, whose inputs are written to once, when it is over.

    Parameters
    ----------
    func : callable
        Of tensors and trees of tensors. It may write to tensors in place.
    remove : {"mutations", "mutations_and_views"}
        With the latter, no output is a view.

    Returns
    -------
    callable
        Runs `func` on copies of its inputs, and then copies into each input what was written to its copy.

    Raises
    ------
    RuntimeError
        For another `remove`.

    Notes
    -----
    PyTorch replaces each write by the operator that makes a new tensor, which a program that is traced
    shows. Nothing is traced here; values, gradients and what becomes of the inputs are the same. What
    PyTorch refuses and this does not: to write to a tensor that is no input, from outside of `func`.

    Examples
    --------
    >>> import minitorch as torch
    >>> def f(x):
    ...     x.add_(1)
    ...     return x.view(-1).mul_(2)
    >>> x = torch.zeros(2)
    >>> torch.func.functionalize(f)(x), x
    (tensor([2., 2.]), tensor([2., 2.]))
    """

    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(
            f"functionalize(f, remove='mutations'): received invalid argument for remove={remove}. Valid "
            "options are:\n     remove='mutations': all inplace and out= operators will be removed from the "
            "program, and replaced with their out-of-place equivalents.\n     remove='mutations_and_views': "
            "In addition to the above, all aliasing operators {view} will be replaced with their "
            "non-aliasing counterparts, {view}_copy.\n"
        )

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        copies = []

        def copied(t):
            copy = t.clone()
            copies.append((t, copy, copy._version))
            return copy

        args, kwargs = tree_map_only(Tensor, copied, (args, kwargs))
        level = enter_level("functionalize")
        try:
            outputs = func(*args, **kwargs)
        finally:
            exit_level(level)
        originals = {}
        for original, copy, version in copies:
            if copy._version == version:
                originals[id(copy)] = original
            else:
                original.copy_(copy)

        def unwrapped(t):
            if id(t) in originals:
                return originals[id(t)]
            if remove == "mutations_and_views" and t._is_view():
                return t.clone(memory_format=contiguous_format)
            return t

        return tree_map_only(Tensor, unwrapped, outputs)

    return wrapped
