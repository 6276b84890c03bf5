"""Access to the values of batched tensors inside `vmap`, for checks of elements."""

from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.levels import Wrapped
from minitorch.autograd.meta import stand_in
from minitorch.autograd.special import special_of
from minitorch.autograd.variable import TensorBase


def is_sample(t):
    """Return whether a tensor is batched by `vmap`: its value may differ between samples."""
    special = special_of(t) if isinstance(t, TensorBase) else None
    while isinstance(special, Wrapped) and special.dim < 0:
        special = special_of(special.value)
    return isinstance(special, Wrapped)


def all_samples(t):
    """Return the tensor outside of all levels, batch dimensions first, and the number of batches.

    Checks of elements (LAPACK's info, indices) run on all samples at once. A tensor without
    elements on the device ``meta`` is replaced by zeros.
    """
    batches = 0
    while isinstance(special := special_of(t), Wrapped):
        t = special.value
        if special.dim >= 0:
            t = t.movedim(special.dim, 0)
            batches += 1
    return stand_in(t) if t.is_meta else t, batches


@parsed_as("_is_all_true")
def _is_all_true(input):
    """Return whether all elements of a bool tensor are true, in all samples inside `vmap`."""
    return all_samples(input)[0].all()


@parsed_as("_is_any_true")
def _is_any_true(input):
    """Return whether any element of a bool tensor is true, in any sample inside `vmap`."""
    return all_samples(input)[0].any()
