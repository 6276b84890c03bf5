"""Products of matrices and vectors: mm, mv, dot, bmm, outer and their sums with a tensor.

Every operator ends in one call of kernels/linalg/blas, which takes any strides. The operator first checks its
arguments, then fills the result with `self` if beta is not 0, and then lets the kernel add the product.

Invariant: a kernel writes to memory that is shared with no operand of the product.
"""

from minitorch.core.dtype cimport (
    Bool, Complex128, Float64, Int64, c_name, class_name, is_complex, is_floating, itemsizes, promote_types)
from minitorch.core.overlap cimport assert_no_internal_overlap
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty, ndim, numel, resize, sizes, sizes_tuple, strides, wrap_dim, wrap_number)
from minitorch.kernels.linalg cimport blas
from minitorch.kernels.linalg.matrix cimport (
    BLAS_NO_MEMORY, BLAS_OK, BLAS_TOO_LARGE, Matrix, Vector, matrix, vector)
from minitorch.ops.common.checks cimport CARRIED, reject_dtypes
from minitorch.ops.common.copy cimport cast, copy_, zero_
from minitorch.ops.common.output cimport check_can_cast, prepare_output
from minitorch.ops.common.scalar cimport number_for, write_scalar
from minitorch.ops.common.type_names cimport check_out_dtype, tensor_type_name
from minitorch.ops.elementwise.binary cimport add, mul
from minitorch.ops.elementwise.compare cimport logical_and, logical_or
from minitorch.ops.shape.views cimport expand, unsqueeze

from minitorch.core.error_pages import explained

cdef enum:
    RELEASE_GIL = 200000                # multiplications from which a kernel runs without the GIL


# ---- operands

cdef inline Matrix _matrix(TensorImpl t) noexcept:
    return matrix(data(t), sizes(t)[0], sizes(t)[1], strides(t)[0], strides(t)[1])


cdef inline Matrix _layer(TensorImpl t) noexcept:
    """Return the first matrix of a batch."""
    return matrix(data(t), sizes(t)[1], sizes(t)[2], strides(t)[1], strides(t)[2])


cdef inline Vector _vector(TensorImpl t) noexcept:
    return vector(data(t), sizes(t)[0], strides(t)[0])


cdef int _number_dtype(int dtype) noexcept:
    """Return the dtype in which kernels take alpha and beta."""
    return Complex128 if is_complex(dtype) else Float64 if is_floating(dtype) else Int64


cdef int _read_number(object value, int dtype, void* slot) except -1:
    if isinstance(value, complex) and not is_complex(dtype):
        if value.imag != 0:
            raise RuntimeError(f"value cannot be converted to type {c_name(dtype)} without "
                               "overflow")
        value = value.real
    if isinstance(value, float) and _number_dtype(dtype) == Int64:
        value = int(value)
    return write_scalar(value, _number_dtype(dtype), slot)


cdef inline bint _is_one(object value):
    return (type(value) is int and value == 1) or (type(value) is float and value == 1.0)


cdef int _check_status(int status, int dtype, str name) except -1:
    if status == BLAS_OK:
        return 0
    if status == BLAS_TOO_LARGE:
        raise RuntimeError(f"{name}: a size above 2**31 - 1 is not supported")
    if status == BLAS_NO_MEMORY:
        raise MemoryError(f"no scratch memory for {name}")
    if name == "mm" or name == "addmm":
        name = "addmm_impl_cpu_"
    raise NotImplementedError(f'"{name}" not implemented for \'{class_name(dtype)}\'')


cdef int _check_dtype(int dtype, str name, TensorImpl a, TensorImpl b) except -1:
    """Raise for a product of bool tensors, unless one of them is empty."""
    if dtype == Bool and numel(a) and numel(b):
        raise NotImplementedError(f'"{name}" not implemented for \'Bool\'')
    return 0


# ---- results

