"""Access to the values of batched tensors inside `vmap`, for checks of elements."""

from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.levels import wrapped_of
from minitorch.autograd.meta import stand_in


def is_sample(t):
    """Return whether a tensor is batched by `vmap`: its value may differ between samples."""
    special = wrapped_of(t)
    while special is not None and special.dim < 0:
        special = wrapped_of(special.value)
    return special is not None


def all_samples(t):
    """Return the tensor outside of all levels, batch dimensions first, and the number of batches.

    Checks of elements (LAPACK's info, indices) run on all samples at once. A tensor without
    elements on the device ``meta`` is replaced by zeros.
    """
    batches = 0
    while (special := wrapped_of(t)) is not None:
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
