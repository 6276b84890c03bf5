# cython: wraparound=True
"""The pseudoinverse, the matrix exponential and the cross product.

References: N. Higham, "The scaling and squaring method for the matrix exponential revisited"
(2005); M. Paterson and L. Stockmeyer, "On the number of nonscalar multiplications necessary to
evaluate polynomials" (1973).
"""

from libc.math cimport frexp, isfinite

from minitorch.core.dtype cimport (
    BFloat16, Bool, Complex64, Complex128, Float16, Float32, Float64, Int64, class_name)
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, ndim, numel, sizes, sizes_tuple, wrap_dim, wrap_number)
from minitorch.ops.common.checks cimport broadcast_sizes, check_scalar_type, not_implemented
from minitorch.ops.common.copy cimport CONTIGUOUS_FORMAT, cast, clone, contiguous
from minitorch.ops.creation.factory cimport eye, full, new_empty, zeros
from minitorch.ops.elementwise.binary cimport add, mul, sub
from minitorch.ops.elementwise.binary_functions cimport maximum
from minitorch.ops.elementwise.compare cimport gt
from minitorch.ops.elementwise.ternary cimport where
from minitorch.ops.elementwise.unary cimport abs, reciprocal
from minitorch.ops.linalg.checks cimport check_floating_or_complex, check_square
from minitorch.ops.linalg.cholesky cimport deliver
from minitorch.ops.linalg.column_major cimport adjoint_of, batch_shape, cols_of, rows_of
from minitorch.ops.linalg.eigen cimport _linalg_eigh, _linalg_svd
from minitorch.ops.linalg.linear cimport bmm
from minitorch.ops.linalg.matmul cimport matmul
from minitorch.ops.reduction.extremes cimport amax
from minitorch.ops.reduction.reduction cimport sum
from minitorch.ops.shape.rearrange cimport roll
from minitorch.ops.shape.views cimport expand, reshape, unsqueeze, view


# ---- pseudoinverse

cdef TensorImpl tolerance(TensorImpl A, TensorImpl values, TensorImpl atol, TensorImpl rtol):
    """Return the threshold that the values of each matrix must exceed, in float64 if a tolerance is float64."""
    cdef double eps = (1.1920928955078125e-07 if A.dtype == Float32 or A.dtype == Complex64
                       else 2.220446049250313e-16)
    cdef TensorImpl largest, limit
    if rtol is None:
        rtol = full((), eps * max(rows_of(A), cols_of(A)), Float64)
        if atol is not None:
            rtol = where(gt(atol, wrap_number(0)), zeros((), Float64), rtol)
    if sizes(values)[ndim(values) - 1] == 0:
        largest = zeros(sizes_tuple(values)[:-1] + (1,), values.dtype)
    else:
        largest = amax(values, (-1,), True)
    limit = mul(unsqueeze(rtol, -1), largest)
    return limit if atol is None else maximum(unsqueeze(atol, -1), limit)


cdef TensorImpl linalg_pinv(TensorImpl self, TensorImpl atol=None, TensorImpl rtol=None,
                            bint hermitian=False):
    cdef TensorImpl U, S, Vh, kept, inverse
    cdef int dtype = self.dtype
    if ndim(self) < 2 or not (dtype == Float32 or dtype == Float64 or dtype == Complex64
                              or dtype == Complex128):
        raise RuntimeError(f"linalg.pinv({class_name(dtype)}{{{list(sizes_tuple(self))}}}): "
                           "expected a tensor with 2 or more dimensions of float, double, cfloat "
                           "or cdouble types")
    if numel(self) == 0:
        return new_empty(batch_shape(self) + (cols_of(self), rows_of(self)), dtype)
    if hermitian:
        S, U = _linalg_eigh(self, "L", True)
        Vh = adjoint_of(U)
        kept = abs(S)
    else:
        U, S, Vh = _linalg_svd(self, False, True)
        kept = S
    inverse = where(gt(kept, tolerance(self, kept, atol, rtol)), reciprocal(S),
                    zeros((), S.dtype))
    return matmul(mul(adjoint_of(Vh), unsqueeze(inverse, -2)), adjoint_of(U))