cdef TensorImpl _result(TensorImpl out, int dtype, int n, const Py_ssize_t* shape, TensorImpl self,
                        TensorImpl a, TensorImpl b):
    """Return memory for the product of a and b: `out` if it shares none with them, else new memory."""
    if out is not None:
        check_out_dtype(out, dtype)
        if out is not self:
            prepare_output(out, dtype, n, shape)
        elif ndim(out) != n or sizes_tuple(out) != tuple([shape[d] for d in range(n)]):
            raise RuntimeError(f"Bad in-place call: input tensor size {list(sizes_tuple(out))} and "
                               "output "
                               f"tensor size {[shape[d] for d in range(n)]} should match")
        if out.storage != a.storage and out.storage != b.storage:
            return out
    return empty(n, shape, dtype)


cdef int _fill(TensorImpl result, TensorImpl self, object beta, bint* add_to) except -1:
    """Copy `self` into the result and set add_to, unless beta is 0; the old content does not matter."""
    add_to[0] = self is not None and beta != 0
    if add_to[0] and result is not self:
        copy_(result, self)
    return 0


cdef bint _is_done(TensorImpl result, object beta) except -1:
    """Zero a Bool result and return True; return False for other dtypes.

    The factors of a Bool product are empty, so the result is beta * self. A Bool tensor cannot hold that unless
    it is empty or beta is 0.
    """
    if result.dtype != Bool:
        return False
    if numel(result) and beta != 0:
        check_can_cast(Int64, Bool)
    zero_(result)
    return True


cdef inline TensorImpl _deliver(TensorImpl result, TensorImpl out):
    return result if out is None or result is out else copy_(out, result)


cdef TensorImpl _expanded(TensorImpl self, int n, const Py_ssize_t* shape):
    """Return `self` with the sizes of the product, or raise the error of expand()."""
    cdef tuple wanted
    if ndim(self) > n:
        wanted = tuple([shape[d] for d in range(n)])
        raise RuntimeError(
            f"expand({tensor_type_name(self.dtype)}{{{list(sizes_tuple(self))}}}, "
            f"size={list(wanted)}): the number of sizes provided ({n}) must be greater or equal to "
            "the "
            f"number of dimensions in the tensor ({ndim(self)})")
    return expand(self, tuple([shape[d] for d in range(n)]))


# ---- matrix times matrix

cdef int _gemm(TensorImpl a, TensorImpl b, TensorImpl c, object beta, object alpha, bint add_to,
               str name) except -1:
    cdef Matrix x = _matrix(a), y = _matrix(b), z = _matrix(c)
    cdef double[2] alpha_slot
    cdef double[2] beta_slot
    cdef void* scale = NULL
    cdef void* keep = NULL
    cdef int status, dtype = c.dtype
    if not _is_one(alpha):
        _read_number(alpha, dtype, alpha_slot)
        scale = alpha_slot
    if add_to:
        _read_number(beta, dtype, beta_slot)
        keep = beta_slot
    if <double>x.rows * <double>x.cols * <double>y.cols >= RELEASE_GIL:
        with nogil:
            status = blas.gemm(dtype, scale, &x, &y, keep, &z)
    else:
        status = blas.gemm(dtype, scale, &x, &y, keep, &z)
    return _check_status(status, dtype, name)


cdef int _check_shapes(TensorImpl a, TensorImpl b) except -1:
    if sizes(a)[1] != sizes(b)[0]:
        raise explained(RuntimeError(
            "mat1 and mat2 shapes cannot be multiplied "
            f"({sizes(a)[0]}x{sizes(a)[1]} and "
            f"{sizes(b)[0]}x{sizes(b)[1]})"), "matmul-shapes")
    return 0


cdef int _check_matrix_dtypes(TensorImpl a, TensorImpl b) except -1:
    if a.dtype != b.dtype:
        raise RuntimeError("expected m1 and m2 to have the same dtype, but got: "
                           f"{c_name(a.dtype)} != "
                           f"{c_name(b.dtype)}")
    return _check_dtype(a.dtype, "addmm_impl_cpu_", a, b)


