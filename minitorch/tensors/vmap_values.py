"""What stands for a batch inside `vmap`: asked for, and looked at where elements are checked."""

from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.levels import Wrapped
from minitorch.autograd.meta import stand_in
from minitorch.autograd.special import special_of
from minitorch.autograd.variable import TensorBase


def is_sample(t):
    """Whether a tensor stands for a batch, whose samples may differ."""
    special = special_of(t) if isinstance(t, TensorBase) else None
    while isinstance(special, Wrapped) and special.dim < 0:
        special = special_of(special.value)
    return isinstance(special, Wrapped)


def all_samples(t):
    """The tensor without `vmap`, all its batches in front, and how many there are.

    Checks of elements (LAPACK's information, indices) are made for all samples together; those of a tensor
    without elements are zeros.
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
    """Whether all elements of a bool tensor are true; inside `vmap`, those of all samples."""
    return all_samples(input)[0].all()


@parsed_as("_is_any_true")
def _is_any_true(input):
    """Whether an element of a bool tensor is true; inside `vmap`, of any sample."""
    return all_samples(input)[0].any()
