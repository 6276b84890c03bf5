"""Functions that PyTorch has for some dtypes only."""


def refuse(input, kernel):
    """NotImplementedError, by the name of PyTorch's kernel and of the dtype."""
    raise NotImplementedError(f"\"{kernel}\" not implemented for '{input.dtype._class_name}'")


def check_scalar_type(t, name):
    """RuntimeError unless the dtype has this name."""
    if t.dtype._class_name != name:
        raise RuntimeError(f"expected scalar type {name} but found {t.dtype._class_name}")


# types that another one carries: few kernels know them
_CARRIED = ("UInt16", "UInt32", "UInt64", "ComplexHalf")


def refuse_carried(input, kernel):
    """The same for uint16, uint32, uint64, complex32 and the types of 8 bits, as far as there are elements."""
    name = input.dtype._class_name
    if (name in _CARRIED or name.startswith("Float8")) and input.numel():
        refuse(input, kernel)


def refuse_16_bits(input, kernel):
    """The same for float16 and bfloat16 alone."""
    if input.is_floating_point() and input.element_size() == 2:
        refuse(input, kernel)


def refuse_all_but_real(input, kernel):
    """The same for all dtypes but those of real numbers in floating point."""
    if not input.is_floating_point():
        refuse(input, kernel)


def refuse_integers(input, kernel):
    """The same for integers and bool alone."""
    if not (input.is_floating_point() or input.is_complex()):
        refuse(input, kernel)