cdef TensorImpl mm(TensorImpl self, TensorImpl mat2, TensorImpl out=None):
    cdef Py_ssize_t[2] shape
    cdef TensorImpl result
    if ndim(self) != 2:
        raise RuntimeError("self must be a matrix")
    if ndim(mat2) != 2:
        raise RuntimeError("mat2 must be a matrix")
    _check_shapes(self, mat2)
    _check_matrix_dtypes(self, mat2)
    shape[0] = sizes(self)[0]
    shape[1] = sizes(mat2)[1]
    result = _result(out, self.dtype, 2, shape, None, self, mat2)
    if self.dtype == Bool:
        return _deliver(zero_(result), out)
    _gemm(self, mat2, result, 0, 1, False, "mm")
    return _deliver(result, out)


cdef TensorImpl addmm(TensorImpl self, TensorImpl mat1, TensorImpl mat2, object beta=1,
                      object alpha=1,
                      TensorImpl out=None):
    cdef Py_ssize_t[2] shape
    cdef TensorImpl result
    cdef bint add_to
    cdef double[2] slot
    if self.dtype != mat2.dtype:
        raise explained(RuntimeError(
            "self and mat2 must have the same dtype, but got "
            f"{class_name(self.dtype)} and "
            f"{class_name(mat2.dtype)}"), "dtype-mismatch")
    if mat1.dtype != mat2.dtype:
        raise explained(RuntimeError(
            "mat1 and mat2 must have the same dtype, but got "
            f"{class_name(mat1.dtype)} and "
            f"{class_name(mat2.dtype)}"), "dtype-mismatch")
    if ndim(mat1) != 2:
        raise RuntimeError(f"mat1 must be a matrix, got {ndim(mat1)}-D tensor")
    if ndim(mat2) != 2:
        raise RuntimeError(f"mat2 must be a matrix, got {ndim(mat2)}-D tensor")
    _check_shapes(mat1, mat2)
    shape[0] = sizes(mat1)[0]
    shape[1] = sizes(mat2)[1]
    if out is not self:
        self = _expanded(self, 2, shape)
    result = _result(out, self.dtype, 2, shape, self, mat1, mat2)
    if out is self:
        assert_no_internal_overlap(out)
    _check_matrix_dtypes(mat1, mat2)
    if _is_done(result, beta):
        return _deliver(result, out)
    _read_number(beta, self.dtype, slot)
    _read_number(alpha, self.dtype, slot)
    _fill(result, self, beta, &add_to)
    _gemm(mat1, mat2, result, beta, alpha, add_to, "addmm")
    return _deliver(result, out)


# ---- matrix times vector