# ---- exponential

cdef TensorImpl _taylor(TensorImpl A, int dtype):
    """Return the Taylor series up to A**18, as a polynomial in A**6 with blocks of six powers."""
    cdef Py_ssize_t n = cols_of(A)
    cdef TensorImpl identity = eye(n, n, dtype), result = None, block
    cdef list powers = [identity, A]
    cdef double factor
    cdef int k, j
    cdef double[19] coefficients
    factor = 1
    for k in range(19):
        factor = factor * k if k else 1
        coefficients[k] = 1 / factor
    for k in range(2, 7):
        powers.append(bmm(powers[k - 1], A))
    for k in range(3, -1, -1):
        block = mul(identity, wrap_number(coefficients[6 * k]))
        if k < 3:
            for j in range(1, 6):
                block = add(block, mul(<TensorImpl>powers[j],
                                       wrap_number(coefficients[6 * k + j])))
        result = block if result is None else add(
            matmul(result, <TensorImpl>powers[6]), block)
    return result


cdef TensorImpl _exponentials(TensorImpl A):
    """Return the exponentials of a batch (b, n, n) of one of the four dtypes."""
    cdef double theta = (3.010066362817634 if A.dtype == Float32 or A.dtype == Complex64
                         else 1.090863719290036)
    cdef TensorImpl norms = amax(sum(abs(A), (-2,), False), (-1,), False), squarings, scale, result
    cdef TensorImpl wide = contiguous(cast(norms, Float64))
    cdef Py_ssize_t count = numel(norms), k
    cdef int most = 0, exponent, j
    cdef long long* s
    cdef double* factor
    squarings = new_empty((count, 1, 1), Int64)
    scale = new_empty((count, 1, 1), Float64)
    s, factor = <long long*>data(squarings), <double*>data(scale)
    for k in range(count):
        s[k] = 0
        factor[k] = 1
        if isfinite((<double*>data(wide))[k]) and (<double*>data(wide))[k] > theta:
            frexp((<double*>data(wide))[k] / theta, &exponent)
            s[k] = exponent
            most = max(most, exponent)
            factor[k] = 2.0 ** -exponent
    result = _taylor(mul(A, cast(scale, norms.dtype)), A.dtype)
    for j in range(most):
        result = where(gt(squarings, wrap_number(j)), bmm(result, result), result)
    return result


cdef TensorImpl linalg_matrix_exp(TensorImpl self):
    cdef TensorImpl batch
    cdef Py_ssize_t n
    check_square(self, "linalg.matrix_exp")
    check_floating_or_complex(self, "linalg.matrix_exp")
    if numel(self) == 0:
        return clone(self, CONTIGUOUS_FORMAT)
    if self.dtype == Float16 or self.dtype == BFloat16:
        return cast(linalg_matrix_exp(cast(self, Float32)), self.dtype)
    n = cols_of(self)
    batch = reshape(self, (numel(self) // (n * n), n, n))
    return view(_exponentials(batch), sizes_tuple(self))


# ---- vector product

cdef TensorImpl linalg_cross(TensorImpl self, TensorImpl other, Py_ssize_t dim=-1,
                             TensorImpl out=None):
    cdef tuple shape
    cdef int d
    if ndim(self) != ndim(other):
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    d = wrap_dim(dim, ndim(self))
    if ndim(self) == 0 or sizes(self)[d] != 3 or sizes(other)[d] != 3:
        raise RuntimeError(f"linalg.cross: inputs dimension {dim} must have length 3. Got "
                           f"{sizes(self)[d] if ndim(self) else 1} and "
                           f"{sizes(other)[d] if ndim(other) else 1}")
    shape = broadcast_sizes(sizes_tuple(self), sizes_tuple(other))
    if self.dtype == Bool:
        raise not_implemented("cross", self.dtype)
    check_scalar_type(other, self.dtype)
    self, other = expand(self, shape), expand(other, shape)
    return deliver(sub(mul(roll(self, (-1,), (d,)), roll(other, (-2,), (d,))),
                       mul(roll(self, (-2,), (d,)), roll(other, (-1,), (d,)))), out)
