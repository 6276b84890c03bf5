"""Fitting a gradient to the shape, the dtype and the device of the input it belongs to.

An operator that broadcasts repeats its input, so the input's gradient is the sum over the repetitions.
`fit` computes this sum for all operators, so that the formulas in derivatives/ are pure mathematics.
"""

from minitorch.autograd.node cimport Node, OutputMetadata
from minitorch.autograd.variable cimport TensorBase, engine_operators, make_tensor
from minitorch.core.dtype cimport NoType, is_complex
from minitorch.core.special cimport ON_META, REPORTED_BY_CLASS, device_kind_of
from minitorch.core.tensor_impl cimport SizesAndStrides, TensorImpl, ndim, same_sizes, sizes_of, sizes_tuple
from minitorch.core.error_pages import explained

cdef str _COMPLEX_OF_REAL = (
    "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex) to be true, but got "
    "false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)")


cdef bint _is_expandable(SizesAndStrides* small, SizesAndStrides* large) noexcept:
    """Return whether `small` broadcasts to exactly `large`."""
    cdef int d, lead = large.ndim - small.ndim
    if lead < 0:
        return False
    for d in range(small.ndim):
        if sizes_of(small)[d] != 1 and sizes_of(small)[d] != sizes_of(large)[lead + d]:
            return False
    return True


cdef object fit(OutputMetadata* metadata, object gradient, bint recording, Node node, Py_ssize_t index):
    cdef TensorImpl impl = (<TensorBase>gradient).impl if recording else <TensorImpl>gradient
    if impl.special is not None and not recording:
        return (<TensorBase>fit(metadata, make_tensor(impl), True, node, index)).impl
    if not same_sizes(metadata.geometry, impl.geometry):
        if not _is_expandable(metadata.geometry, impl.geometry):
            raise explained(RuntimeError(
                f"{_invalid(node, index)} - got {list(sizes_tuple(impl))} but expected shape compatible with "
                f"{_sizes(metadata.geometry)}"), "gradient-shape" if node is None else "function-gradient-shape")
        if recording:
            gradient = engine_operators.sum_to(<TensorBase>gradient, tuple(_sizes(metadata.geometry)))
            impl = (<TensorBase>gradient).impl
        else:
            gradient = impl = engine_operators.sum_data_to(impl, tuple(_sizes(metadata.geometry)))
    if metadata.dtype != NoType and impl.dtype != metadata.dtype:
        if (node is not None and is_complex(impl.dtype) and not is_complex(metadata.dtype)
                and not getattr(node, "_real_part", True)):
            raise RuntimeError(_COMPLEX_OF_REAL)
        if recording:
            gradient = engine_operators.cast(<TensorBase>gradient, metadata.dtype)
        else:
            gradient = engine_operators.cast_data(impl, metadata.dtype)
    if metadata.device_kind != device_kind_of(impl):
        return _on_device(metadata.device_kind, gradient, recording, node, index)
    return gradient


cdef object _on_device(int kind, object gradient, bint recording, Node node, Py_ssize_t index):
    """Move the gradient to the device of its input, or raise RuntimeError.

    Only a gradient with no dimensions, or one that a formula computed, may be on another device.
    """
    cdef TensorBase t = <TensorBase>gradient if recording else make_tensor(<TensorImpl>gradient)
    if kind == REPORTED_BY_CLASS or device_kind_of(t.impl) == REPORTED_BY_CLASS:
        return gradient
    expected, got = ("meta", "cpu") if kind == ON_META else ("cpu", "meta")
    if ndim(t.impl) and (node is None or node.is_user_function()):
        raise RuntimeError(f"{_invalid(node, index)} - expected device {expected} but got {got}")
    t = (<object>t).to(expected)
    return t if recording else t.impl


cdef str _invalid(Node node, Py_ssize_t index):
    who = f"Function {node.name()} returned an invalid" if node is not None else "invalid"
    return f"{who} gradient at index {index}"


cdef list _sizes(SizesAndStrides* g):
    return [sizes_of(g)[d] for d in range(g.ndim)]