cdef TensorImpl _addmv(TensorImpl self, TensorImpl mat, TensorImpl vec, object beta, object alpha,
                       TensorImpl out):
    """Compute beta * self + alpha * mat @ vec; nothing is added if `self` is None."""
    cdef Matrix a
    cdef Vector x, y
    cdef TensorImpl result
    cdef double[2] alpha_slot
    cdef double[2] beta_slot
    cdef bint add_to
    cdef int status, dtype = vec.dtype, self_dims = ndim(self) if self is not None else 1
    cdef Py_ssize_t rows, self_size
    if ndim(mat) != 2 or ndim(vec) != 1 or self_dims > 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {self_dims}, {ndim(mat)}, "
                           f"{ndim(vec)}")
    rows = sizes(mat)[0]
    self_size = numel(self) if self is not None else rows
    if sizes(mat)[1] != sizes(vec)[0] or (self_size != rows and self_size != 1):
        if self_dims == 0:
            raise IndexError("Dimension specified as 0 but tensor has no dimensions")
        raise RuntimeError(f"size mismatch, got input ({self_size}), mat ({rows}x{sizes(mat)[1]}), "
                           "vec "
                           f"({sizes(vec)[0]})")
    if mat.dtype != dtype or (self is not None and self.dtype != dtype):
        raise explained(RuntimeError(
            "addmv input tensors must have the same dtype, but got "
            f"{class_name(dtype if self is None else self.dtype)}, {class_name(mat.dtype)}, and "
            f"{class_name(dtype)}"), "dtype-mismatch")
    result = _result(out, dtype, 1, &rows, self, mat, vec)
    _check_dtype(dtype, "addmv_impl_cpu", mat, vec)
    if dtype == Bool:
        return _deliver(zero_(result) if self is None else copy_(result, self), out)
    _read_number(alpha, dtype, alpha_slot)
    _read_number(beta, dtype, beta_slot)
    _fill(result, self, beta, &add_to)
    a, x, y = _matrix(mat), _vector(vec), _vector(result)
    if numel(mat) >= RELEASE_GIL:
        with nogil:
            status = blas.gemv(dtype, alpha_slot, &a, &x, beta_slot if add_to else NULL, &y)
    else:
        status = blas.gemv(dtype, alpha_slot, &a, &x, beta_slot if add_to else NULL, &y)
    _check_status(status, dtype, "addmv_impl_cpu")
    return _deliver(result, out)


cdef TensorImpl mv(TensorImpl self, TensorImpl vec, TensorImpl out=None):
    if ndim(self) == 0:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if out is not None and out.dtype != vec.dtype and ndim(self) == 2 and ndim(vec) == 1:
        raise explained(RuntimeError(
            "addmv input tensors must have the same dtype, but got "
            f"{class_name(out.dtype)}, "
            f"{class_name(self.dtype)}, and {class_name(vec.dtype)}"), "dtype-mismatch")
    return _addmv(None, self, vec, 0, 1, out)


cdef TensorImpl addmv(TensorImpl self, TensorImpl mat, TensorImpl vec, object beta=1,
                      object alpha=1,
                      TensorImpl out=None):
    return _addmv(self, mat, vec, beta, alpha, out)


# ---- vector times vector

cdef TensorImpl _dot(TensorImpl self, TensorImpl other, TensorImpl out, bint conjugate, str name):
    cdef Vector x, y
    cdef TensorImpl result
    cdef char* p
    cdef int status, dtype = self.dtype
    if out is not None and out.dtype != dtype:
        raise RuntimeError(f"result dtype {class_name(out.dtype)} does not match input dtype "
                           f"{class_name(dtype)}")
    if ndim(self) != 1 or ndim(other) != 1:
        raise RuntimeError(f"1D tensors expected, but got {ndim(self)}D and {ndim(other)}D tensors")
    if dtype != other.dtype:
        raise RuntimeError("dot : expected both vectors to have same dtype, but found "
                           f"{class_name(dtype)} "
                           f"and {class_name(other.dtype)}")
    if numel(self) != numel(other):
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{numel(self)}] and src [{numel(other)}] "
            "to have "
            f"the same number of elements, but got {numel(self)} and {numel(other)} elements "
            "respectively")
    if dtype == Bool:
        raise NotImplementedError(f'"{name}" not implemented for \'Bool\'')
    result = _result(out, dtype, 0, NULL, None, self, other)
    x, y = _vector(self), _vector(other)
    x.conj = conjugate
    p = data(result)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            status = blas.dot(dtype, &x, &y, p)
    else:
        status = blas.dot(dtype, &x, &y, p)
    _check_status(status, dtype, name)
    return _deliver(result, out)


cdef TensorImpl dot(TensorImpl self, TensorImpl tensor, TensorImpl out=None):
    return _dot(self, tensor, out, False, "dot")


cdef TensorImpl vdot(TensorImpl self, TensorImpl other, TensorImpl out=None):
    # for real dtypes this is dot, including its error messages
    return _dot(self, other, out, True, "vdot" if is_complex(self.dtype) else "dot")


