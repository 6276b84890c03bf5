# cython: wraparound=True
"""Matrix products of any number of dimensions: matmul and linear.

=============  =============  ===================================================================
dimensions     dimensions     product
of the first   of the second
=============  =============  ===================================================================
1              1              dot
2              1              mv
1              2              mm of a one-row matrix
2              2              mm
3              3              if one batch has a single matrix: without its batch dimension
3 and more     1 or 2         the first as one tall matrix, if that is a view: mm or mv
1              3 and more     the second one transposed, likewise
others                        both broadcast to a batch: bmm
=============  =============  ===================================================================
"""

from minitorch.core.dtype cimport class_name
from minitorch.core.iterator cimport TensorIterator, infer_shape
from minitorch.core.tensor_impl cimport (
    SizesAndStrides, TensorImpl, is_contiguous, ndim, new_geometry, numel, release_geometry, sizes,
    sizes_tuple,
    strides)
from minitorch.ops.common.copy cimport contiguous, copy_
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.common.type_names cimport check_out_dtype
from minitorch.ops.elementwise.binary cimport add
from minitorch.ops.linalg.linear cimport addmm, bmm, dot, mm, mv
from minitorch.ops.shape.transposes cimport mT, t
from minitorch.ops.shape.views cimport expand, reshape, squeeze_dim, unsqueeze, view


cdef bint _is_tall(TensorImpl self) noexcept:
    """Return whether view(-1, size(-1)) is possible."""
    cdef int d
    if numel(self) == 0:
        return True
    for d in range(ndim(self) - 2):
        if strides(self)[d] != strides(self)[d + 1] * sizes(self)[d + 1]:
            return False
    return True


cdef MatmulPlan matmul_plan(TensorImpl self, TensorImpl other, bint second_requires_grad) except *:
    cdef int a = ndim(self), b = ndim(other)
    if a == 0 or b == 0:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {a}D "
                           f"and {b}D")
    if a <= 2 and b <= 2:
        if a == 1:
            return MATMUL_DOT if b == 1 else MATMUL_VECTOR_MM
        return MATMUL_MV if b == 1 else MATMUL_MM
    if a >= 3 and b <= 2 and (second_requires_grad or _is_tall(self)):
        return MATMUL_FOLD
    if a <= 2 and (second_requires_grad or a == 1 and _is_tall(mT(other))):
        return MATMUL_FOLD_RIGHT
    return MATMUL_BMM


cdef tuple _broadcast(tuple a, tuple b):
    """Return the broadcast shape, or raise the error of broadcasting."""
    cdef TensorIterator it
    cdef SizesAndStrides* inputs[2]
    cdef Py_ssize_t[64] n
    cdef int k, d
    inputs[0] = inputs[1] = NULL
    try:
        for k, shape in enumerate((a, b)):
            for d, size in enumerate(shape):
                n[d] = size
            inputs[k] = new_geometry(len(shape), n, NULL)
        infer_shape(&it, 2, inputs)
        return tuple([it.shape[d] for d in range(it.shape_ndim)])
    finally:
        for k in range(2):
            if inputs[k] != NULL:
                release_geometry(inputs[k])


cdef tuple matmul_shapes(TensorImpl self, TensorImpl other):
    cdef tuple a = sizes_tuple(self), b = sizes_tuple(other), batch = _broadcast(a[:-2], b[:-2])
    cdef Py_ssize_t count = 1
    for size in batch:
        count *= size
    return (batch + (a[-2:] if len(a) > 1 else (1, a[0])),
            (count,) + (a[-2:] if len(a) > 1 else (1, a[0])),
            batch + b[-2:],
            (count,) + b[-2:],
            batch + a[-2:-1] + (b[-1:] if len(b) > 1 else ()))


