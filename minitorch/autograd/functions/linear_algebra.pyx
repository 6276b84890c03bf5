"""Checks of values that the derivatives of linear algebra need."""

from minitorch.autograd.variable cimport TensorBase
from minitorch.core.dtype cimport Complex128, Complex64, Float32, is_complex
from minitorch.core.tensor_impl cimport TensorImpl, data, is_contiguous, numel
from minitorch.ops.common.copy cimport cast, contiguous


cdef TensorImpl _impl(object tensor):
    return (<TensorBase>tensor).impl if isinstance(tensor, TensorBase) else <TensorImpl?>tensor


cdef TensorImpl _as_complex128(object tensor):
    return contiguous(cast(_impl(tensor), Complex128))


cdef bint has_zero(object tensor) except -1:
    cdef TensorImpl wide = _as_complex128(tensor)
    cdef const double* x = <const double*>data(wide)
    cdef Py_ssize_t k
    for k in range(numel(wide)):
        if x[2 * k] == 0 and x[2 * k + 1] == 0:
            return True
    return False


cdef double epsilon(TensorImpl t) noexcept:
    return 1.1920928955078125e-07 if t.dtype == Float32 or t.dtype == Complex64 else 2.220446049250313e-16


cdef bint is_factored_transposed(object A) except -1:
    cdef TensorImpl impl = _impl(A)
    return is_contiguous(impl) and not is_complex(impl.dtype)


cdef int check_phase(object a, object b, str what) except -1:
    cdef TensorImpl x = _as_complex128(a), y = None
    cdef double wanted
    cdef Py_ssize_t k
    if b is not None:
        y = _as_complex128(b)
    for k in range(numel(x)):
        wanted = 0 if y is None else -(<const double*>data(y))[2 * k + 1]
        if not abs((<const double*>data(x))[2 * k + 1] - wanted) <= 1e-2 + 1e-2 * abs(wanted):
            raise RuntimeError(what)
    return 0


cdef bint holds_vectors(tuple A, tuple B) except -1:
    return len(B) == 1 or (len(A) - 1 == len(B) and A[:len(A) - 1] == B)
