# Elementary functions without branches, so that gcc vectorises the loops they are inlined into. The composite
# operators (sigmoid, gelu, softplus, ...) are built from them. Errors are 1 to 2 units in the last place. `Real`
# functions take float or double and compute in that type.
#
# Note [Polynomials]
# The coefficients interpolate the function in the Chebyshev points of the interval named next to them, computed
# with 60 digits; such a polynomial is close to the best of its degree.
#
# Note [Rounding by a magic number]
# Adding 1.5 * 2**52 (float: 1.5 * 2**23) to a small number rounds it to an integer and leaves that integer in the
# low bits of the sum: rounding and conversion in one addition on any processor.

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from minitorch.kernels.common.horner cimport horner, hornerf
from minitorch.kernels.common.types cimport Real

# gcc builtins, which become single instructions if the processor has them
cdef extern from *:
    float __builtin_fabsf(float x) noexcept nogil
    double __builtin_fabs(double x) noexcept nogil
    float __builtin_copysignf(float x, float y) noexcept nogil
    double __builtin_copysign(double x, double y) noexcept nogil
    float __builtin_sqrtf(float x) noexcept nogil
    double __builtin_sqrt(double x) noexcept nogil
    float __builtin_truncf(float x) noexcept nogil
    double __builtin_trunc(double x) noexcept nogil
    float __builtin_floorf(float x) noexcept nogil
    double __builtin_floor(double x) noexcept nogil
    double __builtin_fma(double x, double y, double z) noexcept nogil

# Note [Polynomials]
cdef extern from *:
    """
    static const float minitorch_expm1_float[] = {
        0.00139269266, 0.00836377387, 0.0416665501, 0.166665733, 0.5};
    static const double minitorch_expm1_double[] = {
        2.09154422977801152e-9, 2.51062747335732947e-8, 2.75572718102197996e-7, 2.75572528335169097e-6,
        0.0000248015873270071867, 0.000198412698768643549, 0.00138888888888833267, 0.0083333333333255447,
        0.0416666666666666701, 0.166666666666666714, 0.5};
    static const float minitorch_log1p_float[] = {
        0.134257490, 0.141183099, 0.200037803, 0.333333202};
    static const double minitorch_log1p_double[] = {
        0.078152889004614293, 0.0374607189777538127, 0.05422589197440008, 0.0586713953065159865,
        0.0666758931572462793, 0.0769227198243027464, 0.0909090994898135719, 0.111111110991183853,
        0.142857142858000496, 0.199999999999997613, 0.333333333333333334};
    static const float minitorch_erf_low_float[] = {
        0.0000787587506, -0.000801686429, 0.00518908742, -0.0268542120, 0.112835947, -0.376126267};
    static const float minitorch_erf_high_float[] = {
        1.63715141e-6, -0.0000460580427, 0.000596805626, -0.00475959630, 0.0264211360, -0.110080083,
        -0.631826052, -1.13023343, 0.000320138050};
    static const double minitorch_erf_low_double[] = {
        -7.79589882700214188e-10, 1.37200645467776854e-8, -1.62084838018717058e-7, 1.64474247033173624e-6,
        -0.0000149247369074196603, 0.000120552949048397079, -0.000854832597538969208,
        0.00522397760711642273, -0.0268661706432377704, 0.112837916709450063, -0.376126389031835404};
    static const double minitorch_erf_high_double[] = {
        1.74575281695570057e-8, -3.69078600605160043e-8, -3.45368278544928295e-8, 1.22850307281314521e-7,
        -8.37975569400899361e-8, 2.43763529161738445e-7, -9.57944664495551381e-7, 2.04515921414794672e-6,
        -3.39624157790451779e-6, 4.49117909342300687e-6, -1.48733547016504876e-6, -0.0000184457876168501515,
        0.0000909032937113907354, -0.00030782663895153533, 0.000893576229284531632, -0.00237399621623401325,
        0.00595370450573682655, -0.0143845484191425217, 0.0341284110786172605, -0.0816509097143913599,
        -6.04220659213892587, -18.165248970913016, -14.1124374021481738};
    """
    const float* EXPM1_FLOAT "minitorch_expm1_float"
    const double* EXPM1_DOUBLE "minitorch_expm1_double"
    const float* LOG1P_FLOAT "minitorch_log1p_float"
    const double* LOG1P_DOUBLE "minitorch_log1p_double"
    const float* ERF_LOW_FLOAT "minitorch_erf_low_float"
    const float* ERF_HIGH_FLOAT "minitorch_erf_high_float"
    const double* ERF_LOW_DOUBLE "minitorch_erf_low_double"
    const double* ERF_HIGH_DOUBLE "minitorch_erf_high_double"

