"""Methods of `Tensor` about the order of elements in memory, and deprecated resizing methods."""

import itertools
import warnings

from minitorch.autograd.zero_tensor import is_zeros
from minitorch.core.types import channels_last, memory_format


class LayoutMethods:
    """Base class of `Tensor` with these methods."""

    def dim_order(self, *, ambiguity_check=False):
        """Return the dimensions ordered from the largest stride to the smallest.

        Parameters
        ----------
        ambiguity_check : bool or list of memory_format, default False
            Whether to raise if several orders fit, as for dimensions of size 1; or a list of
            formats, exactly one of which must fit.

        Returns
        -------
        tuple of int
            The dimensions, from the one with the largest stride to the one with the smallest.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.ones(2, 3).t().dim_order()
        (1, 0)
        """
        if self.is_sparse:
            raise AttributeError(
                f"Can't get dim order on sparse type: {self.type()} Use Tensor.to_dense() to convert to a "
                "dense tensor first."
            )
        formats = [] if isinstance(ambiguity_check, bool) else ambiguity_check
        if not (isinstance(formats, list) and all(isinstance(f, memory_format) for f in formats)):
            raise TypeError(
                "The ambiguity_check argument must be a bool or a list of memory formats."
            )
        if ambiguity_check and _has_several_orders(self):
            if sum(self.is_contiguous(memory_format=f) for f in formats) != 1:
                raise RuntimeError(
                    "The tensor does not have unique dim order, or cannot map to exact one of the given "
                    "memory formats."
                )
        order, clear = _order(self)
        if ambiguity_check and not clear:
            raise RuntimeError("The tensor does not have unique dim order.")
        return order

    def resize(self, *sizes):
        """Return the elements in another shape of the same size; deprecated.

        Parameters
        ----------
        *sizes : int
            The new shape, with as many elements.

        Returns
        -------
        Tensor
            The new shape and the same elements.

        Examples
        --------
        >>> import minitorch as torch
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     torch.arange(4).resize(2, 2)
        tensor([[0, 1],
                [2, 3]])
        """
        from minitorch.autograd._functions import Resize

        warnings.warn("non-inplace resize is deprecated", stacklevel=2)
        return Resize.apply(self, sizes)

    def resize_as(self, tensor):
        """Return the elements in the shape of another tensor of the same size; deprecated.

        Parameters
        ----------
        tensor : Tensor
            A tensor of the new shape, with as many elements.

        Returns
        -------
        Tensor
            The new shape and the same elements.

        Examples
        --------
        >>> import minitorch as torch
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     torch.arange(4).resize_as(torch.ones(2, 2))
        tensor([[0, 1],
                [2, 3]])
        """
        from minitorch.autograd._functions import Resize

        warnings.warn("non-inplace resize_as is deprecated", stacklevel=2)
        return Resize.apply(self, tensor.size())

    def _is_zerotensor(self):
        """Return whether the tensor is known to be zero."""
        return is_zeros(self)


def _has_several_orders(t):
    return 1 in t.shape or any(a == b for a, b in itertools.pairwise(t.stride()))


def _order(t):
    """Return the order of dimensions, and whether the strides determine it."""
    in_rows, in_channels = t.is_contiguous(), t.is_contiguous(memory_format=channels_last)
    if t.dim() < 2 or (in_rows and not in_channels):
        return tuple(range(t.dim())), True
    if in_channels and not in_rows:
        return (0, 2, 3, 1), True
    strides = t.stride()
    return _sorted(strides), 0 not in strides and len(set(strides)) == len(strides)


def _sorted(strides):
    """Sort dimensions by insertion; an expanded dimension, of stride 0, keeps its position."""
    order = list(range(len(strides)))
    for start in range(1, len(order)):
        here = start
        for before in range(start - 1, -1, -1):
            a, b = strides[order[before]], strides[order[here]]
            if a > b and b:
                break
            if a and b and a < b:
                order[before], order[here] = order[here], order[before]
                here = before
    return tuple(order)
