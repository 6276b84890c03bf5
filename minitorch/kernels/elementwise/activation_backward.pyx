# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""The derivatives of the activation functions.

They are binary operators on the incoming gradient and either the input or the result, depending on which of them
PyTorch saves. The kernels are blocks, as in activation.pyx, which has the functions themselves.
"""

from minitorch.kernels.common.blocks cimport Block, run_floating, set_floating, set_floating_loops
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.vmath cimport absolute, both_sigmoids, erf_, exp_, sigmoid_


cdef simd tanh_backward(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* grad = args[0]
    cdef const Real* y = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = grad[i] * (1 - y[i] * y[i])


cdef simd sigmoid_backward(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* grad = args[0]
    cdef const Real* y = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = grad[i] * (1 - y[i]) * y[i]


cdef simd gelu_backward(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    # the derivative of x cdf(x): cdf(x) + x pdf(x), of the normal distribution
    cdef const Real* grad = args[0]
    cdef const Real* x = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real half = 0.5, root_half = 0.70710678118654752440, c = 0.39894228040143267794
    cdef Real cdf, pdf
    for i in range(n):
        cdf = half * (1 + erf_(x[i] * root_half))
        pdf = c * exp_(-half * x[i] * x[i])
        out[i] = grad[i] * (cdf + x[i] * pdf)


cdef simd gelu_tanh_backward(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    # the derivative of x s with s = sigmoid(v), v = 2 sqrt(2/pi) (x + 0.044715 x**3)
    cdef const Real* grad = args[0]
    cdef const Real* x = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real c = 1.59576912160573071176, c3 = 0.044715, three = 3
    cdef Real square, s, rest
    for i in range(n):
        square = x[i] * x[i]
        s = both_sigmoids(c * x[i] * (1 + c3 * square), &rest)
        out[i] = grad[i] * (s + x[i] * s * rest * c * (1 + three * c3 * square))


cdef simd silu_backward(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* grad = args[0]
    cdef const Real* x = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real s, rest
    for i in range(n):
        s = both_sigmoids(x[i], &rest)
        out[i] = grad[i] * s * (1 + x[i] * rest)


cdef simd mish_backward(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    # t + x sigmoid(x) (1 - t**2) with t = tanh(log(1 + e)), e = exp(x), see mish;
    # 1 - t = 2 / (w + 2), 1 + t = 2 (w + 1) / (w + 2)
    cdef const Real* grad = args[0]
    cdef const Real* x = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real e, w, t, slope, top = 30
    for i in range(n):
        e = exp_(top if top < x[i] else x[i])
        w = e * (e + 2)
        t = 1 / (w + 2)
        slope = (e / (e + 1)) * 4 * (w + 1) * t * t
        slope = 0 if x[i] > top else slope
        out[i] = grad[i] * (w * t + x[i] * slope)


cdef simd log_sigmoid_backward(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* grad = args[0]
    cdef const Real* x = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real e, one = 1
    for i in range(n):
        e = exp_(-absolute(x[i]))
        out[i] = grad[i] * ((e if x[i] >= 0 else one) / (1 + e))


cdef simd hardsigmoid_backward(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* grad = args[0]
    cdef const Real* x = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real sixth = <float>(1.0 / 6.0), y          # float32 precision in all dtypes, as in PyTorch
    for i in range(n):
        y = grad[i] * sixth
        out[i] = y if (x[i] > -3) & (x[i] < 3) else 0


cdef simd hardswish_backward(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* grad = args[0]
    cdef const Real* x = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real y, half = 0.5, three = 3
    for i in range(n):
        y = grad[i] * (x[i] / three + half)
        y = y if x[i] < three else grad[i]          # nan is treated as large
        out[i] = 0 if x[i] <= -three else y


# ---- parametrised

cdef simd threshold_backward(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* grad = args[0]
    cdef const Real* x = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real threshold = params[0]
    for i in range(n):
        out[i] = 0 if x[i] <= threshold else grad[i]


cdef simd leaky_relu_backward(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* grad = args[0]
    cdef const Real* x = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real slope = params[0], below
    for i in range(n):
        below = grad[i] * slope
        out[i] = grad[i] if x[i] > 0 else below


cdef simd elu_backward(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* grad = args[0]
    cdef const Real* x = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real negative = params[0] * params[1], positive = params[1], input_scale = params[2]
    cdef Real above, below
    for i in range(n):
        above = grad[i] * positive
        below = grad[i] * input_scale * negative * exp_(x[i] * input_scale)
        out[i] = below if x[i] <= 0 else above


cdef simd elu_backward_from_result(Real** args, Py_ssize_t n,
                                   const double* params) noexcept nogil:
    cdef const Real* grad = args[0]
    cdef const Real* y = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real negative = params[0] * params[1], positive = params[1], input_scale = params[2]
    cdef Real above, below
    for i in range(n):
        above = grad[i] * positive
        below = grad[i] * input_scale * (y[i] + negative)
        out[i] = below if y[i] <= 0 else above


cdef simd softplus_backward(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* grad = args[0]
    cdef const Real* x = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real beta = params[0], threshold = params[1], z, soft
    for i in range(n):
        z = x[i] * beta
        soft = grad[i] * sigmoid_(z)
        out[i] = grad[i] if z > threshold else soft


cdef simd hardtanh_backward(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* grad = args[0]
    cdef const Real* x = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real low = params[0], high = params[1]
    for i in range(n):
        out[i] = 0 if (x[i] <= low) | (x[i] >= high) else grad[i]


cdef simd shrink_backward(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef const Real* grad = args[0]
    cdef const Real* x = args[1]
    cdef Real* out = args[2]
    cdef Py_ssize_t i
    cdef Real lambd = params[0]
    for i in range(n):
        out[i] = 0 if (x[i] >= -lambd) & (x[i] <= lambd) else grad[i]


cdef void threshold_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                         void* data) noexcept nogil:
    run_floating(2, args, n, steps, data, <Block>threshold_backward[float],
                 <Block>threshold_backward[double])


cdef void leaky_relu_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                          void* data) noexcept nogil:
    run_floating(2, args, n, steps, data, <Block>leaky_relu_backward[float],
                 <Block>leaky_relu_backward[double])


cdef void elu_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                   void* data) noexcept nogil:
    run_floating(2, args, n, steps, data, <Block>elu_backward[float], <Block>elu_backward[double])


cdef void elu_from_result_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                               void* data) noexcept nogil:
    run_floating(2, args, n, steps, data, <Block>elu_backward_from_result[float],
                 <Block>elu_backward_from_result[double])


cdef void softplus_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                        void* data) noexcept nogil:
    run_floating(2, args, n, steps, data, <Block>softplus_backward[float],
                 <Block>softplus_backward[double])


cdef void hardtanh_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                        void* data) noexcept nogil:
    run_floating(2, args, n, steps, data, <Block>hardtanh_backward[float],
                 <Block>hardtanh_backward[double])


cdef void shrink_loop(Real** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                      void* data) noexcept nogil:
    run_floating(2, args, n, steps, data, <Block>shrink_backward[float],
                 <Block>shrink_backward[double])


cdef void register() except *:
    set_floating(binary_row(TANH_BACKWARD), 2, <Block>tanh_backward[float],
                 <Block>tanh_backward[double], 1)
    set_floating(binary_row(SIGMOID_BACKWARD), 2, <Block>sigmoid_backward[float],
                 <Block>sigmoid_backward[double], 1)
    set_floating(binary_row(GELU_BACKWARD), 2, <Block>gelu_backward[float],
                 <Block>gelu_backward[double], 7)
    set_floating(binary_row(GELU_TANH_BACKWARD), 2, <Block>gelu_tanh_backward[float],
                 <Block>gelu_tanh_backward[double], 4)
    set_floating(binary_row(SILU_BACKWARD), 2, <Block>silu_backward[float],
                 <Block>silu_backward[double], 3)
    set_floating(binary_row(MISH_BACKWARD), 2, <Block>mish_backward[float],
                 <Block>mish_backward[double], 5)
    set_floating(binary_row(LOG_SIGMOID_BACKWARD), 2, <Block>log_sigmoid_backward[float],
                 <Block>log_sigmoid_backward[double], 3)
    set_floating(binary_row(HARDSIGMOID_BACKWARD), 2, <Block>hardsigmoid_backward[float],
                 <Block>hardsigmoid_backward[double], 1)
    set_floating(binary_row(HARDSWISH_BACKWARD), 2, <Block>hardswish_backward[float],
                 <Block>hardswish_backward[double], 2)
    set_floating_loops(binary_row(THRESHOLD_BACKWARD), <Loop>threshold_loop[float],
                       <Loop>threshold_loop[double], 1)
    set_floating_loops(binary_row(LEAKY_RELU_BACKWARD), <Loop>leaky_relu_loop[float],
                       <Loop>leaky_relu_loop[double], 1)
    set_floating_loops(binary_row(ELU_BACKWARD), <Loop>elu_loop[float], <Loop>elu_loop[double], 3)
    set_floating_loops(binary_row(ELU_BACKWARD_FROM_RESULT), <Loop>elu_from_result_loop[float],
                       <Loop>elu_from_result_loop[double], 1)
    set_floating_loops(binary_row(SOFTPLUS_BACKWARD), <Loop>softplus_loop[float],
                       <Loop>softplus_loop[double], 3)
    set_floating_loops(binary_row(HARDTANH_BACKWARD), <Loop>hardtanh_loop[float],
                       <Loop>hardtanh_loop[double], 1)
    set_floating_loops(binary_row(SHRINK_BACKWARD), <Loop>shrink_loop[float],
                       <Loop>shrink_loop[double], 1)
