# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""Powers with one exponent for all elements.

The exponents 2, 3, 0.5, -0.5, -1, -2, 1 and 0 are arithmetic; any other runs the loop of the binary
operator with a step of 0 for its second operand. An exponent of 0.5 is the square root, as in
PyTorch, so that the power of minus infinity is nan.
"""

from minitorch.core.dtype cimport Complex64, Complex128, Float32, Float64
from minitorch.kernels.blocks cimport Block, Floating, run_floating, set_floating_loops
from minitorch.kernels.simd cimport simd
from minitorch.kernels.table cimport *
from minitorch.kernels.vmath cimport Real, square_root


cdef simd _square(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = x[i] * x[i]


cdef simd _cube(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = x[i] * x[i] * x[i]


cdef simd _root(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = square_root(x[i])


cdef simd _inverse_root(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = 1 / square_root(x[i])


cdef simd _inverse(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = 1 / x[i]


cdef simd _inverse_square(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = 1 / (x[i] * x[i])


cdef simd _copy(const Real* x, Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = x[i]


cdef simd _ones(Real* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = 1


cdef void power(Real** args, Py_ssize_t n, const double* params) noexcept nogil:
    cdef double exponent = params[0]
    cdef Real typed = <Real>exponent
    cdef Py_ssize_t* steps = [sizeof(Real), 0, sizeof(Real)]
    cdef char** operands = [<char*>args[0], <char*>&typed, <char*>args[1]]
    cdef Kernel* k = &binary_row(POW)[<int>(Float32 if Real is float else Float64)]
    if exponent == 2:
        _square(args[0], args[1], n)
    elif exponent == 3:
        _cube(args[0], args[1], n)
    elif exponent == 0.5:
        _root(args[0], args[1], n)
    elif exponent == -0.5:
        _inverse_root(args[0], args[1], n)
    elif exponent == -1:
        _inverse(args[0], args[1], n)
    elif exponent == -2:
        _inverse_square(args[0], args[1], n)
    elif exponent == 1:
        _copy(args[0], args[1], n)
    elif exponent == 0:
        _ones(args[1], n)
    else:
        k.loop(operands, &n, steps, k.data)


cdef void power_loop(Floating** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                     void* data) noexcept nogil:
    run_floating(1, args, n, steps, data, <Block>power[float], <Block>power[double])


cdef void complex64_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                         void* data) noexcept nogil:
    cdef float complex exponent = (<double*>data)[0]
    _complex(args, n, steps, <char*>&exponent, (<double*>data)[0], Complex64)


cdef void complex128_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                          void* data) noexcept nogil:
    cdef double complex exponent = (<double*>data)[0]
    _complex(args, n, steps, <char*>&exponent, exponent.real, Complex128)


cdef void _complex(char** args, const Py_ssize_t* n, const Py_ssize_t* steps, char* exponent,
                   double value, int dtype) noexcept nogil:
    cdef Kernel* k
    cdef Py_ssize_t* power_steps = [steps[0], 0, steps[1]]
    cdef char** operands = [args[0], exponent, args[1]]
    if value == 2:
        k = &unary_row(SQUARE)[dtype]
        k.loop(args, n, steps, k.data)
    else:
        k = &binary_row(POW)[dtype]
        k.loop(operands, n, power_steps, k.data)


cdef void register() except *:
    set_floating_loops(unary_row(POW_SCALAR), <Loop>power_loop[float], <Loop>power_loop[double], 4)
    set_kernel(&unary_row(POW_SCALAR)[<int>Complex64], complex64_loop, NULL, 400)
    set_kernel(&unary_row(POW_SCALAR)[<int>Complex128], complex128_loop, NULL, 600)