cdef inline Real absolute(Real x) noexcept nogil:
    return __builtin_fabsf(x) if Real is float else __builtin_fabs(x)

cdef inline Real with_sign(Real x, Real y) noexcept nogil:
    """Return the magnitude of x with the sign of y."""
    return __builtin_copysignf(x, y) if Real is float else __builtin_copysign(x, y)

cdef inline Real square_root(Real x) noexcept nogil:
    return __builtin_sqrtf(x) if Real is float else __builtin_sqrt(x)

cdef inline Real truncated(Real x) noexcept nogil:
    return __builtin_truncf(x) if Real is float else __builtin_trunc(x)

cdef inline Real floored(Real x) noexcept nogil:
    return __builtin_floorf(x) if Real is float else __builtin_floor(x)

# ---- powers of two, from a number that has the exponent in its low bits

cdef inline float two_to_f(float magic_sum) noexcept nogil:
    cdef uint32_t bits
    memcpy(&bits, &magic_sum, 4)
    bits = (bits + 127) << 23
    memcpy(&magic_sum, &bits, 4)
    return magic_sum

cdef inline double two_to_d(double magic_sum) noexcept nogil:
    cdef uint64_t bits
    memcpy(&bits, &magic_sum, 8)
    bits = (bits + 1023) << 52
    memcpy(&magic_sum, &bits, 8)
    return magic_sum

# ---- exp(r) - 1 for |r| <= log(2) / 2, as r + r*r*q(r)

cdef inline float _expm1_reduced_f(float r) noexcept nogil:
    cdef float q = hornerf(EXPM1_FLOAT, r)
    return r + r * r * q

cdef inline double _expm1_reduced_d(double r) noexcept nogil:
    cdef double q = horner(EXPM1_DOUBLE, r)
    return r + r * r * q

