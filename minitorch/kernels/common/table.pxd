# The numbers of the elementwise operators (also as Python enums, for tests and tools), the type of their loops,
# and the tables with one kernel for each operator and dtype. kernels/elementwise/fill_table.pyx fills the tables when
# minitorch.ops is imported.
#
# A kernel is called with scratch copies of the pointers:
#     kernel.loop(args, &n, steps, kernel.data)
# A parametrised kernel (see the enums) gets the result of `loop_data` for the caller's doubles in place of kernel.data.
# All operands have one dtype; the caller promotes them.

from minitorch.core.dtype cimport NUM_SCALAR_TYPES

# The type of NumPy's inner loops: args are the inputs followed by the output, n[0] elements, steps in bytes (any
# value, including 0 and negative ones). The output may be exactly one of the inputs, but not shifted against it.
# A loop may change the pointers in args.
ctypedef void (*Loop)(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                      void* data) noexcept nogil

cdef struct Kernel:
    Loop loop       # NULL: there is none for the dtype
    void* data      # passed to the loop; parametrised operators get the caller's doubles instead
    int cost        # nanoseconds per element times 10, roughly

# The type of Kernel.data where float16 or bfloat16 is computed by the kernel of float32, or another type by the
# kernel of its carrier (kernels/elementwise/carried.pyx)
cdef struct Widened:
    Kernel* kernel              # the kernel of float32 or of the carrier
    void* data                  # passed to its loop
    int inputs
    bint to_bool                # whether the results are Bool, which are not narrowed
    void* carrier               # a Carrier

cdef inline void* loop_data(Kernel* kernel, double* params, Widened* scratch) noexcept nogil:
    """Return the data argument for a loop; the operator is parametrised if `params` is given."""
    if params == NULL:
        return kernel.data
    if kernel.data == NULL:
        return params
    # of the parametrised kernels, only widened ones have data
    scratch[0] = (<Widened*>kernel.data)[0]
    scratch.data = params
    return scratch

# (in) -> out
cpdef enum UnaryOp:
    NEG
    ABS                 # complex -> its real type
    SIGN                # not complex; sign(nan) is 0
    SGN                 # sign, for complex z/|z|
    SQRT
    RSQRT
    SQUARE
    RECIPROCAL
    EXP
    EXP2
    EXPM1
    LOG
    LOG2
    LOG10
    LOG1P
    SIN
    COS
    TAN
    ASIN
    ACOS
    ATAN
    SINH
    COSH
    TANH
    ASINH
    ACOSH
    ATANH
    SIGMOID
    ERF
    ERFC
    ERFINV
    LGAMMA
    DIGAMMA
    FLOOR
    CEIL
    ROUND               # half to even
    TRUNC
    FRAC
    LOGICAL_NOT         # -> Bool
    BITWISE_NOT
    ISNAN               # -> Bool
    ISINF               # -> Bool
    ISFINITE            # -> Bool
    SIGNBIT             # -> Bool
    RELU
    GELU
    GELU_TANH
    SILU
    MISH
    LOG_SIGMOID
    HARDSIGMOID
    HARDSWISH
    SELU
    CONJ                # any dtype; the identity unless complex
    ANGLE               # complex -> its real type
    # parametrised: data is double*
    NAN_TO_NUM          # nan, posinf, neginf
    LEAKY_RELU          # slope
    ELU                 # alpha, scale, input_scale
    SOFTPLUS            # beta, threshold
    CLAMP               # min, max (either may be infinite); nan stays nan
    THRESHOLD           # threshold, value
    POW_SCALAR          # exponent; integers: at least 0
    HARDSHRINK          # lambda
    SOFTSHRINK          # lambda
    # without parameters; SciPy's loops are available after scipy_loops.load()
    I0
    I0E
    I1
    I1E
    ENTR
    ERFCX
    NDTRI
    LOG_NDTR
    BESSEL_J0
    BESSEL_J1
    BESSEL_Y0
    BESSEL_Y1
    BESSEL_K0
    BESSEL_K1
    BESSEL_K0E
    BESSEL_K1E
    SPHERICAL_J0
    AIRY_AI
    TRIGAMMA
    NUM_UNARY