cdef TensorImpl outer(TensorImpl self, TensorImpl vec2, TensorImpl out=None):
    for name, t in (("self", self), ("vec2", vec2)):
        if ndim(t) != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {ndim(t)}-D")
    # an elementwise product in the common dtype
    return mul(unsqueeze(self, 1), vec2, out)


cdef TensorImpl ger(TensorImpl self, TensorImpl vec2, TensorImpl out=None):
    return outer(self, vec2, out)


cdef int _check_factor(object value, str name, int dtype) except -1:
    """Check that the type of alpha or beta matches the dtype of the result of addr."""
    if isinstance(value, bool) and dtype != Bool:
        raise RuntimeError(f"Boolean {name} only supported for Boolean results.")
    if not (is_floating(dtype) or is_complex(dtype)) and isinstance(value, (float, complex)):
        raise RuntimeError(f"For integral input tensors, argument {name} must not be a floating "
                           "point number.")
    return 0


cdef TensorImpl addr(TensorImpl self, TensorImpl vec1, TensorImpl vec2, object beta=1,
                     object alpha=1,
                     TensorImpl out=None):
    cdef TensorImpl product
    cdef Py_ssize_t[2] shape
    cdef int dtype
    for name, t in (("vec1", vec1), ("vec2", vec2)):
        if ndim(t) != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {ndim(t)}-D")
    shape[0] = numel(vec1)
    shape[1] = numel(vec2)
    if out is not None and out is self:
        if ndim(self) != 2:
            raise RuntimeError(f"2D tensor expected, got {ndim(self)}D tensor for input")
        if sizes(self)[0] != shape[0] or sizes(self)[1] != shape[1]:
            raise RuntimeError(f"size mismatch, input: {list(sizes_tuple(self))}, "
                               f"v1: [{shape[0]}], v2: [{shape[1]}]")
    _expanded(self, 2, shape)
    dtype = promote_types(self.dtype, promote_types(vec1.dtype, vec2.dtype))
    reject_dtypes(dtype, CARRIED, "addr_cpu")
    self = cast(self, dtype)
    vec1 = cast(vec1, dtype)
    _check_factor(beta, "beta", dtype)
    _check_factor(alpha, "alpha", dtype)
    if is_floating(dtype):
        beta, alpha = number_for(beta, dtype), number_for(alpha, dtype)
    if dtype == Bool:
        product = outer(vec1, cast(vec2, dtype))
        if not alpha:
            zero_(product)
        return logical_or(self, product, out) if beta else logical_and(product, product, out)
    product = outer(_multiplied(vec1, alpha), cast(vec2, dtype))
    if beta == 0:
        # the values of `self`, even nan, are ignored, but its dtype has been promoted
        if out is None:
            return product
        prepare_output(out, product.dtype, 2, shape)
        return copy_(out, product)
    return add(_multiplied(self, beta), product, 1, out)


cdef TensorImpl _multiplied(TensorImpl self, object factor):
    # complex numbers are always multiplied as complex numbers, even by 1: inf * 0 gives nan as in PyTorch
    if is_complex(self.dtype):
        return mul(self, wrap_number(complex(factor)))
    return self if _is_one(factor) else mul(self, wrap_number(factor))


# ---- batches of matrices

cdef Py_ssize_t _size_at(TensorImpl t, int dim) except -1:
    if ndim(t) == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return sizes(t)[wrap_dim(dim, ndim(t))]


cdef int _check_batches(TensorImpl a, TensorImpl b) except -1:
    if ndim(a) != 3:
        raise RuntimeError("batch1 must be a 3D tensor")
    if ndim(b) != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    return 0


