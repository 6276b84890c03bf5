"""batch_norm in training where its statistics have 16 bits.

PyTorch stores the statistics as float16 or bfloat16 and goes on with what was stored, so that the
roundings show in the result: the steps are taken one by one. The variance is rounded before its
root is taken in bfloat16 only.
"""

from libc.math cimport NAN

from minitorch.core.dtype cimport BFloat16, Float32
from minitorch.core.tensor_impl cimport TensorImpl, ndim, numel, sizes, wrap_number
from minitorch.ops cimport moments, reduction
from minitorch.ops.binary cimport add, mul, pow
from minitorch.ops.copy cimport cast, copy_
from minitorch.ops.scalar cimport scalar_tensor
from minitorch.ops.unary cimport neg
from minitorch.ops.views cimport view


cdef int _move(TensorImpl running, TensorImpl towards, double momentum) except -1:
    """(1 - momentum) * running + momentum * towards, each number and product rounded."""
    cdef TensorImpl part = scalar_tensor(momentum, running.dtype)
    part = cast(mul(cast(part, Float32), towards), running.dtype)
    copy_(running, add(mul(running, scalar_tensor(1 - momentum, running.dtype)), part))
    return 0


cdef tuple with_reduced_statistics(TensorImpl x, TensorImpl gamma, TensorImpl beta,
                                   TensorImpl running_mean, TensorImpl running_var,
                                   double momentum, double eps, int statistics):
    """The result in float32, and statistics of 16 bits: with these, rounded, PyTorch normalizes."""
    cdef tuple shape = (sizes(x)[1], *[1] * (ndim(x) - 2))
    cdef tuple dims = (0, *range(2, ndim(x)))
    cdef double count = numel(x) / sizes(x)[1]
    cdef TensorImpl mean = cast(reduction.mean(x, dims), statistics)
    cdef TensorImpl variance, invstd, factor, summand
    variance = moments.var(x, dims, 0, False)
    if running_mean is not None:
        _move(running_mean, cast(mean, Float32), momentum)
    if statistics == BFloat16:
        variance = cast(cast(variance, statistics), Float32)
    if running_var is not None:
        factor = wrap_number(count / (count - 1) if count > 1 else NAN)
        _move(running_var, mul(variance, factor), momentum)
    invstd = cast(pow(add(variance, wrap_number(eps)), wrap_number(-0.5)), statistics)
    factor = cast(invstd, Float32)
    if gamma is not None:
        factor = mul(factor, gamma)
    summand = neg(mul(cast(mean, Float32), factor))
    if beta is not None:
        summand = add(beta, summand)
    return add(mul(x, view(factor, shape)), view(summand, shape)), mean, invstd