cdef inline Real exp_(Real x) noexcept nogil:
    # exp(x) = 2**n exp(r), with 2**n in two factors, so that overflow gives infinity and small results become
    # subnormal. The comparisons propagate nan.
    cdef Real t, n, r, p, half
    cdef Real magic = 12582912.0 if Real is float else 6755399441055744.0
    if Real is float:
        x = <float>89.0 if <float>89.0 < x else x
        x = <float>-104.0 if <float>-104.0 > x else x
        t = x * <float>1.44269504 + magic
        n = t - magic
        r = (x - n * <float>0.693359375) + n * <float>2.12194440e-4
        p = _expm1_reduced_f(r)
        half = n * <float>0.5 + magic
        return (<float>1.0 + p) * two_to_f(half) * two_to_f(n - (half - magic) + magic)
    else:
        x = 710.0 if 710.0 < x else x
        x = -746.0 if -746.0 > x else x
        t = x * 1.44269504088896340736 + magic
        n = t - magic
        r = (x - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10
        p = _expm1_reduced_d(r)
        half = n * 0.5 + magic
        return (1.0 + p) * two_to_d(half) * two_to_d(n - (half - magic) + magic)

cdef inline Real exp_moderate(Real x) noexcept nogil:
    """Return exp(x) for x in [-80, 80], where a single factor 2**n is enough."""
    cdef Real t, n, r, p
    cdef Real magic = 12582912.0 if Real is float else 6755399441055744.0
    t = x * <Real>1.44269504088896340736 + magic
    n = t - magic
    if Real is float:
        r = (x - n * <float>0.693359375) + n * <float>2.12194440e-4
        p = two_to_f(t)
        return p + p * _expm1_reduced_f(r)
    else:
        r = (x - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10
        p = two_to_d(t)
        return p + p * _expm1_reduced_d(r)

cdef inline Real exp_beside_one(Real x) noexcept nogil:
    """Return exp(x), or exp(-80) if that is more: the same when it is added to 1, and computed faster."""
    # two_to(t - 1) is half of 2**n, which may be infinite
    cdef Real t, n, r
    cdef Real magic = 12582912.0 if Real is float else 6755399441055744.0
    cdef Real top = 89.0 if Real is float else 710.0
    x = top if top < x else x
    x = <Real>-80.0 if <Real>-80.0 > x else x
    t = x * <Real>1.44269504088896340736 + magic
    n = t - magic
    if Real is float:
        r = (x - n * <float>0.693359375) + n * <float>2.12194440e-4
        return (<float>1.0 + _expm1_reduced_f(r)) * two_to_f(t - <float>1.0) * <float>2.0
    else:
        r = (x - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10
        return (1.0 + _expm1_reduced_d(r)) * two_to_d(t - 1.0) * 2.0

cdef inline Real exp2_(Real x) noexcept nogil:
    # like exp_, but the reduction is exact
    cdef Real n, p, half
    cdef Real magic = 12582912.0 if Real is float else 6755399441055744.0
    cdef Real top = 129.0 if Real is float else 1025.0
    cdef Real bottom = -151.0 if Real is float else -1076.0
    x = top if top < x else x
    x = bottom if bottom > x else x
    n = (x + magic) - magic
    if Real is float:
        p = _expm1_reduced_f((x - n) * <float>0.69314718055994530942)
        half = n * <float>0.5 + magic
        return (<float>1.0 + p) * two_to_f(half) * two_to_f(n - (half - magic) + magic)
    else:
        p = _expm1_reduced_d((x - n) * 0.69314718055994530942)
        half = n * 0.5 + magic
        return (1.0 + p) * two_to_d(half) * two_to_d(n - (half - magic) + magic)

cdef inline Real expm1_(Real x) noexcept nogil:
    # 2**n (p + 1) - 1 with p = exp(r) - 1, regrouped so that nothing cancels near 0; n = 0 there.
    # Below -40 the result is -1; for x up to log of the largest number.
    cdef Real t, n, r, p, scale
    cdef Real magic = 12582912.0 if Real is float else 6755399441055744.0
    x = <Real>-40.0 if <Real>-40.0 > x else x
    t = x * <Real>1.44269504088896340736 + magic
    n = t - magic
    if Real is float:
        r = (x - n * <float>0.693359375) + n * <float>2.12194440e-4
        p = _expm1_reduced_f(r)
        scale = two_to_f(t)
    else:
        r = (x - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10
        p = _expm1_reduced_d(r)
        scale = two_to_d(t)
    return scale * p + (scale - <Real>1.0)

cdef inline Real log1p_unit(Real u) noexcept nogil:
    """Return log(1 + u) for 0 <= u <= 1."""
    # 2 artanh(s) with s = u / (2 + u): an odd series in s, s*s <= 1/9
    cdef Real s = u / (<Real>2.0 + u)
    cdef Real z = s * s, q
    if Real is float:
        q = hornerf(LOG1P_FLOAT, z)
    else:
        q = horner(LOG1P_DOUBLE, z)
    return <Real>2.0 * (s + s * z * q)

cdef inline Real sigmoid_(Real x) noexcept nogil:
    return <Real>1.0 / (<Real>1.0 + exp_beside_one(-x))

cdef inline Real tanh_(Real x) noexcept nogil:
    # e / (e + 2) with e = exp(2 |x|) - 1; rounds to 1 long before e is large
    cdef Real top = 20.0 if Real is float else 40.0
    cdef Real a = <Real>2.0 * absolute(x), e
    a = top if top < a else a
    e = expm1_(a)
    return with_sign(e / (e + <Real>2.0), x)

# Returns sigmoid(x) and stores 1 - sigmoid(x), computing neither by a subtraction.
cdef inline Real both_sigmoids(Real x, Real* complement) noexcept nogil:
    cdef Real low = -85.0 if Real is float else -700.0       # exp(-x) is finite from here on
    cdef Real e = exp_(-x)
    cdef Real s = <Real>1.0 / (<Real>1.0 + e), rest = e * s
    complement[0] = <Real>1.0 if x < low else rest
    return s

# ---- the error function: a polynomial below 1, 1 - exp(polynomial) above

cdef inline float _erf_f(float x) noexcept nogil:
    cdef float a = __builtin_fabsf(x), z = x * x, p, q
    p = hornerf(ERF_LOW_FLOAT, z)
    # The leading coefficient exceeds 1; its integer part is added last, to reduce rounding.
    p = x + x * (p * z + <float>0.128379166)
    a = <float>4.0 if <float>4.0 < a else a
    q = hornerf(ERF_HIGH_FLOAT, a)
    q = __builtin_copysignf(<float>1.0 - exp_moderate(q), x)
    return q if a > <float>1.0 else p

cdef inline double _erf_d(double x) noexcept nogil:
    cdef double a = __builtin_fabs(x), z = x * x, p, q, t
    p = horner(ERF_LOW_DOUBLE, z)
    p = x + x * (p * z + 0.12837916709551257)
    a = 6.0 if 6.0 < a else a
    t = (a - 3.5) * 0.4
    q = horner(ERF_HIGH_DOUBLE, t)
    q = __builtin_copysign(1.0 - exp_moderate(q), x)
    return q if a > 1.0 else p

cdef inline Real erf_(Real x) noexcept nogil:
    return _erf_f(x) if Real is float else _erf_d(x)
