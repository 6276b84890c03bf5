"""softmax and log_softmax: the kernels take a row-major (outer, n, inner) block."""

from minitorch.core.dtype cimport has_float_kernels
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty, ndim, numel, same_sizes, sizes, sizes_tuple, wrap_dim)
from minitorch.kernels.nn.softmax cimport (
    log_softmax_backward_kernel, log_softmax_kernel, softmax_backward_kernel, softmax_kernel)
from minitorch.ops.common.checks cimport check_scalar_type, not_implemented
from minitorch.ops.common.copy cimport contiguous, copy_
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.common.rows cimport Rows, rows_of
from minitorch.ops.common.type_names cimport check_out_dtype

cdef enum:
    RELEASE_GIL = 10000                 # elements from which a kernel runs without the GIL

ctypedef int (*Forward)(char* input, char* out, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner,
                        int dtype) noexcept nogil
ctypedef int (*Backward)(char* grad, char* output, char* grad_input, Py_ssize_t outer,
                         Py_ssize_t n, Py_ssize_t inner, int dtype) noexcept nogil


cdef TensorImpl _result(TensorImpl self, TensorImpl out):
    """Return row-major memory for the result: `out` itself if possible."""
    if out is not None:
        check_out_dtype(out, self.dtype)
        resize_output(out, ndim(self), sizes(self))
        if out.storage != self.storage and contiguous(out) is out:
            return out
    return empty(ndim(self), sizes(self), self.dtype)


cdef int _no_memory() except -1:
    raise MemoryError("no scratch memory for softmax")


cdef TensorImpl _forward(Forward kernel, TensorImpl self, Py_ssize_t dim, bint half_to_float,
                         TensorImpl out, str name):
    cdef int d, failed, dtype = self.dtype
    cdef Rows rows
    cdef TensorImpl result
    cdef char* x
    cdef char* y
    if half_to_float:
        raise RuntimeError("softmax with half to float conversion is not supported on CPU")
    d = wrap_dim(dim, ndim(self))
    if not has_float_kernels(dtype) and numel(self):
        if d == max(ndim(self), 1) - 1:
            name = name.replace("kernel", "lastdim_kernel")
        raise not_implemented(name, dtype)
    rows = rows_of(self, d)
    result = _result(self, out)
    if not numel(self):
        return result
    self = contiguous(self)
    x = data(self)
    y = data(result)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            failed = kernel(x, y, rows.outer, rows.n, rows.inner, dtype)
    else:
        failed = kernel(x, y, rows.outer, rows.n, rows.inner, dtype)
    if failed:
        _no_memory()
    return result if out is None or result is out else copy_(out, result)


cdef TensorImpl _backward(Backward kernel, TensorImpl grad_output, TensorImpl output,
                          Py_ssize_t dim,
                          int input_dtype, TensorImpl out, str name):
    cdef int d, failed, dtype = grad_output.dtype
    cdef Rows rows
    cdef TensorImpl result
    cdef char* g
    cdef char* x
    cdef char* y
    if name == "log_softmax_backward":
        wrap_dim(dim, ndim(grad_output))        # PyTorch checks the dimension before the sizes here
    if not same_sizes(grad_output.geometry, output.geometry):
        raise RuntimeError(
            f"Expected tensor for argument #1 'grad' to have same size as tensor for argument #2 "
            f"'output'; but {list(sizes_tuple(grad_output))} does not equal "
            f"{list(sizes_tuple(output))} (while checking arguments for {name})")
    d = wrap_dim(dim, ndim(grad_output))
    if not has_float_kernels(dtype):
        last = "lastdim_" if d == ndim(grad_output) - 1 else ""
        raise not_implemented(f"{name}_{last}kernel_impl", dtype)
    check_scalar_type(output, dtype)
    rows = rows_of(grad_output, d)
    result = _result(grad_output, out)
    grad_output = contiguous(grad_output)
    output = contiguous(output)
    g = data(grad_output)
    x = data(output)
    y = data(result)
    if numel(output) >= RELEASE_GIL:
        with nogil:
            failed = kernel(g, x, y, rows.outer, rows.n, rows.inner, dtype)
    else:
        failed = kernel(g, x, y, rows.outer, rows.n, rows.inner, dtype)
    if failed:
        _no_memory()
    return result if out is None or result is out else copy_(out, result)


cdef TensorImpl _softmax(TensorImpl self, Py_ssize_t dim, bint half_to_float=False,
                         TensorImpl out=None):
    return _forward(softmax_kernel, self, dim, half_to_float, out, "softmax_kernel_impl")


cdef TensorImpl _log_softmax(TensorImpl self, Py_ssize_t dim, bint half_to_float=False,
                             TensorImpl out=None):
    return _forward(log_softmax_kernel, self, dim, half_to_float, out, "log_softmax_kernel_impl")


cdef TensorImpl _softmax_backward_data(TensorImpl grad_output, TensorImpl output, Py_ssize_t dim,
                                       int input_dtype, TensorImpl out=None):
    return _backward(softmax_backward_kernel, grad_output, output, dim, input_dtype, out,
                     "softmax_backward")


cdef TensorImpl _log_softmax_backward_data(TensorImpl grad_output, TensorImpl output,
                                           Py_ssize_t dim,
                                           int input_dtype, TensorImpl out=None):
    return _backward(log_softmax_backward_kernel, grad_output, output, dim, input_dtype, out,
                     "log_softmax_backward")
