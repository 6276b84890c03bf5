"""The `reduction` argument of losses, and the two older arguments it replaces."""

import warnings

from minitorch.core.once import line_outside

_NUMBERS = {"none": 0, "mean": 1, "sum": 2}


def get_enum(reduction):
    """Return 0 for "none", 1 for "mean", 2 for "sum"; raise ValueError otherwise."""
    number = _NUMBERS.get(reduction)
    if number is not None:
        return number
    if reduction == "elementwise_mean":
        warnings.warn(
            "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.",
            stacklevel=line_outside(),
        )
        return 1
    raise ValueError(f"{reduction} is not a valid value for reduction")


def legacy_get_string(size_average, reduce, emit_warning=True):
    """Return the `reduction` that `size_average` and `reduce` mean; None counts as True."""
    if reduce is None or reduce:
        text = "mean" if size_average is None or size_average else "sum"
    else:
        text = "none"
    if emit_warning:
        warnings.warn(
            "size_average and reduce args will be deprecated, please use "
            f"reduction='{text}' instead.",
            stacklevel=line_outside(),
        )
    return text


def legacy_get_enum(size_average, reduce, emit_warning=True):
    """Return the number of the `reduction` that `size_average` and `reduce` mean."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))


def name_of(size_average, reduce, reduction):
    """Return the `reduction`; `size_average` and `reduce` take precedence if given."""
    if size_average is not None or reduce is not None:
        return legacy_get_string(size_average, reduce)
    return reduction


def number_of(size_average, reduce, reduction):
    """Return the number of the `reduction`; see `name_of`."""
    if size_average is not None or reduce is not None:
        reduction = legacy_get_string(size_average, reduce)
    return get_enum(reduction)