# (a, b) -> out
cpdef enum BinaryOp:
    ADD                 # Bool: or
    SUB
    MUL                 # Bool: and
    DIV                 # floating and complex
    FLOOR_DIVIDE        # integers: 0 where b is 0; see has_zero
    TRUNC_DIVIDE
    REMAINDER           # the sign of b
    FMOD                # the sign of a
    POW
    MAXIMUM             # nan if either is nan
    MINIMUM
    FMAX                # the other number if one is nan
    FMIN
    ATAN2
    HYPOT
    COPYSIGN
    NEXTAFTER
    LOGADDEXP
    LOGADDEXP2
    EQ                  # the comparisons and LOGICAL_*: -> Bool
    NE
    LT
    LE
    GT
    GE
    LOGICAL_AND
    LOGICAL_OR
    LOGICAL_XOR
    BITWISE_AND
    BITWISE_OR
    BITWISE_XOR
    LEFT_SHIFT
    RIGHT_SHIFT
    XLOGY
    SQUARED_DIFFERENCE          # (a - b)**2: mse
    # the derivatives, called with (grad, result)
    TANH_BACKWARD
    SIGMOID_BACKWARD
    # the derivatives, called with (grad, x)
    GELU_BACKWARD
    GELU_TANH_BACKWARD
    SILU_BACKWARD
    MISH_BACKWARD
    LOG_SIGMOID_BACKWARD
    HARDSIGMOID_BACKWARD
    HARDSWISH_BACKWARD
    # parametrised: data is double*
    THRESHOLD_BACKWARD          # (grad, x): threshold
    LEAKY_RELU_BACKWARD         # (grad, x): slope
    ELU_BACKWARD                # (grad, x): alpha, scale, input_scale
    ELU_BACKWARD_FROM_RESULT    # (grad, result): alpha, scale, input_scale
    SOFTPLUS_BACKWARD           # (grad, x): beta, threshold
    HARDTANH_BACKWARD           # (grad, x): min, max
    ADD_ALPHA                   # alpha: a + alpha * b
    SUB_ALPHA                   # alpha: a - alpha * b
    AXPBY                       # alpha, beta: alpha * a + beta * b
    LERP_SCALAR                 # weight: a + weight * (b - a)
    SMOOTH_L1                   # beta
    HUBER                       # delta
    SHRINK_BACKWARD             # (grad, x): lambda; of hardshrink and softshrink
    # without parameters
    XLOG1PY
    GCD                         # integers
    LCM                         # integers
    HEAVISIDE                   # (x, the value at 0)
    IGAMMA                      # (a, x); of SciPy, as IGAMMAC
    IGAMMAC
    ZETA                        # Hurwitz': (x, q)
    # polynomials: (x, degree), the degree without its fraction
    CHEBYSHEV_T
    CHEBYSHEV_U
    CHEBYSHEV_V
    CHEBYSHEV_W
    SHIFTED_CHEBYSHEV_T
    SHIFTED_CHEBYSHEV_U
    SHIFTED_CHEBYSHEV_V
    SHIFTED_CHEBYSHEV_W
    HERMITE_H
    HERMITE_HE
    LAGUERRE
    LEGENDRE
    NUM_BINARY

# (a, b, c) -> out
cpdef enum TernaryOp:
    WHERE               # (Bool, a, b)
    LERP                # (a, b, weight)
    CLAMP_TENSOR        # (a, min, max)
    # parametrised: data is double*
    ADDCMUL             # value: a + value * b * c
    ADDCDIV             # value: a + value * b / c
    NUM_TERNARY

# [operator][dtype], where dtype is that of the inputs (WHERE: of a and b)
cdef Kernel[NUM_UNARY][NUM_SCALAR_TYPES] unary_table
cdef Kernel[NUM_BINARY][NUM_SCALAR_TYPES] binary_table
cdef Kernel[NUM_TERNARY][NUM_SCALAR_TYPES] ternary_table

cdef inline void set_kernel(Kernel* k, Loop loop, void* data, int cost) noexcept nogil:
    k.loop = loop
    k.data = data
    k.cost = cost

# The kernel of an operator for a dtype, or NULL
cdef inline Kernel* unary_kernel(int op, int dtype) noexcept nogil:
    return present(&unary_table[op][dtype])

cdef inline Kernel* binary_kernel(int op, int dtype) noexcept nogil:
    return present(&binary_table[op][dtype])

cdef inline Kernel* ternary_kernel(int op, int dtype) noexcept nogil:
    return present(&ternary_table[op][dtype])

cdef inline Kernel* present(Kernel* k) noexcept nogil:
    return k if k.loop != NULL else NULL

# The row of an operator, indexed by dtype
cdef inline Kernel* unary_row(int op) noexcept nogil:
    return &unary_table[op][0]

cdef inline Kernel* binary_row(int op) noexcept nogil:
    return &binary_table[op][0]

cdef inline Kernel* ternary_row(int op) noexcept nogil:
    return &ternary_table[op][0]