cdef int _check_batch_sizes(TensorImpl a, TensorImpl b) except -1:
    if sizes(a)[0] != sizes(b)[0] or sizes(a)[2] != sizes(b)[1]:
        raise RuntimeError("Expected size for first two dimensions of batch2 tensor to be: "
                           f"[{sizes(a)[0]}, {sizes(a)[2]}] but got: [{sizes(b)[0]}, "
                           f"{sizes(b)[1]}].")
    return 0


cdef int _batched(TensorImpl a, TensorImpl b, TensorImpl c, object beta, object alpha, bint add_to,
                  str name) except -1:
    cdef Matrix x = _layer(a), y = _layer(b), z = _layer(c)
    cdef Py_ssize_t p = strides(a)[0], q = strides(b)[0], r = strides(c)[0], count = sizes(a)[0]
    cdef double[2] alpha_slot
    cdef double[2] beta_slot
    cdef int status, dtype = c.dtype
    if numel(c) == 0:
        return 0
    _read_number(alpha, dtype, alpha_slot)
    _read_number(beta, dtype, beta_slot)
    if <double>numel(c) * <double>x.cols >= RELEASE_GIL:
        with nogil:
            status = blas.bmm(dtype, count, alpha_slot, &x, p, &y, q, beta_slot if add_to else NULL,
                              &z, r)
    else:
        status = blas.bmm(dtype, count, alpha_slot, &x, p, &y, q, beta_slot if add_to else NULL, &z,
                          r)
    return _check_status(status, dtype, name)


cdef TensorImpl bmm(TensorImpl self, TensorImpl mat2, TensorImpl out=None):
    cdef Py_ssize_t[3] shape
    cdef TensorImpl result
    cdef bint empty = numel(self) == 0 or numel(mat2) == 0
    _check_batches(self, mat2)
    _check_batch_sizes(self, mat2)
    _check_dtype(self.dtype, "bmm", self, mat2)
    # PyTorch does not check the dtypes if an operand is empty
    if self.dtype != mat2.dtype and not empty:
        raise RuntimeError(f"expected scalar type {class_name(self.dtype)} but found "
                           f"{class_name(mat2.dtype)}")
    shape[0], shape[1], shape[2] = sizes(self)[0], sizes(self)[1], sizes(mat2)[2]
    result = _result(out, mat2.dtype, 3, shape, None, self, mat2)
    if empty:
        return _deliver(zero_(result), out)
    _batched(self, mat2, result, 0, 1, False, "bmm")
    return _deliver(result, out)


cdef TensorImpl baddbmm(TensorImpl self, TensorImpl batch1, TensorImpl batch2, object beta=1,
                        object alpha=1, TensorImpl out=None):
    cdef Py_ssize_t[3] shape
    cdef TensorImpl result
    cdef bint add_to
    cdef double[2] slot
    cdef TensorImpl expanded
    # as in PyTorch, these sizes are read before the number of dimensions is checked
    shape[0], shape[1] = _size_at(batch1, 0), _size_at(batch1, 1)
    shape[2] = _size_at(batch2, 2)
    expanded = _expanded(self, 3, shape)
    if out is not self:
        self = expanded
    if self.dtype != batch1.dtype:
        raise RuntimeError(
            f"Input dtypes must be the same, got: input {c_name(self.dtype)}, batch1: "
            f"{c_name(batch1.dtype)}, batch2: {c_name(batch2.dtype)}")
    _check_batches(batch1, batch2)
    _check_batch_sizes(batch1, batch2)
    if out is self and out.dtype != batch2.dtype:
        raise RuntimeError(f"Bad in-place call: input tensor dtype {c_name(out.dtype)} and "
                           f"output tensor dtype {c_name(batch2.dtype)} should match")
    if out is self:
        _result(out, self.dtype, 3, shape, self, batch1, batch2)
    _check_dtype(self.dtype, "baddbmm", batch1, batch2)
    if self.dtype != batch2.dtype:
        raise RuntimeError(f"expected scalar type {class_name(self.dtype)} but found "
                           f"{class_name(batch2.dtype)}")
    _read_number(beta, self.dtype, slot)
    _read_number(alpha, self.dtype, slot)
    result = _result(out, self.dtype, 3, shape, self, batch1, batch2)
    if _is_done(result, beta):
        return _deliver(result, out)
    _fill(result, self, beta, &add_to)
    _batched(batch1, batch2, result, beta, alpha, add_to, "baddbmm")
    return _deliver(result, out)


