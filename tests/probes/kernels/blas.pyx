"""What the tests see of `blas.pxd`, on NumPy arrays.

Every function writes into its last array and returns the BlasStatus. `conj` holds one flag for each
input.
"""

cimport numpy as cnp

from minitorch.core.dtype cimport from_numpy_type, is_complex, is_floating
from minitorch.kernels.common.parallel cimport set_num_threads
from minitorch.kernels.linalg.blas cimport bmm, dot, gemm, gemv, ger
from minitorch.kernels.linalg.blas_threads cimport blas_threads, set_blas_threads
from minitorch.kernels.linalg.matrix cimport Matrix, Vector, matrix, vector

cnp.import_array()


cdef struct Scalar:
    long long integer
    double real
    double complex complex_


cdef const void* _scalar(int dtype, value, Scalar* out) except? NULL:
    if value is None:
        return NULL
    if is_complex(dtype):
        out.complex_ = value
        return &out.complex_
    if is_floating(dtype):
        out.real = value
        return &out.real
    out.integer = value
    return &out.integer


cdef Matrix _matrix(cnp.ndarray a, int first, bint conj) except *:
    cdef Py_ssize_t item = cnp.PyArray_ITEMSIZE(a)
    cdef Matrix m = matrix(<char*>cnp.PyArray_DATA(a), a.shape[first], a.shape[first + 1],
                           cnp.PyArray_STRIDE(a, first) // item,
                           cnp.PyArray_STRIDE(a, first + 1) // item)
    m.conj = conj
    return m


cdef Vector _vector(cnp.ndarray a, bint conj) except *:
    cdef Vector v = vector(<char*>cnp.PyArray_DATA(a), a.shape[0],
                           cnp.PyArray_STRIDE(a, 0) // cnp.PyArray_ITEMSIZE(a))
    v.conj = conj
    return v


def product(str name, cnp.ndarray x, cnp.ndarray y, cnp.ndarray out, alpha=None, beta=None,
            conj=(False, False)):
    """out = alpha * (x times y) + beta * out, by the kernel `name`."""
    cdef int dtype = from_numpy_type(cnp.PyArray_TYPE(out)), status
    cdef Scalar alpha_value, beta_value
    cdef const void* by = _scalar(dtype, alpha, &alpha_value)
    cdef const void* to = _scalar(dtype, beta, &beta_value)
    cdef Matrix a, b, c
    cdef Vector u, v
    cdef Py_ssize_t item = cnp.PyArray_ITEMSIZE(out)
    if x.dtype != out.dtype or y.dtype != out.dtype:
        raise TypeError("one dtype is needed")
    if name == "gemm":
        a, b, c = _matrix(x, 0, conj[0]), _matrix(y, 0, conj[1]), _matrix(out, 0, False)
        with nogil:
            status = gemm(dtype, by, &a, &b, to, &c)
    elif name == "bmm":
        a, b, c = _matrix(x, 1, conj[0]), _matrix(y, 1, conj[1]), _matrix(out, 1, False)
        status = bmm(dtype, out.shape[0], by, &a, cnp.PyArray_STRIDE(x, 0) // item, &b,
                     cnp.PyArray_STRIDE(y, 0) // item, to, &c, cnp.PyArray_STRIDE(out, 0) // item)
    elif name == "gemv":
        a, u, v = _matrix(x, 0, conj[0]), _vector(y, conj[1]), _vector(out, False)
        status = gemv(dtype, by, &a, &u, to, &v)
    elif name == "ger":
        u, v, c = _vector(x, conj[0]), _vector(y, conj[1]), _matrix(out, 0, False)
        status = ger(dtype, by, &u, &v, to, &c)
    elif name == "dot":
        u, v = _vector(x, conj[0]), _vector(y, conj[1])
        status = dot(dtype, &u, &v, <char*>cnp.PyArray_DATA(out))
    else:
        raise ValueError(name)
    return status


def threads(int n):
    """Use `n` threads here and in BLAS; returns what BLAS says it uses."""
    set_num_threads(n)
    set_blas_threads(n)
    return blas_threads()
