"""The reduction kernels on NumPy arrays, for their tests.

``reduce_array(name, a, axes, out_dtype)`` plans and runs one reduction of any strided array and
returns a list of its results, with the reduced dimensions kept as size one.
"""

import numpy as np

from libc.stdint cimport uint64_t

cimport numpy as cnp

from minitorch.core.dtype cimport from_numpy_type
from minitorch.kernels.reduction.extremes cimport (
    amax_kernel, amin_kernel, max_with_index_kernel, min_with_index_kernel)
from minitorch.kernels.reduction.logic cimport all_kernel, any_kernel, count_nonzero_kernel
from minitorch.kernels.reduction.moments cimport logsumexp_kernel, var_kernel
from minitorch.kernels.reduction.norm cimport norm_kernel
from minitorch.kernels.reduction.reduction cimport Reduction, plan_reduction
from minitorch.kernels.reduction.sum cimport (
    mean_kernel, nansum_kernel, prod_kernel, sum_kernel)

cnp.import_array()


cdef int _run(str name, char* x, char* out, char* out2, const Reduction* r, int in_dtype,
              int out_dtype, double parameter) except -1:
    cdef int status
    if name == "sum":
        status = sum_kernel(x, out, r, in_dtype, out_dtype)
    elif name == "mean":
        status = mean_kernel(x, out, r, in_dtype, out_dtype)
    elif name == "nansum":
        status = nansum_kernel(x, out, r, in_dtype, out_dtype)
    elif name == "prod":
        status = prod_kernel(x, out, r, in_dtype, out_dtype)
    elif name == "amax":
        status = amax_kernel(x, out, r, in_dtype)
    elif name == "amin":
        status = amin_kernel(x, out, r, in_dtype)
    elif name == "argmax":
        status = max_with_index_kernel(x, NULL, out, r, in_dtype)
    elif name == "argmin":
        status = min_with_index_kernel(x, NULL, out, r, in_dtype)
    elif name == "max":
        status = max_with_index_kernel(x, out, out2, r, in_dtype)
    elif name == "min":
        status = min_with_index_kernel(x, out, out2, r, in_dtype)
    elif name == "any":
        status = any_kernel(x, out, r, in_dtype)
    elif name == "all":
        status = all_kernel(x, out, r, in_dtype)
    elif name == "count_nonzero":
        status = count_nonzero_kernel(x, out, r, in_dtype)
    elif name == "norm":
        status = norm_kernel(x, out, r, in_dtype, out_dtype, parameter)
    elif name == "var" or name == "std":
        status = var_kernel(x, out, NULL, r, in_dtype, parameter, name == "std")
    elif name == "var_mean" or name == "std_mean":
        status = var_kernel(x, out, out2, r, in_dtype, parameter, name == "std_mean")
    elif name == "logsumexp":
        status = logsumexp_kernel(x, out, r, in_dtype)
    else:
        raise ValueError(name)
    if status:
        raise TypeError(f"{name} has no loop for this dtype")
    return 0


def reduce_array(str name, cnp.ndarray a, tuple axes, out_dtype, out2_dtype=None,
                 double parameter=0, int repeat=1):
    """Results of the kernel ``name`` over ``axes`` of ``a``; ``repeat`` is for timing it."""
    cdef Reduction r
    cdef uint64_t mask = 0
    cdef int _, i
    shape = list(np.shape(a))
    for axis in axes:
        mask |= (<uint64_t>1) << <int>axis
        shape[axis] = 1
    cdef cnp.ndarray out = np.full(shape, 42, out_dtype)
    cdef cnp.ndarray out2 = np.full(shape, 43, out2_dtype or np.int64)
    plan_reduction(&r, a.ndim, <Py_ssize_t*>a.shape, <Py_ssize_t*>a.strides,
                   <Py_ssize_t*>out.strides, <Py_ssize_t*>out2.strides, mask,
                   name in ("argmax", "argmin", "max", "min"))
    if name in ("argmax", "argmin"):
        for i in range(r.kept_ndim):
            r.kept_out2_strides[i] = r.kept_out_strides[i]
    for _ in range(repeat):
        _run(name, a.data, out.data, out2.data, &r, from_numpy_type(a.dtype.num),
             from_numpy_type(out.dtype.num), parameter)
    return [out, out2] if out2_dtype else [out]
