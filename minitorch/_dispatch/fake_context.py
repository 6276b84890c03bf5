"""What a function for results without data may ask of its caller: ``torch.library.get_ctx()``."""

import threading
import warnings
from contextlib import contextmanager


class _Local(threading.local):
    size = None  # what gives the sizes that depend on data: ``size(operator, min, max)``
    getter = None  # what `get_ctx` asks


_local = _Local()


class FakeImplCtx:
    """Gives a function for results without data the sizes that depend on data."""

    def __init__(self, size, op):
        self._size = size
        self._op = op

    def new_dynamic_size(self, *, min=0, max=None):
        """A size that is not known.

        Parameters
        ----------
        min, max : int, optional
            Between which it is.

        Raises
        ------
        DynamicOutputShapeException
            Nothing stands for such a size, as in a mode of fake tensors.
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
        """`new_dynamic_size` by its former name."""
        warnings.warn(
            "`create_unbacked_symint` is deprecated, please use `new_dynamic_size` instead",
            FutureWarning,
            stacklevel=2,
        )
        return self.new_dynamic_size(min=min, max=max)


def get_ctx():
    """What `register_fake` may ask inside of a function for results without data; None outside."""
    return None if _local.getter is None else _local.getter()


@contextmanager
def sizes_from(size):
    """Inside, functions for results without data have their sizes from a function."""
    before, _local.size = _local.size, size
    try:
        yield
    finally:
        _local.size = before


@contextmanager
def context_from(getter):
    """Inside, whoever asks for the context is answered by a function."""
    before, _local.getter = _local.getter, getter
    try:
        yield
    finally:
        _local.getter = before


def asked_by(op):
    """Inside runs the function of an operator for results without data."""
    size = _local.size
    return context_from((lambda: _refuse(op)) if size is None else lambda: FakeImplCtx(size, op))


def _refuse(op):
    source = op._kernels.fake_source
    where = "" if source is None else f" ({source})"
    raise RuntimeError(
        f"{op._schema.name}{where}: You're trying to run this operator with meta Tensors (as opposed to "
        "FakeTensors), but this operator may return an output Tensor with data-dependent shape. Meta Tensors "
        "don't support operators with outputs that have data-dependent shapes but FakeTensors do. If your "
        "operator does not return an output with data-dependent shape, make sure the FakeTensor and/or meta "
        "kernel does not call torch.library.get_ctx(). Otherwise, please use FakeTensors."
    )
