"""The errors of operators that cannot be recorded, or have no tangent. The messages are PyTorch's."""

from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.variable cimport requires_grad

from minitorch.core.error_pages import explained


cdef int check_constant(str name, str argument, TensorBase t) except -1:
    if t is not None and requires_grad(t) and grad_enabled():
        raise no_gradient_for(name, argument)
    return 0


cdef object no_out_with_grad(str name):
    return explained(RuntimeError(
        f"{name}(): functions with out=... arguments don't support automatic "
        "differentiation, but one of the arguments requires grad."), "out-with-grad")


cdef int check_unknown_out(str name, TensorBase out) except -1:
    if grad_enabled() and out._grad_fn is None and requires_grad(out):
        raise no_out_with_grad(f"aten::{name}")
    return 0


cpdef object no_forward_mode(str name, str form="function"):
    """Return PyTorch's error for a function without a forward formula.

    `form` is function, inplace, out or not_implemented.
    """
    if form == "out":
        reason = " because it is an out= function"
    elif form == "not_implemented":
        reason = "."
    else:
        reason = " because it has not been implemented yet." + _PLEASE
        reason += "." if form == "inplace" else " or submit a PR adding the implementation to derivatives.yaml"
    return NotImplementedError(f"Trying to use forward AD with {name} that does not support it{reason}")


cdef str _PLEASE = (
    "\nPlease file an issue to PyTorch at https://github.com/pytorch/pytorch/issues/new?"
    "template=feature-request.yml so that we can prioritize its implementation")


cpdef object no_gradient_for(str name, str argument):
    return RuntimeError(
        f"The function '{name}' is not differentiable with respect to argument '{argument}'. "
        "This input cannot have requires_grad True.")
