# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""Activation functions.

The kernels are blocks over contiguous elements (see blocks.pxd). The elementary functions are inlined from
vmath.pxd, so each kernel is one pass over its operands. The definitions follow PyTorch's documentation of
``torch.nn.functional``.

References
----------
gelu: Hendrycks and Gimpel 2016. silu: Elfwing et al. 2018. mish: Misra 2019. selu: Klambauer et
al. 2017. hardswish: Howard et al. 2019.
"""

from minitorch.kernels.common.blocks cimport Block, run_floating, set_floating, set_floating_loops
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.vmath cimport absolute, erf_, exp_, expm1_, log1p_unit, sigmoid_


cdef simd sigmoid(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = sigmoid_(x[i])


cdef simd relu(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = 0 if x[i] < 0 else x[i]           # keeps nan and -0


cdef simd gelu(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real half = 0.5, one = 1, root_half = 0.70710678118654752440
    for i in range(n):
        out[i] = half * x[i] * (one + erf_(x[i] * root_half))


cdef simd gelu_tanh(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    # x (1 + tanh(u)) / 2 = x sigmoid(2 u), which needs no tanh
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real c = 1.59576912160573071176, c3 = 0.044715          # 2 sqrt(2/pi)
    for i in range(n):
        out[i] = x[i] * sigmoid_(c * (x[i] + c3 * x[i] * x[i] * x[i]))


cdef simd silu(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real one = 1
    for i in range(n):
        out[i] = x[i] / (one + exp_(-x[i]))


cdef simd mish(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    # tanh(log(1 + e)) = e (e + 2) / (e (e + 2) + 2) with e = exp(x); it rounds to 1 long before e is large
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real e, w, top = 30
    for i in range(n):
        e = exp_(top if top < x[i] else x[i])
        w = e * (e + 2)
        out[i] = x[i] * (w / (w + 2))


cdef simd log_sigmoid(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real low
    for i in range(n):
        low = 0 if 0 < x[i] else x[i]
        out[i] = low - log1p_unit(exp_(-absolute(x[i])))


cdef simd hardsigmoid(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real y, zero = 0, three = 3, six = 6
    for i in range(n):
        y = x[i] + three
        y = zero if zero > y else y
        y = six if six < y else y
        out[i] = y / six


cdef simd hardswish(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real y, zero = 0, three = 3, six = 6
    for i in range(n):
        y = x[i] + three
        y = zero if zero > y else y
        y = six if six < y else y
        out[i] = x[i] * y / six


cdef inline Real _elu(Real x, Real negative, Real positive, Real input_scale) noexcept nogil:
    cdef Real below = negative * expm1_(x * input_scale), above = x * positive
    return below if x < 0 else above


cdef simd selu(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real scale = 1.0507009873554804934193349852946
    cdef Real negative = 1.6732632423543772848170429916717 * 1.0507009873554804934193349852946
    for i in range(n):
        out[i] = _elu(x[i], negative, scale, <Real>1)


# ---- parametrised

cdef simd elu(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real positive = params[1], input_scale = params[2], negative = params[0] * params[1]
    for i in range(n):
        out[i] = _elu(x[i], negative, positive, input_scale)


cdef simd leaky_relu(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real slope = params[0], below
    for i in range(n):
        below = x[i] * slope
        out[i] = x[i] if x[i] > 0 else below


cdef simd softplus(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    # log(1 + exp(z)) = max(z, 0) + log(1 + exp(-|z|))
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real beta = params[0], threshold = params[1], z, soft
    for i in range(n):
        z = x[i] * beta
        soft = ((0 if 0 > z else z) + log1p_unit(exp_(-absolute(z)))) / beta
        out[i] = x[i] if z > threshold else soft


cdef simd hardshrink(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real lambd = params[0]
    for i in range(n):
        out[i] = 0 if (x[i] >= -lambd) & (x[i] <= lambd) else x[i]


cdef simd softshrink(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    cdef Real lambd = params[0], y
    for i in range(n):
        y = x[i] - lambd if x[i] > lambd else x[i] * 0           # keeps nan
        out[i] = x[i] + lambd if x[i] < -lambd else y


cdef void elu_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                   void* data) noexcept nogil:
    run_floating(1, args, n, steps, data, <Block>elu[float], <Block>elu[double])


cdef void leaky_relu_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                          void* data) noexcept nogil:
    run_floating(1, args, n, steps, data, <Block>leaky_relu[float], <Block>leaky_relu[double])


cdef void softplus_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                        void* data) noexcept nogil:
    run_floating(1, args, n, steps, data, <Block>softplus[float], <Block>softplus[double])


cdef void hardshrink_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                          void* data) noexcept nogil:
    run_floating(1, args, n, steps, data, <Block>hardshrink[float], <Block>hardshrink[double])


cdef void softshrink_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                          void* data) noexcept nogil:
    run_floating(1, args, n, steps, data, <Block>softshrink[float], <Block>softshrink[double])


cdef void register() except *:
    set_floating(unary_row(SIGMOID), 1, <Block>sigmoid[float], <Block>sigmoid[double], 2)
    set_floating(unary_row(RELU), 1, <Block>relu[float], <Block>relu[double], 1)
    set_floating(unary_row(GELU), 1, <Block>gelu[float], <Block>gelu[double], 6)
    set_floating(unary_row(GELU_TANH), 1, <Block>gelu_tanh[float], <Block>gelu_tanh[double], 3)
    set_floating(unary_row(SILU), 1, <Block>silu[float], <Block>silu[double], 3)
    set_floating(unary_row(MISH), 1, <Block>mish[float], <Block>mish[double], 3)
    set_floating(unary_row(LOG_SIGMOID), 1, <Block>log_sigmoid[float],
                 <Block>log_sigmoid[double], 4)
    set_floating(unary_row(HARDSIGMOID), 1, <Block>hardsigmoid[float],
                 <Block>hardsigmoid[double], 2)
    set_floating(unary_row(HARDSWISH), 1, <Block>hardswish[float], <Block>hardswish[double], 2)
    set_floating(unary_row(SELU), 1, <Block>selu[float], <Block>selu[double], 3)
    set_floating_loops(unary_row(ELU), <Loop>elu_loop[float], <Loop>elu_loop[double], 3)
    set_floating_loops(unary_row(LEAKY_RELU), <Loop>leaky_relu_loop[float],
                       <Loop>leaky_relu_loop[double], 1)
    set_floating_loops(unary_row(SOFTPLUS), <Loop>softplus_loop[float],
                       <Loop>softplus_loop[double], 4)
    set_floating_loops(unary_row(HARDSHRINK), <Loop>hardshrink_loop[float],
                       <Loop>hardshrink_loop[double], 1)
    set_floating_loops(unary_row(SOFTSHRINK), <Loop>softshrink_loop[float],
                       <Loop>softshrink_loop[double], 1)