cdef int _resize_silently(TensorImpl out, int dtype, const Py_ssize_t* shape) except -1:
    """Resize `out` like PyTorch, which then uses it as the tensor that is added to."""
    if out.dtype != dtype:
        raise explained(RuntimeError(
            f"self and mat2 must have the same dtype, but got {class_name(out.dtype)} "
            f"and {class_name(dtype)}"), "dtype-mismatch")
    if ndim(out) != 2 or sizes(out)[0] != shape[0] or sizes(out)[1] != shape[1]:
        resize(out, 2, shape)
    return 0


cdef TensorImpl addbmm(TensorImpl self, TensorImpl batch1, TensorImpl batch2, object beta=1,
                       object alpha=1, TensorImpl out=None):
    cdef Py_ssize_t[2] shape
    cdef TensorImpl result
    cdef Matrix x, y, z
    cdef double[2] alpha_slot
    cdef double[2] beta_slot
    cdef bint add_to
    cdef int status, dtype = self.dtype
    # as in PyTorch, these sizes are read before the number of dimensions is checked
    _size_at(batch1, 0)
    shape[0], shape[1] = _size_at(batch1, 1), _size_at(batch2, 2)
    if out is not self:
        self = _expanded(self, 2, shape)
    else:
        assert_no_internal_overlap(out)
    _check_batches(batch1, batch2)
    if sizes(batch1)[0] != sizes(batch2)[0]:
        raise RuntimeError("batch1 and batch2 must have same number of batches, got "
                           f"{sizes(batch1)[0]} and {sizes(batch2)[0]}")
    if sizes(batch1)[2] != sizes(batch2)[1]:
        raise RuntimeError(
            f"Incompatible matrix sizes for bmm ({sizes(batch1)[1]}x{sizes(batch1)[2]} and "
            f"{sizes(batch2)[1]}x{sizes(batch2)[2]})")
    if batch2.dtype != dtype:
        raise explained(RuntimeError(
            f"self and mat2 must have the same dtype, but got {class_name(dtype)} "
            f"and {class_name(batch2.dtype)}"), "dtype-mismatch")
    if batch1.dtype != batch2.dtype:
        raise explained(RuntimeError(
            "mat1 and mat2 must have the same dtype, but got "
            f"{class_name(batch1.dtype)} and {class_name(batch2.dtype)}"), "dtype-mismatch")
    _check_dtype(dtype, "addmm_impl_cpu_", batch1, batch2)
    _read_number(alpha, dtype, alpha_slot)
    _read_number(beta, dtype, beta_slot)
    if out is not None and out is not self:
        _resize_silently(out, dtype, shape)
    result = _result(out, dtype, 2, shape, self, batch1, batch2)
    if _is_done(result, beta):
        return _deliver(result, out)
    _fill(result, self, beta, &add_to)
    x, y, z = _layer(batch1), _layer(batch2), _matrix(result)
    if sizes(batch1)[0] == 0:
        if not add_to:
            zero_(result)
        elif not _is_one(beta):
            mul(result, wrap_number(beta), result)
    for _ in range(sizes(batch1)[0]):
        status = blas.gemm(dtype, alpha_slot, &x, &y, beta_slot if add_to else NULL, &z)
        _check_status(status, dtype, "addmm_impl_cpu_")
        x.data += strides(batch1)[0] * itemsizes[dtype]
        y.data += strides(batch2)[0] * itemsizes[dtype]
        _read_number(1, dtype, beta_slot)
        add_to = True
    return _deliver(result, out)