cdef TensorImpl _fold(TensorImpl tall, TensorImpl matrix):
    """Multiply a tensor of three or more dimensions by a matrix or vector."""
    cdef tuple shape = sizes_tuple(tall)[:-1]
    cdef Py_ssize_t rows = 1
    for size in shape:
        rows *= size
    tall = reshape(tall, (rows, sizes(tall)[ndim(tall) - 1]))
    if ndim(matrix) == 1:
        return view(mv(tall, matrix), shape)
    return view(mm(tall, matrix), shape + (sizes(matrix)[1],))


cdef int lonely_batch(TensorImpl self, TensorImpl other) noexcept:
    if ndim(self) != 3 or ndim(other) != 3:
        return 0
    if sizes(other)[0] == 1 and sizes(self)[0] != 1:
        return 2
    return 1 if sizes(self)[0] == 1 and sizes(other)[0] != 1 else 0


cdef TensorImpl _matmul(TensorImpl self, TensorImpl other):
    cdef MatmulPlan plan
    cdef int lonely = lonely_batch(self, other)
    if lonely and sizes(self)[2] != sizes(other)[1]:
        lonely = 0                          # the product of batches raises the error
    if lonely == 1:
        self = squeeze_dim(self, 0)
    elif lonely == 2:
        other = squeeze_dim(other, 0)
    plan = matmul_plan(self, other, False)
    cdef TensorImpl result
    cdef tuple shapes
    if plan == MATMUL_MM:
        return mm(self, other)
    if plan == MATMUL_DOT:
        return dot(self, other)
    if plan == MATMUL_MV:
        return mv(self, other)
    if plan == MATMUL_VECTOR_MM:
        return squeeze_dim(mm(unsqueeze(self, 0), other), 0)
    if plan == MATMUL_FOLD:
        return _fold(self, other)
    if plan == MATMUL_FOLD_RIGHT:
        result = _fold(mT(other), t(self))
        return contiguous(mT(result)) if ndim(self) == 2 else result
    shapes = matmul_shapes(self, other)
    self = reshape(expand(self, shapes[0]), shapes[1])
    other = reshape(expand(other, shapes[2]), shapes[3])
    if len(shapes[3]) == 2:
        other = unsqueeze(other, 2)
    return view(bmm(self, other), shapes[4])


cdef TensorImpl matmul(TensorImpl self, TensorImpl other, TensorImpl out=None):
    cdef TensorImpl result
    if out is None:
        return _matmul(self, other)
    if ndim(self) == 2 and ndim(other) == 2:
        return mm(self, other, out)
    result = _matmul(self, other)
    if ndim(self) == 1 and ndim(other) == 1 and out.dtype != result.dtype:
        raise RuntimeError(f"result dtype {class_name(out.dtype)} does not match input dtype "
                           f"{class_name(result.dtype)}")
    check_out_dtype(out, result.dtype)
    resize_output(out, ndim(result), sizes(result))
    return copy_(out, result)


cdef bint fuses(TensorImpl bias) noexcept:
    cdef int k, wide = 0
    for k in range(ndim(bias)):
        wide += sizes(bias)[k] != 1
    return (ndim(bias) == 1 or wide == 1) and is_contiguous(bias)


cdef TensorImpl linear(TensorImpl input, TensorImpl weight, TensorImpl bias=None):
    cdef tuple shape
    cdef Py_ssize_t rows
    cdef TensorImpl result
    if ndim(input) == 0 or ndim(weight) == 0:
        raise RuntimeError("both arguments to linear need to be at least 1D, but they are "
                           f"{ndim(input)}D and {ndim(weight)}D")
    if bias is None:
        return _matmul(input, t(weight))
    if ndim(input) == 2:
        return addmm(bias, input, t(weight))
    if not is_contiguous(input) or not fuses(bias):
        result = _matmul(input, t(weight))
        return add(result, bias, 1, result)
    shape = sizes_tuple(input)[:-1]
    rows = 1
    for size in shape:
        rows *= size
    result = addmm(bias, reshape(input, (rows, sizes(input)[ndim(input) - 1])), t(weight))
    return view(result, shape + (sizes(weight)[0],))
