"""Errors for the dtypes that a PyTorch kernel does not support."""


def raise_not_implemented(input, kernel):
    """Raise NotImplementedError with the names of PyTorch's kernel and the dtype."""
    raise NotImplementedError(f"\"{kernel}\" not implemented for '{input.dtype._class_name}'")


def check_scalar_type(t, name):
    """Raise RuntimeError unless the dtype has this class name."""
    if t.dtype._class_name != name:
        raise RuntimeError(f"expected scalar type {name} but found {t.dtype._class_name}")


# dtypes that few kernels support
_CARRIED = ("UInt16", "UInt32", "UInt64", "ComplexHalf")


def reject_carried(input, kernel):
    """Raise NotImplementedError for non-empty uint16/32/64, complex32 and float8 tensors."""
    name = input.dtype._class_name
    if (name in _CARRIED or name.startswith("Float8")) and input.numel():
        raise_not_implemented(input, kernel)


def reject_16_bits(input, kernel):
    """Raise NotImplementedError for float16 and bfloat16."""
    if input.is_floating_point() and input.element_size() == 2:
        raise_not_implemented(input, kernel)


def require_floating_point(input, kernel):
    """Raise NotImplementedError for every dtype that is not real floating point."""
    if not input.is_floating_point():
        raise_not_implemented(input, kernel)


def reject_integers(input, kernel):
    """Raise NotImplementedError for integer dtypes and bool."""
    if not (input.is_floating_point() or input.is_complex()):
        raise_not_implemented(input, kernel)
