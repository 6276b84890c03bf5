"""batch_norm in training mode with float16 or bfloat16 statistics.

PyTorch stores the statistics in 16 bits and continues with the rounded values, so the rounding shows in the
result. This module takes the same steps one by one. Only in bfloat16 is the variance rounded before its root is
taken.
"""

from libc.math cimport NAN

from minitorch.core.dtype cimport BFloat16, Float32
from minitorch.core.tensor_impl cimport TensorImpl, ndim, numel, sizes, wrap_number
from minitorch.ops.common.copy cimport cast, copy_
from minitorch.ops.common.scalar cimport scalar_tensor
from minitorch.ops.elementwise.binary cimport add, mul
from minitorch.ops.elementwise.binary_functions cimport pow
from minitorch.ops.elementwise.unary cimport neg
from minitorch.ops.reduction cimport moments, reduction
from minitorch.ops.shape.views cimport view


cdef int _move(TensorImpl running, TensorImpl mean, double momentum) except -1:
    """Move `running` towards `mean`, computing in float32."""
    cdef TensorImpl left = mul(cast(running, Float32), wrap_number(1 - momentum))
    copy_(running, add(left, mul(mean, wrap_number(momentum))))
    return 0


cdef int _move_in_steps(TensorImpl mean, TensorImpl var, TensorImpl batch_mean,
                        TensorImpl batch_var, double momentum) except -1:
    """Move the running statistics like `_move`, but in bfloat16 arithmetic; either may be None."""
    cdef TensorImpl left = scalar_tensor(1 - momentum, BFloat16)
    if mean is not None:
        batch_mean = mul(batch_mean, scalar_tensor(momentum, BFloat16))
        copy_(mean, add(mul(mean, left), batch_mean))
    if var is not None:
        copy_(var, add(mul(var, left), batch_var, momentum))
    return 0


cdef tuple with_reduced_statistics(TensorImpl x, TensorImpl gamma, TensorImpl beta,
                                   TensorImpl running_mean, TensorImpl running_var,
                                   double momentum, double eps, int statistics):
    """Normalize `x` with statistics rounded to 16 bits, as PyTorch does; return them with the result."""
    cdef tuple shape = (sizes(x)[1], *[1] * (ndim(x) - 2))
    cdef tuple dims = (0, *range(2, ndim(x)))
    cdef double count = numel(x) / sizes(x)[1]
    cdef TensorImpl unbiased = wrap_number(count / (count - 1) if count > 1 else NAN)
    cdef TensorImpl wide_mean = reduction.mean(x, dims), variance = moments.var(x, dims, 0, False)
    cdef TensorImpl mean = cast(wide_mean, statistics), invstd, factor, summand
    if statistics == BFloat16:
        variance = cast(cast(variance, BFloat16), Float32)
        _move_in_steps(running_mean, running_var, mean, cast(mul(variance, unbiased), BFloat16),
                       momentum)
    else:
        if running_mean is not None:
            _move(running_mean, wide_mean, momentum)
        if running_var is not None:
            _move(running_var, mul(variance, unbiased), momentum)
    invstd = cast(pow(add(variance, wrap_number(eps)), wrap_number(-0.5)), statistics)
    factor = cast(invstd, Float32)
    if gamma is not None:
        factor = mul(factor, gamma)
    summand = neg(mul(cast(mean, Float32), factor))
    if beta is not None:
        summand = add(beta, summand)
    return add(mul(x, view(factor, shape)), view(summand, shape)), mean, invstd
