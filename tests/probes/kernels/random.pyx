"""What the tests see of the kernels of random numbers."""

cimport numpy as cnp

import numpy

from minitorch.core.dtype cimport from_numpy_type
from minitorch.core.generator cimport Generator
from minitorch.kernels.random cimport distributions, multinomial, normal, integers as random_integers, sampling, uniform

cnp.import_array()


cdef int code_of(cnp.ndarray a) except -1:
    return from_numpy_type(cnp.PyArray_TYPE(a))


def fill(str kind, Generator generator, cnp.ndarray out, *args):
    """Fill a one-dimensional array, by its strides, with random numbers of a kind.

    "normal" and "randperm" want it contiguous. The arguments are those of PyTorch's method.
    """
    cdef int dtype = code_of(out)
    cdef char* data = <char*>cnp.PyArray_DATA(out)
    cdef Py_ssize_t n, step
    cdef cnp.ndarray p, q
    cdef double low, high
    cdef cnp.uint64_t size
    cdef cnp.int64_t base
    if out.ndim != 1:
        raise ValueError("one dimension is wanted")
    n = out.shape[0]
    step = out.strides[0]
    if kind in ("normal", "randperm") and not cnp.PyArray_IS_C_CONTIGUOUS(out):
        raise ValueError("a contiguous array is wanted")
    if kind == "uniform":
        low, high = args
        with nogil:
            uniform.uniform_(generator, dtype, data, n, step, low, high)
    elif kind == "normal":
        normal.normal_(generator, dtype, data, n, args[0], args[1])
    elif kind == "normal_serial":
        normal.normal_serial(generator, dtype, data, n, step, args[0], args[1])
    elif kind == "log_normal":
        normal.log_normal_(generator, dtype, data, n, step, args[0], args[1])
    elif kind == "random_from_to":
        has_to = args[1] is not None
        if random_integers.random_range(dtype, args[0], has_to, args[1] if has_to else 0,
                                        &size, &base):
            random_integers.random_full_64_bits_range(generator, dtype, data, n, step)
        else:
            random_integers.random_from_to(generator, dtype, data, n, step, size, base)
    elif kind == "random":
        random_integers.random_(generator, dtype, data, n, step)
    elif kind == "randperm":
        random_integers.randperm(generator, dtype, data, n)
    elif kind == "bernoulli":
        if isinstance(args[0], numpy.ndarray):
            p = args[0]
            if p.ndim != 1 or p.shape[0] != n:
                raise ValueError("a p for each element is wanted")
            distributions.bernoulli_tensor(generator, dtype, data, n, step, code_of(p),
                                           <char*>cnp.PyArray_DATA(p), p.strides[0])
        else:
            distributions.bernoulli_scalar(generator, dtype, data, n, step, args[0])
    elif kind == "exponential":
        distributions.exponential_(generator, dtype, data, n, step, args[0])
    elif kind == "geometric":
        distributions.geometric_(generator, dtype, data, n, step, args[0])
    elif kind == "cauchy":
        distributions.cauchy_(generator, dtype, data, n, step, args[0], args[1])
    elif kind == "poisson" or kind == "standard_gamma":
        p = same_layout(out, args[0])
        if kind == "poisson":
            sampling.poisson(generator, dtype, data, n, step,
                             <char*>cnp.PyArray_DATA(p), p.strides[0])
        else:
            sampling.standard_gamma(generator, dtype, data, n, step,
                                    <char*>cnp.PyArray_DATA(p), p.strides[0])
    elif kind == "binomial":
        p = same_layout(out, args[0])
        q = same_layout(out, args[1])
        sampling.binomial(generator, dtype, data, n, step, <char*>cnp.PyArray_DATA(p), p.strides[0],
                          <char*>cnp.PyArray_DATA(q), q.strides[0])
    else:
        raise ValueError(f"no such kind: {kind}")
    return out


cdef cnp.ndarray same_layout(cnp.ndarray out, cnp.ndarray p):
    if p.ndim != 1 or p.shape[0] != out.shape[0] or code_of(p) != code_of(out):
        raise ValueError("a parameter of the output's type for each element is wanted")
    return p


def multinomial_rows(Generator generator, cnp.ndarray p, Py_ssize_t samples,
                     bint replacement):
    """Draw categories for each row of a matrix of weights."""
    if p.ndim != 2 or not cnp.PyArray_IS_C_CONTIGUOUS(p):
        raise ValueError("a contiguous matrix is wanted")
    if samples < 0:
        raise ValueError("a number of samples is wanted")
    cdef cnp.ndarray out = numpy.empty((p.shape[0], samples), numpy.int64)
    multinomial.multinomial(generator, code_of(p), <char*>cnp.PyArray_DATA(p), p.shape[0],
                            p.shape[1], <cnp.int64_t*>cnp.PyArray_DATA(out), samples, replacement)
    return out
