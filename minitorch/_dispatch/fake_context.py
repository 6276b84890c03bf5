"""Context of fake kernels: ``torch.library.get_ctx()``."""

import threading
import warnings
from contextlib import contextmanager


class _Local(threading.local):
    size = None  # ``size(operator, min, max)`` returns a size that depends on data
    getter = None  # returns the result of `get_ctx`


_local = _Local()


class FakeImplCtx:
    """Context that provides a fake kernel with sizes that depend on data."""

    def __init__(self, size, op):
        self._size = size
        self._op = op

    def new_dynamic_size(self, *, min=0, max=None):
        """Return a new size that depends on data.

        Parameters
        ----------
        min, max : int, optional
            Bounds of the size.

        Raises
        ------
        DynamicOutputShapeException
            The active fake tensor mode cannot represent such a size.
        ValueError
            `min` is negative.
        """
        if min < 0:
            raise ValueError(
                f"ctx.new_dynamic_size(min={min}, ...): expected min to be greater than or equal to 0: this "
                "API can only create non-negative sizes."
            )
        return self._size(self._op, min, max)

    def create_unbacked_symint(self, *, min=2, max=None):
        """Return `new_dynamic_size(min=min, max=max)`; deprecated."""
        warnings.warn(
            "`create_unbacked_symint` is deprecated, please use `new_dynamic_size` instead",
            FutureWarning,
            stacklevel=2,
        )
        return self.new_dynamic_size(min=min, max=max)


def get_ctx():
    """Return the context inside of a fake kernel, None outside.

    Returns
    -------
    FakeImplCtx or None
        It makes sizes that depend on the data.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.library.get_ctx() is None
    True
    """
    return None if _local.getter is None else _local.getter()


@contextmanager
def sizes_from(size):
    """Make `size` provide the data-dependent sizes of fake kernels inside the block."""
    before, _local.size = _local.size, size
    try:
        yield
    finally:
        _local.size = before


@contextmanager
def context_from(getter):
    """Make `get_ctx` return ``getter()`` inside the block."""
    before, _local.getter = _local.getter, getter
    try:
        yield
    finally:
        _local.getter = before


def context_of(op):
    """Return the context manager in which the fake kernel of an operator runs."""
    size = _local.size
    return context_from(
        (lambda: _raise_no_context(op)) if size is None else lambda: FakeImplCtx(size, op)
    )


def _raise_no_context(op):
    source = op._kernels.fake_source
    where = "" if source is None else f" ({source})"
    raise RuntimeError(
        f"{op._schema.name}{where}: You're trying to run this operator with meta Tensors (as opposed to "
        "FakeTensors), but this operator may return an output Tensor with data-dependent shape. Meta Tensors "
        "don't support operators with outputs that have data-dependent shapes but FakeTensors do. If your "
        "operator does not return an output with data-dependent shape, make sure the FakeTensor and/or meta "
        "kernel does not call torch.library.get_ctx(). Otherwise, please use FakeTensors."
    )
